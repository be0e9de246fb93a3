/** A record with its document, as `expand=payload` delivers it. */

const PAYLOAD_KEY = Buffer.from(',"payload":');
/** The document of a record whose source states none (rule I-42). */
const NO_DOCUMENT = Buffer.from('{}');
const BRACE = Buffer.from('}');

/** The parts of its JSON text. `document`: null or undefined if none is held. */
export function expandDetail(detail: Buffer, document: Buffer | null | undefined): Buffer[] {
  return [detail.subarray(0, -1), PAYLOAD_KEY, document ?? NO_DOCUMENT, BRACE];
}
