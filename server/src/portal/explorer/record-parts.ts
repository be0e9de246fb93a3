/** A record in a list: its address, its name, its image as an address of the portal, or a word in place of an image. */

import type { TrademarkDetail } from '@tmds/contract/record';
import { html } from 'htm/preact';
import { isInlinePicture, Members } from '../frame/payload-reader.ts';

/** How the records of a table open: the key they are charged to, and the page they lead back to. */
export interface Opening {
  readonly keyId: string;
  /** Null when the address of the page is too long to pass on. */
  readonly from: string | null;
}

/** Also how the records of a table are shown. */
export interface RecordsShown extends Opening {
  readonly languages: readonly string[];
}

export function recordPath(
  { jurisdiction_code: register, uid }: Pick<TrademarkDetail, 'jurisdiction_code' | 'uid'>,
  { keyId, from }: Opening,
): string {
  const query = new URLSearchParams({ key: keyId, ...(from === null ? {} : { from }) });
  return `/portal/explorer/records/${encodeURIComponent(register)}/${encodeURIComponent(uid)}?${query.toString()}`;
}

/** A mark without a text is distinguished from one that is called "Word" or "Figurative". */
export function renderMarkName({
  mark_name,
  mark_feature,
}: Pick<TrademarkDetail, 'mark_name' | 'mark_feature'>): unknown {
  if (mark_name !== null) return mark_name;
  return html`<span class="silent">no text${mark_feature === null ? null : ` (${mark_feature})`}</span>`;
}

/** A longer word is drawn smaller; a very long one is cut by the stylesheet. */
const SIZES: readonly (readonly [charactersMax: number, size: string])[] = [
  [10, 'short'],
  [28, 'middle'],
];

export function renderWord(word: string, language: string | null = null): unknown {
  const length = [...word.slice(0, 100)].length;
  const size = SIZES.find(([charactersMax]) => length <= charactersMax)?.[1] ?? 'long';
  return html`<span class=${`word ${size}`} dir="auto" lang=${language}>${word}</span>`;
}

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
