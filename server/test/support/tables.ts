/** Weekly sets of the Japanese office for tests: tables in files, and a set read as one mark without a database. */
import { Readable } from 'node:stream';
import type { RegisterItem } from '../../src/load/formats/format.ts';
import { jpoFormat } from '../../src/load/formats/jpo/adapter.ts';
import { TABLES, type TableName } from '../../src/load/formats/jpo/tables.ts';
import type { CountedRows, KeptRows, SourceRow } from '../../src/load/kept/kept.ts';
import type { Source } from '../../src/load/sources/source.ts';
import type { Issue } from '../../src/record/document.ts';
import { checkDocument } from './document.ts';
import { takeAll } from './formats.ts';
import { openText } from './texts.ts';

/** Cells by column; omitted columns are blank. */
export type TableRows = Readonly<Partial<Record<TableName, readonly Readonly<Record<string, string>>[]>>>;

/** The text of a table with all its columns. */
function writeTable(table: TableName, rows: readonly Readonly<Record<string, string>>[]): string {
  const columns = [...(TABLES.get(table)?.all ?? [])];
  const lines = rows.map((row) => columns.map((column) => row[column] ?? '').join('\t'));
  return `\ufeff${[columns.join('\t'), ...lines].join('\n')}\n`;
}

/** The files of a set, `upd_…` for each table. */
export function writeSet(tables: TableRows, operation: 'upd' | 'del' = 'upd'): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tables).map(([table, rows]) => [`${operation}_${table}.tsv`, writeTable(table as TableName, rows)]),
  );
}

export function openFiles(files: Readonly<Record<string, string>>): Source[] {
  return Object.entries(files).map(([name, text]) => openText(name, [text]));
}

export const openSet = (tables: TableRows): Source[] => openFiles(writeSet(tables));

/** The files of a set in a folder that names its day, `2025-07-02`. */
export function openDatedSet(day: string, tables: TableRows, operation: 'upd' | 'del' = 'upd'): Source[] {
  const files = Object.entries(writeSet(tables, operation));
  return openFiles(Object.fromEntries(files.map(([name, text]) => [`JPW_${day.replaceAll('-', '')}/${name}`, text])));
}

/**
 * What a set states if all its rows belong to one application, in the order in which the store has them. Issues of the
 * set follow the records'.
 */
export async function readSet(
  files: Readonly<Record<string, string>>,
  root: string,
): Promise<{ items: RegisterItem[]; issues: Issue[] }> {
  const rows = new Map<string, SourceRow>();
  const superseded: CountedRows[] = [];
  const issues: Issue[] = [];
  const kept: KeptRows = {
    add: async () => {},
    settle: async () => ({ waiting: [], superseded }),
    async *groups() {
      yield {
        root,
        rows: [...rows.entries()]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([, { table, part, removed, version, body }]) => ({
            table,
            part: part ?? '',
            removed,
            version,
            cells: JSON.parse(body) as Record<string, string>,
          })),
      };
    },
  };
  const context = { register: null, noteIssue: (issue: Issue) => void issues.push(issue) };
  const items: RegisterItem[] = [];
  for (const [name, text] of Object.entries(files)) {
    const entry = { name, stream: Readable.from([Buffer.from(text)]) };
    for (const item of (await takeAll(jpoFormat.readRows(entry, context))).flat()) {
      if (item.kind !== 'row') {
        items.push(item);
        continue;
      }
      const { table, key } = item.row;
      const place = `${table} ${key}`;
      if (rows.has(place)) superseded.push({ source_table: table, rows: 1, example: key });
      rows.set(place, item.row);
    }
  }
  items.push(...(await takeAll(jpoFormat.deriveRecords(kept, context))));
  for (const item of items) {
    if (item.kind !== 'record') continue;
    checkDocument(item.record);
    issues.push(...item.issues);
  }
  return { items, issues };
}
