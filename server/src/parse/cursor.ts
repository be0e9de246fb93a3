/**
 * Cursors: a position in an order, bound to the query that produced it (rules I-17 and I-19). This file decides what a
 * cursor of each list is bound to, its bytes, and which of the two errors applies; it does not know what a query or an
 * order means. A cursor holds no secret and depends on no process: version, kind, fingerprint of the query, key,
 * checksum.
 * Invariants: decoding any text either gives a key whose values are safe for SQL or throws one of the two cursor
 * errors; the text that a cursor is bound to never changes, because customers' cursors outlive this code.
 */
import { createHash } from 'node:crypto';
import type { Order, Sort } from '@tmds/contract/enums';
import type { DateText, Instant } from '@tmds/contract/record';
import { apiError } from '../base/errors.ts';
import { isRegisterDate } from '../record/dates.ts';
import { isCanonicalInstant } from './values.ts';

/** Which family of endpoints a cursor belongs to. */
type CursorKind =
  | 'search'
  | 'changes'
  | 'digests'
  | 'history'
  | 'watches'
  | 'hits'
  | 'dates'
  | 'webhooks'
  | 'deliveries';

/** The record after which the next page begins. */
export interface CursorKey {
  /** Value of the sort field; null for a record without it. */
  readonly value: Instant | DateText | null;
  readonly jurisdiction_code: string;
  readonly uid: string;
}

/** A position in an order of stamps: after the record, the event or the hit with this stamp and identity. */
export interface StampedPosition {
  readonly updated_at: Instant;
  readonly jurisdiction_code: string;
  readonly uid: string;
}

/** What a cursor is bound to. `query` is canonical: equal queries give equal texts, however they were written. */
export interface CursorBinding {
  readonly kind: CursorKind;
  readonly query: string;
  /** What a key's `value` may be: a microsecond instant, never null, or a date or null. Default: `instant`. */
  readonly form?: 'instant' | 'date';
}

type Register = string | null;

/**
 * The lists that have pages, each with what has to stay the same from page to page: never `limit`, `expand` or `count`.
 */
export const CURSORS = {
  search: (of: { register: Register; sort: Sort; order: Order; filters: object }): CursorBinding => ({
    kind: 'search',
    query: JSON.stringify([of.register, of.sort, of.order, of.filters]),
    form: of.sort === 'updated_at' ? 'instant' : 'date',
  }),
  /** An object, so that it differs from every query of a search, which is a list. */
  numbers: (of: { register: string; numbers: readonly string[] }): CursorBinding => ({
    kind: 'search',
    query: JSON.stringify({ register: of.register, numbers: of.numbers }),
  }),
  numbersOfRegisters: (of: readonly (readonly [register: string, numbers: readonly string[]])[]): CursorBinding => ({
    kind: 'search',
    query: JSON.stringify({ numbers: of }),
  }),
  export: (of: { register: Register; sort: Sort; order: Order; filters: object }): CursorBinding => ({
    ...CURSORS.search(of),
    query: JSON.stringify({ export: [of.sort, of.order, of.filters] }),
  }),
  changes: (of: { since: Instant; register: Register }): CursorBinding => ({
    kind: 'changes',
    query: `changes since ${of.since} in ${of.register ?? '*'}`,
  }),
  digests: (of: { register: string; bucket: number; asOf: Instant }): CursorBinding => ({
    kind: 'digests',
    query: `digests of ${of.register} in ${of.bucket} as of ${of.asOf}`,
  }),
  history: (of: { since: Instant; register: Register; events: BoundEvents; filters: object }): CursorBinding => ({
    kind: 'history',
    query: JSON.stringify(['history', of.since, of.register, of.events.fields, of.events.causes, of.filters]),
  }),
  recordHistory: (of: { register: string; uid: string; events: BoundEvents }): CursorBinding => ({
    kind: 'history',
    query: JSON.stringify(['record history', of.register, of.uid, of.events.fields, of.events.causes]),
  }),
  dates: (of: { from: DateText; to: DateText; events: readonly string[]; filters: object }): CursorBinding => ({
    kind: 'dates',
    query: JSON.stringify([of.from, of.to, of.events, of.filters]),
    form: 'date',
  }),
  watches: (): CursorBinding => ({ kind: 'watches', query: 'watches', form: 'date' }),
  hits: (of: { watch: string; since: Instant }): CursorBinding => ({
    kind: 'hits',
    query: `hits of ${of.watch} since ${of.since}`,
  }),
  webhooks: (): CursorBinding => ({ kind: 'webhooks', query: 'webhooks', form: 'date' }),
  deliveries: (of: { webhook: string }): CursorBinding => ({
    kind: 'deliveries',
    query: `deliveries of ${of.webhook}`,
  }),
};

interface BoundEvents {
  readonly fields: readonly string[] | null;
  readonly causes: readonly string[] | null;
}

const VERSION = 1;
const KIND_BYTES: Record<CursorKind, number> = {
  search: 0x73,
  changes: 0x63,
  digests: 0x64,
  history: 0x68,
  watches: 0x77,
  hits: 0x74,
  dates: 0x61,
  webhooks: 0x6b,
  deliveries: 0x76,
};
const FINGERPRINT_BYTES = 12;
const CHECKSUM_BYTES = 8;
const HEAD_BYTES = 2 + FINGERPRINT_BYTES;
/** Longest accepted cursor, in characters. Real ones are shorter: a uid has at most 1,000 bytes. */
const CURSOR_LENGTH_MAX = 4_096;
const KEY_FIELDS = 3;
const NULL_LENGTH = 0xffff;

/** URL-safe text without padding. */
export function encodeCursor(binding: CursorBinding, key: CursorKey): string {
  const body = Buffer.concat([
    Buffer.from([VERSION, KIND_BYTES[binding.kind]]),
    fingerprint(binding.query),
    ...[key.value, key.jurisdiction_code, key.uid].flatMap(encodeText),
  ]);
  return Buffer.concat([body, checksum(body)]).toString('base64url');
}

/** The cursor of a position in an order of stamps. */
export function encodePosition(
  { binding }: { readonly binding: CursorBinding },
  { updated_at, jurisdiction_code, uid }: StampedPosition,
): string {
  return encodeCursor(binding, { value: updated_at, jurisdiction_code, uid });
}

/** As `decodeCursor`; null without a cursor. `register`: the only one in which the position may be; null = any. */
export function decodePosition(
  binding: CursorBinding,
  text: string | undefined,
  register: string | null,
): StampedPosition | null {
  if (text === undefined) return null;
  const { value, jurisdiction_code, uid } = decodeCursor(binding, text);
  if (value === null || (register !== null && jurisdiction_code !== register)) throw cursorInvalid();
  return { updated_at: value, jurisdiction_code, uid };
}

/**
 * @throws ApiError `cursor_invalid` for text that this service did not write, `cursor_query_mismatch` for a cursor of
 *   another query or endpoint.
 */
export function decodeCursor(binding: CursorBinding, text: string): CursorKey {
  const body = openCursor(text);
  if (body === null) throw cursorInvalid();
  const bound = body[1] === KIND_BYTES[binding.kind] && body.subarray(2, HEAD_BYTES).equals(fingerprint(binding.query));
  if (!bound) {
    throw apiError(
      'cursor_query_mismatch',
      'cursor belongs to another query; repeat the query that produced it unchanged, or leave the cursor out.',
      { param: 'cursor' },
    );
  }
  const key = decodeKey(body.subarray(HEAD_BYTES), binding.form ?? 'instant');
  if (key === null) throw cursorInvalid();
  return key;
}

export function cursorInvalid(): Error {
  return apiError('cursor_invalid', 'cursor is not one of ours; send next_cursor back exactly as it was received.', {
    param: 'cursor',
  });
}

/** The bytes before the checksum; null unless `encodeCursor` could have written exactly this text. */
function openCursor(text: string): Buffer | null {
  if (text.length > CURSOR_LENGTH_MAX || !/^[A-Za-z0-9_-]+$/.test(text)) return null;
  const bytes = Buffer.from(text, 'base64url');
  // Without the comparison, the unused low bits of the last character would give one cursor several spellings.
  if (bytes.length < HEAD_BYTES + CHECKSUM_BYTES || bytes.toString('base64url') !== text) return null;
  const body = bytes.subarray(0, -CHECKSUM_BYTES);
  const isIntact = checksum(body).equals(bytes.subarray(-CHECKSUM_BYTES));
  return isIntact && body[0] === VERSION ? body : null;
}

function fingerprint(query: string): Buffer {
  return createHash('sha256').update(query, 'utf8').digest().subarray(0, FINGERPRINT_BYTES);
}

function checksum(body: Buffer): Buffer {
  return createHash('sha256').update(body).digest().subarray(0, CHECKSUM_BYTES);
}

function encodeText(text: string | null): Buffer[] {
  const bytes = Buffer.from(text ?? '', 'utf8');
  const length = Buffer.alloc(2);
  length.writeUInt16BE(text === null ? NULL_LENGTH : bytes.length);
  return [length, bytes];
}

/** Anyone can compute the checksum, so it proves nothing about the values: they are checked one by one. */
function decodeKey(bytes: Buffer, form: NonNullable<CursorBinding['form']>): CursorKey | null {
  const texts = decodeTexts(bytes);
  if (texts === null) return null;
  const [value, jurisdictionCode, uid] = texts;
  if (value === undefined || !jurisdictionCode || !uid || !isKeyValue(value, form)) return null;
  return { value, jurisdiction_code: jurisdictionCode, uid };
}

function isKeyValue(value: string | null, form: NonNullable<CursorBinding['form']>): boolean {
  if (form === 'instant') return value !== null && isCanonicalInstant(value);
  return value === null || isRegisterDate(value);
}

function decodeTexts(bytes: Buffer): (string | null)[] | null {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const texts: (string | null)[] = [];
  let at = 0;
  while (texts.length < KEY_FIELDS) {
    if (at + 2 > bytes.length) return null;
    const length = bytes.readUInt16BE(at);
    at += 2;
    if (length === NULL_LENGTH) {
      texts.push(null);
      continue;
    }
    if (at + length > bytes.length) return null;
    try {
      texts.push(decoder.decode(bytes.subarray(at, at + length)));
    } catch {
      return null;
    }
    at += length;
  }
  return at === bytes.length && texts.every((text) => !text?.includes('\0')) ? texts : null;
}
