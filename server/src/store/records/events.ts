/**
 * Turns keys of the history into events: reads the texts that an event needs, in portions, and compares them. An event
 * that does not pass the filters is dropped before its payloads are read.
 * Invariant: a few megabytes of texts are held at a time, for any page; `last` is the last key whose event was
 * examined, so a page that ends early is continued without a gap.
 */

import { setImmediate } from 'node:timers/promises';
import {
  type ChangedField,
  type FieldChange,
  type HistoryCause,
  type HistoryEvent,
  type HistorySource,
  type PayloadChange,
  SOURCE_FILES_MAX,
  type SourceFile,
} from '@tmds/contract/history';
import type { DateText, Instant, TrademarkDetail } from '@tmds/contract/record';
import { keyLists } from '../../database/distributed/by-key.ts';
import type { Queryable } from '../../database/driver/db.ts';
import { instantText, type Statement, sql } from '../../database/driver/sql.ts';
import type { EventFilters } from '../../plan/history.ts';
import type { Condition } from '../../plan/search.ts';
import { comparePayloads, listFieldChanges } from '../../record/differences.ts';
import { readSourceDate } from '../../record/source-date.ts';
import { heldDocument, heldIn, readTexts as readHeldTexts } from '../documents/read.ts';
import { listedDocuments, listedPredecessors, listedTexts } from './versions.ts';

/** An event, and the size of the texts that it needs. */
export interface EventKey {
  readonly version: Instant;
  readonly jurisdiction_code: string;
  readonly uid: string;
  readonly previous_version: Instant | null;
  readonly cause: HistoryCause;
  /** Bytes of the contents of both versions. */
  readonly text_bytes: number;
  /** Bytes of the payloads of both versions; null if they have the same one. */
  readonly document_bytes: number | null;
}

/** The parts of a version that filters examine. */
export interface VersionText {
  readonly updated_at: Instant;
  readonly detail: string;
  readonly mark_variants: string | null;
}

/** The positions of the versions that satisfy all of the conditions. */
export type MatchVersions = (
  versions: readonly VersionText[],
  conditions: readonly Condition[],
) => Promise<Iterable<number>>;

export interface WantedEvents {
  readonly events: EventFilters;
  /** Any of these; null = all. */
  readonly registers: readonly string[] | null;
  readonly conditions: readonly Condition[];
  readonly limit: number;
}

interface ReadPage {
  readonly items: readonly HistoryEvent[];
  /** Null if there was nothing to examine. */
  readonly last: EventKey | null;
}

/** Bytes that one statement reads, unless a single event is larger. */
const PORTION_BYTES_MAX = 2 * 1024 * 1024;
const PORTION_EVENTS_MAX = 250;
/** Bytes compared at once, a few milliseconds of work, before other calls get their turn. */
const COMPARED_BYTES_MAX = 256 * 1024;
/** Bytes that a page reads, unless a single event is larger. */
const PAGE_BYTES_MAX = 16 * 1024 * 1024;

/** The events of the keys that pass, in the order of the keys, up to the limit or the bytes of a page. */
export async function readEvents(
  db: Queryable,
  keys: readonly EventKey[],
  wanted: WantedEvents,
  matches: MatchVersions,
): Promise<ReadPage> {
  const events: HistoryEvent[] = [];
  let last: EventKey | null = null;
  let bytes = 0;
  let next = 0;
  while (next < keys.length && events.length < wanted.limit && bytes < PAGE_BYTES_MAX) {
    const portion = cutPortion(keys.slice(next), ({ text_bytes }) => text_bytes);
    const passing = portion.filter((key) => passesByKey(key, wanted));
    bytes += passing.reduce((sum, { text_bytes }) => sum + text_bytes, 0);
    const compared = await filterByText(await readTexts(db, passing), wanted, matches);
    const read = await readPayloads(db, compared, { wanted, left: wanted.limit - events.length, bytes });
    events.push(...read.events);
    bytes = read.bytes;
    last = read.stoppedAt ?? portion.at(-1)!;
    if (read.stoppedAt !== null) break;
    next += portion.length;
  }
  return { items: await addSources(db, events), last };
}

function cutPortion<Key>(keys: readonly Key[], sizeOf: (key: Key) => number): Key[] {
  const portion: Key[] = [];
  let bytes = 0;
  for (const key of keys) {
    bytes += sizeOf(key);
    if (portion.length > 0 && (bytes > PORTION_BYTES_MAX || portion.length === PORTION_EVENTS_MAX)) break;
    portion.push(key);
  }
  return portion;
}

function passesByKey(key: EventKey, { events, registers }: WantedEvents): boolean {
  if (events.causes !== null && !events.causes.includes(key.cause)) return false;
  // A first version has no changes.
  if (events.fields !== null && key.previous_version === null) return false;
  return registers === null || registers.includes(key.jurisdiction_code);
}

interface EventTexts {
  readonly key: EventKey;
  readonly after: VersionText;
  readonly before: VersionText | null;
}

interface ComparedTexts {
  readonly key: EventKey;
  readonly changes: readonly FieldChange[];
}

function listed(keys: readonly Pick<EventKey, 'version' | 'jurisdiction_code' | 'uid'>[]): Statement {
  return sql`listed as materialized (
      select updated_at, jurisdiction_code, uid, position
      from unnest(${keys.map(({ version }) => version)}::timestamptz[],
        ${keyLists(keys)})
        with ordinality as listed (updated_at, jurisdiction_code, uid, position)
    )`;
}

const TEXTS = sql`version.detail, version.mark_variants`;

async function readTexts(db: Queryable, keys: readonly EventKey[]): Promise<EventTexts[]> {
  if (keys.length === 0) return [];
  const among = { uids: keys.map(({ uid }) => uid) };
  const rows = await db.query<{
    detail: string;
    mark_variants: string | null;
    previous_detail: string | null;
    previous_variants: string | null;
  }>(sql`
    with ${listed(keys)},
    version as materialized (${listedTexts(TEXTS, among)}),
    before as materialized (${listedPredecessors(TEXTS, among)})
    select distinct on (listed.position) version.detail, version.mark_variants, before.detail as previous_detail,
      before.mark_variants as previous_variants
    from listed join version using (position) left join before using (position)
    order by listed.position`);
  if (rows.length !== keys.length) throw new Error('a version of the history is gone');
  return rows.map(({ detail, mark_variants, previous_detail, previous_variants }, position) => {
    const key = keys[position]!;
    const { version, previous_version } = key;
    return {
      key,
      after: { updated_at: version, detail, mark_variants },
      before:
        previous_detail === null || previous_version === null
          ? null
          : { updated_at: previous_version, detail: previous_detail, mark_variants: previous_variants },
    };
  });
}

/** Compares the contents of the passing events, as far as contents show the changes. */
async function filterByText(
  texts: readonly EventTexts[],
  { events, conditions }: WantedEvents,
  matches: MatchVersions,
): Promise<ComparedTexts[]> {
  const passing = conditions.length === 0 ? texts : await filterByConditions(texts, conditions, matches);
  return passing.flatMap(({ key, before, after }) => {
    const changes = before === null ? [] : listFieldChanges(parse(before), parse(after));
    const mayPass =
      passesByField(changes, events) || (key.document_bytes !== null && events.fields?.includes('payload'));
    return mayPass ? [{ key, changes }] : [];
  });
}

function parse({ detail }: VersionText): TrademarkDetail {
  return JSON.parse(detail) as TrademarkDetail;
}

function passesByField(changes: readonly { field: ChangedField }[], { fields }: EventFilters): boolean {
  return fields === null || changes.some(({ field }) => fields.includes(field));
}

async function filterByConditions(
  texts: readonly EventTexts[],
  conditions: readonly Condition[],
  matches: MatchVersions,
): Promise<EventTexts[]> {
  const versions = texts.flatMap(({ before, after }) => (before === null ? [after] : [after, before]));
  const matching = new Set<VersionText>();
  for (const position of await matches(versions, conditions)) matching.add(versions[position]!);
  return texts.filter(({ before, after }) => matching.has(after) || (before !== null && matching.has(before)));
}

interface Budget {
  readonly wanted: WantedEvents;
  /** Events that the page still takes. */
  readonly left: number;
  /** Bytes that the page has read so far. */
  readonly bytes: number;
}

/**
 * Adds the changes of payloads, in portions. `stoppedAt`: the last event examined, if the page ends before the others.
 */
async function readPayloads(
  db: Queryable,
  compared: readonly ComparedTexts[],
  { wanted, left, bytes: bytesBefore }: Budget,
): Promise<{ events: HistoryEvent[]; bytes: number; stoppedAt: EventKey | null }> {
  const events: HistoryEvent[] = [];
  let bytes = bytesBefore;
  let next = 0;
  while (next < compared.length) {
    const portion = cutPortion(compared.slice(next), ({ key }) => key.document_bytes ?? 0);
    const payloads = await comparePortion(db, portion);
    for (const [position, { key, changes }] of portion.entries()) {
      const payload = payloads[position];
      const all = payload == null ? changes : [...changes, payload];
      if (passesByField(all, wanted.events)) events.push(buildEvent(key, all));
      if (events.length === left) return { events, bytes, stoppedAt: key };
    }
    bytes += portion.reduce((sum, { key }) => sum + (key.document_bytes ?? 0), 0);
    next += portion.length;
    if (bytes >= PAGE_BYTES_MAX && next < compared.length) return { events, bytes, stoppedAt: portion.at(-1)!.key };
  }
  return { events, bytes, stoppedAt: null };
}

/** By position; null or undefined where the payloads do not differ. */
async function comparePortion(
  db: Queryable,
  portion: readonly ComparedTexts[],
): Promise<(PayloadChange | null | undefined)[]> {
  const changes: (PayloadChange | null | undefined)[] = portion.map(() => undefined);
  const positions = portion.flatMap(({ key }, position) => (key.document_bytes === null ? [] : [position]));
  if (positions.length === 0) return changes;
  const keys = positions.map((position) => portion[position]!.key);
  const among = { uids: keys.map(({ uid }) => uid) };
  const rows = await db.query<{ previous: string | null; document: string | null }>(sql`
    with ${listed(keys)},
    before as materialized (${listedPredecessors(sql`${heldDocument(heldIn('version'))} as document`, among)}),
    held as materialized (${listedDocuments(heldDocument, among)})
    select distinct on (listed.position) before.document as previous, held.value as document
    from listed left join before using (position) left join held using (position)
    order by listed.position`);
  const texts = await readHeldTexts(
    db,
    rows.flatMap(({ previous, document }) => [previous, document]),
  );
  let compared = 0;
  for (const [index, position] of positions.entries()) {
    changes[position] = comparePayloads(texts[2 * index]!, texts[2 * index + 1]!);
    compared += portion[position]!.key.document_bytes ?? 0;
    if (compared < COMPARED_BYTES_MAX) continue;
    compared = 0;
    await setImmediate();
  }
  return changes;
}

function buildEvent(key: EventKey, changes: readonly (FieldChange | PayloadChange)[]): HistoryEvent {
  const { jurisdiction_code, uid, version, previous_version, cause } = key;
  return { jurisdiction_code, uid, version, previous_version, cause, source: null, changes: [...changes] };
}

/** Each event with the load that gave its stamp, and the date that the source itself gives for its statement. */
async function addSources(db: Queryable, events: readonly HistoryEvent[]): Promise<HistoryEvent[]> {
  if (events.length === 0) return [];
  type LoadRow = Omit<HistorySource, 'files' | 'source_date'> & { versions: string[]; files: string };
  const rows = await db.query<LoadRow>(sql`
    select stamped.versions, stamped.load_id, load.format, coalesce(delivered.files, '[]') as files,
      coalesce(delivered.more_files, 0)::float8 as more_files
    from (
      select load_id, array_agg(${instantText(sql`stamp`)}) as versions from publish
      where stamp = any(${[...new Set(events.map(({ version }) => version))]}::timestamptz[]) group by load_id
    ) as stamped
    left join load on load.load_id = stamped.load_id
    left join lateral (
      select greatest(0, count(*) - ${SOURCE_FILES_MAX}::int) as more_files,
        json_agg(json_build_object('name', name, 'sha256', encode(digest, 'hex'), 'bytes', bytes, 'period', period)
          order by number) filter (where number <= ${SOURCE_FILES_MAX}::int) as files
      from load_file where load_file.load_id = stamped.load_id
    ) as delivered on true`);
  const loads = new Map<string, Omit<HistorySource, 'source_date'>>();
  for (const { versions, files, ...load } of rows) {
    for (const version of versions) loads.set(version, { ...load, files: JSON.parse(files) as SourceFile[] });
  }
  const dates = await readSourceDates(db, events);
  return events.map((event, position) => {
    const load = loads.get(event.version);
    return { ...event, source: load === undefined ? null : { ...load, source_date: dates[position]! } };
  });
}

/** Resolves to the dates by position. */
async function readSourceDates(
  db: Queryable,
  events: readonly Pick<HistoryEvent, 'version' | 'jurisdiction_code' | 'uid'>[],
): Promise<(DateText | null)[]> {
  const rows = await db.query<{ source_version: string | null }>(sql`
    with ${listed(events)},
    version as materialized (${listedTexts(sql`version.source_version`, { uids: events.map(({ uid }) => uid) })})
    select distinct on (listed.position) version.source_version
    from listed left join version using (position)
    order by listed.position`);
  return rows.map(({ source_version }) => readSourceDate(source_version));
}
