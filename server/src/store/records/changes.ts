/**
 * One page of the change feed: the records of a plan's range up to the horizon, in change order, as the bytes to
 * deliver (specification 4.6, rules I-19 to I-23, docs/design/change-feed.md). It does not know what a record contains.
 * Invariant: the horizon is read before the records. Stamps are given and committed in the same order, so the records
 * are read from a snapshot that is complete up to the horizon, and whatever becomes visible later lies past it.
 */

import type { Instant } from '@tmds/contract/record';
import { NoAnswer } from '../../base/no-answer.ts';
import { type Texts, textAt } from '../../database/driver/copied-rows.ts';
import type { Queryable } from '../../database/driver/db.ts';
import { instantText, type Statement, sql } from '../../database/driver/sql.ts';
import { type ChangesPlan, encodePosition, type StampedPosition } from '../../plan/changes.ts';
import { documentBytes, heldIn } from '../documents/read.ts';
import { clockEdge, givenAt, secondsAgo } from '../publish/feed-clock.ts';
import { type ExpandedKey, streamExpanded } from './change-payloads.ts';

export interface ChangesPage {
  /** The items as JSON; or, with payloads, joined by commas as they come, without brackets. */
  readonly items: Texts | AsyncIterable<Buffer>;
  /** Null if and only if the page is empty. */
  readonly next_cursor: string | null;
  /** The feed is complete up to and including this instant (rule I-23). */
  readonly horizon: Instant;
  /** The lineage of the history that the page was read from (rule I-47). */
  readonly lineage: string;
  /** Whole seconds, at least 1, until a poll can find something; null if the page has records. */
  readonly nextPollSeconds: number | null;
}

export interface ChangesOptions {
  /** How far behind the database's clock the feed ends. */
  readonly horizonSeconds: number;
}

/** Where the feed ends at the moment. */
interface FeedEdge {
  readonly horizon: Instant;
  readonly lineage: string;
}

/** How often a page is read if all of its records keep changing before their payloads can be read. */
const EXPANDED_TRIES_MAX = 5;

/**
 * Finds one page. Without payloads it is whole in memory. With payloads, `items` reads while it is consumed, holds no
 * connection between portions, and rejects as a statement would.
 *
 * @throws NoAnswer, also for a register that is not served.
 */
export async function findChangesPage(db: Queryable, plan: ChangesPlan, options: ChangesOptions): Promise<ChangesPage> {
  return plan.expandPayload ? findExpandedPage(db, plan, options) : findPlainPage(db, plan, options);
}

async function findPlainPage(db: Queryable, plan: ChangesPlan, options: ChangesOptions): Promise<ChangesPage> {
  const edge = await readEdge(db, plan, options);
  const items = await readItems(db, plan, edge, PLAIN_ITEM);
  return await buildPage(db, plan, options, edge, items, findLast(items));
}

async function findExpandedPage(db: Queryable, plan: ChangesPlan, options: ChangesOptions): Promise<ChangesPage> {
  for (let tries = 1; ; tries += 1) {
    const edge = await readEdge(db, plan, options);
    const items = await readItems(db, plan, edge, EXPANDED_ITEM);
    const keys = items.starts.map((_, index) => JSON.parse(textAt(items, index)) as ExpandedKey);
    const expanded = keys.length === 0 ? items : await streamExpanded(db, keys, {});
    if (expanded !== null) return await buildPage(db, plan, options, edge, expanded, keys.at(-1));
    if (tries === EXPANDED_TRIES_MAX) throw new NoAnswer('records_changing');
  }
}

/** The position of the last item. */
function findLast(items: Texts): StampedPosition | undefined {
  const { length } = items.starts;
  return length === 0 ? undefined : (JSON.parse(textAt(items, length - 1)) as StampedPosition);
}

async function readEdge(db: Queryable, { register }: ChangesPlan, options: ChangesOptions): Promise<FeedEdge> {
  const served =
    register === null ? sql`true` : sql`exists (select 1 from register where jurisdiction_code = ${register})`;
  const [edge] = await db.query<FeedEdge & { served: boolean }>(sql`
    select ${served} as served, ${instantText(sql`edge.horizon`)} as horizon, edge.lineage::text as lineage
    from (${clockEdge(options.horizonSeconds)}) as edge`);
  if (!edge!.served) throw new NoAnswer('register_not_served');
  return edge!;
}

async function readItems(db: Queryable, plan: ChangesPlan, { horizon }: FeedEdge, item: Statement): Promise<Texts> {
  return (await db.copyRows(itemsStatement(plan, horizon, item))).textsOf(0, 0);
}

async function buildPage(
  db: Queryable,
  plan: ChangesPlan,
  options: ChangesOptions,
  { horizon, lineage }: FeedEdge,
  items: ChangesPage['items'],
  last: StampedPosition | undefined,
): Promise<ChangesPage> {
  if (last !== undefined) {
    return { items, next_cursor: encodePosition(plan, last), horizon, lineage, nextPollSeconds: null };
  }
  const [waiting] = await db.query<{ seconds: number | null }>(waitStatement(plan, options));
  // Whatever is published later gets a later stamp, and takes the whole horizon to be delivered.
  const seconds = Math.min(waiting?.seconds ?? Infinity, options.horizonSeconds);
  return { items, next_cursor: null, horizon, lineage, nextPollSeconds: Math.max(1, Math.ceil(seconds)) };
}

/** The record as it is delivered. */
export const PLAIN_ITEM = sql`detail`;

/** What `ExpandedKey` says of a record. */
const EXPANDED_ITEM = sql`json_build_object('jurisdiction_code', jurisdiction_code, 'uid', uid, 'payload_bytes', (
    select ${documentBytes(heldIn('payload'))} from payload
    where payload.jurisdiction_code = record.jurisdiction_code and payload.uid = record.uid
  ), 'updated_at', ${instantText(sql`updated_at`)})::text`;

/**
 * A row for each item, in the order of the index: nothing is sorted. Rows are cheaper than an aggregate of them, which
 * PostgreSQL builds in memory: 8 ms against 17 for a page of 5,000 (docs/feed-proof.md). `COPY` is planned at each call,
 * so the statement holds nothing else: with the edge in it, a page of 500 took half a millisecond longer.
 */
export function itemsStatement(plan: ChangesPlan, horizon: Instant, item: Statement): Statement {
  return sql`
    select ${item} from record where ${betweenPositions(plan, sql`${horizon}::timestamptz`)}
    order by ${changeOrder(plan)} limit ${plan.limit}::int`;
}

/** Seconds until the first record after the position is within the horizon; no row if there is no such record. */
export function waitStatement(plan: ChangesPlan, { horizonSeconds }: ChangesOptions): Statement {
  return sql`
    select extract(epoch from ${givenAt(sql`waiting.updated_at`)} - (${secondsAgo(horizonSeconds)}))::float8 as seconds
    from (
      select updated_at from record where ${betweenPositions(plan, sql`timestamptz 'infinity'`)}
      order by ${changeOrder(plan)} limit 1
    ) as waiting`;
}

/** What a page of changes is cut from. The history has the same order, in indexes of the same columns. */
type FeedRange = Pick<ChangesPlan, 'register' | 'after'>;

/** The order of the index that is scanned. Within one register both orders are the same. */
export function changeOrder({ register }: Pick<FeedRange, 'register'>): Statement {
  return register === null ? sql`updated_at, jurisdiction_code, uid` : sql`jurisdiction_code, updated_at, uid`;
}

/**
 * A range of one index: `record_change` for all registers, `record_register_change` for one. The register is compared
 * as a range, not by equality, so that no statistics can make the planner scan the other index.
 */
export function betweenPositions({ register, after }: FeedRange, end: Statement): Statement {
  if (register === null) {
    return sql`(updated_at, jurisdiction_code, uid)
      > (${after.updated_at}::timestamptz, ${after.jurisdiction_code}, ${after.uid}) and updated_at <= ${end}`;
  }
  return sql`jurisdiction_code between ${register} and ${register} and (jurisdiction_code, updated_at) <= (${register}, ${end})
    and (jurisdiction_code, updated_at, uid) > (${register}, ${after.updated_at}::timestamptz, ${after.uid})`;
}
