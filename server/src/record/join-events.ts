/**
 * Joins events that come in separate files, such as recorded assignments, to the events of a record's payload. It
 * decides which parts of a statement a record gets; it knows no office. Invariants: the record's own statements are not
 * touched, and every joined event names the format that stated it (`source`), so that the next join replaces it.
 */
import type { NormalizedRecord } from './document.ts';
import { isBefore } from './merge.ts';
import { payloadForms } from './payload-form.ts';

type Event = Readonly<Record<string, unknown>>;

/** The stored part of a statement, once for all the records that it names. */
export interface EventBody {
  event: Event;
  /** Changes with the set of named records, so that a record that is no longer named is joined again. */
  named: string;
  /** The office has taken the event out of its files. */
  removed?: boolean;
  /** It states a part of the event only; the rest is as last stated. */
  partial?: boolean;
}

/** What a statement says about one record. */
export interface MarksBody {
  marks: readonly unknown[];
}

/** A kept row: a statement, or a link that leads from a record to the part of its statement. */
interface EventRow {
  part: string;
  link: string | null;
  /** Orders the statements of a part, compared as text. A link has the version of the statement that made it last. */
  version: string | null;
  body: unknown;
}

/**
 * Replaces the events that these rows state, and adds those that the record lacks. `source` is the format that stated
 * them. Joined events follow the record's own, newest first.
 */
export function joinEvents(record: NormalizedRecord, source: string, rows: readonly EventRow[]): NormalizedRecord {
  const events = [...groupByStatement(rows).values()].map(buildEvent).filter((event) => event !== null);
  if (events.length === 0) return record;
  const told = new Set(events.map(identify));
  const stated = listOf(record.payload?.events);
  const others = stated.filter((event) => !(isJoined(event) && event.source === source && told.has(identify(event))));
  const joined = [...others.filter(isJoined), ...events].sort(newestFirst);
  const merged = [...others.filter((event) => !isJoined(event)), ...joined];
  if (JSON.stringify(merged) === JSON.stringify(stated)) return record;
  return { ...record, ...payloadForms({ ...record.payload, events: merged }, record) };
}

/** What identifies an event among those of its source: proceedings of two types may have one number. */
function identify({ type, number }: Event): string {
  return JSON.stringify([type, number]);
}

/** The record without the events that this format stated. */
export function separateEvents(record: NormalizedRecord, source: string): NormalizedRecord {
  const stated = listOf(record.payload?.events);
  const own = stated.filter((event) => !(isJoined(event) && event.source === source));
  if (own.length === stated.length) return record;
  return { ...record, ...payloadForms({ ...record.payload, events: own.length === 0 ? null : own }, record) };
}

/** The statements of each part, and the links to it. */
interface Told {
  statements: { version: string; body: EventBody }[];
  links: { version: string; body: MarksBody }[];
}

function groupByStatement(rows: readonly EventRow[]): Map<string, Told> {
  const parts = new Map<string, Told>();
  for (const { part, link, version, body } of rows) {
    const told = parts.get(link ?? part) ?? { statements: [], links: [] };
    parts.set(link ?? part, told);
    if (link === null) told.statements.push({ version: version ?? '', body: body as EventBody });
    else told.links.push({ version: version ?? '', body: body as MarksBody });
  }
  return parts;
}

/** From the last whole statement on, each later one replaces what it states. */
function buildEvent({ statements, links }: Told): Event | null {
  const ordered = [...statements].sort(byVersion);
  const whole = ordered.findLastIndex(({ body }) => body.partial !== true);
  const basis = ordered.slice(Math.max(whole, 0));
  const [first] = basis;
  const last = basis.at(-1);
  if (first === undefined || last === undefined) return null;
  const event: Record<string, unknown> = Object.assign({}, ...basis.map(({ body }) => body.event));
  // An older link was made by an earlier statement: this one no longer names the record.
  const marks = links.filter(({ version }) => !isBefore(version, first.version)).flatMap(({ body }) => body.marks);
  if (marks.length > 0) event.marks = marks;
  if (marks.length === 0 || last.body.removed === true) event.removed = true;
  return event;
}

function byVersion(a: Told['statements'][number], b: Told['statements'][number]): number {
  if (a.version === b.version) return Number(a.body.partial ?? false) - Number(b.body.partial ?? false);
  return isBefore(a.version, b.version) ? -1 : 1;
}

function newestFirst(a: Event, b: Event): number {
  const [one, other] = [a, b].map((event) => JSON.stringify(ORDER.map((name) => event[name] ?? ''))) as [
    string,
    string,
  ];
  if (one === other) return 0;
  return one < other ? 1 : -1;
}

const ORDER = ['date', 'source', 'type', 'number'] as const;

/** An event that names the other format that stated it. */
function isJoined(event: unknown): event is Event {
  return typeof event === 'object' && event !== null && typeof (event as Event).source === 'string';
}

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === null || value === undefined ? [] : [value];
}
