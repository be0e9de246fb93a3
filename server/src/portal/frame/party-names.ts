/**
 * Names of owners and representatives as the source spells them: the fields of a record are in small letters, its
 * document keeps names as the office writes them. A list has records without their documents, so the documents of its
 * page are read in one statement; names of records beyond the bound, or with documents elsewhere, stay in small
 * letters.
 */

import { setImmediate } from 'node:timers/promises';
import type { TrademarkDetail } from '@tmds/contract/record';
import { normalizeName } from '@tmds/contract/text';
import type { Queryable } from '../../database/driver/db.ts';
import { listDocuments } from '../../store/records/documents.ts';
import { Members, textOf } from './payload-reader.ts';

export type NameField = 'owner_name' | 'representative_name';

/** The filter that finds the names of a party, by its role. */
export const SEARCHED_AS: ReadonlyMap<string, NameField> = new Map([
  ['owner', 'owner_name'],
  ['applicant', 'owner_name'],
  ['representative', 'representative_name'],
  ['attorney', 'representative_name'],
  ['domestic_representative', 'representative_name'],
  ['correspondent', 'representative_name'],
]);

type NamesField = 'owner_names' | 'representative_names';
type Named = Pick<TrademarkDetail, NamesField> & { readonly payload?: unknown };

/** The names of a side in the order of the record, each as its document spells it, if there is one. */
export function spellNames(record: Named, field: NamesField, payload: unknown = record.payload): string[] | null {
  const held = record[field];
  if (held === null || payload === undefined) return held;
  const side = field === 'owner_names' ? 'owner_name' : 'representative_name';
  const spelled = new Map<string, string>();
  for (const stated of new Members(payload).list('parties')) {
    const party = new Members(stated);
    if (SEARCHED_AS.get(party.text('role') ?? '') !== side || party.any('current') === false) continue;
    for (const name of party.list('names')) {
      const written = new Members(name).text('text') ?? textOf(name);
      if (written === null) continue;
      const normal = normalizeName(written);
      if (!spelled.has(normal)) spelled.set(normal, written);
    }
  }
  return held.map((name) => spelled.get(name) ?? name);
}

/** Of the documents of one list: 50 of 100 kB, or hundreds of a usual size. */
const BYTES_MAX = 5 * 1024 * 1024;
/** Parsed in one go, a few milliseconds of work, before other work gets a turn. */
const PARSED_BYTES_MAX = 256 * 1024;

type Listed = Pick<TrademarkDetail, 'jurisdiction_code' | 'uid' | 'owner_names' | 'representative_names'> & {
  readonly payload?: unknown;
};

/** The same records, in their order; their payloads stay away if they were. */
export async function spellRecords<Row extends Listed>(db: Queryable, records: readonly Row[]): Promise<Row[]> {
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

function spell<Row extends Listed>(record: Row, payload: unknown): Row {
  return {
    ...record,
    owner_names: spellNames(record, 'owner_names', payload),
    representative_names: spellNames(record, 'representative_names', payload),
  };
}

/** Many scripts have no capitals, so there is nothing to spell. */
function hasCases({ owner_names: owners, representative_names: representatives }: Listed): boolean {
  return [...(owners ?? []), ...(representatives ?? [])].some((name) => name !== name.toUpperCase());
}
