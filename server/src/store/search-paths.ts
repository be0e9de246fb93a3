/**
 * The paths of a search, taken in turn until one is conclusive (docs/decisions/0009): walking, leaping over months of
 * an order by date, gathering by the term index. It decides nothing about which paths there are; the plan does.
 */
import type { FilterDate } from '@tmds/contract/enums';
import { GATHER_ROWS_FEW, LEAP_GROWTH, LEAP_MONTHS_FIRST, LEAPS_MAX, type SearchPath } from '../plan/paths.ts';
import { type CursorKey, type Leap, planLastLeap, planLeap, planLeapTo, type SearchPlan } from '../plan/search.ts';
import { comparePositions, type Finding, isTrue, type Position, type Query, readKey } from './search-rows.ts';
import { gatherFewStatement, gatherStatement } from './search-statements.ts';
import {
  continueWalk,
  findFrontier,
  firstOf,
  resumeWalk,
  resumeWithoutValue,
  startWalk,
  type Walk,
} from './search-walk.ts';

/** The records after the plan's position, in order, at most one more than a page holds. */
export async function findRecords(query: Query, plan: SearchPlan): Promise<Finding> {
  const walk = startWalk(plan);
  for (const path of plan.paths) {
    const matches = walk.found.length + walk.ahead.length;
    if (matches < (path.ifFound ?? 0)) continue;
    const taken = path.ifPromising === undefined ? path : keepPromise(plan, walk, path);
    const found = taken === null ? null : await takePath(query, plan, taken, walk);
    if (found !== null) return found;
  }
  throw new Error('the last path of a plan has no bound');
}

function takePath(query: Query, plan: SearchPlan, path: SearchPath, walk: Walk): Promise<Finding | null> {
  switch (path.kind) {
    case 'walk':
      return continueWalk(query, plan, walk, path);
    case 'leap':
      return leap(query, plan, walk, path);
    case 'recent':
      return gather(query, plan, path);
    case 'gather': {
      const isFew = path.rowsMax !== null && path.rowsMax <= GATHER_ROWS_FEW;
      return isFew ? gatherFew(query, plan, path) : gather(query, plan, path);
    }
  }
}

/** Matches are not spread evenly: a page is given so many times the rows that it should take. */
const PROMISE_MARGIN = 2;
/** Matches stand in clusters: a page that is nearly full is given so many rows at least, or half of what was read. */
const PROMISED_ROWS_MIN = 2_500;
const PROMISED_SHARE_MIN = 0.5;

/** The walk that should fill the page, were matches as dense further on as so far; null if that is beyond its bound. */
function keepPromise(plan: SearchPlan, { found, ahead, rowsRead }: Walk, path: SearchPath): SearchPath | null {
  const matches = found.length + ahead.length;
  if (matches < path.ifPromising!) return null;
  const rows = Math.ceil(((plan.limit + 1 - found.length) / matches) * rowsRead);
  if (rows > path.rowsMax!) return null;
  const wanted = Math.max(rows * PROMISE_MARGIN, PROMISED_ROWS_MIN, Math.ceil(rowsRead * PROMISED_SHARE_MIN));
  return { ...path, rowsMax: Math.min(path.rowsMax!, wanted) };
}

/** Takes the walk over the next months, a few times over if it can; null when the page is not full with them. */
async function leap(query: Query, plan: SearchPlan, walk: Walk, path: SearchPath): Promise<Finding | null> {
  const { sort } = plan;
  if (sort === 'updated_at' || walk.segments[0] !== 'valued') return null;
  if (path.toEnd) return await leapToEnd(query, plan, walk, path, sort);
  for (const date of path.until ?? []) {
    const next = planLeapTo(plan, sort, findReached(walk, plan), date, walk.rowsRead);
    if (next !== null && !(await takeLeap(query, plan, walk, path, next))) return null;
    if (walk.found.length > plan.limit) return firstOf(walk, plan);
  }
  let months = LEAP_MONTHS_FIRST;
  for (let leaps = 0; leaps < LEAPS_MAX && months >= 1 && walk.found.length <= plan.limit; ) {
    const from = findReached(walk, plan);
    const next = from === null ? null : planLeap(plan, from, months);
    if (next === null) return null;
    const isTaken = await takeLeap(query, plan, walk, path, next);
    months = isTaken ? months * LEAP_GROWTH : Math.floor(months / LEAP_GROWTH);
    if (isTaken) leaps += 1;
  }
  return walk.found.length > plan.limit ? firstOf(walk, plan) : null;
}

/** Resolves to whether the walk was taken over the leap, which may find no more than the bound. */
async function takeLeap(query: Query, plan: SearchPlan, walk: Walk, path: SearchPath, next: Leap): Promise<boolean> {
  const gathered = await gather(query, next.plan, path);
  if (gathered !== null) resumeWalk(walk, plan, gathered.rows, next.resume);
  return gathered !== null;
}

/** Many match, and few of them have a date: those few are gathered, and the walk goes on where the others are. */
async function leapToEnd(
  query: Query,
  plan: SearchPlan,
  walk: Walk,
  path: SearchPath,
  sort: FilterDate,
): Promise<Finding | null> {
  const gathered = await gather(query, planLastLeap(plan, sort, findReached(walk, plan)), path);
  if (gathered === null) return null;
  resumeWithoutValue(walk, plan, gathered.rows);
  return walk.found.length > plan.limit ? firstOf(walk, plan) : await continueWalk(query, plan, walk, path);
}

/** Null where the walk has not begun. */
function findReached(walk: Walk, plan: SearchPlan): CursorKey | null {
  const frontier = findFrontier(walk, plan);
  return frontier === null ? null : readKey(frontier);
}

/** Null when more rows than the bound would have had to be read. */
async function gather(query: Query, plan: SearchPlan, path: SearchPath): Promise<Finding | null> {
  const rows = await query(gatherStatement(plan, path));
  const [first] = rows;
  if (isTrue(first![7])) return null;
  return { rows: first![2] === null ? [] : (rows as Position[]), matches: Number(first![6]!.toString()) };
}

/** The same of few records, which the service tells apart and sorts. */
async function gatherFew(query: Query, plan: SearchPlan, path: SearchPath): Promise<Finding | null> {
  const rows = (await query(gatherFewStatement(plan, path))) as Position[];
  if (rows.length > path.rowsMax!) return null;
  const matching = rows.filter(([, , , , , , matches]) => isTrue(matches));
  const following = matching.filter(([, , , , , , , follows]) => isTrue(follows));
  following.sort((one, other) => comparePositions(one, other, plan.order));
  return { rows: following.slice(0, plan.limit + 1), matches: matching.length };
}
