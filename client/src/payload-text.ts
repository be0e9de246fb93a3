/**
 * Payloads as they were served. JSON.parse turns every number into a double, which alters 9007199254740993 and 1e400;
 * only the text of the payload has every digit (rule I-38). When JavaScript would write a payload differently, its text
 * is kept on the payload object itself, so that replacing the payload of a record replaces its text too.
 */
import type { Payload, TrademarkDetail } from '@tmds/contract/record';
import { findMember, listElements, skipBlanks } from './json-text.ts';

/** From the global registry, because a program can load this package as an ES module and as CommonJS. */
const TEXT = Symbol.for('@tmds/client payload text');

interface Expanded {
  readonly payload?: Payload | null;
}

/** The payload of a record as JSON, exactly as the service wrote it; null when there is none. */
export function payloadText({ payload }: Expanded): string | null {
  if (payload == null) return null;
  return (payload as { [TEXT]?: string })[TEXT] ?? JSON.stringify(payload);
}

/** The record as JSON, with its payload exactly as it was served. */
export function renderRecord(record: TrademarkDetail): string {
  const text = payloadText(record);
  if (text === null) return JSON.stringify(record);
  const rest = JSON.stringify({ ...record, payload: undefined });
  return `${rest.slice(0, -1)},"payload":${text}}`;
}

/** Keeps the texts of the payloads in `body`, a record or a page. @param text the JSON that `body` was parsed from */
export function keepPayloadTexts(body: object, text: string): void {
  const { items } = body as { items?: unknown };
  const start = skipBlanks(text, 0);
  if (!Array.isArray(items)) {
    keepPayloadText(body, text, start);
    return;
  }
  if (!items.some(isExpanded)) return;
  const list = findMember(text, start, 'items');
  if (list === null) return;
  for (const [index, element] of listElements(text, list.start).entries()) {
    keepPayloadText(items[index], text, element.start);
  }
}

function keepPayloadText(record: unknown, text: string, start: number): void {
  if (!isExpanded(record)) return;
  const span = findMember(text, start, 'payload');
  if (span === null) return;
  const served = text.slice(span.start, span.end);
  // A substring keeps the whole text in memory, so keep it only when the payload itself cannot reproduce it.
  if (served !== JSON.stringify(record.payload)) Object.defineProperty(record.payload, TEXT, { value: served });
}

function isExpanded(record: unknown): record is { readonly payload: Payload } {
  const payload: unknown = (record as Expanded | null)?.payload;
  return typeof payload === 'object' && payload !== null;
}
