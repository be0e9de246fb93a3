/** What the operators' overview asks attention for. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HealthState } from '../../src/portal/operator/attention.ts';
import { listConcerns } from '../../src/portal/operator/attention.ts';

type Load = HealthState['loads'][number];

const NOTHING = {
  nowMs: 0,
  health: { index: null, database: { tables: [] }, pools: {}, disk: null, version: '', duties: [], works: [] },
  ...{ registers: [], sources: [], openRejects: [], nearQuota: [], wrong: [], totals: { suspended_customers: 0 } },
} as unknown as HealthState;

/** The failures that are shown of loads, the newest first. */
function listShown(...loads: Partial<Load>[]): string[] {
  return listConcerns({ ...NOTHING, loads: loads as Load[] }).map(({ text }) => text.split(': ').at(-1)!);
}

const failed = { format: 'st66', source: 'a.zip', state: 'failed', failure: 'cut' } as const;

test('a failed load is shown until the same files are loaded', () => {
  assert.deepEqual(listShown(failed), ['cut']);
  assert.deepEqual(listShown({ ...failed, source: 'b.zip', state: 'finished' }, failed), ['cut']);
  assert.deepEqual(listShown({ ...failed, state: 'finished' }, failed), []);
  assert.deepEqual(listShown(failed, { ...failed, state: 'finished' }), ['cut'], 'an earlier load mends nothing');
});
