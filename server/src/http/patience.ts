/**
 * How long a client may take over a large answer. One that takes nothing is cut off by the socket's own time limit
 * (`app.ts`); this is for the one that takes a byte now and then and would hold its answer open for days.
 */
import type { ServerResponse } from 'node:http';
import { type Clock, systemClock } from '../base/clock.ts';

/** A page of 200 documents of 1 MB within this time is 2.7 Mbit/s; a slower line asks for smaller pages. */
export const READ_MS_MAX = 10 * 60 * 1000;
/** Answers that the system's socket buffers take at once need no clock. */
const BUFFERED_BYTES = 256 * 1024;

/** Destroys the response unless it is over within the limit. */
export function limitReading(
  response: Pick<ServerResponse, 'once' | 'destroy'>,
  body: unknown,
  clock: Clock = systemClock,
): void {
  if (typeof body === 'string' || (Buffer.isBuffer(body) && body.length <= BUFFERED_BYTES)) return;
  const stopTimer = clock.callAfter(READ_MS_MAX, () => void response.destroy());
  response.once('close', stopTimer);
}
