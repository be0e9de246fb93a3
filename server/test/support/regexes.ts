/** The regular expressions of the sources: the literals, and those that a module builds when it is loaded. */

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { BUILT_VARIABLE } from './cluster.ts';
import { ROOT, type SourceFile } from './sources.ts';

export interface FoundRegex {
  /** The first place that has it, such as `server/src/load/sources/zip.ts:12`. */
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

export interface FoundRegexes {
  readonly regexes: readonly FoundRegex[];
  /** Files with an expression that is built whenever a function is called. */
  readonly builtLater: readonly string[];
}

/** Each expression once. */
export async function findRegexes(files: readonly SourceFile[]): Promise<FoundRegexes> {
  const found = new Map<string, FoundRegex>();
  const add = (place: string, source: string, flags: string): void => {
    const key = `${source}/${flags}`;
    if (!found.has(key)) found.set(key, { place, source, flags });
  };
  const builtLater = new Set<string>();
  for (const { path, text } of files) {
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
    let isBuilding = false;
    const visit = (node: ts.Node, isCalled: boolean): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf('/');
        const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
        add(`${path}:${line}`, node.text.slice(1, end), node.text.slice(end + 1));
      } else if (ts.isNewExpression(node) && node.expression.getText() === 'RegExp') {
        isBuilding = true;
        if (isCalled) builtLater.add(path);
      }
      ts.forEachChild(node, (child) => visit(child, isCalled || ts.isFunctionLike(node)));
    };
    visit(file, false);
    if (isBuilding) for (const { source, flags } of await recordBuilt(path)) add(path, source, flags);
  }
  return { regexes: [...found.values()], builtLater: [...builtLater] };
}

/** Whole runs of the tests import the built program. */
function moduleOf(path: string): string {
  return process.env[BUILT_VARIABLE] === '1' ? path.replace('/src/', '/dist/').replace(/\.ts$/, '.js') : path;
}

/** Loads a module another time, after what it imports, and notes what it builds. */
async function recordBuilt(path: string): Promise<RegExp[]> {
  const url = pathToFileURL(join(ROOT, moduleOf(path))).href;
  await import(url);
  const built: RegExp[] = [];
  const original = globalThis.RegExp;
  globalThis.RegExp = new Proxy(original, {
    construct(target, parts, newTarget) {
      const regex = Reflect.construct(target, parts, newTarget) as RegExp;
      built.push(regex);
      return regex;
    },
  });
  try {
    await import(`${url}?regexes`);
  } finally {
    globalThis.RegExp = original;
  }
  return built;
}
