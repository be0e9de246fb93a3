/**
 * Limits how long a client may take to read a large answer. The socket's time limit (`app.ts`) cuts off a client that
 * reads nothing; this limit is for one that reads a byte now and then and would hold its answer open for days.
 */
import type { Answer } from '../render/answer.ts';
import type { Delivery } from './delivery.ts';

/** An answer whose size is known has this long, and as long again as it takes at `READ_BYTES_PER_MS_MIN`. */
const READ_MS_MIN = 60 * 1000;
/** 260 kbit/s: less than any line that carries such answers. */
const READ_BYTES_PER_MS_MIN = 32;
/** Enough for a page of 200 documents of 1 MB at 2.7 Mbit/s; on a slower line, clients can ask for smaller pages. */
export const READ_MS_MAX = 10 * 60 * 1000;
/** Smaller answers fit into the system's socket buffers and need no limit. */
const BUFFERED_BYTES = 256 * 1024;

/** Cuts off a delivery that has not ended within the limit. */
export function limitReading(
  delivery: Pick<Delivery, 'clock' | 'cutOff' | 'end' | 'whenOver'>,
  body: Answer['body'],
): void {
  if (body === null || typeof body === 'string' || (Buffer.isBuffer(body) && body.length <= BUFFERED_BYTES)) return;
  // Nothing would stop the timer of a delivery that has already ended.
  if (delivery.end !== null) return;
  const needMs = Buffer.isBuffer(body) ? READ_MS_MIN + body.length / READ_BYTES_PER_MS_MIN : READ_MS_MAX;
  delivery.whenOver(delivery.clock.callAfter(Math.min(needMs, READ_MS_MAX), () => delivery.cutOff()));
}
