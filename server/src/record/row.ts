/**
 * The stored row of a record: what is delivered (the rendered JSON, the payload), what loads compare, and what a search
 * needs that is not delivered, all derived from the normalized record in one place and nowhere else.
 */
import { PAYLOAD_BYTES_MAX } from '@tmds/contract/limits';
import { renderContent } from './content.ts';
import { measureContent } from './digest.ts';
import type { NormalizedRecord } from './document.ts';
import { foldName, NAME_SEPARATOR } from './names.ts';
import { RecordRejection } from './normalize.ts';

/** One row as it is staged; the publish adds the stamps. */
export interface RecordRow {
  jurisdiction_code: string;
  uid: string;
  /** Hexadecimal. */
  content_digest: string;
  source_version: string | null;
  /** Hexadecimal; of the source line alone that holds this content, empty where there is none. */
  line_digest: string;
  /** `joinVariants`. */
  mark_variants: string | null;
  /** Only a part of the record is stated. */
  is_partial: boolean;
  /** The rendered content: a JSON object without its closing brace, to which the publish appends the stamps. */
  detail: string;
  /** The full document as JSON text; null where the register gave none. */
  payload: string | null;
}

/**
 * Throws `RecordRejection` when the payload is beyond `PAYLOAD_BYTES_MAX`. The others are `renderContent(record)` and
 * its digest, where the caller has computed them already, and the digest of the line that the record was read from.
 */
export function buildRow(
  record: NormalizedRecord,
  detail: string = renderContent(record),
  contentDigest: string = measureContent(record, detail).digest,
  lineDigest = '',
): RecordRow {
  return {
    jurisdiction_code: record.jurisdiction_code,
    uid: record.uid,
    content_digest: contentDigest,
    source_version: record.source_version,
    line_digest: lineDigest,
    mark_variants: joinVariants(record),
    is_partial: record.is_partial,
    detail,
    payload: renderPayload(record),
  };
}

/**
 * Held translations and transliterations of the mark text, which are searched like it and not delivered: in the form in
 * which names are compared, each once, without the mark text's own, `NAME_SEPARATOR` between them; null for none.
 */
function joinVariants({ mark_name, mark_name_variants }: NormalizedRecord): string | null {
  if (mark_name_variants === null) return null;
  const forms = new Set(mark_name_variants.map(foldName));
  forms.delete('');
  if (mark_name !== null) forms.delete(foldName(mark_name));
  return forms.size === 0 ? null : [...forms].join(NAME_SEPARATOR);
}

function renderPayload(record: NormalizedRecord): string | null {
  if (record.payload === null) return null;
  const text = record.payload_text ?? JSON.stringify(record.payload);
  if (Buffer.byteLength(text) > PAYLOAD_BYTES_MAX) {
    throw new RecordRejection(`payload is larger than ${PAYLOAD_BYTES_MAX} bytes`);
  }
  return text;
}
