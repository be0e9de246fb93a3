/**
 * Pages of the history: the versions in a plan's range in the order of the change feed, or those of one record, newest
 * first; and the event of one version. It lists keys first, with the sizes of their texts, so that a page reads a
 * bounded number of events and bytes (`events.ts`).
 * Invariant: as in the change feed, horizon and keys come from one snapshot, and everything that becomes visible later
 * lies past every key in it.
 */

import type { HistoryCause, HistoryEvent } from '@tmds/contract/history';
import type { Instant } from '@tmds/contract/record';
import { NoAnswer } from '../../base/no-answer.ts';
import type { Queryable } from '../../database/driver/db.ts';
import { instantText, isStorable, type Statement, sql } from '../../database/driver/sql.ts';
import {
  encodePosition,
  type HistoryPlan,
  type RecordHistoryRequest,
  type StampedPosition,
} from '../../plan/history.ts';
import { documentBytes, heldIn } from '../documents/read.ts';
import { clockEdge, givenAt } from '../publish/feed-clock.ts';
import { betweenPositions, changeOrder } from './changes.ts';
import { type EventKey, type MatchVersions, readEvents } from './events.ts';
import { missingRecord } from './registers.ts';
import {
  documentOf,
  listedDocuments,
  listedPredecessors,
  predecessorOf,
  type RecordVersion,
  type VersionName,
} from './versions.ts';

export interface FoundHistory {
  readonly items: readonly HistoryEvent[];
  readonly next_cursor: string | null;
}

export interface FoundFeed extends FoundHistory {
  /** The history is complete up to and including this instant. */
  readonly horizon: Instant;
  /** The lineage of the history that the page was read from (rule I-47). */
  readonly lineage: string;
  /** Whole seconds, at least 1, until a poll can find something; null if anything was read. */
  readonly nextPollSeconds: number | null;
}

export interface HistoryOptions {
  /** How far behind the database's clock the feed ends. */
  readonly horizonSeconds: number;
  readonly matches: MatchVersions;
}

/** Most events that a page with filters examines. */
const LISTED_MAX = 5_000;

/** @throws NoAnswer, also for a register that is not served. */
export async function findHistoryPage(db: Queryable, plan: HistoryPlan, options: HistoryOptions): Promise<FoundFeed> {
  const [row] = await db.query<ListRow>(listStatement(plan, options.horizonSeconds));
  if (row?.served !== true) throw new NoAnswer('register_not_served');
  const { horizon, lineage, wait_seconds: waitSeconds } = row;
  const { items, last } = await readEvents(db, joinKeys(row), plan, options.matches);
  if (last !== null) {
    const next_cursor = encodePosition(plan, positionOf(last));
    return { items, next_cursor, horizon, lineage, nextPollSeconds: null };
  }
  const nextPollSeconds = Math.max(1, Math.ceil(Math.min(waitSeconds ?? Infinity, options.horizonSeconds)));
  return { items: [], next_cursor: null, horizon, lineage, nextPollSeconds };
}

/** @throws NoAnswer, also for a record that does not exist. */
export async function findRecordHistory(db: Queryable, request: RecordHistoryRequest): Promise<FoundHistory> {
  const { register, uid, limit, events, binding } = request;
  if (!isStorable(register) || !isStorable(uid)) throw await missingRecord(db, register);
  const listedMax = countListed(request, false);
  const [row] = await db.query<{ known: boolean; events: string | null }>(recordStatement(request, listedMax + 1));
  if (row?.known !== true) throw await missingRecord(db, register);
  const keys = parseKeys(row.events);
  const wanted = { events, registers: null, conditions: [], limit };
  const { items, last } = await readEvents(db, keys.slice(0, listedMax), wanted, matchNone);
  const hasMore = last !== null && keys.at(-1) !== last;
  return { items, next_cursor: hasMore ? encodePosition({ binding }, positionOf(last)) : null };
}

/** One version of a record, and how it ended. */
export interface VersionEvent {
  readonly event: HistoryEvent;
  /** The stamp of the version that replaced it; null for the current one. */
  readonly replaced_at: Instant | null;
}

/** Null if the record has no such version. @throws NoAnswer. */
export async function findVersionEvent(db: Queryable, name: RecordVersion): Promise<VersionEvent | null> {
  if (!isStorable(name.register) || !isStorable(name.uid)) return null;
  const [row] = await db.query<{ replaced_at: Instant | null; events: string | null }>(versionStatement(name));
  const keys = parseKeys(row?.events ?? null);
  const everything = { events: { fields: null, causes: null }, registers: null, conditions: [], limit: 1 };
  const [event] = (await readEvents(db, keys, everything, matchNone)).items;
  return event === undefined ? null : { event, replaced_at: row?.replaced_at ?? null };
}

/** Versions of one record that are read at once, newest first. */
const EVENTS_SINCE_MAX = 100;

/**
 * The latest events of a record with later stamps, newest first; none if there is no such record. @throws NoAnswer.
 */
export async function findEventsSince(
  db: Queryable,
  { register, uid, since }: { readonly register: string; readonly uid: string; readonly since: Instant },
): Promise<readonly HistoryEvent[]> {
  const [row] = await db.query<{ events: string | null }>(
    recordStatement({ register, uid, before: null }, EVENTS_SINCE_MAX),
  );
  const events: HistoryEvent[] = [];
  let keys = parseKeys(row?.events ?? null).filter(({ version }) => version > since);
  while (keys.length > 0) {
    const everything = { events: { fields: null, causes: null }, registers: null, conditions: [], limit: keys.length };
    const { items, last } = await readEvents(db, keys, everything, matchNone);
    events.push(...items);
    keys = last === null ? [] : keys.slice(keys.indexOf(last) + 1);
  }
  return events;
}

/** Never called, because a record's own history has no filters of a search. */
const matchNone: MatchVersions = async () => [];

function positionOf({ version, jurisdiction_code, uid }: EventKey): StampedPosition {
  return { updated_at: version, jurisdiction_code, uid };
}

/** Without filters every event passes, so none is listed in vain. */
function countListed({ events, limit }: Pick<HistoryPlan, 'events' | 'limit'>, hasConditions: boolean): number {
  const isFiltered = hasConditions || events.fields !== null || events.causes !== null;
  return isFiltered ? LISTED_MAX : limit;
}

interface ListRow extends ListedRow {
  readonly served: boolean;
  readonly horizon: Instant;
  readonly lineage: string;
  readonly wait_seconds: number | null;
}

/**
 * Versions in order, what they replaced, and the sizes of their payloads, each as JSON, by the position of the version.
 * They are put together here, because the server would sort them.
 */
export interface ListedRow {
  readonly listed: string | null;
  readonly before: string | null;
  readonly held: string | null;
}

export interface ListedKey {
  readonly position: number;
  readonly version: Instant;
  readonly jurisdiction_code: string;
  readonly uid: string;
  /** Bytes of its content. */
  readonly bytes: number;
}

interface ReplacedKey {
  readonly position: number;
  readonly previous_version: Instant;
  readonly cause: HistoryCause;
  readonly bytes: number;
  /** Whether its payload is kept with it, and the payload's size. */
  readonly has_document: boolean;
  readonly document_bytes: number | null;
}

/** From the one version found; several rows if it is being replaced on several nodes. */
export function joinKeys<Key extends ListedKey>(row: ListedRow): (EventKey & Key)[] {
  const parse = <Row extends { position: number }>(json: string | null): ReadonlyMap<number, Row> =>
    new Map((json === null ? [] : (JSON.parse(json) as Row[])).map((each) => [each.position, each]));
  const before = parse<ReplacedKey>(row.before);
  const held = parse<{ position: number; value: number | null }>(row.held);
  const keys = [...parse<Key>(row.listed).values()].sort((one, other) => one.position - other.position);
  return keys.map((key) => {
    const replaced = before.get(key.position);
    return {
      ...key,
      previous_version: replaced?.previous_version ?? null,
      cause: replaced?.cause ?? 'first',
      text_bytes: key.bytes + (replaced?.bytes ?? 0),
      document_bytes: replaced?.has_document
        ? (replaced.document_bytes ?? 0) + (held.get(key.position)?.value ?? 0)
        : null,
    };
  });
}

function parseKeys(json: string | null): EventKey[] {
  return json === null ? [] : (JSON.parse(json) as EventKey[]);
}

/**
 * One row (`ListRow`). Both tables are read in the order of their index up to the number of keys, and merged. On
 * several nodes the horizon is read first, and current versions before replaced ones. A version that is replaced in the
 * meantime is found in both, and counts once.
 */
export function listStatement(plan: HistoryPlan, horizonSeconds: number): Statement {
  const order = changeOrder(plan);
  const count = countListed(plan, plan.conditions.length > 0);
  const range = betweenPositions(plan, sql`(select horizon from edge)`);
  const waiting = betweenPositions(plan, sql`timestamptz 'infinity'`);
  const served =
    plan.register === null
      ? sql`true`
      : sql`exists (select 1 from register where jurisdiction_code = ${plan.register})`;
  return sql`
    with edge as materialized (${clockEdge(horizonSeconds)}),
    version as (
      (select ${KEY_COLUMNS} from record where ${range} order by ${order} limit ${count}::int)
      union all
      (select ${KEY_COLUMNS} from record_version where ${range} order by ${order} limit ${count}::int)
    ),
    listed as materialized (
      select updated_at, jurisdiction_code, uid, bytes, row_number() over (order by ${order}) as position
      from (
        select distinct on (${order}) updated_at, jurisdiction_code, uid, bytes from version order by ${order}
      ) as once
      order by ${order} limit ${count}::int
    ),
    waiting as materialized (
      select updated_at from (
        (select updated_at from record where ${waiting} order by ${order} limit 1)
        union all
        (select updated_at from record_version where ${waiting} order by ${order} limit 1)
      ) as waiting order by updated_at limit 1
    )
    select ${served} as served, ${instantText(sql`edge.horizon`)} as horizon, edge.lineage,
      case when not exists (select 1 from listed) then
        extract(epoch from ${givenAt(sql`(select updated_at from waiting)`)} - edge.until)::float8 end as wait_seconds,
      (select json_agg(json_build_object(${LISTED_KEY}, 'bytes', bytes)) from listed) as listed,
      ${toldOfListed()}
    from edge`;
}

/** The keys of one record's events below a version, newest first; and whether the record exists. */
export function recordStatement(
  request: Pick<RecordHistoryRequest, 'register' | 'uid' | 'before'>,
  count: number,
): Statement {
  const { register, uid, before } = request;
  const range = sql`jurisdiction_code = ${register} and uid = ${uid}
    and updated_at < ${before ?? 'infinity'}::timestamptz`;
  return sql`
    with listed as materialized (
      select updated_at, jurisdiction_code, uid, bytes from (
        (select ${KEY_COLUMNS} from record where ${range})
        union all
        (select ${KEY_COLUMNS} from record_version where ${range} order by updated_at desc limit ${count}::int)
      ) as version order by updated_at desc limit ${count}::int
    )
    select exists (select from record where jurisdiction_code = ${register} and uid = ${uid}) as known,
      (select ${keysOf(sql`listed.updated_at desc`)} from ${ofOneRecord(register, uid)}) as events`;
}

/** The key of one version's event, with the stamp that ended the version. */
function versionStatement({ register, uid, version }: RecordVersion): Statement {
  const named = sql`jurisdiction_code = ${register} and uid = ${uid} and updated_at = ${version}::timestamptz`;
  return sql`
    with listed as materialized (
      select ${KEY_COLUMNS}, null::timestamptz as replaced_at from record where ${named}
      union all
      select ${KEY_COLUMNS}, replaced_at from record_version where ${named}
    )
    select ${instantText(sql`max(listed.replaced_at)`)} as replaced_at, ${keysOf(sql`listed.updated_at`)} as events
    from ${ofOneRecord(register, uid)}`;
}

const KEY_COLUMNS = sql`updated_at, jurisdiction_code, uid, octet_length(detail) as bytes`;

/** The versions of `listed`, all of one record, with `before` and `held`. All lie on the record's node. */
function ofOneRecord(register: string, uid: string): Statement {
  const name: VersionName = { register: sql`${register}`, uid: sql`${uid}`, stamp: sql`listed.updated_at` };
  return sql`listed
      left join lateral (
        select previous_at, cause, has_document, octet_length(detail) as bytes, document_bytes
        from (${predecessorOf(name)}) as version
      ) as before on true
      left join lateral (select ${documentOf(name, documentBytes)} as value) as held on before.has_document`;
}

/** The members of a `ListedKey` except its bytes, from a row of `listed`. */
export const LISTED_KEY = sql`'position', position, 'version', ${instantText(sql`updated_at`)},
        'jurisdiction_code', jurisdiction_code, 'uid', uid`;

/** `before` and `held` of a `ListedRow`, from the versions of `listed`. */
export function toldOfListed(): Statement {
  const previous = sql`version.updated_at as previous_at, version.cause, version.has_document,
        octet_length(version.detail) as bytes, ${documentBytes(heldIn('version'))} as document_bytes`;
  return sql`(
        select json_agg(json_build_object('position', position, 'previous_version', ${instantText(sql`previous_at`)},
          'cause', cause, 'bytes', bytes, 'has_document', has_document, 'document_bytes', document_bytes))
        from (${listedPredecessors(previous, { uids: null })}) as found
      ) as before, (
        select json_agg(json_build_object('position', position, 'value', value))
        from (${listedDocuments(documentBytes, { uids: null })}) as found
      ) as held`;
}

/** `EventKey[]` as JSON. */
function keysOf(order: Statement): Statement {
  return sql`json_agg(json_build_object(
      'version', ${instantText(sql`listed.updated_at`)}, 'jurisdiction_code', listed.jurisdiction_code,
      'uid', listed.uid, 'previous_version', ${instantText(sql`before.previous_at`)},
      'cause', coalesce(before.cause, 'first'), 'text_bytes', listed.bytes + coalesce(before.bytes, 0),
      'document_bytes', case when before.has_document then
        coalesce(before.document_bytes, 0) + coalesce(held.value, 0) end) order by ${order})`;
}
