/**
 * Writes docs/unmapped.md: the values that no table maps, with their counts in all real files, and the values of
 * published vocabularies that no table has. Only words of offices appear; nothing that a file states of a mark or a
 * party does.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { FORMATS, findFormat, isSetFormat } from '../../src/load/formats/registry.ts';
import { foldValue } from '../../src/load/formats/st66/dialect.ts';
import { DPMA_DIALECT } from '../../src/load/formats/st66/dialects/de.ts';
import { EUIPO_DIALECT } from '../../src/load/formats/st66/dialects/em.ts';
import { CA_DIALECT } from '../../src/load/formats/st96/ca.ts';
import { COMMON_KINDS } from '../../src/load/formats/st96/dialect.ts';
import { WIPO_FEATURES, WIPO_STATUSES } from '../../src/load/formats/wipo.ts';
import { openSource } from '../../src/load/sources/source.ts';
import type { Issue } from '../../src/record/document.ts';
import { listFilesBelow, REAL_DATA, readEntries } from './formats.ts';
import { REAL_FILES } from './real-files.ts';

export const UNMAPPED_PATH = resolve(import.meta.dirname, '../../../docs/unmapped.md');

/** Values of these are words of the office. Others, such as unknown elements, may be texts about a mark. */
const WORDS: ReadonlySet<string> = new Set([
  'unmapped_status',
  'unmapped_kind',
  'unmapped_feature',
  'unmapped_class',
  'assumed_nice_class',
  'unmapped_vienna_code',
  'unmapped_party_type',
  'unmapped_proceeding',
  'unmapped_indicator',
  'unmapped_operation',
]);
const SHOWN = /^(?:unmapped|unknown|assumed)_|^missing_column$/;

interface FormatCount {
  readonly format: string;
  files: number;
  records: number;
  readonly values: Map<string, number>;
}

async function countFormat(name: string): Promise<FormatCount> {
  const format = findFormat(name);
  const count: FormatCount = { format: name, files: 0, records: 0, values: new Map() };
  const note = ({ code, path, value }: Issue, times = 1): void => {
    if (!SHOWN.test(code)) return;
    const key = JSON.stringify([code, path, WORDS.has(code) ? value : '']);
    count.values.set(key, (count.values.get(key) ?? 0) + times);
  };
  const paths = Object.entries(REAL_FILES).flatMap(([path, each]) =>
    'formats' in each && each.formats.includes(name) ? listFilesBelow(path) : [],
  );
  for (const path of paths) {
    if (format === null) break;
    count.files += 1;
    const source = await openSource(join(REAL_DATA, path));
    const context = { register: null, noteIssue: note };
    for await (const entry of source.entries((member) => format.accepts(member))) {
      if (isSetFormat(format) && !format.readsFiles) {
        for await (const items of format.readRows(entry, context)) count.records += items.length;
        continue;
      }
      for await (const item of readEntries(format, [entry], context)) {
        if (item.kind === 'record') count.records += 1;
        if (item.kind !== 'reject') for (const issue of item.issues) note(issue);
      }
    }
  }
  return count;
}

interface Vocabulary {
  readonly title: string;
  readonly values: readonly string[];
  readonly isMapped: (value: string) => boolean;
}

const readJson = (...path: string[]) => JSON.parse(readFileSync(join(REAL_DATA, ...path), 'utf8'));

/** The second column of a table of codes. */
function readCodes(file: string): string[] {
  const lines = readFileSync(join(REAL_DATA, file), 'utf8').trim().split(/\r?\n/).slice(1);
  return lines.map((line) => line.slice(line.indexOf(',') + 1).trim());
}

function readEnumeration(schema: string, type: string): string[] {
  const body = new RegExp(`simpleType name="${type}".*?</xs:simpleType>`, 's').exec(schema)?.[0] ?? '';
  return [...body.matchAll(/enumeration value="([^"]*)"/g)].map(([, value = '']) => value);
}

/** The lists that offices and WIPO have published, each next to the table that reads them. */
export function listVocabularies(): Vocabulary[] {
  const { st96_to_st66: wipo } = readJson('vocab/enums/DERIVED_enums.json');
  const { MarkKind, MarkFeature, Status } = readJson('euipo/trademark-search-openapi.json').components.schemas;
  const schema = readFileSync(join(REAL_DATA, 'dpma/DE-TM-Register-V1.1.xsd'), 'utf8');
  const within = (table: object) => (value: string) => Object.hasOwn(table, foldValue(value));
  const kinds = (value: string): boolean => COMMON_KINDS.some(([name]) => name === foldValue(value));
  return [
    { title: 'WIPO ST.96, status', values: wipo.MarkCurrentStatusCode, isMapped: within(WIPO_STATUSES) },
    { title: 'WIPO ST.96, kind', values: Object.keys(wipo['MarkCategory->KindMark']), isMapped: kinds },
    {
      title: 'WIPO ST.96, feature',
      values: Object.keys(wipo['MarkFeatureCategory->MarkFeature']),
      isMapped: within(WIPO_FEATURES),
    },
    {
      title: 'DPMA schema, status',
      values: readEnumeration(schema, 'MarkCurrentStatusCodeType'),
      isMapped: within(DPMA_DIALECT.statuses),
    },
    {
      title: 'DPMA schema, kind',
      values: readEnumeration(schema, 'KindMarkType'),
      isMapped: within(DPMA_DIALECT.kinds),
    },
    {
      title: 'DPMA schema, feature',
      values: readEnumeration(schema, 'MarkFeatureType'),
      isMapped: within(DPMA_DIALECT.features),
    },
    {
      title: 'CIPO, status of WIPO’s list',
      values: readCodes('cipo/wipo_status_codes.csv'),
      isMapped: within(CA_DIALECT.statuses),
    },
    {
      title: 'CIPO, the office’s own status',
      values: readCodes('cipo/cipo_status_codes.csv'),
      isMapped: within(CA_DIALECT.statuses),
    },
    { title: 'EUIPO search API, kind', values: MarkKind.enum, isMapped: within(EUIPO_DIALECT.kinds) },
    { title: 'EUIPO search API, feature', values: MarkFeature.enum, isMapped: within(EUIPO_DIALECT.features) },
    { title: 'EUIPO search API, status', values: Status.enum, isMapped: within(EUIPO_DIALECT.statuses) },
  ];
}

const code = (text: string): string => (text === '' ? '(none)' : `\`${text.replaceAll('|', '\\|')}\``);

export async function renderUnmapped(): Promise<string> {
  const counts: FormatCount[] = [];
  for (const { name } of FORMATS) if (name !== 'ndjson') counts.push(await countFormat(name));
  const read = counts.map(({ format, files, records, values }) => {
    const times = [...values.values()].reduce((sum, each) => sum + each, 0);
    return `| \`${format}\` | ${files} | ${records} | ${times} |`;
  });
  const values = counts.flatMap(({ format, values: found }) =>
    [...found].sort().map(([key, times]) => {
      const [issue = '', path = '', value = ''] = JSON.parse(key) as string[];
      return `| \`${format}\` | \`${issue}\` | \`${path}\` | ${code(value)} | ${times} |`;
    }),
  );
  const vocabularies = listVocabularies().map(({ title, values: published, isMapped }) => {
    const missing = published.filter((value) => !isMapped(value));
    return `| ${title} | ${published.length} | ${missing.length === 0 ? 'none' : missing.map(code).join(', ')} |`;
  });
  return `# What is not mapped

A value that no table maps leaves its field null, \`Unknown\` or \`Other\`, and raises an issue
([loading](loading.md)). This page lists such values of all real files at hand, and the values of published vocabularies
that no table has. \`scripts/unmapped.ts\` writes it; a test compares it with the files.

## In real files

Rows instead of records for \`jpo\`, whose marks are only made in the database.

| format | files | records | values without a mapping |
|---|---|---|---|
${read.join('\n')}

${values.length === 0 ? 'Every value is mapped.' : `| format | issue | path | value | times |\n|---|---|---|---|---|\n${values.join('\n')}`}

## In published vocabularies

What a list has and our tables do not. The constants of the EUIPO search API are not the texts of its files: its table
is of those texts, and a constant is mapped when a file has it. The Canadian office states WIPO's status in
\`MarkCurrentStatusCode\`, which decides the status; its own words are \`tm5_status\`.

| list | values | not in a table |
|---|---|---|
${vocabularies.join('\n')}
`;
}
