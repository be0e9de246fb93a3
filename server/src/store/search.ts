/**
 * Finds one page of a search by taking the plan's paths in turn until one is conclusive. It decides nothing about what
 * matches or in which order; it keeps the whole search, however many statements it takes, within one time limit.
 * Invariant: a page is what its last statement saw; nothing is put together from two statements but the walk of one
 * order, which goes on exactly where it stopped.
 */
import { MATCHED_COUNT_MAX } from '@tmds/contract/limits';
import type { Clock } from '../base/clock.ts';
import { apiError } from '../base/errors.ts';
import {
  type CursorKey,
  encodePosition,
  LEAP_GROWTH,
  LEAP_MONTHS_FIRST,
  LEAPS_MAX,
  planLastLeap,
  planLeap,
  type SearchPath,
  type SearchPlan,
} from '../plan/search.ts';
import { SLICES } from '../record/terms.ts';
import { type ExpandedKey, streamExpanded } from './change-payloads.ts';
import type { Database } from './db.ts';
import { isRegisterServed, registerNotServed } from './registers.ts';
import {
  countStatement,
  gatherStatement,
  joinedWalkStatement,
  type Segment,
  walkStatement,
} from './search-statements.ts';
import { isStorable, type Statement, sql } from './sql.ts';

export interface SearchPage {
  /** The items as JSON, joined by commas, without the brackets around them; no bytes when the page is empty. */
  readonly items: Buffer | AsyncIterable<Buffer>;
  /** Null when no more records match. */
  readonly next_cursor: string | null;
  /** Null unless the plan asks for a count (rule I-18). */
  readonly matched: { readonly count: number; readonly capped: boolean } | null;
}

export interface SearchLimits {
  readonly clock: Clock;
  /** For the whole search, however many statements it takes. */
  readonly timeoutMs: number;
}

/** What a conclusive path has found: at most one record more than a page holds. */
interface Finding {
  readonly rows: readonly Row[];
  /** Of the whole query; null where the path has not seen them all. */
  readonly matches: number | null;
}

/** A record on its way into a page, as the statements give it; only what is needed of it is read. */
type Row = readonly (Buffer | null)[];
type Query = (statement: Statement) => Promise<Row[]>;

const NOTHING: Finding = { rows: [], matches: 0 };
const EMPTY = Buffer.alloc(0);
const COMMA = Buffer.from(',');

/** @throws ApiError `not_found` for a register that is not served; `query_timeout`, `unavailable`. */
export async function findSearchPage(db: Database, plan: SearchPlan, limits: SearchLimits): Promise<SearchPage> {
  const query = limitTime(db, limits);
  const isNameable = plan.register === null || isStorable(plan.register);
  if (isNameable && isPlainWalk(plan)) {
    const page = await findJoinedPage(query, plan);
    if (page !== null) return page;
  }
  const found = plan.conditions.isImpossible || !isNameable ? NOTHING : await findRecords(query, plan);
  // A register that has a record is served, so only an empty page has to ask.
  if (plan.register !== null && found.rows.length === 0) await checkRegister(db, plan.register);
  const matched = plan.countMatches ? await countMatches(query, plan, found) : null;
  const hasMore = found.rows.length > plan.limit;
  const page = hasMore ? found.rows.slice(0, plan.limit) : found.rows;
  return {
    items: plan.expandPayload ? await expandItems(db, page) : joinItems(page),
    next_cursor: hasMore ? encodePosition(plan, readKey(page.at(-1)!)) : null,
    matched,
  };
}

/** Every record on the way is an item, as it is stored. */
function isPlainWalk({ paths, conditions, expandPayload, after }: SearchPlan): boolean {
  const [path] = paths;
  const isExact = path?.kind === 'walk' && path.rowsMax === null && !conditions.isImpossible;
  return isExact && !expandPayload && after?.value !== null;
}

/** Null for the last pages of an order, and where records without the sort value come in. */
async function findJoinedPage(query: Query, plan: SearchPlan): Promise<SearchPage | null> {
  const [row] = await query(joinedWalkStatement(plan, { segment: 'valued', after: plan.after }));
  const [items, count, ...key] = row!;
  if (Number(count!.toString()) <= plan.limit) return null;
  return {
    items: items!,
    next_cursor: encodePosition(plan, readKey(key)),
    matched: plan.countMatches ? await countMatches(query, plan, { rows: [], matches: null }) : null,
  };
}

/** A statement that starts this early needs no limit of its own: the session's is close enough. */
const UNLIMITED_START_MS = 500;

/** The statements of one search, within one limit. */
function limitTime(db: Database, { clock, timeoutMs }: SearchLimits): Query {
  const startedMs = clock.monotonicMs();
  return async (statement) => {
    const elapsedMs = clock.monotonicMs() - startedMs;
    if (elapsedMs < UNLIMITED_START_MS) return await db.queryBytes(statement);
    const remainingMs = Math.ceil(timeoutMs - elapsedMs);
    if (remainingMs <= 0) {
      throw apiError('query_timeout', 'The query was not answerable in time. Narrow it with another filter.');
    }
    return await db.transaction(async (tx) => {
      await tx.query(sql`select set_config('statement_timeout', ${String(remainingMs)}, true)`);
      return await tx.queryBytes(statement);
    });
  };
}

async function checkRegister(db: Database, register: string): Promise<void> {
  const isServed = isStorable(register) && (await isRegisterServed(db, register));
  if (isServed) return;
  throw registerNotServed();
}

/** The records after the plan's position, in order, at most one more than a page holds. */
async function findRecords(query: Query, plan: SearchPlan): Promise<Finding> {
  const walk = startWalk(plan);
  for (const path of plan.paths) {
    const taken = path.ifPromising ? keepPromise(plan, walk, path) : path;
    const found = taken === null ? null : await takePath(query, plan, taken, walk);
    if (found !== null) return found;
  }
  throw new Error('the last path of a plan has no bound');
}

function takePath(query: Query, plan: SearchPlan, path: SearchPath, walk: Walk): Promise<Finding | null> {
  if (path.kind === 'walk') return continueWalk(query, plan, walk, path);
  return path.kind === 'leap' ? leap(query, plan, walk, path) : gather(query, plan, path);
}

/** The walk of one order over several statements: what it has found and where it goes on. */
interface Walk {
  readonly segments: Segment[];
  after: CursorKey | null;
  readonly found: Row[];
  rowsRead: number;
}

/** Fewer matches promise nothing. */
const PROMISING_MATCHES = 3;
/** Matches are not spread evenly: a page is given so many times the rows that it should take. */
const PROMISE_MARGIN = 2;

/** The walk that should fill the page, were matches as dense further on as so far; null if that is beyond its bound. */
function keepPromise({ limit }: SearchPlan, { found, rowsRead }: Walk, path: SearchPath): SearchPath | null {
  if (found.length < PROMISING_MATCHES) return null;
  const rows = Math.ceil(((limit + 1 - found.length) / found.length) * rowsRead);
  return rows > path.rowsMax! ? null : { ...path, rowsMax: Math.min(path.rowsMax!, rows * PROMISE_MARGIN) };
}

function startWalk({ sort, after, walkedInterval }: SearchPlan): Walk {
  // A bounded interval of the sort field has no place for records without it.
  const segments: Segment[] = sort === 'updated_at' || walkedInterval !== null ? ['valued'] : ['valued', 'valueless'];
  const isBeyondValues = after !== null && after.value === null && sort !== 'updated_at';
  if (isBeyondValues) segments.shift();
  return { segments, after, found: [], rowsRead: 0 };
}

/** Null when the bound was reached before the page was full or the order ended. */
async function continueWalk(
  query: Query,
  plan: SearchPlan,
  walk: Walk,
  { rowsMax }: SearchPath,
): Promise<Finding | null> {
  for (let segment = walk.segments[0]; segment !== undefined; segment = walk.segments[0]) {
    const rows = await query(walkStatement(plan, { segment, after: walk.after }, rowsMax));
    const last = rows.at(-1);
    const isBoundReached = last !== undefined && !isTrue(last[6]);
    addFound(walk, isBoundReached ? rows.slice(0, -1) : rows);
    if (last !== undefined) walk.after = readKey(last);
    if (walk.found.length > plan.limit) return { rows: walk.found.slice(0, plan.limit + 1), matches: null };
    if (isBoundReached) {
      walk.rowsRead += rowsMax!;
      return null;
    }
    // As many rows as a page takes, some of them found before: the order goes on.
    if (rows.length > plan.limit) continue;
    walk.segments.shift();
    walk.after = null;
  }
  return { rows: walk.found, matches: plan.after === null ? walk.found.length : null };
}

/** A record that changes meanwhile may stand in the way twice. */
function addFound({ found }: Walk, rows: readonly Row[]): void {
  const known = found.length === 0 ? null : new Set(found.map(identityOf));
  for (const row of rows) if (known === null || !known.has(identityOf(row))) found.push(row);
}

/** Takes the walk over the next months, a few times over if it can; null when the page is not full with them. */
async function leap(query: Query, plan: SearchPlan, walk: Walk, path: SearchPath): Promise<Finding | null> {
  let months = LEAP_MONTHS_FIRST;
  for (let leaps = 0; leaps < LEAPS_MAX && months >= 1; ) {
    const leaped = walk.after === null || walk.segments[0] !== 'valued' ? null : planLeap(plan, walk.after, months);
    if (leaped === null) return null;
    const found = await gather(query, leaped.plan, path);
    if (found === null) {
      months = Math.floor(months / LEAP_GROWTH);
      continue;
    }
    leaps += 1;
    addFound(walk, found.rows);
    walk.after = leaped.resume;
    // How many records lie in those months is not known, so nothing is promised by them.
    walk.rowsRead = Number.POSITIVE_INFINITY;
    if (walk.found.length > plan.limit) return { rows: walk.found.slice(0, plan.limit + 1), matches: null };
    months *= LEAP_GROWTH;
  }
  return path.toEnd ? await leapToEnd(query, plan, walk, path) : null;
}

/** Many match, and few of them have a date: those few are gathered, and the walk goes on where the others are. */
async function leapToEnd(query: Query, plan: SearchPlan, walk: Walk, path: SearchPath): Promise<Finding | null> {
  const { sort } = plan;
  if (sort === 'updated_at' || walk.after === null || walk.segments[0] !== 'valued') return null;
  const found = await gather(query, planLastLeap(plan, sort, walk.after), path);
  if (found === null) return null;
  addFound(walk, found.rows);
  if (walk.found.length <= plan.limit) {
    walk.segments.shift();
    walk.after = null;
    walk.rowsRead = Number.POSITIVE_INFINITY;
    return await continueWalk(query, plan, walk, path);
  }
  return { rows: walk.found.slice(0, plan.limit + 1), matches: null };
}

/** Null when more rows than the bound would have had to be read. */
async function gather(query: Query, plan: SearchPlan, path: SearchPath): Promise<Finding | null> {
  const rows = await query(gatherStatement(plan, path));
  const [first] = rows;
  if (isTrue(first![7])) return null;
  return { rows: first![2] === null ? [] : rows, matches: Number(first![6]!.toString()) };
}

function isTrue(value: Buffer | null | undefined): boolean {
  return value?.toString() === 't';
}

function readKey([value, jurisdictionCode, uid]: Row): CursorKey {
  return {
    value: value?.toString() ?? null,
    jurisdiction_code: jurisdictionCode!.toString(),
    uid: uid!.toString(),
  };
}

function identityOf([, jurisdictionCode, uid]: Row): string {
  return `${jurisdictionCode} ${uid}`;
}

function readExpanded([, jurisdictionCode, uid, , stamp, payloadBytes]: Row): ExpandedKey {
  const bytes = payloadBytes ? Number(payloadBytes.toString()) : null;
  return [stamp!.toString(), jurisdictionCode!.toString(), uid!.toString(), bytes];
}

/** How many more records than are needed the slices asked for are expected to hold. */
const SLICES_MARGIN = 1.2;
/** Beyond so many, all are counted at once. */
const SLICES_MAX = SLICES / 2;

/**
 * One more than the cap where so many records match, told from a few slices of them; null where there may be fewer,
 * which only one statement can count. By the term index all matches of a query are collected before the first is
 * counted, so a query that half the records match is answered from a slice of them in a fraction of the time.
 */
async function countBySlices(query: Query, plan: SearchPlan): Promise<number | null> {
  const count = async (from: number, to: number): Promise<number> => {
    const slices = Array.from({ length: to - from }, (_, index) => from + index);
    return readCount(await query(countStatement(plan, slices)));
  };
  const first = await count(0, 1);
  if (first > MATCHED_COUNT_MAX) return first;
  const wanted = 1 + Math.ceil(((MATCHED_COUNT_MAX + 1 - first) / first) * SLICES_MARGIN);
  if (wanted > SLICES_MAX) return null;
  const sum = first + (await count(1, wanted));
  return sum > MATCHED_COUNT_MAX ? sum : null;
}

function readCount([row]: readonly Row[]): number {
  return Number(row![0]!.toString());
}

/** Counts only what finding the page has not counted by the way. */
async function countMatches(
  query: Query,
  plan: SearchPlan,
  found: Finding,
): Promise<{ count: number; capped: boolean }> {
  const count =
    found.matches ?? (await countBySlices(query, plan)) ?? readCount(await query(countStatement(plan, null)));
  return { count: Math.min(count, MATCHED_COUNT_MAX), capped: count > MATCHED_COUNT_MAX };
}

function joinItems(rows: readonly Row[]): Buffer {
  return Buffer.concat(rows.flatMap(([, , , detail], index) => (index === 0 ? [detail!] : [COMMA, detail!])));
}

async function expandItems(db: Database, rows: readonly Row[]): Promise<Buffer | AsyncIterable<Buffer>> {
  return (await streamExpanded(db, rows.map(readExpanded))) ?? EMPTY;
}
