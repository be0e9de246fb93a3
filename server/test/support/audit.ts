/**
 * Writes docs/audit.md, and the figures of it that the portal shows: how many real records each reader has read, how
 * many were compared with their source, what remains, and what readers know and no real file has. Only words of offices
 * appear; nothing that a file states of a mark or a party does.
 */
import { existsSync, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { observeReads } from '../../src/load/formats/element.ts';
import { type Format, isSetFormat } from '../../src/load/formats/format.ts';
import { TABLES } from '../../src/load/formats/jpo/tables.ts';
import { FORMATS } from '../../src/load/formats/registry.ts';
import { openSource } from '../../src/load/sources/source.ts';
import { normalizeRecord } from '../../src/record/normalize.ts';
import { CHECKED } from './checked-all.ts';
import { CHECKED_BRAZILIAN } from './checked-brazil.ts';
import { CHECKED_JAPANESE } from './checked-japan.ts';
import { compareRecord, findComparison } from './compared.ts';
import { listItems, REAL_DATA, readEntries } from './formats.ts';
import { DIFFERENT_RECORDS, REAL_FILES } from './real-files.ts';
import { REGISTER_FIXTURES } from './register-fixtures.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
export const AUDIT_PATH = join(ROOT, 'docs/audit.md');
export const FIGURES_PATH = join(ROOT, 'server/src/portal/registers/audit-figures.ts');
const EXPECTED_BY_OTHERS = 'uspto/tsdr/expected';

/** What is known of the reader of a format, for one register. */
interface AuditRow {
  readonly format: string;
  readonly register: string;
  files: number;
  /** Records as often as they are in files. */
  read: number;
  readonly uids: Set<string>;
  /** Compared with their source by a test. */
  readonly compared: Set<string>;
  values: number;
  /** How often a field differs. */
  readonly differences: Map<string, number>;
  /** Compared with their source by hand. */
  byHand: number;
  valuesByHand: number;
  readonly issues: Map<string, number>;
  /** What the reader asks for, as `Element/path` or `Element/@attribute`. */
  readonly asked: Set<string>;
  readonly met: Set<string>;
}

export interface Audit {
  readonly rows: readonly AuditRow[];
  /** Files that no format makes a record of, by the format that says why. */
  readonly refused: ReadonlyMap<string, number>;
  /** Tables of the Japanese set that no real set has. */
  readonly tablesUnmet: readonly string[];
  readonly filesOfOthers: number;
}

/** The reader of ST.96 asks every element for these, to ignore them. */
const ASKED_OF_ALL = /\/@(?:type|schemaLocation|sequenceNumber|geographicRegionCategory)$/;

export async function makeAudit(): Promise<Audit> {
  const rows = new Map<string, AuditRow>();
  const rowOf = (format: string, register: string): AuditRow => {
    const key = `${register} ${format}`;
    const row = rows.get(key) ?? openRow(format, register);
    rows.set(key, row);
    return row;
  };
  for (const format of FORMATS) {
    if (format.name === 'ndjson') continue;
    for (const [path, each] of Object.entries(REAL_FILES)) {
      if (!('formats' in each) || !each.formats.includes(format.name)) continue;
      const isJoined = isSetFormat(format) && !format.readsFiles;
      const { register, ...found } = isJoined ? nothing(format) : await readFile(format, path);
      const row = rowOf(format.name, register ?? readRegister(path));
      row.files += each.files ?? 1;
      row.read += isJoined ? each.records : found.read;
      for (const uid of found.uids) row.uids.add(uid);
      for (const uid of found.compared) row.compared.add(uid);
      row.values += found.values;
      for (const [field, times] of found.differences) count(row.differences, field, times);
      for (const [code, times] of Object.entries(each.issues ?? {})) count(row.issues, code, times);
      for (const name of found.asked) row.asked.add(name);
      for (const name of found.met) row.met.add(name);
      for (const mark of CHECKED[format.name] ?? []) {
        if (mark.file !== path) continue;
        row.byHand += 1;
        const fields = new Set([
          ...mark.facts.flatMap(([, stated]) => Object.keys(stated)),
          ...Object.keys(mark.names),
        ]);
        row.valuesByHand += fields.size;
      }
    }
  }
  for (const [format, register, records] of [
    ['inpi-br', 'BR', CHECKED_BRAZILIAN.map(({ record }) => record)],
    ['jpo', 'JP', CHECKED_JAPANESE.map(({ record }) => record)],
  ] as const) {
    const row = rowOf(format, register);
    row.byHand += records.length;
    row.valuesByHand += records.reduce((sum, record) => sum + Object.keys(record).length, 0);
  }
  for (const { format, file } of REGISTER_FIXTURES) {
    const asked = new Set<string>();
    observeReads((node, path) => asked.add(`${node.name}/${path}`));
    const items = await listItems(format, file);
    observeReads(null);
    const register = items.flatMap((item) => (item.kind === 'record' ? item.record.jurisdiction_code : []))[0];
    if (register === undefined) throw new Error(`a fixture of ${format.name} holds no record`);
    const row = rowOf(format.name, register);
    for (const name of asked) row.asked.add(name);
  }
  const refused = new Map<string, number>();
  for (const each of Object.values(REAL_FILES)) if ('refusedBy' in each) count(refused, each.refusedBy, 1);
  return {
    rows: [...rows.values()].sort((one, other) => (nameRow(one) < nameRow(other) ? -1 : 1)),
    refused,
    tablesUnmet: listTablesUnmet(),
    filesOfOthers: existsSync(join(REAL_DATA, EXPECTED_BY_OTHERS))
      ? readdirSync(join(REAL_DATA, EXPECTED_BY_OTHERS)).length
      : 0,
  };
}

function openRow(format: string, register: string): AuditRow {
  return {
    format,
    register,
    ...{ files: 0, read: 0, values: 0, byHand: 0, valuesByHand: 0 },
    ...{ uids: new Set(), compared: new Set(), asked: new Set(), met: new Set() },
    ...{ differences: new Map(), issues: new Map() },
  };
}

type FileFound = Omit<AuditRow, 'format' | 'register' | 'files' | 'byHand' | 'valuesByHand' | 'issues'> & {
  register: string | null;
};

/** What is compared for a format whose records are only made in the database. */
function nothing(format: Format): FileFound {
  return { ...openRow(format.name, ''), register: format.register };
}

async function readFile(format: Format, path: string): Promise<FileFound> {
  const found: FileFound = { ...openRow(format.name, ''), register: format.register };
  const source = await openSource(join(REAL_DATA, path));
  observeReads((node, asked, isMet) => {
    const name = `${node.name}/${asked}`;
    found.asked.add(name);
    if (isMet) found.met.add(name);
  });
  for await (const entry of source.entries((member) => format.accepts(member))) {
    for await (const item of readEntries(format, [entry], { register: null })) {
      // The part of a statement begins with its register.
      if (item.kind === 'supplement') found.register ??= item.rows[0]?.part.split(' ')[0] ?? null;
      if (item.kind !== 'record') continue;
      const record = normalizeRecord(item.record);
      found.register ??= record.jurisdiction_code;
      found.read += 1;
      found.uids.add(record.uid);
      const text = String(item.raw?.() ?? '');
      const comparison = findComparison(format.name, record, text);
      if (comparison === null) continue;
      const { values, differences } = compareRecord(record, text, comparison);
      found.compared.add(record.uid);
      found.values += values;
      for (const field of differences) count(found.differences, field, 1);
    }
  }
  observeReads(null);
  return found;
}

/** An answer without marks states no register; its folder does. */
function readRegister(path: string): string {
  return (path.split('/')[0] ?? '').toUpperCase();
}

function count(counts: Map<string, number>, key: string, times: number): void {
  counts.set(key, (counts.get(key) ?? 0) + times);
}

const nameRow = ({ register, format }: AuditRow): string => `${register} ${format}`;

function listTablesUnmet(): string[] {
  const present = new Set(readdirSync(join(REAL_DATA, 'jpo/tsv')).map((file) => basename(file).slice(4, -4)));
  return [...TABLES.keys()].filter((table) => !present.has(table)).sort();
}

interface Unmet {
  /** In elements that real files have. */
  readonly names: readonly string[];
  /** In elements that no real file has. */
  readonly inside: number;
}

function findUnmet({ asked, met }: AuditRow): Unmet {
  const elements = new Set([...met].flatMap((name) => name.split('/')));
  const unmet = [...asked].filter((name) => !met.has(name) && !ASKED_OF_ALL.test(name)).sort();
  const names = unmet.filter((name) => elements.has(name.split('/')[0] ?? ''));
  return { names, inside: unmet.length - names.length };
}

const sumOf = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((sum, each) => sum + each, 0);

const code = (text: string): string => `\`${text}\``;

/** Words in lines of at most 120 characters. */
function wrap(words: readonly string[]): string {
  const lines: string[] = [];
  for (const word of words) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= 120) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines.join('\n');
}

function renderUnmet(row: AuditRow, tablesUnmet: readonly string[]): string {
  const title = `### ${row.register}, ${code(row.format)}\n\n`;
  if (row.format === 'jpo') {
    const tables = tablesUnmet.length === 0 ? ['none'] : tablesUnmet.map((table) => `${code(table)},`);
    const words = `Of ${TABLES.size} tables that are read, ${tablesUnmet.length} are in no real set:`.split(' ');
    return `${title}${wrap([...words, ...tables]).replace(/,$/, '.')}`;
  }
  if (row.uids.size === 0 && row.issues.size === 0) {
    const known = [...row.asked].filter((name) => !ASKED_OF_ALL.test(name)).length;
    return `${title}${wrap(`No real record is held. All ${known} names are known from files of tests alone.`.split(' '))}`;
  }
  const { names, inside } = findUnmet(row);
  const known = [...row.asked].filter((name) => !ASKED_OF_ALL.test(name)).length;
  const further = inside === 0 ? '' : ` Within elements that no real file has: ${inside} more.`;
  const words = `Known ${known}, never met ${names.length}.${further}`.split(' ');
  const listed = names.map((name, at) => `${code(name)}${at === names.length - 1 ? '.' : ','}`);
  return `${title}${wrap(words)}${listed.length === 0 ? '' : `\n\n${wrap(listed)}`}`;
}

const DIFFERENCES_HEAD = ['| register | format | field | differences |', '|---|---|---|--:|'];

export function renderAudit({ rows, refused, tablesUnmet, filesOfOthers }: Audit): string {
  const records = rows.map((row) => {
    const different = row.format === 'jpo' ? DIFFERENT_RECORDS.jpo : row.uids.size;
    const cells = [row.register, code(row.format), row.files, row.read, different, row.compared.size, row.values];
    return `| ${[...cells, sumOf(row.differences), row.byHand, row.valuesByHand, sumOf(row.issues)].join(' | ')} |`;
  });
  const issues = rows.flatMap(({ register, format, issues: found }) =>
    [...found].sort().map(([issue, times]) => `| ${register} | ${code(format)} | ${code(issue)} | ${times} |`),
  );
  const differences = rows.flatMap(({ register, format, differences: found }) =>
    [...found].sort().map(([field, times]) => `| ${register} | ${code(format)} | ${code(field)} | ${times} |`),
  );
  const refusals = [...refused].sort().map(([format, times]) => `| ${code(format)} | ${times} |`);
  const met = rows.filter((row) => row.asked.size > 0 || row.format === 'jpo');
  return `# Audit of the readers

What the readers of register files have been compared with, and what they know and have never met. It is about the real
files at hand, none of which is part of this repository. \`scripts/audit.ts\` writes this page and the figures that the
portal shows of it; a test compares both with the files.

## Compared with their source

- **Compared**: a test finds fields of each record by a plain search of its source, without the reader
  (\`server/test/support/compared.ts\`), and compares them with the record. These are numbers, dates, names and classes;
  what an office means by its words is in the tables of the readers and on the page of
  [what is not mapped](unmapped.md).
- **By hand**: every field of the record was read off the source, and stands next to the text from which it follows; of
  marks of Japan and Brazil, the fields that follow from the quoted parts (\`server/test/support/checked-*.ts\`).
- **By others**: files of values that others have read off the same sources: ${filesOfOthers || 'none is held'}.

Records count as often as they are in files; *different* counts each once. Formats that state events of records of other
files, and files of parties, hold no records. *Values* are the fields that the record or its source states.

| register | format | files | records | different | compared | values | differences | by hand | their values | issues |
|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|
${records.join('\n')}

${differences.length === 0 ? 'No value differs.' : [...DIFFERENCES_HEAD, ...differences].join('\n')}

## Issues that remain

What loads of these files report ([what each means](loading.md)).

| register | format | issue | times |
|---|---|---|--:|
${issues.join('\n')}

## Files that are refused

Search answers, error answers and layouts that are not read. Each is refused with a reason.

| format | files |
|---|--:|
${refusals.join('\n')}

## Known and never met

What readers ask of the elements of a record, in real files and in the files of tests that state as much as a record
can, and what no real file has. A name is an element with a path or an attribute below it. Readers of one standard ask
the same of all offices, so a name may be one that the office never states.

${met.map((row) => renderUnmet(row, tablesUnmet)).join('\n\n')}
`;
}

/** The figures of each register as a module of the portal. */
export function renderFigures({ rows }: Audit): string {
  const registers = [...new Set(rows.map(({ register }) => register))];
  const lines = registers.map((register) => {
    const own = rows.filter((row) => row.register === register);
    const compared = new Set(own.flatMap((row) => [...row.compared]));
    const sum = (figure: (row: AuditRow) => number): number => own.reduce((total, row) => total + figure(row), 0);
    const figures = [
      `compared: ${compared.size}`,
      `values: ${sum(({ values, valuesByHand }) => values + valuesByHand)}`,
      `differences: ${sum(({ differences }) => sumOf(differences))}`,
      `byHand: ${sum(({ byHand }) => byHand)}`,
    ];
    return `  ${register}: { ${figures.join(', ')} },`;
  });
  return `/** Figures of docs/audit.md by register. \`scripts/audit.ts\` writes this file; a test compares it with the real files. */

export interface AuditFigures {
  /** Different real records compared with their source by a test. */
  readonly compared: number;
  /** Values compared, by a test or by hand. */
  readonly values: number;
  readonly differences: number;
  /** Records of which every field was read off the source by hand. */
  readonly byHand: number;
}

export const AUDIT_FIGURES: Readonly<Record<string, AuditFigures>> = {
${lines.join('\n')}
};
`;
}
