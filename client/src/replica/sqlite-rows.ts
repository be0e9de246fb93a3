/** Records as rows of a replica in SQLite, and rows as records: lists are JSON, payloads texts. */
import type { TrademarkDetail } from '@tmds/contract/record';
import { payloadText } from '../payload-text.ts';
import { COLUMNS, TABLE } from './columns.ts';
import { nameIdentity, type RecordIdentity, type StoredRecord } from './sink.ts';
import type { SqliteDatabase, SqliteValue } from './sqlite-driver.ts';

const isList = (kind: string): boolean => kind === 'integers' || kind === 'texts';

export function* listRows(db: SqliteDatabase, code?: string): Iterable<StoredRecord> {
  const columns = COLUMNS.map(({ name }) => name).join(', ');
  const rows =
    code === undefined
      ? db.prepare(`select ${columns} from ${TABLE}`).iterate()
      : db.prepare(`select ${columns} from ${TABLE} where jurisdiction_code = ?`).iterate(code);
  for (const row of rows) yield readRecord(row);
}

export function findPayloads(db: SqliteDatabase, identities: readonly RecordIdentity[]): Map<string, string | null> {
  const find = db.prepare(`select payload from ${TABLE} where jurisdiction_code = ? and uid = ?`);
  const found = new Map<string, string | null>();
  for (const identity of identities) {
    const [row] = find.all(identity.jurisdiction_code, identity.uid) as { payload: string | null }[];
    if (row !== undefined) found.set(nameIdentity(identity), row.payload);
  }
  return found;
}

export function writeValues(item: TrademarkDetail): SqliteValue[] {
  const values: SqliteValue[] = [];
  for (const { name, kind } of COLUMNS) {
    const value = item[name];
    values.push(isList(kind) && value != null ? JSON.stringify(value) : ((value ?? null) as string | null));
  }
  values.push(payloadText(item));
  return values;
}

function readRecord(row: unknown): StoredRecord {
  const record = row as Record<string, unknown>;
  for (const { name, kind } of COLUMNS) {
    const value = record[name];
    if (isList(kind) && typeof value === 'string') record[name] = parseList(value);
  }
  return record as unknown as StoredRecord;
}

/** A damaged text stays a text, so that verification finds a difference. */
function parseList(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
