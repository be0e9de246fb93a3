/**
 * The walk of an order over as many statements as it takes, keeping what matches. A search of several registers walks
 * the order of each in a lane of its own and merges them, so that it passes no record of any other register. It decides
 * nothing about how far to walk: the paths of the plan do.
 * Invariant: `found` holds exactly the matches up to the frontier, which is where the lane that is least far has come
 * to; what other lanes found beyond it waits in `ahead`.
 */
import type { SearchPath } from '../plan/paths.ts';
import type { CursorKey, SearchPlan } from '../plan/search.ts';
import {
  comparePositions,
  encodeKey,
  type Finding,
  isTrue,
  type Position,
  positionBefore,
  type Query,
  type Row,
  readKey,
} from './search-rows.ts';
import { lanesStatement } from './search-statements.ts';
import { comesLater, type Segment, type WalkStart } from './search-ways.ts';

/** One register's own order, or with null that of all registers. */
interface Lane {
  readonly register: string | null;
  /** Up to where all that matches is known: the last match, or where the last value read begins; null for the start. */
  position: Position | null;
  hasEnded: boolean;
}

export interface Walk {
  readonly segments: Segment[];
  lanes: Lane[];
  readonly found: Position[];
  ahead: Position[];
  rowsRead: number;
}

export function startWalk(plan: SearchPlan): Walk {
  const { sort, after, walkedInterval } = plan;
  // A bounded interval of the sort field has no place for records without it.
  const segments: Segment[] = sort === 'updated_at' || walkedInterval !== null ? ['valued'] : ['valued', 'valueless'];
  const isBeyondValues = after !== null && after.value === null && sort !== 'updated_at';
  if (isBeyondValues) segments.shift();
  return { segments, lanes: startLanes(plan, after), found: [], ahead: [], rowsRead: 0 };
}

function startLanes(plan: SearchPlan, after: CursorKey | null): Lane[] {
  const registers = plan.lanes.length === 0 ? [null] : plan.lanes;
  return registers.map((register) => {
    const lane = { register, position: after === null ? null : encodeKey(after), hasEnded: false };
    const isElsewhere = register !== null && after !== null && register !== after.jurisdiction_code;
    // Without sort values, registers come one after the other.
    if (!isElsewhere || after.value !== null) return lane;
    return comesLater(plan, register, after) ? { ...lane, position: null } : { ...lane, hasEnded: true };
  });
}

/** Of records found by another way it is not known how many lie among others, so nothing is promised by them. */
const UNKNOWN_ROWS = Number.POSITIVE_INFINITY;

/** Goes on from a position between two records, up to which all matches have been found by another way. */
export function resumeWalk(walk: Walk, plan: SearchPlan, matches: readonly Position[], resume: CursorKey): void {
  addFound(walk, matches);
  walk.ahead = [];
  walk.lanes = startLanes(plan, resume);
  walk.rowsRead = UNKNOWN_ROWS;
}

/** The same from the records without the sort value. */
export function resumeWithoutValue(walk: Walk, plan: SearchPlan, matches: readonly Position[]): void {
  addFound(walk, matches);
  walk.segments.shift();
  walk.ahead = [];
  walk.lanes = startLanes(plan, null);
  walk.rowsRead = UNKNOWN_ROWS;
}

/** The page that the walk has found, and whether there is more. */
export function firstOf({ found }: Walk, { limit }: SearchPlan): Finding {
  return { rows: found.slice(0, limit + 1), matches: null };
}

/** A record that changes meanwhile may stand in the way twice; the first rows of a single lane are of one statement. */
function addFound({ found, lanes }: Walk, rows: readonly Position[]): void {
  if (found.length === 0 && lanes.length === 1) {
    found.push(...rows);
    return;
  }
  const known = new Set(found.map(identityOf));
  for (const row of rows) if (!known.has(identityOf(row))) found.push(row);
}

function identityOf([, jurisdictionCode, uid]: Position): string {
  return `${jurisdictionCode} ${uid}`;
}

/** Up to where all matches are known; null where that is nowhere yet, or where the segment has ended. */
export function findFrontier({ lanes }: Walk, { order }: SearchPlan): Position | null {
  let frontier: Position | null = null;
  for (const { position, hasEnded } of lanes) {
    if (hasEnded) continue;
    if (position === null) return null;
    if (frontier === null || comparePositions(position, frontier, order) < 0) frontier = position;
  }
  return frontier;
}

/** Null when the bound was reached before the page was full or the order ended. */
export async function continueWalk(
  query: Query,
  plan: SearchPlan,
  walk: Walk,
  { rowsMax }: SearchPath,
): Promise<Finding | null> {
  for (let segment = walk.segments[0]; segment !== undefined; segment = walk.segments[0]) {
    const hasEnded = await walkSegment(query, plan, walk, segment, rowsMax);
    if (walk.found.length > plan.limit) return firstOf(walk, plan);
    if (!hasEnded) return null;
    walk.segments.shift();
    walk.lanes = startLanes(plan, null);
  }
  return { rows: walk.found, matches: plan.after === null ? walk.found.length : null };
}

/** Fewer items than a page has are asked of each of several lanes; a lane with more is walked again. */
const LANE_ITEMS_MIN = 16;
const LANE_ITEMS_MARGIN = 2;

/** Resolves to whether the segment has ended; if not, the page is full or as many rows were read as may be. */
async function walkSegment(
  query: Query,
  plan: SearchPlan,
  walk: Walk,
  segment: Segment,
  rowsMax: number | null,
): Promise<boolean> {
  const { lanes } = walk;
  const laneRows = rowsMax === null ? null : Math.ceil(rowsMax / lanes.length);
  const share = Math.ceil((LANE_ITEMS_MARGIN * (plan.limit + 1)) / lanes.length);
  const itemsMax = Math.min(plan.limit + 1, Math.max(LANE_ITEMS_MIN, share));
  let rowsRead = 0;
  while (walk.found.length <= plan.limit) {
    const open = lanes.filter((lane) => !lane.hasEnded && isNeeded(lane, walk, plan));
    if (open.length === 0) return true;
    if (rowsMax !== null && rowsRead >= rowsMax) break;
    const behind = listBehind(open, plan);
    const rows = await query(lanesStatement(plan, startsOf(behind, segment), laneRows, itemsMax));
    for (const [index, laneRead] of groupByLane(behind, rows).entries()) {
      if (advance(behind[index]!, laneRead, walk, plan, itemsMax)) rowsRead += laneRows!;
    }
    settle(walk, plan);
  }
  walk.rowsRead += rowsRead;
  return false;
}

/** Those that have not begun, or else the half that is least far: how fast a lane goes is up to its register. */
function listBehind(lanes: readonly Lane[], { order }: SearchPlan): readonly Lane[] {
  const unbegun = lanes.filter(({ position }) => position === null);
  if (unbegun.length > 0 || lanes.length === 1) return unbegun.length > 0 ? unbegun : lanes;
  const ordered = [...lanes].sort((one, other) => comparePositions(one.position!, other.position!, order));
  return ordered.slice(0, Math.ceil(lanes.length / 2));
}

function startsOf(lanes: readonly Lane[], segment: Segment): WalkStart[] {
  return lanes.map(({ register, position }) => ({
    segment,
    register,
    after: position === null ? null : readKey(position),
  }));
}

/** A lane has to go on unless what is known already fills the page before its position. */
function isNeeded({ position }: Lane, { found, ahead }: Walk, { limit, order }: SearchPlan): boolean {
  const last = ahead[limit - found.length];
  return position === null || last === undefined || comparePositions(position, last, order) < 0;
}

/** The rows of each lane: with several of them, every row ends with the number of its own. */
function groupByLane(lanes: readonly Lane[], rows: readonly Row[]): readonly Row[][] {
  if (lanes.length === 1) return [[...rows]];
  const groups: Row[][] = lanes.map(() => []);
  for (const row of rows) groups[Number(row.at(-1)!.toString())]!.push(row);
  return groups;
}

/** Whether the lane was stopped by its bound on rows. */
function advance(lane: Lane, rows: readonly Row[], walk: Walk, plan: SearchPlan, itemsMax: number): boolean {
  const last = rows.at(-1);
  const isBoundReached = last !== undefined && !isTrue(last[6]);
  const matches = (isBoundReached ? rows.slice(0, -1) : rows) as Position[];
  walk.ahead.push(...matches);
  lane.position = matches.at(-1) ?? lane.position;
  lane.hasEnded = !isBoundReached && rows.length < itemsMax;
  if (isBoundReached && last[0] !== null) {
    const before = positionBefore(last[0]!, plan.order);
    if (lane.position === null || comparePositions(lane.position, before, plan.order) < 0) lane.position = before;
  }
  return isBoundReached;
}

/** Moves what lies before the frontier from `ahead` to `found`. */
function settle(walk: Walk, plan: SearchPlan): void {
  const { order } = plan;
  if (walk.lanes.length > 1) walk.ahead.sort((one, other) => comparePositions(one, other, order));
  const frontier = findFrontier(walk, plan);
  const isBeyond = (position: Position): boolean =>
    frontier === null ? !walk.lanes.every(({ hasEnded }) => hasEnded) : comparePositions(position, frontier, order) > 0;
  const beyond = walk.ahead.findIndex(isBeyond);
  const settled = beyond < 0 ? walk.ahead : walk.ahead.slice(0, beyond);
  walk.ahead = walk.ahead.slice(settled.length);
  addFound(walk, settled);
}
