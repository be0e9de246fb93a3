/** Which path a search takes after its first walk, by what that has found (docs/decisions/0020). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
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
async function findStatements(part: string, found: readonly Row[]): Promise<string[]> {
  const texts: string[] = [];
  const plan = buildPlan({ register: 'us', texts: { mark_name_contains: part } });
  const search = findRecords(async ({ text }) => {
    texts.push(text);
    if (texts.length > 1) throw new Error('seen enough');
    return [...found, BOUNDARY];
  }, plan);
  await assert.rejects(search, /seen enough/);
  return texts;
}

test('a long part of a name is asked for alone only where the first walk found none [4.3]', async () => {
  assert.match((await findStatements('golden', []))[1]!, /with fetched/);
  assert.doesNotMatch((await findStatements('golden', [MATCH]))[1]!, /with fetched/);
});
