/**
 * Defines what a cursor of a watch's hits is bound to, and the cursor in a nudge, which points after every hit of a
 * stamp.
 */
import type { Instant } from '@tmds/contract/record';
import { type CursorBinding, encodeCursor } from './cursor.ts';

/** The text of a binding never changes, because customers' cursors outlive every version of this code. */
export function bindHits(id: string, since: Instant): CursorBinding {
  return { kind: 'hits', query: `hits of ${id} since ${since}` };
}

/** In byte order, after every code of a register. */
const AFTER_ALL = '~';

/** From where the hits of a watch are read that are later than a stamp; with that stamp as `since`. */
export function encodeHitsAfter(id: string, stamp: Instant): string {
  return encodeCursor(bindHits(id, stamp), { value: stamp, jurisdiction_code: AFTER_ALL, uid: AFTER_ALL });
}
