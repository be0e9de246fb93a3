/** Records stored with the terms of an earlier version are found after it is migrated (docs/decisions/0016). */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { FILTER_DATES } from '@tmds/contract/enums';
import { normalizeRecord } from '../../src/record/normalize.ts';
import { buildRow, type RecordRow } from '../../src/record/row.ts';
import { holdLoad } from '../../src/store/loads.ts';
import { migrate, readMigrations } from '../../src/store/migrate.ts';
import { sql } from '../../src/store/sql.ts';
import { createTestDatabase } from '../support/database.ts';
import { buildSource } from '../support/source.ts';

const VALUE_MASK = (1 << 27) - 1;
const FIRST_HASHED = 9;
const DATE = 16;
const tagOf = (term: number): number => (term >> 27) & 31;

/** Pairs of the lower and the upper 12 bits of a hash, put together again; the 3 bits above them are any. */
function joinHashes(terms: readonly number[], tag: number): number[] {
  const values = terms.filter((term) => tagOf(term) === tag).map((term) => term & VALUE_MASK);
  const lower = values.filter((value) => value < 4096);
  const upper = values.filter((value) => value >= 4096).map((value) => value & 4095);
  return lower.map((low, index) => (tag << 27) | (5 << 24) | (upper[index]! << 12) | low);
}

/** The terms of the row as they were coded before: one of 27 bits for a hash, a year and a day for a date. */
function codeAsBefore(row: RecordRow): number[] {
  const kept = row.terms.filter((term) => tagOf(term) < FIRST_HASHED);
  const hashed = Array.from({ length: DATE - FIRST_HASHED }, (_, index) => joinHashes(row.terms, FIRST_HASHED + index));
  const dates = FILTER_DATES.flatMap((field, position) => {
    const [year = 0, month = 0, day = 0] = (row[field] ?? '').split('-').map(Number);
    if (row[field] === null) return [];
    const coded = (DATE << 27) | (position << 24) | (Math.min(2109, Math.max(1850, year)) << 9);
    return [coded, coded | (1 << 22) | (month << 5) | day];
  });
  return [...kept, ...hashed.flat(), ...dates].sort((one, other) => one - other);
}

test('terms of an earlier version are recoded to what a load of the same record codes now [4.3]', async (t) => {
  const rows = [
    buildSource({
      uid: 'full',
      office: 'WO',
      nice_classes: [9, 42],
      vienna_codes: ['26.03.23'],
      owner_countries: ['DE'],
      application_number: 'ab-1',
      registration_number: '77',
      mark_name: 'H&M · 20th & Ørsted',
      mark_name_variants: ['𝒳 亚 S', 'z\u3000w'],
      owner_names: ['Acme & Söhne Co., Ltd.', 'a b  c'],
      representative_names: ['(アール・ビー)'],
      application_date: '2024-02-29',
      registration_date: '1949-12-31',
      publication_date: '1950-01-01',
      expiry_date: '9999-12-31',
      status_date: '0987-01-01',
    }),
    buildSource({ uid: 'bare', mark_name: null, owner_names: null, application_date: null }),
  ].map((source) => buildRow(normalizeRecord(source)));
  const { db } = await createTestDatabase(t, { migrated: false });
  const migrations = await readMigrations();
  await migrate(db, migrations.slice(0, 7));
  for (const row of rows) {
    await db.query(sql`
      insert into record (jurisdiction_code, uid, updated_at, first_seen_at, application_date, registration_date,
        publication_date, status_date, expiry_date, termination_date, opposition_period_end, content_digest, terms,
        mark_names, owner_names, representative_names, detail)
      values (${row.jurisdiction_code}, ${row.uid}, now(), now(), ${row.application_date}::date,
        ${row.registration_date}::date, ${row.publication_date}::date, ${row.status_date}::date,
        ${row.expiry_date}::date, ${row.termination_date}::date, ${row.opposition_period_end}::date,
        decode(${row.content_digest}, 'hex'),
        ${codeAsBefore(row)}::int[], ${row.mark_names}, ${row.owner_names}, ${row.representative_names}, '{}')`);
  }
  await db.query(sql`create unlogged table ${sql`stage_0123456789abcdef0123456789abcdef`} (like staged_record)`);
  for (const recoding of ['0015_cycledays.sql', '0016_dated_statuses.sql']) {
    await migrate(
      db,
      migrations.slice(
        0,
        migrations.findIndex(({ name }) => name === recoding),
      ),
    );
    await holdLoad(db, randomUUID(), async () => {
      await assert.rejects(migrate(db, migrations), new RegExp(`${recoding} failed: a load is under way`));
    });
  }
  await migrate(db, migrations);
  const recoded = await db.query(sql`
    select uid, terms, first_signature::text as first, second_signature::text as second from record order by uid desc`);
  assert.deepEqual(
    recoded,
    rows.map(({ uid, terms, first_signature, second_signature }) => ({
      uid,
      terms,
      first: String(first_signature),
      second: String(second_signature),
    })),
  );
  const stages = await db.query(sql`select from pg_tables where tablename like 'stage\\_%'`);
  assert.equal(stages.length, 0, 'what an older version has staged is not published');
});
