/**
 * Decides which files a new register format adds and which lines it adds to files that there are. It writes nothing:
 * whatever is in its way is found before the first file is written.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface NewFormat {
  /** As an operator types it: `inpi-br`. */
  name: string;
  /** `INPI journal of marks (Brazil), XML`. */
  title: string;
  /** Two to five letters or digits, upper case. */
  register: string;
  /** Local name of the root element. */
  root: string;
  /** Local name of the element that holds one mark; may be the root itself. */
  record: string;
}

/** Contents by path from the root of the repository. */
export interface FormatPlan {
  created: Map<string, string>;
  edited: Map<string, string>;
}

/** Why a format cannot be added; nothing has been written. */
export class RefusedFormat extends Error {}

const TEMPLATES = new URL('.', import.meta.url);

/** Where each template goes. */
const TARGETS: Readonly<Record<string, (name: string) => string>> = {
  'adapter.ts.txt': (name) => `server/src/load/formats/${name}/adapter.ts`,
  'record.ts.txt': (name) => `server/src/load/formats/${name}/record.ts`,
  'values.ts.txt': (name) => `server/src/load/formats/${name}/values.ts`,
  'fixture.ts.txt': (name) => `server/test/support/${name}.ts`,
  'test.ts.txt': (name) => `server/test/unit/${name}.test.ts`,
};

/** What is added to files that there are. */
const EDITS: Readonly<Record<string, (text: string, format: NewFormat) => string | null>> = {
  'server/src/load/formats/registry.ts': addToRegistry,
  'server/src/load/formats/recognize.ts': addRoot,
  'docs/loading.md': addRow,
};

/** Throws `RefusedFormat` when a value is malformed, a file exists, or a place for a new line is not found. */
export function planFormat(root: string, format: NewFormat): FormatPlan {
  checkValues(format);
  const folder = `server/src/load/formats/${format.name}`;
  const taken = [folder, ...Object.values(TARGETS).map((target) => target(format.name))].find((path) =>
    existsSync(join(root, path)),
  );
  if (taken !== undefined) throw new RefusedFormat(`${taken} exists already; choose another name`);
  const created = Object.entries(TARGETS).map(([template, target]): [string, string] => [
    target(format.name),
    fill(readFileSync(new URL(template, TEMPLATES), 'utf8'), format),
  ]);
  const edited = Object.entries(EDITS).map(([path, edit]): [string, string] => {
    const text = edit(readFileSync(join(root, path), 'utf8'), format);
    if (text === null) throw new RefusedFormat(`${path} has no place for a format; see scripts/new-format/plan.ts`);
    return [path, text];
  });
  return { created: new Map(created), edited: new Map(edited) };
}

/** What each value has to look like. */
const FORMS: Readonly<Record<keyof NewFormat, readonly [form: RegExp, words: string]>> = {
  name: [/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, 'lower-case words joined by hyphens, such as inpi-br'],
  title: [/^[^'\n`\\]{5,100}$/, '5 to 100 characters without quotes, such as "INPI journal of marks (Brazil), XML"'],
  register: [/^[A-Z0-9]{2,5}$/, '2 to 5 letters or digits, such as BR'],
  root: [/^[A-Za-z_][\w.-]*$/, 'the local name of an element'],
  record: [/^[A-Za-z_][\w.-]*$/, 'the local name of an element'],
};

function checkValues(format: NewFormat): void {
  for (const name of Object.keys(FORMS) as (keyof NewFormat)[]) {
    const [form, words] = FORMS[name];
    if (!form.test(format[name])) throw new RefusedFormat(`${name} must be ${words}, not "${format[name]}"`);
  }
}

function fill(template: string, { name, title, register, root, record }: NewFormat): string {
  const values: Record<string, string> = {
    name,
    title,
    register,
    root,
    record,
    camel: toCamelCase(name),
    country: register.length === 2 ? register : 'XA',
    // A record that is the root itself has nothing around it.
    open: root === record ? '' : `<${root}>`,
    close: root === record ? '' : `</${root}>`,
  };
  return template.replace(/\{\{(\w+)\}\}/g, (_, key: string) => {
    const value = values[key];
    if (value === undefined) throw new Error(`a template names {{${key}}}`);
    return value;
  });
}

function toCamelCase(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function addToRegistry(text: string, { name }: NewFormat): string | null {
  const constant = `${toCamelCase(name)}Format`;
  if (text.includes(constant)) throw new RefusedFormat(`the format ${name} is registered already`);
  const line = `import { ${constant} } from './${name}/adapter.ts';`;
  const imports = [...text.matchAll(/^import .* from '(\.\/.*)';$/gm)];
  const next = imports.find(([, path = '']) => path > `./${name}/adapter.ts`);
  const last = imports.at(-1);
  const list = /^(export const FORMATS: readonly Format\[\] = \[\n(?: {2}\w+,\n)+)\];$/m;
  if (last === undefined || !list.test(text)) return null;
  const at = next === undefined ? last.index + last[0].length + 1 : next.index;
  return `${text.slice(0, at)}${line}\n${text.slice(at)}`.replace(list, `$1  ${constant},\n];`);
}

/** By which a file of this kind is recognized. A root that is recognized already stays what it is. */
function addRoot(text: string, { name, title, root }: NewFormat): string | null {
  if (text.includes(`'${root}'`)) return text;
  const end = /^ {2}\/\/ Text\.\n/m.exec(text);
  if (end === null) return null;
  const row = `  { seen: '${title}', formats: ['${name}'], roots: ['${root}'] },\n\n`;
  return text.slice(0, end.index).replace(/\n\n$/, '\n') + row + text.slice(end.index);
}

/** The row of the table of formats, after the last one. */
function addRow(text: string, { name, title }: NewFormat): string | null {
  const table = /^\| format \| reads \|\n\|---\|---\|\n(?:\|.*\n)+/m.exec(text);
  if (table === null) return null;
  const at = table.index + table[0].length;
  return `${text.slice(0, at)}| \`${name}\` | ${title} |\n${text.slice(at)}`;
}
