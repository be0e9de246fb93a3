/**
 * Every shape of a search plan with the statements it leads to, rendered into `server/test/plans`, so that a change of
 * SQL is reviewed as SQL. `TMDS_WRITE_PLANS=1` writes the files anew.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isIndexed } from '../../src/plan/filters.ts';
import { GATHER_ROWS_FEW, LEAP_MONTHS_FIRST } from '../../src/plan/paths.ts';
import { inOrderOfChanges, planLeap, planLeapTo, type SearchPlan } from '../../src/plan/search.ts';
import {
  countAlongStatement,
  countStatement,
  gatherFewStatement,
  gatherStatement,
  joinedWalkStatement,
  lanesStatement,
} from '../../src/store/search-statements.ts';
import type { Statement } from '../../src/store/sql.ts';
import { buildPlan, SHAPES } from '../support/search-shapes.ts';

const FOLDER = fileURLToPath(new URL('../plans/', import.meta.url));

/** Where a walk may have come to. */
const POSITION = { value: '2024-02-28', jurisdiction_code: 'US', uid: 'US9' };

/** Where a sample may show the page. */
const DATE_SEEN = '2001-05-06';

function renderStatement(title: string, { text, values }: Statement): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const indent = Math.min(...lines.slice(1).map((line) => line.search(/\S/)));
  const body = lines.map((line, index) => (index === 0 ? line.trim() : line.slice(Math.max(indent, 0)).trimEnd()));
  return `-- ${title}\n${body.join('\n')};\n-- values: ${JSON.stringify(values)}\n`;
}

function renderPlan(plan: SearchPlan): string {
  const { conditions, paths, lanes, walkedInterval, covers, broadCovers } = plan;
  const parts = [
    `-- conditions: ${JSON.stringify(conditions)}`,
    `-- covers: ${JSON.stringify(covers)}, broad: ${JSON.stringify(broadCovers)}`,
    `-- walks: ${JSON.stringify({ registers: lanes, interval: walkedInterval })}`,
    `-- paths: ${paths.map(({ kind, rowsMax }) => `${kind} ${rowsMax ?? 'all'}`).join(', ')}\n`,
  ];
  const segment = plan.after?.value === null ? 'valueless' : 'valued';
  const walk = paths.find(({ kind }) => kind === 'walk');
  const registers = lanes.length === 0 ? [null] : lanes;
  const starts = registers.map((register) => ({ segment, register, after: plan.after }) as const);
  if (walk?.rowsMax === null && segment === 'valued' && starts.length === 1) {
    parts.push(renderStatement('full page', joinedWalkStatement(plan, starts[0]!)));
  }
  if (walk !== undefined) {
    parts.push(renderStatement('walk', lanesStatement(plan, starts, walk.rowsMax, plan.limit + 1)));
  }
  const longWalk = paths.find(({ kind, rowsMax }) => kind === 'walk' && rowsMax !== null && rowsMax >= 5_000);
  if (longWalk !== undefined && lanes.length === 0) {
    parts.push(renderStatement('long walk', lanesStatement(plan, starts, longWalk.rowsMax, plan.limit + 1)));
  }
  const few = paths.find(({ kind, rowsMax }) => kind === 'gather' && rowsMax === GATHER_ROWS_FEW);
  if (few !== undefined) parts.push(renderStatement('gather few', gatherFewStatement(plan, few)));
  for (const kind of ['gather', 'recent'] as const) {
    const path = paths.find((candidate) => candidate.kind === kind && candidate !== few);
    if (path === undefined) continue;
    parts.push(renderStatement(kind, gatherStatement(plan, path)));
  }
  if (plan.walked.texts.some(isIndexed)) {
    const alone = { kind: 'gather', rowsMax: 30_000, asksOnly: 'parts' } as const;
    parts.push(renderStatement('gather the parts alone', gatherStatement(plan, alone)));
  }
  const leap = paths.find(({ kind }) => kind === 'leap');
  const leaped = leap === undefined ? null : planLeap(plan, plan.after ?? POSITION, LEAP_MONTHS_FIRST);
  if (leap !== undefined && leaped !== null) {
    parts.push(renderStatement(`leap, to ${leaped.resume.value}`, gatherStatement(leaped.plan, leap)));
  }
  if (plan.sort !== 'updated_at' && leap !== undefined) {
    const seen = planLeapTo(plan, plan.sort, plan.after, DATE_SEEN, Number.POSITIVE_INFINITY);
    if (plan.after?.value !== null) parts.push(renderStatement('leap to the page', gatherStatement(seen!.plan, leap)));
  }
  if (plan.countMatches) {
    parts.push(renderStatement('count along the order', countAlongStatement(inOrderOfChanges(plan), 20_000)));
    parts.push(renderStatement('count of a slice', countStatement(plan, [0])));
    parts.push(renderStatement('count', countStatement(plan, null)));
  }
  return parts.join('\n');
}

const rendered = new Map(
  Object.entries(SHAPES).map(([name, shape]) => [`search-${name}.sql`, renderPlan(buildPlan(shape))]),
);

if (process.env.TMDS_WRITE_PLANS === '1') for (const [file, text] of rendered) writeFileSync(FOLDER + file, text);

for (const [file, text] of rendered) {
  test(`the plan of ${file} is as reviewed [4.3]`, () => {
    assert.equal(text, readFileSync(FOLDER + file, 'utf8'));
  });
}

test('every rendered search plan belongs to a shape', () => {
  const files = readdirSync(FOLDER).filter((file) => file.startsWith('search-'));
  assert.deepEqual(files.sort(), [...rendered.keys()].sort());
});
