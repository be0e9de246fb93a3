/**
 * The content digest: two versions of a record with one digest are one content (rule I-22). Content is everything
 * delivered, payload and held name variants included, except the service's own stamps. Key order, list order, null
 * versus missing versus empty list, and Unicode normal form are not content. Lists compare as multisets, at every
 * depth (docs/decisions/0007): no list of the record model states an order that a reader may rely on.
 */
import { hash } from 'node:crypto';
import { CONTENT_FIELDS, type ContentField } from '@tmds/contract/record';
import type { NormalizedRecord } from './document.ts';
import { RecordRejection } from './normalize.ts';

const FIELDS = Object.keys(CONTENT_FIELDS) as ContentField[];

/** 32 hexadecimal digits: the first half of SHA-256 over the canonical text. Throws `RecordRejection`. */
export function digestContent(record: NormalizedRecord): string {
  return digestText(writeContent(record));
}

/** The digest, and the length of the text it was taken of: about what the record takes to hold. */
export function measureContent(record: NormalizedRecord): { digest: string; length: number } {
  const text = writeContent(record);
  return { digest: digestText(text), length: text.length };
}

function digestText(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 32);
}

function writeContent(record: NormalizedRecord): string {
  // Every field in the table's order, so one serialization of a list without names is canonical once its lists are.
  const content: unknown[] = FIELDS.map((field) => {
    const value = record[field];
    return Array.isArray(value) ? sortList(value) : value;
  });
  content.push(record.mark_name_variants === null ? null : sortList(record.mark_name_variants));
  return `${JSON.stringify(content).normalize('NFC')}\n${writeCanonical(record.payload, 0) ?? ''}`;
}

function sortList(list: readonly (string | number)[]): readonly (string | number)[] {
  if (list.length < 2) return list;
  return list.map((entry) => (typeof entry === 'string' ? entry.normalize('NFC') : entry)).sort();
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
    const entries = value.map((entry) => writeCanonical(entry, depth + 1) ?? 'null');
    return `[${entries.sort().join(',')}]`;
  }
  const members: string[] = [];
  for (const [key, member] of Object.entries(value)) {
    const text = writeCanonical(member, depth + 1);
    if (text !== null) members.push(`${JSON.stringify(key.normalize('NFC'))}:${text}`);
  }
  return `{${members.sort().join(',')}}`;
}
