/**
 * How long a client may take over a large answer. One that takes nothing is cut off by the socket's own time limit
 * (`app.ts`); this is for the one that takes a byte now and then and would hold its answer open for days.
 */
import type { Answer } from '../render/answer.ts';
import type { Delivery } from './delivery.ts';

/** A page of 200 documents of 1 MB within this time is 2.7 Mbit/s; a slower line asks for smaller pages. */
export const READ_MS_MAX = 10 * 60 * 1000;
/** Answers that the system's socket buffers take at once need no clock. */
const BUFFERED_BYTES = 256 * 1024;

/** Cuts the delivery off unless it is over within the limit. One that is over gets no timer: nothing would stop it. */
export function limitReading(
  delivery: Pick<Delivery, 'clock' | 'cutOff' | 'end' | 'whenOver'>,
  body: Answer['body'],
): void {
  if (body === null || typeof body === 'string' || (Buffer.isBuffer(body) && body.length <= BUFFERED_BYTES)) return;
  if (delivery.end !== null) return;
  delivery.whenOver(delivery.clock.callAfter(READ_MS_MAX, () => delivery.cutOff()));
}
