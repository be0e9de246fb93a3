/** Supplements of records themselves: which records a statement reaches, and which statements wait. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { Database } from '../../src/database/driver/db.ts';
import { type KeptSupplements, openKeptSupplements, type SupplementRow } from '../../src/load/kept/kept.ts';
import { markPart } from '../../src/record/supplements.ts';
import { readSupplements } from '../../src/store/publish/supplements.ts';
import { createTestDatabase } from '../support/database.ts';
import { loadRecords, UNLIMITED } from '../support/loads.ts';

const MARKS = ['1', 'two words', '3'].map((uid) => ({ jurisdiction_code: 'XA', uid }));
const SHARED = 'XA paper 7';

function row(fields: Partial<SupplementRow> & Pick<SupplementRow, 'key' | 'part'>): SupplementRow {
  return { kind: 'party', link: null, version: '1', body: null, ...fields };
}

/** A statement about the first two records and one that is not held. */
const LINKS = [...MARKS.slice(0, 2), { jurisdiction_code: 'XA', uid: 'later' }].map((mark) =>
  row({ key: `7 ${mark.uid}`, part: markPart(mark), link: SHARED }),
);
const paper = (text: string, version: string): SupplementRow =>
  row({ key: '7', part: SHARED, version, body: { text } });

/** What a load of these statements reaches, as far as it got before `settle`. */
async function keep(
  db: Database,
  rows: readonly SupplementRow[],
): Promise<{ kept: KeptSupplements; reached: string[]; waiting: unknown[] }> {
  const kept = openKeptSupplements(db, randomUUID());
  for (const each of rows) await kept.add(each);
  const waiting = await kept.keep();
  const reached: string[] = [];
  for await (const { uid } of kept.listRejoins()) reached.push(uid);
  return { kept, reached, waiting };
}

test('a statement kept once reaches every record that links to it, and waits for one that is not held', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  await loadRecords(
    db,
    MARKS.map((mark) => ({ ...mark, status: 'Registered' })),
  );
  const first = await keep(db, [...LINKS, paper('a', '1')]);
  assert.deepEqual(first.reached, ['1', 'two words']);
  assert.deepEqual(first.waiting, [{ kind: 'party', count: 1, example: 'XA mark later' }]);
  assert.deepEqual(first.kept.counts, { read: 1, new: 1, changed: 0 });
  await first.kept.settle();
  assert.deepEqual((await keep(db, [...LINKS, paper('a', '2')])).reached, [], 'the same again');
  assert.deepEqual((await keep(db, [paper('b', '1')])).reached, [], 'an older one');
  const later = await keep(db, [paper('b', '3')]);
  assert.deepEqual(later.reached, ['1', 'two words']);
  // Not settled: the load that follows finds them too.
  assert.deepEqual((await keep(db, [row({ key: '8', part: 'XA paper 8', body: {} })])).reached, ['1', 'two words']);
});

test('a record is joined with what is kept for its part and for the parts it links to', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  await keep(db, [...LINKS, paper('a', '1'), row({ key: '9', part: 'XA mark 1', body: { text: 'own' } })]);
  const known = await readSupplements(db, ['XA mark 1', 'XA mark two words', 'XA mark 3']);
  assert.deepEqual(
    [...known].map(([part, list]) => [
      part,
      // A row without a body only leads to another.
      list.flatMap(({ body }) => (body === null ? [] : [(body as { text: string }).text])),
    ]),
    [
      ['XA mark 1', ['a', 'own']],
      ['XA mark two words', ['a']],
      ['XA mark 3', []],
    ],
  );
});

test('when two loads change one statement, neither takes the other for published', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  await loadRecords(db, [{ ...MARKS[0], status: 'Registered' }]);
  const one = await keep(db, [...LINKS, paper('a', '1')]);
  const other = await keep(db, [paper('b', '2')]);
  await one.kept.settle();
  // The other one dies here; what it changed is still found.
  assert.deepEqual(other.reached, ['1']);
  assert.deepEqual((await keep(db, [row({ key: '8', part: 'XA paper 8', body: {} })])).reached, ['1']);
});
