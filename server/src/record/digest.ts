/**
 * The content digest: two versions of a record have the same content if and only if their digests are equal (rule
 * I-22). Content is everything that is delivered, plus the name variants that are held for searching, minus the
 * service's own stamps. Five differences are not differences of content: the order of keys; the order of a set; null,
 * missing or an empty list; no document or an empty one (rule I-42); Unicode normal form. Six lists of the record are
 * sets (rule I-34, docs/design/record.md); every other list, at any depth of the payload, is ordered.
 */
import { hash } from 'node:crypto';
import type { ContentField } from '@tmds/contract/record';
import { normalForm } from '@tmds/contract/text';
import { isLosslessNumber, LosslessNumber, parse, splitNumber, stringify } from 'lossless-json';
import { renderContent } from './content.ts';
import type { NormalizedRecord } from './document.ts';
import { RecordRejection } from './normalize.ts';

/**
 * 32 hexadecimal digits: the first half of the SHA-256 of the canonical text. Throws `RecordRejection` if the payload
 * is nested deeper than `PAYLOAD_DEPTH_MAX`.
 */
export function digestContent(record: NormalizedRecord): string {
  return measureContent(record, renderContent(record)).digest;
}

/**
 * The digest, and the length of the canonical text in UTF-16 units, which is about the memory that the record takes.
 * `detail` is `renderContent(record)`: it lists every field in the order of the table, so it is canonical once its sets
 * are sorted.
 */
export function measureContent(record: NormalizedRecord, detail: string): { digest: string; length: number } {
  const sorted = sortSets(record);
  const content = normalForm(sorted === null ? detail : renderContent(sorted));
  const { mark_name_variants, payload } = record;
  const variants = mark_name_variants === null ? '' : normalForm(JSON.stringify(mark_name_variants));
  const document = writeCanonical(payload, 0) ?? EMPTY;
  const text = `${content}\n${variants}\n${document === EMPTY ? '' : document}`;
  return { digest: hash('sha256', text, 'hex').slice(0, 32), length: text.length };
}

/** The canonical text of a document that states nothing. */
const EMPTY = '{}';

/** The sets. The sixth, `nice_classes`, is missing because it is already sorted in every record. */
const SET_FIELDS = [
  'vienna_codes',
  'owner_countries',
  'designated_countries',
  'international_registration_numbers',
  'priority_numbers',
] as const satisfies readonly ContentField[];

const SETS: ReadonlySet<ContentField> = new Set([...SET_FIELDS, 'nice_classes']);

/** Whether the order of a field's list is not content (rule I-34). */
export function isSetField(field: ContentField): boolean {
  return SETS.has(field);
}

/** The record with its sets sorted; null if they already are. */
function sortSets(record: NormalizedRecord): NormalizedRecord | null {
  let sorted: NormalizedRecord | null = null;
  for (const field of SET_FIELDS) {
    const list = record[field];
    if (list === null || list.length < 2 || isSorted(list)) continue;
    sorted ??= { ...record };
    sorted[field] = sortList(list);
  }
  return sorted;
}

/** Whether `sortList` would keep the order of a list. */
function isSorted(list: readonly string[]): boolean {
  let last = '';
  for (const entry of list) {
    const normal = normalForm(entry);
    if (normal < last) return false;
    last = normal;
  }
  return true;
}

function sortList(list: readonly string[]): string[] {
  return list.map((entry) => normalForm(entry)).sort();
}

/** Levels of objects and lists in a payload. A fixed bound, so that it does not depend on the stack of a thread. */
export const PAYLOAD_DEPTH_MAX = 500;

/** The canonical text of a JSON value; null for null, undefined and an empty list, which are not content. */
function writeCanonical(value: unknown, depth: number): string | null {
  if (depth > PAYLOAD_DEPTH_MAX) throw new RecordRejection(`payload is nested deeper than ${PAYLOAD_DEPTH_MAX} levels`);
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return JSON.stringify(normalForm(value));
  if (typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) {
    if (value.length === 0) return null;
    return `[${value.map((entry) => writeCanonical(entry, depth + 1) ?? 'null').join(',')}]`;
  }
  if (isExactNumber(value)) return writeCanonicalNumber(value);
  const members: string[] = [];
  for (const [key, member] of Object.entries(value)) {
    const text = writeCanonical(member, depth + 1);
    if (text !== null) members.push(`${JSON.stringify(normalForm(key))}:${text}`);
  }
  return `{${members.sort().join(',')}}`;
}

/** A number that a double would print with other digits. */
type ExactNumber = LosslessNumber;

export function isExactNumber(value: object): value is ExactNumber {
  return isLosslessNumber(value);
}

/** One text for each value, regardless of the zeros, dots and exponents it was written with. */
export function writeCanonicalNumber(number: ExactNumber): string {
  return canonicalText(number.value);
}

function canonicalText(literal: string): string {
  const { sign, digits, exponent } = splitNumber(literal);
  return `${sign}${digits}e${exponent}`;
}

/** A double if it prints the same value, otherwise the digits of the document. */
function parseNumber(literal: string): number | ExactNumber {
  const double = Number(literal);
  const isSame = Number.isFinite(double) && canonicalText(String(double)) === canonicalText(literal);
  return isSame ? double : new LosslessNumber(literal);
}

/**
 * Parses text that is known to be JSON. Throws `RecordRejection` if an object has the same key twice with different
 * values, of which JSON.parse would keep only the last.
 */
export function parseExactly(text: string): unknown {
  return parse(text, undefined, {
    parseNumber,
    onDuplicateKey: ({ key }) => {
      throw new RecordRejection(`an object states ${JSON.stringify(key)} twice, with different values`);
    },
  });
}

/** The JSON text of a document, with exact numbers as they were stated. */
export function renderExactly(document: unknown): string {
  return stringify(document) ?? 'null';
}
