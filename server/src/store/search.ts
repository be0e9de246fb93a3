/**
 * Finds one page of a search by taking the plan's paths in turn until one is conclusive. It decides nothing about what
 * matches or in which order; it keeps the whole search, however many statements it takes, within one time limit.
 * Invariant: a page is what its last statement saw; nothing is put together from two statements but the walk of one
 * order, which goes on exactly where it stopped.
 */
import { MATCHED_COUNT_MAX } from '@tmds/contract/limits';
import type { Clock } from '../base/clock.ts';
import { apiError } from '../base/errors.ts';
import { encodePosition, inOrderOfChanges, type SearchPlan } from '../plan/search.ts';
import { SLICES } from '../record/terms.ts';
import { type ExpandedKey, streamExpanded } from './change-payloads.ts';
import type { Database } from './db.ts';
import { isRegisterServed, registerNotServed } from './registers.ts';
import { findRecords } from './search-paths.ts';
import { type Finding, type Position, type Query, type Row, readKey } from './search-rows.ts';
import { countAlongStatement, countStatement, joinedWalkStatement } from './search-statements.ts';
import { isStorable, sql } from './sql.ts';

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
function isPlainWalk({ paths, lanes, conditions, expandPayload, after }: SearchPlan): boolean {
  const [path] = paths;
  const isExact = path?.kind === 'walk' && path.rowsMax === null && !conditions.isImpossible;
  return isExact && lanes.length <= 1 && !expandPayload && after?.value !== null;
}

/** Null for the last pages of an order, and where records without the sort value come in. */
async function findJoinedPage(query: Query, plan: SearchPlan): Promise<SearchPage | null> {
  const start = { segment: 'valued', register: plan.lanes[0] ?? null, after: plan.after } as const;
  const [row] = await query(joinedWalkStatement(plan, start));
  const [items, count, ...key] = row!;
  if (Number(count!.toString()) <= plan.limit) return null;
  return {
    items: items!,
    next_cursor: encodePosition(plan, readKey(key as unknown as Position)),
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

function readExpanded([, jurisdictionCode, uid, , stamp, payloadBytes]: Position): ExpandedKey {
  const bytes = payloadBytes ? Number(payloadBytes.toString()) : null;
  return [stamp!.toString(), jurisdictionCode.toString(), uid.toString(), bytes];
}

/** How many more records than are needed the slices asked for are expected to hold. */
const SLICES_MARGIN = 1.3;
/** Beyond so many, all are counted at once: the lists of slices are long themselves (14 of them 170 ms, all 107). */
const SLICES_MAX = 8;

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
  const { matchesExpected } = plan;
  const asked = matchesExpected === null ? 1 : slicesFor(matchesExpected / SLICES);
  if (asked > SLICES_MAX) return null;
  const first = await count(0, asked);
  if (first > MATCHED_COUNT_MAX) return first;
  const wanted = asked + slicesFor(first / asked, MATCHED_COUNT_MAX + 1 - first);
  if (wanted > SLICES_MAX) return null;
  const sum = first + (await count(asked, wanted));
  return sum > MATCHED_COUNT_MAX ? sum : null;
}

/** One more than the cap where the first records of the order of changes hold so many matches; else null. */
async function countAlong(query: Query, plan: SearchPlan): Promise<number | null> {
  if (plan.countRows === null) return null;
  const count = readCount(await query(countAlongStatement(inOrderOfChanges(plan), plan.countRows)));
  return count > MATCHED_COUNT_MAX ? count : null;
}

/** How many slices should hold so many matches, by how many one holds. */
function slicesFor(matchesPerSlice: number, matches = MATCHED_COUNT_MAX + 1): number {
  return Math.ceil((matches / Math.max(matchesPerSlice, 1)) * SLICES_MARGIN);
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
    found.matches ??
    (await countAlong(query, plan)) ??
    (await countBySlices(query, plan)) ??
    readCount(await query(countStatement(plan, null)));
  return { count: Math.min(count, MATCHED_COUNT_MAX), capped: count > MATCHED_COUNT_MAX };
}

function joinItems(rows: readonly Position[]): Buffer {
  return Buffer.concat(rows.flatMap(([, , , detail], index) => (index === 0 ? [detail!] : [COMMA, detail!])));
}

async function expandItems(db: Database, rows: readonly Position[]): Promise<Buffer | AsyncIterable<Buffer>> {
  return (await streamExpanded(db, rows.map(readExpanded))) ?? EMPTY;
}
