/**
 * The stored row of a record: what is delivered (the rendered JSON and the payload), what loads compare, and what only
 * searches need. This is the only place that derives them from the normalized record.
 */
import { PAYLOAD_BYTES_MAX } from '@tmds/contract/limits';
import { renderContent } from './content.ts';
import { measureContent } from './digest.ts';
import type { NormalizedRecord } from './document.ts';
import { joinForms } from './held-forms.ts';
import { NAME_SEPARATOR } from './names.ts';
import { RecordRejection } from './normalize.ts';

/** A row as staged; the publish adds the stamps. */
export interface RecordRow {
  jurisdiction_code: string;
  uid: string;
  /** Hexadecimal. */
  content_digest: string;
  source_version: string | null;
  /** Hexadecimal digest of the source line that states this record; empty if the source has no lines. */
  line_digest: string;
  /** The held forms of the mark as `joinForms` joins them. */
  mark_variants: string | null;
  /** True if only a part of the record is stated. */
  is_partial: boolean;
  /** The parts that the record names, joined by `NAME_SEPARATOR`; null for none. */
  named_parts: string | null;
  /** Hexadecimal digest of the raw source record (`load/sources/source-digest.ts`); null if it is not known. */
  source_digest: string | null;
  kind: 'statement' | 'removal';
  /** The rendered content: a JSON object without its closing brace, to which the publish appends the stamps. */
  detail: string;
  /** The full document as JSON text; null if the register gave none. */
  payload: string | null;
}

/**
 * Throws `RecordRejection` if the payload is larger than `PAYLOAD_BYTES_MAX`. `detail` and `contentDigest` save
 * computing them again; `lineDigest` is the digest of the source line the record was read from, `sourceDigest` the
 * digest of everything that the source states about it.
 */
export function buildRow(
  record: NormalizedRecord,
  detail: string = renderContent(record),
  contentDigest: string = measureContent(record, detail).digest,
  lineDigest = '',
  sourceDigest: string | null = null,
): RecordRow {
  return {
    jurisdiction_code: record.jurisdiction_code,
    uid: record.uid,
    content_digest: contentDigest,
    source_version: record.source_version,
    line_digest: lineDigest,
    mark_variants: joinForms(record),
    is_partial: record.is_partial,
    named_parts: record.named_parts?.join(NAME_SEPARATOR) ?? null,
    source_digest: sourceDigest,
    kind: record.is_removal ? 'removal' : 'statement',
    detail,
    payload: renderPayload(record),
  };
}

function renderPayload(record: NormalizedRecord): string | null {
  if (record.payload === null) return null;
  const text = record.payload_text ?? JSON.stringify(record.payload);
  if (Buffer.byteLength(text) > PAYLOAD_BYTES_MAX) {
    throw new RecordRejection(`payload is larger than ${PAYLOAD_BYTES_MAX} bytes`);
  }
  return text;
}
