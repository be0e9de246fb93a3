/**
 * One page of the change feed: the records of a plan's range up to the horizon, in change order, as the bytes to
 * deliver (specification 4.6, rules I-19 to I-23, docs/decisions/0013). It does not know what a record contains.
 * Invariant: horizon, records and position come from one snapshot. Stamps are given and committed in the same order, so
 * whatever becomes visible after this snapshot lies past every record in it, and past the horizon it states.
 */
import type { Instant } from '@tmds/contract/record';
import { apiError } from '../../base/errors.ts';
import { type ChangePosition, type ChangesPlan, encodePosition } from '../../plan/changes.ts';
import { documentBytes, heldIn } from '../documents/held.ts';
import type { Queryable } from '../driver/db.ts';
import { instantText } from '../driver/instants.ts';
import { type Statement, sql } from '../driver/sql.ts';
import { clockEdge, givenAt } from '../publish/feed-clock.ts';
import { type ExpandedKey, streamExpanded } from './change-payloads.ts';
import { registerNotServed } from './registers.ts';

export interface ChangesPage {
  /** The items as JSON, joined by commas, without brackets; no bytes if the page is empty. */
  readonly items: Buffer | AsyncIterable<Buffer>;
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
  /** The last record of the page; null if it is empty. */
  readonly last: ChangePosition | null;
}

const EMPTY = Buffer.alloc(0);
/** How often a page is read if all of its records keep changing before their payloads can be read. */
const EXPANDED_TRIES_MAX = 5;

/**
 * Finds one page. Without payloads it is whole in memory. With payloads, `items` reads while it is consumed, holds no
 * connection between portions, and rejects as a statement would.
 *
 * @throws ApiError `not_found` for a register that is not served; `unavailable`, `query_timeout`.
 */
export async function findChangesPage(db: Queryable, plan: ChangesPlan, options: ChangesOptions): Promise<ChangesPage> {
  return plan.expandPayload ? findExpandedPage(db, plan, options) : findPlainPage(db, plan, options);
}

async function findPlainPage(db: Queryable, plan: ChangesPlan, options: ChangesOptions): Promise<ChangesPage> {
  const found = await findItems(db, plan, options, plainItems(plan));
  return buildPage(plan, options, found.items ?? EMPTY, found.edge);
}

async function findExpandedPage(db: Queryable, plan: ChangesPlan, options: ChangesOptions): Promise<ChangesPage> {
  const keys: PageItems = {
    column: sql`(select ${documentBytes(heldIn('payload'))} from payload
      where payload.jurisdiction_code = record.jurisdiction_code and payload.uid = record.uid) as payload_bytes`,
    aggregate: sql`json_agg(json_build_object('updated_at', updated_at::text, 'jurisdiction_code', jurisdiction_code,
      'uid', uid, 'payload_bytes', payload_bytes) order by ${changeOrder(plan)})`,
  };
  for (let tries = 1; ; tries += 1) {
    const found = await findItems(db, plan, options, keys);
    const listed: ExpandedKey[] = found.items === null ? [] : JSON.parse(found.items.toString());
    const items = await streamExpanded(db, listed, {});
    if (items !== null || listed.length === 0) return buildPage(plan, options, items ?? EMPTY, found.edge);
    if (tries === EXPANDED_TRIES_MAX) throw apiError('unavailable', 'These records are changing. Try again shortly.');
  }
}

async function findItems(
  db: Queryable,
  plan: ChangesPlan,
  options: ChangesOptions,
  items: PageItems,
): Promise<{ items: Buffer | null; edge: PageEdge }> {
  const [row] = await db.copyRows(pageStatement(plan, options.horizonSeconds, items));
  const [served, horizon, lineage, waitSeconds, found, ...key] = row!;
  if (served!.toString() !== 'true') throw registerNotServed();
  const [updated_at, jurisdiction_code, uid] = key.map((part) => part?.toString());
  const last =
    updated_at !== undefined && jurisdiction_code !== undefined && uid !== undefined
      ? { updated_at, jurisdiction_code, uid }
      : null;
  const edge = {
    horizon: horizon!.toString(),
    lineage: lineage!.toString(),
    waitSeconds: waitSeconds ? Number(waitSeconds.toString()) : null,
    last,
  };
  return { items: found ?? null, edge };
}

function buildPage(
  plan: ChangesPlan,
  options: ChangesOptions,
  items: ChangesPage['items'],
  edge: PageEdge,
): ChangesPage {
  const { last, horizon, lineage, waitSeconds } = edge;
  if (last !== null) return { items, next_cursor: encodePosition(plan, last), horizon, lineage, nextPollSeconds: null };
  // Whatever is published later gets a later stamp, and takes the whole horizon to be delivered.
  const nextPollSeconds = Math.max(1, Math.ceil(Math.min(waitSeconds ?? Infinity, options.horizonSeconds)));
  return { items: EMPTY, next_cursor: null, horizon, lineage, nextPollSeconds };
}

/** What is told of the records of a page: what is read of each, and how it becomes one text. */
export interface PageItems {
  readonly column: Statement;
  readonly aggregate: Statement;
}

/**
 * One row of texts: whether the register is served, the edge, the items, and the key of the last record. The aggregates
 * share the order of the index, so nothing is sorted, and the items leave the server as one text (measured in
 * docs/feed-proof.md). On several nodes the horizon is read before the records, and each node sends what it has of the
 * page.
 */
export function pageStatement(plan: ChangesPlan, horizonSeconds: number, items: PageItems): Statement {
  const order = changeOrder(plan);
  const waiting = betweenPositions(plan, sql`timestamptz 'infinity'`);
  const served =
    plan.register === null
      ? sql`true`
      : sql`exists (select 1 from register where jurisdiction_code = ${plan.register})`;
  return sql`
    with edge as materialized (${clockEdge(horizonSeconds)}),
    waiting as materialized (select updated_at from record where ${waiting} order by ${order} limit 1)
    select (${served})::text as served, ${instantText(sql`edge.horizon`)} as horizon, edge.lineage::text,
      case when found.items is null then
        extract(epoch from ${givenAt(sql`(select updated_at from waiting)`)} - edge.until)::text end as wait_seconds,
      found.items, found.updated_at, found.jurisdiction_code, found.uid
    from edge cross join (
      select ${items.aggregate} as items,
        ${instantText(sql`max(updated_at)`)} as updated_at,
        (array_agg(jurisdiction_code order by ${order}))[count(*)] as jurisdiction_code,
        (array_agg(uid order by ${order}))[count(*)] as uid
      from (
        select updated_at, jurisdiction_code, uid, ${items.column} from record
        where ${betweenPositions(plan, sql`(select horizon from edge)`)}
        order by ${order} limit ${plan.limit}::int
      ) as page
    ) as found`;
}

/** The details of the page's records, joined by commas. */
export function plainItems(plan: ChangesPlan): PageItems {
  return { column: sql`detail`, aggregate: sql`string_agg(detail, ',' order by ${changeOrder(plan)})` };
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
