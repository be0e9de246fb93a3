/**
 * The two forms of a payload: parsed, and as text if its numbers need more than doubles (rule I-38). Every change of a
 * payload changes both here.
 */
import type { Payload } from '@tmds/contract/record';
import { parseExactly, renderExactly } from './digest.ts';

/** `payload_text` is undefined where `JSON.stringify` renders the payload exactly. */
export interface PayloadForms {
  payload: Payload | null;
  payload_text?: string | undefined;
}

/** If JSON.parse and JSON.stringify return the same text, nothing was lost; otherwise it is parsed exactly. */
export function parsePayload(text: string | null): PayloadForms {
  if (text === null) return { payload: null, payload_text: undefined };
  const payload = JSON.parse(text) as Payload;
  if (JSON.stringify(payload) === text) return { payload, payload_text: undefined };
  return { payload: parseExactly(text) as Payload, payload_text: text };
}

/** The forms of a payload that is composed of these. */
export function payloadForms(payload: Payload | null, ...sources: readonly PayloadForms[]): PayloadForms {
  const isPlain = sources.every(({ payload_text }) => payload_text === undefined);
  return { payload, payload_text: isPlain ? undefined : renderExactly(payload) };
}
