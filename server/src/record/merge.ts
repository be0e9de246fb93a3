/**
 * What several sources, or several deliveries of one source, state of a record as one record. A full statement is the
 * whole record; a partial one says nothing about what it leaves null, so it never blanks anything. Pure; in which order
 * statements count is the caller's affair.
 */
import { CONTENT_FIELDS, type ContentField, type Payload } from '@tmds/contract/record';
import type { NormalizedRecord } from './document.ts';
import { parseExactly, renderExactly } from './exact.ts';
import { NAME_SEPARATOR } from './names.ts';
import type { RecordRow } from './row.ts';

const FIELDS = Object.keys(CONTENT_FIELDS) as ContentField[];

/** A statement in its stored form; `detail` is a whole JSON object, with or without the stamps. */
export type StoredStatement = Omit<RecordRow, 'content_digest' | 'line_digest' | 'jurisdiction_code' | 'uid'>;

/** The record that a stored statement holds. Name variants come back in the form in which they are compared. */
export function parseStatement({ detail, payload, ...statement }: StoredStatement): NormalizedRecord {
  const stated = JSON.parse(detail) as Record<string, unknown>;
  const fields = Object.fromEntries(FIELDS.map((field) => [field, stated[field] ?? null]));
  return {
    ...(fields as Pick<NormalizedRecord, ContentField>),
    mark_name_variants: statement.mark_variants?.split(NAME_SEPARATOR) ?? null,
    ...parsePayload(payload),
    source_version: statement.source_version,
    is_partial: statement.is_partial,
    normalized: true,
  };
}

type PayloadForms = Pick<NormalizedRecord, 'payload' | 'payload_text'>;

/** A text that is rendered as it was parsed has lost nothing; only another one has to be read digit by digit. */
function parsePayload(text: string | null): PayloadForms {
  if (text === null) return { payload: null, payload_text: undefined };
  const payload = JSON.parse(text) as Payload;
  if (JSON.stringify(payload) === text) return { payload, payload_text: undefined };
  return { payload: parseExactly(text) as Payload, payload_text: text };
}

/**
 * The later of two statements of one record over the earlier one, or the later one alone if it is full. The source
 * version is the higher of both; the record is partial only if both are.
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
    ...mergePayloadForms(earlier, later),
    source_version: highestVersion(earlier.source_version, later.source_version),
    is_partial: earlier.is_partial,
  };
}

/** What tells a mark from others stays as it was first stated: a part may not show that the mark is a Madrid one. */
function mergeIdentity(
  earlier: NormalizedRecord,
  later: NormalizedRecord,
): Pick<NormalizedRecord, 'office' | 'application_number'> {
  return {
    office: earlier.office ?? later.office,
    application_number: earlier.application_number ?? later.application_number,
  };
}

/** A status and the office's text of it are one statement; Unknown without a text states none. */
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

/** Versions compare as the database compares them: by their bytes. */
export function isBefore(one: string, other: string): boolean {
  return Buffer.compare(Buffer.from(one), Buffer.from(other)) < 0;
}

function mergePayloadForms(earlier: NormalizedRecord, later: NormalizedRecord): PayloadForms {
  const payload = mergePayloads(earlier.payload, later.payload);
  const isPlain = earlier.payload_text === undefined && later.payload_text === undefined;
  return { payload, payload_text: isPlain ? undefined : renderExactly(payload) };
}

/** A section that is stated takes the place of the one before; events and members of `source` add up. */
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

/** An event that is stated again takes the place it had; the n-th of several alike that of the n-th. */
function mergeEvents(earlier: readonly unknown[], later: readonly unknown[]): unknown[] {
  const merged = [...earlier];
  const places = new Map<string, number[]>();
  for (const [place, event] of earlier.entries()) {
    const key = eventKey(event);
    const alike = places.get(key);
    if (alike === undefined) places.set(key, [place]);
    else alike.push(place);
  }
  for (const event of later) {
    const place = places.get(eventKey(event))?.shift();
    if (place === undefined) merged.push(event);
    else merged[place] = event;
  }
  return merged;
}

/** What tells an event from others; its text, its status and its details may change. */
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

/** As in every payload: null, an empty list and an empty object say nothing. */
function isSilent(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
