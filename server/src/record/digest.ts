/**
 * The content digest: two versions of a record with one digest are one content (rule I-22). Content is everything
 * delivered, payload and held name variants included, except the service's own stamps. Key order, the order of a set,
 * null versus missing versus empty list, and Unicode normal form are not content. Sets are six lists of the record
 * (rule I-34, docs/decisions/0047); every other list, at any depth of the payload, has an order.
 */
import { hash } from 'node:crypto';
import type { ContentField } from '@tmds/contract/record';
import { renderContent } from './content.ts';
import type { NormalizedRecord } from './document.ts';
import { isExactNumber, writeCanonicalNumber } from './exact.ts';
import { RecordRejection } from './normalize.ts';

/** 32 hexadecimal digits: the first half of SHA-256 over the canonical text. Throws `RecordRejection`. */
export function digestContent(record: NormalizedRecord): string {
  return measureContent(record, renderContent(record)).digest;
}

/**
 * The digest, and the length of the text it was taken of: about what the record takes to hold. `detail` is
 * `renderContent(record)`: every field in the table's order, so it is canonical once its sets are sorted.
 */
export function measureContent(record: NormalizedRecord, detail: string): { digest: string; length: number } {
  const sorted = sortSets(record);
  const content = normalForm(sorted === null ? detail : renderContent(sorted));
  const { mark_name_variants, payload } = record;
  const variants = mark_name_variants === null ? '' : JSON.stringify(mark_name_variants).normalize('NFC');
  const text = `${content}\n${variants}\n${writeCanonical(payload, 0) ?? ''}`;
  return { digest: hash('sha256', text, 'hex').slice(0, 32), length: text.length };
}

/** Every text without these is in its normal form already: the first character that combines with others is U+0300. */
const MAY_COMBINE = /[\u0300-\uffff]/;

function normalForm(text: string): string {
  return MAY_COMBINE.test(text) ? text.normalize('NFC') : text;
}

/** The lists whose order is no content; the sixth, of Nice classes, ascends in every record. */
const SET_FIELDS = [
  'vienna_codes',
  'owner_countries',
  'designated_countries',
  'international_registration_numbers',
  'priority_numbers',
] as const satisfies readonly ContentField[];

/** The record with its sets sorted; null when they are. */
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

/** True only of a list that `sortList` would leave as it is, but for the normal form of its entries. */
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
  return list.map(normalForm).sort();
}

/** A bound of ours, so that no thread's stack decides. */
export const PAYLOAD_DEPTH_MAX = 500;

/** The canonical text of a JSON value; null for what counts as nothing: null, undefined, an empty list. */
function writeCanonical(value: unknown, depth: number): string | null {
  if (depth > PAYLOAD_DEPTH_MAX) throw new RecordRejection(`payload is nested deeper than ${PAYLOAD_DEPTH_MAX} levels`);
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return JSON.stringify(value.normalize('NFC'));
  if (typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) {
    if (value.length === 0) return null;
    return `[${value.map((entry) => writeCanonical(entry, depth + 1) ?? 'null').join(',')}]`;
  }
  if (isExactNumber(value)) return writeCanonicalNumber(value);
  const members: string[] = [];
  for (const [key, member] of Object.entries(value)) {
    const text = writeCanonical(member, depth + 1);
    if (text !== null) members.push(`${JSON.stringify(key.normalize('NFC'))}:${text}`);
  }
  return `{${members.sort().join(',')}}`;
}
