/** The image of a record in a list, as an address of the portal, so that the page itself stays small. */
import type { TrademarkDetail } from '@tmds/contract/record';
import { html } from 'htm/preact';
import { isInlinePicture, Members } from '../frame/payload-reader.ts';
import type { Opening } from './record-path.ts';

/** An inline image of a known type; null without one. */
export function firstImage(payload: unknown): string | null {
  const addresses = new Members(payload).list('images').map((image) => new Members(image).text('uri'));
  return addresses.find((address) => address !== null && isInlinePicture(address)) ?? null;
}

/** An `img` of the record's mark; null without an image that the portal can show. */
export function renderImage(record: TrademarkDetail, { keyId, from }: Opening): unknown {
  if (from === null || firstImage(record.payload) === null) return null;
  const { jurisdiction_code: register, uid } = record;
  const query = new URLSearchParams({ key: keyId, from });
  const path = `/portal/explorer/images/${encodeURIComponent(register)}/${encodeURIComponent(uid)}?${query.toString()}`;
  return html`<img src=${path} alt="" loading="lazy" />`;
}

/** An address that `firstImage` found, so it is an inline image of a known type. */
export function decodeImage(uri: string): { type: string; bytes: Uint8Array } {
  const comma = uri.indexOf(',');
  const [type = '', ...options] = uri.slice('data:'.length, comma).split(';');
  const isBase64 = options.some((option) => option.trim().toLowerCase() === 'base64');
  const data = uri.slice(comma + 1);
  return { type, bytes: isBase64 ? Buffer.from(data, 'base64') : Buffer.from(decodePercent(data)) };
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
