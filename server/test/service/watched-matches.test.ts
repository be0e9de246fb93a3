/** Records that a watch matches now, for the dates ahead of people who have it: of watches of every kind. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { buildMatchReader } from '../../src/http/watched-matches.ts';
import type { WatchPlan } from '../../src/plan/watches.ts';
import { createTestDatabase } from '../support/database.ts';
import { openLocalIndex } from '../support/local-index.ts';
import { buildSource } from '../support/source.ts';
import { buildStored, storeRecords } from '../support/stored.ts';

const SUBJECTS: Readonly<Record<string, WatchPlan['subject']>> = {
  'a search': { kind: 'search', search: 'mark_name=rheobase' },
  owners: { kind: 'owners', owners: ['acme'] },
  'a mark': { kind: 'similar', search: 'mark=rheobas&strategies=edits' },
};

for (const [what, subject] of Object.entries(SUBJECTS)) {
  test(`a watch of ${what} has the dates of its registered records, stated and computed`, async (t) => {
    const { db } = await createTestDatabase(t);
    const records = [
      { uid: 'like', mark_name: 'Rheobase', owner_names: ['Acme'], status: 'Registered' },
      { uid: 'ended', mark_name: 'Rheobase', owner_names: ['Acme'], status: 'Cancelled' },
      { uid: 'other', mark_name: 'Something', owner_names: ['Other'], status: 'Registered' },
    ].map((each) =>
      buildStored(
        buildSource({ ...each, jurisdiction_code: 'ES', expiry_date: '2030-05-05' }),
        '2026-01-02T03:04:05.000000Z',
      ),
    );
    await storeRecords(db, records);
    const index = openLocalIndex(db);
    await index.waitFor(0, { deadlineMs: systemClock.monotonicMs() + 60_000 });
    const reader = buildMatchReader({ index, database: db, clock: systemClock }, () => ({
      deadlineMs: systemClock.monotonicMs() + 60_000,
    }));
    const watches = [async () => subject];
    const span = { from: '2030-01-01', to: '2030-12-31' };
    const [dated] = await reader.findDated('customer', watches, { span, limit: 10 });
    assert.ok(dated!.records.some(({ uid }) => uid === 'like') && dated!.records.every(({ uid }) => uid !== 'other'));
    const [ruled] = await reader.findOfRegisters('customer', watches, { registers: ['ES'], limit: 10 });
    assert.deepEqual(
      ruled?.records.map(({ uid }) => uid),
      ['like'],
    );
  });
}
