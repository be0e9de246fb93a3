/** Which path a search takes after its first walk, by what that has found (docs/decisions/0019). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TermStatistics } from '../../src/plan/estimate.ts';
import { arrangePaths } from '../../src/plan/search.ts';
import { enumTerm } from '../../src/record/terms.ts';
import { findRecords } from '../../src/store/search-paths.ts';
import type { Row } from '../../src/store/search-rows.ts';
import { buildPlan } from '../support/search-shapes.ts';

const MATCH: Row = ['2026-01-02T00:00:00.000000Z', 'US', 'U1', '{}', null, null, 't'].map(encode);
/** What tells how far a walk has come that did not end. */
const BOUNDARY: Row = ['2026-01-01T00:00:00.000000Z', null, null, null, null, null, 'f'].map(encode);

function encode(text: string | null): Buffer | null {
  return text === null ? null : Buffer.from(text);
}

/** The texts of the first two statements, of which the first finds these rows. */
async function findStatements(found: readonly Row[]): Promise<string[]> {
  const texts: string[] = [];
  const rare: TermStatistics = {
    records: 10_000_000,
    shares: new Map([[enumTerm('kind_of_mark', 'Guarantee'), 0.0008]]),
    rarest: 0.0008,
  };
  const plan = arrangePaths(buildPlan({ texts: { kind_of_mark: 'guarantee' } }), rare);
  const search = findRecords(async ({ text }) => {
    texts.push(text);
    if (texts.length > 1) throw new Error('seen enough');
    return [...found, BOUNDARY];
  }, plan);
  await assert.rejects(search, /seen enough/);
  return texts;
}

test('what is believed to be rare is walked for again only where the first walk found some [4.3]', async () => {
  assert.match((await findStatements([MATCH]))[1]!, /with fetched/);
  assert.doesNotMatch((await findStatements([MATCH, MATCH]))[1]!, /with fetched/);
});
