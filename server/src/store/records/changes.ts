/**
 * One page of the change feed: the records of a plan's range up to the horizon, in change order, as the bytes that are
 * delivered (specification 4.6, rules I-19 to I-23, docs/decisions/0013). It refuses to know what a record contains.
 * Invariant: horizon, records and position come from one snapshot. Stamps are given and committed in one order, so
 * whatever becomes visible after this snapshot lies beyond every record in it, and beyond the horizon it states.
 */
import type { Instant } from '@tmds/contract/record';
import { apiError } from '../../base/errors.ts';
import { type ChangePosition, type ChangesPlan, encodePosition } from '../../plan/changes.ts';
import type { Queryable } from '../driver/db.ts';
import { instantText } from '../driver/instants.ts';
import { type Statement, sql } from '../driver/sql.ts';
import { feedTime, givenAt, secondsAgo } from '../publish/feed-clock.ts';
import { type ExpandedKey, streamExpanded } from './change-payloads.ts';
import { registerNotServed } from './registers.ts';

export interface ChangesPage {
  /** The items as JSON, joined by commas, without the brackets around them; no bytes when the page is empty. */
  readonly items: Buffer | AsyncIterable<Buffer>;
  /** Null exactly when the page is empty. */
  readonly next_cursor: string | null;
  /** The feed is complete up to and including this instant (rule I-23). */
  readonly horizon: Instant;
  /** Whole seconds, at least 1, until a poll can find something; null unless the page is empty. */
  readonly nextPollSeconds: number | null;
}

export interface ChangesOptions {
  /** How far behind the database's clock the feed ends. */
  readonly horizonSeconds: number;
}

/** What a statement says about a page besides its items. */
interface PageEdge {
  readonly horizon: Instant;
  /** Seconds until the first record after the position is inside the horizon; null when there is no such record. */
  readonly waitSeconds: number | null;
  /** The last record of the page; null when it is empty. */
  readonly last: ChangePosition | null;
}

/**
 * On a primary, whatever was stamped longer ago than this is visible or never will be: a publish gives up long before.
 * A standby knows only the last stamp that it has replayed.
 */
export const SETTLED_SECONDS = 60;

const EMPTY = Buffer.alloc(0);
/** A page whose records all changed again before their payloads were read is looked for anew, this often at most. */
const EXPANDED_TRIES_MAX = 5;

/**
 * Finds one page; plain ones are whole in memory, with payloads `items` reads on while it is consumed, holding no
 * connection in between, and rejects as a statement would.
 *
 * @throws ApiError `not_found` for a register that is not served; `unavailable`, `query_timeout`.
 */
export async function findChangesPage(db: Queryable, plan: ChangesPlan, options: ChangesOptions): Promise<ChangesPage> {
  return plan.expandPayload ? findExpandedPage(db, plan, options) : findPlainPage(db, plan, options);
}

async function findPlainPage(db: Queryable, plan: ChangesPlan, options: ChangesOptions): Promise<ChangesPage> {
  const found = await findItems(db, plan, options, joinedDetails(plan));
  return buildPage(plan, options, found.items ?? EMPTY, found.edge);
}

async function findExpandedPage(db: Queryable, plan: ChangesPlan, options: ChangesOptions): Promise<ChangesPage> {
  const keys = sql`json_agg(json_build_array(updated_at::text, jurisdiction_code, uid,
    (select octet_length(document) from payload
      where payload.jurisdiction_code = page.jurisdiction_code and payload.uid = page.uid))
    order by ${changeOrder(plan)})`;
  for (let tries = 1; ; tries += 1) {
    const found = await findItems(db, plan, options, keys);
    const listed: ExpandedKey[] = found.items === null ? [] : JSON.parse(found.items.toString());
    const items = await streamExpanded(db, listed, {});
    if (items !== null || listed.length === 0) return buildPage(plan, options, items ?? EMPTY, found.edge);
    if (tries === EXPANDED_TRIES_MAX) throw apiError('unavailable', 'These records are changing. Try again shortly.');
  }
}

/** `items` aggregates the columns of `record` over the page. */
async function findItems(
  db: Queryable,
  plan: ChangesPlan,
  options: ChangesOptions,
  items: Statement,
): Promise<{ items: Buffer | null; edge: PageEdge }> {
  const [row] = await db.queryBytes(pageStatement(plan, options.horizonSeconds, items));
  const [served, horizon, waitSeconds, found, updatedAt, jurisdictionCode, uid] = row!;
  if (served?.toString() !== 't') {
    throw registerNotServed();
  }
  const last =
    updatedAt && jurisdictionCode && uid
      ? { updated_at: updatedAt.toString(), jurisdiction_code: jurisdictionCode.toString(), uid: uid.toString() }
      : null;
  return {
    items: found ?? null,
    edge: { horizon: horizon!.toString(), waitSeconds: waitSeconds ? Number(waitSeconds.toString()) : null, last },
  };
}

function buildPage(
  plan: ChangesPlan,
  options: ChangesOptions,
  items: ChangesPage['items'],
  edge: PageEdge,
): ChangesPage {
  const { last, horizon, waitSeconds } = edge;
  if (last !== null) return { items, next_cursor: encodePosition(plan, last), horizon, nextPollSeconds: null };
  // Whatever is published from now on takes a stamp from now on, and waits out the whole horizon.
  const nextPollSeconds = Math.max(1, Math.ceil(Math.min(waitSeconds ?? Infinity, options.horizonSeconds)));
  return { items: EMPTY, next_cursor: null, horizon, nextPollSeconds };
}

/**
 * One row: served, horizon, wait_seconds, items, and the key of the page's last record. The aggregates share the order
 * of the index, so nothing is sorted; rows never leave the server one by one (measured in docs/feed-proof.md).
 */
export function pageStatement(plan: ChangesPlan, horizonSeconds: number, items: Statement): Statement {
  const order = changeOrder(plan);
  const waiting = betweenPositions(plan, sql`timestamptz 'infinity'`);
  const served =
    plan.register === null ? sql`true` : sql`exists (select from register where jurisdiction_code = ${plan.register})`;
  return sql`
    with edge as materialized (${clockEdge(horizonSeconds)})
    select ${served} as served, ${instantText(sql`edge.horizon`)} as horizon,
      case when found.items is null then (
        select extract(epoch from ${givenAt(sql`updated_at`)} - edge.until)::float8
        from record where ${waiting} order by ${order} limit 1
      ) end as wait_seconds,
      found.items, found.updated_at, found.jurisdiction_code, found.uid
    from edge cross join lateral (
      select ${items} as items,
        ${instantText(sql`max(updated_at)`)} as updated_at,
        (array_agg(jurisdiction_code order by ${order}))[count(*)] as jurisdiction_code,
        (array_agg(uid order by ${order}))[count(*)] as uid
      from (
        select updated_at, jurisdiction_code, uid, detail from record
        where ${betweenPositions(plan, sql`(select horizon from edge)`)}
        order by ${order} limit ${plan.limit}::int
      ) as page
    ) as found`;
}

/**
 * `until`: what the clock read when the configured horizon's stamps were given; `horizon`: up to those stamps, and as
 * far as this snapshot is sure to be complete.
 */
export function clockEdge(horizonSeconds: number): Statement {
  return sql`
    select until, least(${feedTime(sql`clock.until`)}, settled) as horizon from (
      select ${secondsAgo(horizonSeconds)} as until,
        case when pg_is_in_recovery() then last_stamp else
          greatest(last_stamp, ${feedTime(secondsAgo(SETTLED_SECONDS))}) end as settled
      from publish_clock
    ) as clock`;
}

/** The details of the page's records, joined by commas. */
export function joinedDetails(plan: ChangesPlan): Statement {
  return sql`string_agg(detail, ',' order by ${changeOrder(plan)})`;
}

/** The order of the index that is walked; within one register it is the order of all. */
function changeOrder({ register }: ChangesPlan): Statement {
  return register === null ? sql`updated_at, jurisdiction_code, uid` : sql`jurisdiction_code, updated_at, uid`;
}

/**
 * A range of one index and its order: all registers walk `record_change`, one walks `record_register_change`. Spelled
 * as rows, not as an equality with the register, so that no statistics can talk the planner into walking the other one.
 */
function betweenPositions({ register, after }: ChangesPlan, end: Statement): Statement {
  if (register === null) {
    return sql`(updated_at, jurisdiction_code, uid)
      > (${after.updated_at}::timestamptz, ${after.jurisdiction_code}, ${after.uid}) and updated_at <= ${end}`;
  }
  return sql`jurisdiction_code between ${register} and ${register} and (jurisdiction_code, updated_at) <= (${register}, ${end})
    and (jurisdiction_code, updated_at, uid) > (${register}, ${after.updated_at}::timestamptz, ${after.uid})`;
}
