/** What the operators' overview asks attention for. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderToString } from 'preact-render-to-string';
import { type HealthState, renderHealth } from '../../src/portal/operator/health-page.ts';

type Load = HealthState['loads'][number];

const NOTHING = {
  nowMs: 0,
  health: { index: null, database: { tables: [] }, pools: {}, disk: null, version: '', duties: [], works: [] },
  ...{ registers: [], sources: [], openRejects: [], wrong: [], totals: {} },
} as unknown as HealthState;

/** The failures that are shown of loads, the newest first. */
function listShown(...loads: Partial<Load>[]): string[] {
  const { body } = renderHealth({ ...NOTHING, loads: loads as Load[] });
  return [...renderToString(body as never).matchAll(/A load of \w+ (?:failed|was interrupted): (\w+)/g)].map(
    ([, failure]) => failure!,
  );
}

const failed = { format: 'st66', source: 'a.zip', state: 'failed', failure: 'cut' } as const;

test('a failed load is shown until the same files are loaded', () => {
  assert.deepEqual(listShown(failed), ['cut']);
  assert.deepEqual(listShown({ ...failed, source: 'b.zip', state: 'finished' }, failed), ['cut']);
  assert.deepEqual(listShown({ ...failed, state: 'finished' }, failed), []);
  assert.deepEqual(listShown(failed, { ...failed, state: 'finished' }), ['cut'], 'an earlier load mends nothing');
});
