/**
 * Merges the statements of several sources or deliveries about one record. A full statement is the whole record; a
 * partial one says nothing about fields that it leaves null, so it never clears them. Pure; the caller decides the
 * order of the statements.
 */
import { CONTENT_FIELDS, type ContentField, type Payload } from '@tmds/contract/record';
import type { NormalizedRecord } from './document.ts';
import { NAME_SEPARATOR } from './names.ts';
import { type PayloadForms, parsePayload, payloadForms } from './payload-form.ts';
import { type RecordRow, splitVariants } from './row.ts';

const MADRID_OFFICE = 'WO';

const FIELDS = Object.keys(CONTENT_FIELDS) as ContentField[];

/** A statement as stored; `detail` is a complete JSON object, with or without the stamps. */
export type StoredStatement = Omit<
  RecordRow,
  'content_digest' | 'line_digest' | 'source_digest' | 'kind' | 'jurisdiction_code' | 'uid'
>;

/** The record of a stored statement. Its name variants are in compared form (`foldName`). */
export function parseStatement({ detail, payload, ...statement }: StoredStatement): NormalizedRecord {
  const stated = JSON.parse(detail) as Record<string, unknown>;
  const fields = Object.fromEntries(FIELDS.map((field) => [field, stated[field] ?? null]));
  return {
    ...(fields as Pick<NormalizedRecord, ContentField>),
    mark_name_variants: splitVariants(statement.mark_variants),
    named_parts: statement.named_parts?.split(NAME_SEPARATOR) ?? null,
    ...parsePayload(payload),
    source_version: statement.source_version,
    is_partial: statement.is_partial,
    is_removal: false,
    normalized: true,
  };
}

/**
 * Merges a later statement of a record into an earlier one; a full later statement replaces it. The result has the
 * higher source version, and is partial only if both statements are.
 */
export function mergeRecords(earlier: NormalizedRecord, later: NormalizedRecord): NormalizedRecord {
  if (!later.is_partial) return later;
  const fields = FIELDS.map((field) => [field, later[field] ?? earlier[field]]);
  return {
    ...earlier,
    ...(Object.fromEntries(fields) as Pick<NormalizedRecord, ContentField>),
    ...mergeIdentity(earlier, later),
    ...mergeStatus(earlier, later),
    mark_name_variants: later.mark_name_variants ?? earlier.mark_name_variants,
    // They belong to the parties of the payload.
    named_parts: isSilent(later.payload?.parties) ? earlier.named_parts : later.named_parts,
    ...mergePayloadForms(earlier, later),
    source_version: highestVersion(earlier.source_version, later.source_version),
    is_partial: earlier.is_partial,
    is_removal: later.is_removal,
  };
}

/**
 * The earlier identity of a mark is kept, because a partial statement may not show that it is a Madrid mark. One that
 * does show it is believed.
 */
function mergeIdentity(
  earlier: NormalizedRecord,
  later: NormalizedRecord,
): Pick<NormalizedRecord, 'office' | 'application_number'> {
  return {
    office: later.office === MADRID_OFFICE ? later.office : (earlier.office ?? later.office),
    application_number: earlier.application_number ?? later.application_number,
  };
}

/**
 * The status, its day and the office's text belong together. Unknown without a text is no status. A text about an event
 * rather than a status counts alone, and the status with it counts only if no status is known.
 */
function mergeStatus(
  earlier: NormalizedRecord,
  later: NormalizedRecord,
): Pick<NormalizedRecord, 'status' | 'tm5_status' | 'status_date'> {
  const { status, tm5_status } = later;
  const isSame = status === earlier.status && (tm5_status ?? earlier.tm5_status) === earlier.tm5_status;
  const kept = earlier.status_date ?? (earlier.status === 'Unknown' ? later.status_date : null);
  if (status === 'Unknown' && tm5_status === null) {
    return { status: earlier.status, tm5_status: earlier.tm5_status, status_date: kept };
  }
  if (tellsOfEvent(later)) {
    return { status: earlier.status === 'Unknown' ? status : earlier.status, tm5_status, status_date: kept };
  }
  return {
    status,
    tm5_status: tm5_status ?? (status === earlier.status ? earlier.tm5_status : null),
    status_date: later.status_date ?? (isSame ? earlier.status_date : null),
  };
}

/** The source section says which text the status rests on; if it names none, the text does not state a status. */
function tellsOfEvent({ tm5_status, payload }: NormalizedRecord): boolean {
  const source = payload?.source;
  return tm5_status !== null && isObject(source) && isSilent(source.status_text) && isSilent(source.status_code);
}

function highestVersion(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return isBefore(one, other) ? other : one;
}

/** Compares versions byte by byte, as the database does. */
export function isBefore(one: string, other: string): boolean {
  return Buffer.compare(Buffer.from(one), Buffer.from(other)) < 0;
}

function mergePayloadForms(earlier: NormalizedRecord, later: NormalizedRecord): PayloadForms {
  return payloadForms(mergePayloads(earlier.payload, later.payload), earlier, later);
}

/**
 * A stated section replaces the earlier one if it is a list, and its members one by one if it is an object. Events
 * accumulate, and parties of a side that is not stated stay.
 */
function mergePayloads(earlier: Payload | null, later: Payload | null): Payload | null {
  if (earlier === null || later === null) return later ?? earlier;
  return overlay(earlier, later, (name, before, stated) => {
    if (name === 'events') return mergeEvents(listOf(before), listOf(stated));
    if (name === 'parties') return mergeParties(listOf(before), listOf(stated));
    return isObject(before) && isObject(stated) ? overlay(before, stated) : stated;
  });
}

const OWNER_ROLES: readonly unknown[] = ['owner', 'applicant'];

function isOwner(party: unknown): boolean {
  return isObject(party) && OWNER_ROLES.includes(party.role);
}

/** Owners come before their representatives. */
function mergeParties(earlier: readonly unknown[], later: readonly unknown[]): unknown[] {
  const [owners, others] = [isOwner, (party: unknown) => !isOwner(party)].map((side) => {
    const stated = later.filter(side);
    return stated.length > 0 ? stated : earlier.filter(side);
  });
  return [...(owners ?? []), ...(others ?? [])];
}

function overlay(
  earlier: Payload,
  later: Payload,
  merge: (name: string, before: unknown, stated: unknown) => unknown = (_name, _before, stated) => stated,
): Payload {
  const members = new Map(Object.entries(earlier));
  for (const [name, stated] of Object.entries(later)) {
    const before = members.get(name);
    if (!members.has(name) || isSilent(before)) members.set(name, stated);
    else if (!isSilent(stated)) members.set(name, merge(name, before, stated));
  }
  return Object.fromEntries(members);
}

/**
 * An event stated again keeps its position. If several events share a key, the n-th replaces the n-th. A new event
 * comes before the next known one of its own statement, or at the end, so that the final order does not depend on the
 * order of arrival.
 */
function mergeEvents(earlier: readonly unknown[], later: readonly unknown[]): unknown[] {
  const merged: { event: unknown; before: unknown[] }[] = earlier.map((event) => ({ event, before: [] }));
  const positions = new Map<string, number[]>();
  for (const [position, event] of earlier.entries()) {
    const key = eventKey(event);
    const sameKey = positions.get(key);
    if (sameKey === undefined) positions.set(key, [position]);
    else sameKey.push(position);
  }
  let added: unknown[] = [];
  for (const event of later) {
    const known = merged[positions.get(eventKey(event))?.shift() ?? -1];
    if (known === undefined) added.push(event);
    else {
      known.event = event;
      known.before.push(...added);
      added = [];
    }
  }
  return [...merged.flatMap(({ event, before }) => [...before, event]), ...added];
}

/**
 * What identifies an event. Its text, status and details may change from one statement to the next, unless it has
 * neither number nor date: then other details are another event.
 */
function eventKey(event: unknown): string {
  if (!isObject(event)) return JSON.stringify([event]);
  const { kind, code, type, number, date, details } = event;
  const isNamed = number !== undefined || date !== undefined;
  return JSON.stringify([kind, code, type, number, date, isNamed ? null : details]);
}

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isSilent(value) ? [] : [value];
}

function isObject(value: unknown): value is Payload {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** In a payload, null, an empty list and an empty object state nothing. */
function isSilent(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
