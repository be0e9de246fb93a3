/** Which rules the tests cite, and the table in docs/rules.md that lists them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
export const RULES_PATH = join(ROOT, 'docs/rules.md');

const TEST_FOLDERS = ['contract/test', 'server/test', 'client/test', 'mcp/test'];
/** Proofs are tests that take too long for every run. */
const TEST_FILE = /\.(test|proof)\.ts$/;
/** A title ends `… [4.3, I-16]`, in any of the three kinds of quotes. */
const CITATION = /\[((?:I-)?\d[\w.]*(?:,\s*(?:I-)?\d[\w.]*)*)\]\s*['"`]/g;

export interface RuleRow {
  rule: string;
  code: string;
  state: string;
  tests: string;
}

/** The files below the root that cite each rule, sorted. */
export function listCitations(): Map<string, string[]> {
  const citations = new Map<string, Set<string>>();
  for (const folder of TEST_FOLDERS.filter((name) => existsSync(join(ROOT, name)))) {
    for (const entry of readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })) {
      if (!TEST_FILE.test(entry.name)) continue;
      const path = join(entry.parentPath, entry.name);
      const name = relative(ROOT, path).split(sep).join('/');
      for (const match of readFileSync(path, 'utf8').matchAll(CITATION)) {
        for (const rule of (match[1] ?? '').split(',')) {
          const files = citations.get(rule.trim()) ?? new Set();
          citations.set(rule.trim(), files.add(name));
        }
      }
    }
  }
  return new Map([...citations].map(([rule, files]) => [rule, [...files].sort()]));
}

export function parseRules(text: string): RuleRow[] {
  return text
    .split('\n')
    .filter((line) => /^\| (I-)?\d/.test(line))
    .map((line) => {
      const [, rule = '', , code = '', state = '', tests = ''] = line.split('|').map((cell) => cell.trim());
      return { rule, code, state, tests };
    });
}

/** The text with a fresh tests column. */
export function renderRules(text: string): string {
  const citations = listCitations();
  return text
    .split('\n')
    .map((line) => {
      if (!/^\| (I-)?\d/.test(line)) return line;
      const cells = line.split('|').map((cell) => cell.trim());
      const files = citations.get(cells[1] ?? '') ?? [];
      const tests = files
        .map((file) =>
          file.replace(/^server\/test\//, '').replace(TEST_FILE, (_, kind) => (kind === 'proof' ? ' (proof)' : '')),
        )
        .join(', ');
      return `| ${[...cells.slice(1, 5), tests].join(' | ')} |`.replace('|  |', '| |');
    })
    .join('\n');
}

export { ROOT };
