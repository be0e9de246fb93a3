/**
 * Merges the statements of several sources or deliveries about one record. A full statement is the whole record; a
 * partial one says nothing about the fields it leaves null, so it never clears them. Pure; the caller decides the order
 * of the statements.
 */
import { CONTENT_FIELDS, type ContentField, type Payload } from '@tmds/contract/record';
import type { NormalizedRecord } from './document.ts';
import { NAME_SEPARATOR } from './names.ts';
import { type PayloadForms, parsePayload, payloadForms } from './payload-form.ts';
import type { RecordRow } from './row.ts';

const FIELDS = Object.keys(CONTENT_FIELDS) as ContentField[];

/** A statement as stored; `detail` is a complete JSON object, with or without the stamps. */
export type StoredStatement = Omit<RecordRow, 'content_digest' | 'line_digest' | 'jurisdiction_code' | 'uid'>;

/** The record of a stored statement. Its name variants are in compared form (`foldName`). */
export function parseStatement({ detail, payload, ...statement }: StoredStatement): NormalizedRecord {
  const stated = JSON.parse(detail) as Record<string, unknown>;
  const fields = Object.fromEntries(FIELDS.map((field) => [field, stated[field] ?? null]));
  return {
    ...(fields as Pick<NormalizedRecord, ContentField>),
    mark_name_variants: statement.mark_variants?.split(NAME_SEPARATOR) ?? null,
    named_parts: statement.named_parts?.split(NAME_SEPARATOR) ?? null,
    ...parsePayload(payload),
    source_version: statement.source_version,
    is_partial: statement.is_partial,
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
  };
}

/** The earlier identity of a mark is kept, because a partial statement may not show that it is a Madrid mark. */
function mergeIdentity(
  earlier: NormalizedRecord,
  later: NormalizedRecord,
): Pick<NormalizedRecord, 'office' | 'application_number'> {
  return {
    office: earlier.office ?? later.office,
    application_number: earlier.application_number ?? later.application_number,
  };
}

/** The status and the office's text belong together. Unknown without a text is no status. */
function mergeStatus(
  earlier: NormalizedRecord,
  later: NormalizedRecord,
): Pick<NormalizedRecord, 'status' | 'tm5_status'> {
  const { status, tm5_status } = later;
  if (status === 'Unknown' && tm5_status === null) return { status: earlier.status, tm5_status: earlier.tm5_status };
  return { status, tm5_status: tm5_status ?? (status === earlier.status ? earlier.tm5_status : null) };
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

/** A stated member replaces the earlier one, except that events merge one by one and `source` merges by member. */
function mergePayloads(earlier: Payload | null, later: Payload | null): Payload | null {
  if (earlier === null || later === null) return later ?? earlier;
  return overlay(earlier, later, (name, before, stated) => {
    if (name === 'events') return mergeEvents(listOf(before), listOf(stated));
    return name === 'source' && isObject(before) && isObject(stated) ? overlay(before, stated) : stated;
  });
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

/** An event stated again keeps its position. If several events share a key, the n-th replaces the n-th. */
function mergeEvents(earlier: readonly unknown[], later: readonly unknown[]): unknown[] {
  const merged = [...earlier];
  const positions = new Map<string, number[]>();
  for (const [position, event] of earlier.entries()) {
    const key = eventKey(event);
    const sameKey = positions.get(key);
    if (sameKey === undefined) positions.set(key, [position]);
    else sameKey.push(position);
  }
  for (const event of later) {
    const position = positions.get(eventKey(event))?.shift();
    if (position === undefined) merged.push(event);
    else merged[position] = event;
  }
  return merged;
}

/** What identifies an event. Its text, status and details may change from one statement to the next. */
function eventKey(event: unknown): string {
  if (!isObject(event)) return JSON.stringify([event]);
  return JSON.stringify([event.kind, event.code, event.type, event.number, event.date]);
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
