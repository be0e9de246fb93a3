/**
 * Names in lists as the source spells them. A list has records without their documents, so the documents of its page
 * are read in one statement; names of records beyond the bound, or with documents elsewhere, stay in small letters.
 */
import { setImmediate } from 'node:timers/promises';
import type { TrademarkDetail } from '@tmds/contract/record';
import type { Queryable } from '../../database/driver/db.ts';
import { listDocuments } from '../../store/records/documents.ts';
import { spellNames } from './party-names.ts';

/** Of the documents of one list: 50 of 100 kB, or hundreds of a usual size. */
const BYTES_MAX = 5 * 1024 * 1024;
/** Parsed in one go, a few milliseconds of work, before other work gets a turn. */
const PARSED_BYTES_MAX = 256 * 1024;

/** What is needed of a record. */
type Named = Pick<TrademarkDetail, 'jurisdiction_code' | 'uid' | 'owner_names' | 'representative_names'> & {
  readonly payload?: unknown;
};

/** The same records, in their order; their payloads stay away if they were. */
export async function spellRecords<Row extends Named>(db: Queryable, records: readonly Row[]): Promise<Row[]> {
  const unread = records.filter((record) => record.payload === undefined && hasCases(record));
  const documents = await listDocuments(db, unread, BYTES_MAX);
  const spelled = new Map<Row, Row>();
  let parsed = 0;
  for (const [at, record] of unread.entries()) {
    const document = documents[at] ?? null;
    if (document === null) continue;
    spelled.set(record, spell(record, JSON.parse(document.toString())));
    parsed += document.length;
    if (parsed < PARSED_BYTES_MAX) continue;
    parsed = 0;
    await setImmediate();
  }
  return records.map((record) =>
    record.payload === undefined ? (spelled.get(record) ?? record) : spell(record, record.payload),
  );
}

function spell<Row extends Named>(record: Row, payload: unknown): Row {
  return {
    ...record,
    owner_names: spellNames(record, 'owner_names', payload),
    representative_names: spellNames(record, 'representative_names', payload),
  };
}

/** Many scripts have no capitals, so there is nothing to spell. */
function hasCases({ owner_names: owners, representative_names: representatives }: Named): boolean {
  return [...(owners ?? []), ...(representatives ?? [])].some((name) => name !== name.toUpperCase());
}
