/** Filters of the history against the reference of searches: an event passes if its version or the one before does. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { foldName, NAME_SEPARATOR } from '../../src/record/names.ts';
import { createTestDatabase } from '../support/database.ts';
import { renderDetail, type StoredRecord, storeRecords } from '../support/stored.ts';
import { walkEvents } from '../support/stored-history.ts';
import { selectRecords } from './search-reference.ts';
import { queryArbitrary, type RandomQuery, registersArbitrary } from './search-registers.ts';

const RUNS = Number(process.env.TMDS_PROPERTY_RUNS ?? 5);
const QUERIES_PER_HISTORY = 20;
const FIRST_STAMP = '2025-12-31T23:59:59.999999Z';

interface Versions {
  readonly first: StoredRecord;
  readonly current: StoredRecord;
}

/** Each record with a version from before: the content of the next one. */
function buildVersions(stored: readonly StoredRecord[]): Versions[] {
  return stored.map((current, index) => {
    const { jurisdiction_code, uid } = current.record;
    const { record } = stored[(index + 1) % stored.length]!;
    return { current, first: { record: { ...record, jurisdiction_code, uid }, updated_at: FIRST_STAMP } };
  });
}

async function storeVersions(db: Database, versions: readonly Versions[]): Promise<void> {
  await db.query(sql`truncate record, payload, register, record_version`);
  await storeRecords(
    db,
    versions.map(({ current }) => current),
    FIRST_STAMP,
  );
  const rows = versions.map(({ first, current }) => ({
    jurisdiction_code: first.record.jurisdiction_code,
    uid: first.record.uid,
    replaced_at: current.updated_at,
    detail: renderDetail(first),
    mark_variants: first.record.mark_name_variants?.map(foldName).join(NAME_SEPARATOR) ?? null,
  }));
  await db.query(sql`
    insert into record_version (jurisdiction_code, uid, updated_at, replaced_at, cause, mark_variants, detail,
      has_document)
    select jurisdiction_code, uid, ${FIRST_STAMP}, replaced_at, 'office', mark_variants, detail, false
    from json_to_recordset(${JSON.stringify(rows)}::json) as row (jurisdiction_code text, uid text,
      replaced_at timestamptz, detail text, mark_variants text)`);
}

const compareText = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

function listExpected(versions: readonly Versions[], { texts, register }: RandomQuery): string[] {
  const all = versions.flatMap(({ first, current }) => [first, current]);
  const selected = new Set(selectRecords(all, texts, register));
  const events = versions.flatMap(({ first, current }) => [
    ...(selected.has(first) ? [first] : []),
    ...(selected.has(first) || selected.has(current) ? [current] : []),
  ]);
  return events
    .map(({ updated_at, record }) => [updated_at, record.jurisdiction_code, record.uid] as const)
    .sort((a, b) => compareText(a[0], b[0]) || compareText(a[1], b[1]) || compareText(a[2], b[2]))
    .map((names) => names.join(' '));
}

test('every filter of a search passes the events whose version, or the one before, the search finds [4.3]', async () => {
  const { db } = await createTestDatabase();
  let passed = 0;
  await fc.assert(
    fc.asyncProperty(
      registersArbitrary,
      fc.array(fc.tuple(queryArbitrary, fc.integer({ min: 1, max: 60 })), {
        minLength: QUERIES_PER_HISTORY,
        maxLength: QUERIES_PER_HISTORY,
      }),
      async (stored, queries) => {
        const versions = buildVersions(stored);
        await storeVersions(db, versions);
        for (const [query, limit] of queries) {
          const { sort: _sort, order: _order, ...filters } = query.texts;
          const expected = listExpected(versions, query);
          passed += expected.length;
          const isServed = stored.some(({ record }) => record.jurisdiction_code === query.register);
          if (query.register !== null && !isServed) continue;
          const scope = query.register === null ? {} : { register: query.register };
          const { events } = await walkEvents(db, { ...filters, limit: String(limit) }, scope);
          const told = events.map(({ version, jurisdiction_code, uid }) => `${version} ${jurisdiction_code} ${uid}`);
          assert.deepEqual(told, expected, JSON.stringify(query));
        }
      },
    ),
    { numRuns: RUNS },
  );
  assert.ok(passed > RUNS * QUERIES_PER_HISTORY, 'the queries met events');
});
