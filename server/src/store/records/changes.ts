/**
 * One page of the change feed: the records of a plan's range up to the horizon, in change order, as the bytes to
 * deliver (specification 4.6, rules I-19 to I-23, docs/design/change-feed.md). It does not know what a record contains.
 * Invariant: horizon, records and position come from one snapshot. Stamps are given and committed in the same order, so
 * whatever becomes visible after this snapshot lies past every record in it, and past the horizon it states.
 */
import type { Instant } from '@tmds/contract/record';
import { type ChangesPlan, encodePosition, type StampedPosition } from '../../plan/changes.ts';
import { documentBytes, heldIn } from '../documents/held.ts';
import { type Texts, textAt } from '../driver/copied-rows.ts';
import type { Queryable } from '../driver/db.ts';
import { instantText } from '../driver/instants.ts';
import { type Statement, sql } from '../driver/sql.ts';
import { clockEdge, givenAt } from '../publish/feed-clock.ts';
import { type ExpandedKey, streamExpanded } from './change-payloads.ts';
import { ReadRefused } from './read-refused.ts';

export interface ChangesPage {
  /** The items as JSON; or, with payloads, joined by commas as they come, without brackets. */
  readonly items: Texts | AsyncIterable<Buffer>;
  /** Null if and only if the page is empty. */
  readonly next_cursor: string | null;
  /** The feed is complete up to and including this instant (rule I-23). */
  readonly horizon: Instant;
  /** Of the history that the page was read from (rule I-47). */
  readonly lineage: string;
  /** Whole seconds, at least 1, until a poll can find something; null if the page has records. */
  readonly nextPollSeconds: number | null;
}

export interface ChangesOptions {
  /** How far behind the database's clock the feed ends. */
  readonly horizonSeconds: number;
}

/** What the statement says about a page besides its items. */
interface PageEdge {
  readonly horizon: Instant;
  readonly lineage: string;
  /** Seconds until the first record after the position is within the horizon; null if there is no such record. */
  readonly waitSeconds: number | null;
}

/** How often a page is read if all of its records keep changing before their payloads can be read. */
const EXPANDED_TRIES_MAX = 5;

/**
 * Finds one page. Without payloads it is whole in memory. With payloads, `items` reads while it is consumed, holds no
 * connection between portions, and rejects as a statement would.
 *
 * @throws ReadRefused for a register that is not served; ApiError `unavailable`, `query_timeout`.
 */
export async function findChangesPage(db: Queryable, plan: ChangesPlan, options: ChangesOptions): Promise<ChangesPage> {
  return plan.expandPayload ? findExpandedPage(db, plan, options) : findPlainPage(db, plan, options);
}

async function findPlainPage(db: Queryable, plan: ChangesPlan, options: ChangesOptions): Promise<ChangesPage> {
  const { items, edge } = await findItems(db, plan, options, PLAIN_ITEM);
  return buildPage(plan, options, items, findLast(items), edge);
}

async function findExpandedPage(db: Queryable, plan: ChangesPlan, options: ChangesOptions): Promise<ChangesPage> {
  for (let tries = 1; ; tries += 1) {
    const { items, edge } = await findItems(db, plan, options, EXPANDED_ITEM);
    const keys = items.starts.map((_, index) => JSON.parse(textAt(items, index)) as ExpandedKey);
    const expanded = keys.length === 0 ? items : await streamExpanded(db, keys, {});
    if (expanded !== null) return buildPage(plan, options, expanded, keys.at(-1), edge);
    if (tries === EXPANDED_TRIES_MAX) throw new ReadRefused('changing');
  }
}

/** The position of the last item. */
function findLast(items: Texts): StampedPosition | undefined {
  const { length } = items.starts;
  return length === 0 ? undefined : (JSON.parse(textAt(items, length - 1)) as StampedPosition);
}

async function findItems(
  db: Queryable,
  plan: ChangesPlan,
  options: ChangesOptions,
  item: Statement,
): Promise<{ items: Texts; edge: PageEdge }> {
  const rows = await db.copyRows(pageStatement(plan, options.horizonSeconds, item));
  const [edge] = rows;
  const [served, horizon, lineage, waitSeconds] = edge!.map((value) => value?.toString());
  if (served !== 'true') throw new ReadRefused('register_not_served');
  const items = rows.textsOf(ITEM_COLUMN, 1);
  checkOrder(items);
  return {
    items,
    edge: {
      horizon: horizon!,
      lineage: lineage!,
      waitSeconds: waitSeconds === undefined ? null : Number(waitSeconds),
    },
  };
}

function buildPage(
  plan: ChangesPlan,
  options: ChangesOptions,
  items: ChangesPage['items'],
  last: StampedPosition | undefined,
  { horizon, lineage, waitSeconds }: PageEdge,
): ChangesPage {
  if (last !== undefined) {
    return { items, next_cursor: encodePosition(plan, last), horizon, lineage, nextPollSeconds: null };
  }
  // Whatever is published later gets a later stamp, and takes the whole horizon to be delivered.
  const nextPollSeconds = Math.max(1, Math.ceil(Math.min(waitSeconds ?? Infinity, options.horizonSeconds)));
  return { items, next_cursor: null, horizon, lineage, nextPollSeconds };
}

/** An item ends with its stamp: `…"updated_at":"2026-11-21T09:00:00.123456Z"}`. */
const STAMP_BYTES = '2026-11-21T09:00:00.123456Z'.length;
const STAMP_END = '"}'.length;

/** SQL does not promise the order of a union, and a client would miss what follows a record that is out of order. */
function checkOrder({ bytes, ends }: Texts): void {
  for (let index = 1; index < ends.length; index += 1) {
    const [before, stamp] = [ends[index - 1]! - STAMP_END, ends[index]! - STAMP_END];
    if (bytes.compare(bytes, stamp - STAMP_BYTES, stamp, before - STAMP_BYTES, before) > 0) {
      throw new Error('a page of the feed is unsorted');
    }
  }
}

/** The record as it is delivered. */
export const PLAIN_ITEM = sql`detail`;

/** What `ExpandedKey` says of a record. */
const EXPANDED_ITEM = sql`json_build_object('jurisdiction_code', jurisdiction_code, 'uid', uid, 'payload_bytes', (
    select ${documentBytes(heldIn('payload'))} from payload
    where payload.jurisdiction_code = record.jurisdiction_code and payload.uid = record.uid
  ), 'updated_at', ${instantText(sql`updated_at`)})::text`;

const ITEM_COLUMN = 4;

/**
 * A row with the edge, and a row for each item, in the order of the index: nothing is sorted. Rows are cheaper than an
 * aggregate of them, which PostgreSQL builds in memory: 8 ms against 17 for a page of 5,000 (docs/feed-proof.md). On
 * several nodes the horizon is read before the records, and each node sends what it has of the page.
 */
export function pageStatement(plan: ChangesPlan, horizonSeconds: number, item: Statement): Statement {
  const order = changeOrder(plan);
  const waiting = betweenPositions(plan, sql`timestamptz 'infinity'`);
  const served =
    plan.register === null
      ? sql`true`
      : sql`exists (select 1 from register where jurisdiction_code = ${plan.register})`;
  return sql`
    with edge as materialized (${clockEdge(horizonSeconds)}),
    waiting as materialized (select updated_at from record where ${waiting} order by ${order} limit 1)
    select (${served})::text as served, ${instantText(sql`edge.horizon`)} as horizon, edge.lineage::text as lineage,
      extract(epoch from ${givenAt(sql`(select updated_at from waiting)`)} - edge.until)::text as wait_seconds,
      null as item
    from edge
    union all
    select null, null, null, null, page.item from (
      select ${item} as item from record
      where ${betweenPositions(plan, sql`(select horizon from edge)`)}
      order by ${order} limit ${plan.limit}::int
    ) as page`;
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
