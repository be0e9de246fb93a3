/** A record whose payload has a megabyte: goods in five languages and a long history. Searches do not find it. */

import type { Database } from '../../server/src/database/driver/db.ts';
import { sql } from '../../server/src/database/driver/sql.ts';
import { buildRow } from '../../server/src/record/row.ts';
import { buildSource } from '../../server/test/support/source.ts';
import { buildStored, renderDetail } from '../../server/test/support/stored.ts';

const UID = 'bench-large';
const AT = '2026-01-01T00:00:00.000000Z';
const LANGUAGES: readonly string[] = ['en', 'fr', 'de', 'es', 'it'];
const CLASSES = 30;
const EVENTS = 3000;

/** Words that compress about as well as those of a language. */
function sayAt(place: number, words: number): string {
  return Array.from({ length: words }, (_, at) => (((place * 31 + at) * 2_654_435_761) >>> 8).toString(36)).join(' ');
}

/** Adds it to the register; the address is that of its page. */
export async function addLargeRecord(db: Database, register: string): Promise<string> {
  const payload = {
    goods_and_services: Array.from({ length: CLASSES }, (_, at) => ({
      scheme: 'nice',
      class: String(at + 1),
      texts: LANGUAGES.map((language, nth) => ({ language, text: sayAt(at * 10 + nth, 800) })),
    })),
    events: Array.from({ length: EVENTS }, (_, at) => ({
      kind: 'history',
      code: `E${at}`,
      text: sayAt(10_000 + at, 12),
      date: `20${10 + (at % 10)}-01-01`,
    })),
  };
  const source = buildSource({ jurisdiction_code: register, uid: UID, status: 'Registered', payload });
  const stored = buildStored(source, AT);
  const row = buildRow(stored.record);
  await removeLargeRecord(db);
  await db.query(sql`
    insert into record (jurisdiction_code, uid, updated_at, first_seen_at, content_digest, mark_variants, detail)
    values (${register}, ${UID}, ${AT}, ${AT}, decode(${row.content_digest}, 'hex'), ${row.mark_variants},
      ${renderDetail(stored)})`);
  await db.query(
    sql`insert into payload (jurisdiction_code, uid, document) values (${register}, ${UID}, ${row.payload})`,
  );
  return `/portal/explorer/records/${register}/${UID}`;
}

export async function removeLargeRecord(db: Database): Promise<void> {
  await db.query(sql`delete from payload where uid = ${UID}`);
  await db.query(sql`delete from record where uid = ${UID}`);
}
