/**
 * The content digest: two versions of a record with one digest are one content (rule I-22). Content is everything
 * delivered, payload and held name variants included, except the service's own stamps. Key order, list order, null
 * versus missing versus empty list, and Unicode normal form are not content. Lists compare as multisets, at every
 * depth: no list of the record model states an order that a reader may rely on.
 */
import { hash } from 'node:crypto';
import { CONTENT_FIELDS } from '@tmds/contract/record';
import type { NormalizedRecord } from './document.ts';

/** 32 hexadecimal digits: the first half of SHA-256 over the canonical text. */
export function digestContent(record: NormalizedRecord): string {
  const parts: string[] = [];
  for (const field of Object.keys(CONTENT_FIELDS) as (keyof typeof CONTENT_FIELDS)[]) {
    parts.push(writeCanonical(record[field]) ?? '');
  }
  parts.push(writeCanonical(record.mark_name_variants) ?? '', writeCanonical(record.payload) ?? '');
  return hash('sha256', parts.join('\n'), 'hex').slice(0, 32);
}

/** The canonical text of a JSON value; null for what counts as nothing: null, undefined, an empty list. */
function writeCanonical(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return JSON.stringify(value.normalize('NFC'));
  if (typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) {
    if (value.length === 0) return null;
    const entries = value.map((entry) => writeCanonical(entry) ?? 'null');
    return `[${entries.sort().join(',')}]`;
  }
  const members: string[] = [];
  for (const [key, member] of Object.entries(value)) {
    const text = writeCanonical(member);
    if (text !== null) members.push(`${JSON.stringify(key.normalize('NFC'))}:${text}`);
  }
  return `{${members.sort().join(',')}}`;
}
