/** Records of a replica in PostgreSQL: written as one JSON list, read as the API delivers them. */
import type { TrademarkDetail } from '@tmds/contract/record';
import { renderRecord } from '../payload-text.ts';
import { COLUMNS, TABLE } from './columns.ts';
import type { PostgresClient } from './postgres-driver.ts';
import { selectAsDelivered } from './postgres-tables.ts';
import { nameIdentity, type RecordIdentity, type StoredRecord } from './sink.ts';

const FETCH_ROWS = 2_000;

export async function* listRows(client: PostgresClient, code?: string): AsyncGenerator<StoredRecord, void, void> {
  const columns = COLUMNS.map(selectAsDelivered).join(', ');
  const where = code === undefined ? '' : 'where jurisdiction_code = $1';
  await client.query(
    `declare replica_records no scroll cursor for select ${columns} from ${TABLE} ${where}`,
    code === undefined ? [] : [code],
  );
  try {
    for (;;) {
      const { rows } = await client.query(`fetch ${FETCH_ROWS} from replica_records`);
      if (rows.length === 0) break;
      yield* rows as unknown as StoredRecord[];
    }
  } finally {
    await client.query('close replica_records').catch(() => undefined);
  }
}

export async function findPayloads(
  client: PostgresClient,
  identities: readonly RecordIdentity[],
): Promise<Map<string, string | null>> {
  const { rows } = await client.query(
    `select record.jurisdiction_code, record.uid, record.payload::text as payload
      from unnest($1::text[], $2::text[]) as named (code, uid)
      join ${TABLE} as record on record.jurisdiction_code = named.code and record.uid = named.uid`,
    [identities.map((record) => record.jurisdiction_code), identities.map((record) => record.uid)],
  );
  return new Map(rows.map((row) => [nameIdentity(row as unknown as RecordIdentity), row.payload as string | null]));
}

/** The database parses this JSON, and keeps each payload exactly as written. */
export function renderList(items: readonly TrademarkDetail[]): string {
  return `[${items.map(renderRecord).join(',')}]`;
}
