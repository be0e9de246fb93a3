/**
 * What a search looks at: segments in the order of changes, and which of their records have been replaced by later
 * ones. A view never changes, so a search sees every publish whole or not at all.
 */
import type { Segment } from './segment.ts';

/** Records of a segment that a later one holds anew. */
export interface DeadRecords {
  /** A bit for each. */
  readonly words: Uint32Array;
  /** How many in each chunk, */
  readonly counts: Uint32Array;
  /** and in all. */
  readonly total: number;
}

export interface ViewPart {
  readonly segment: Segment;
  /** Null while all its records live. */
  readonly dead: DeadRecords | null;
}

export interface View {
  /** Rises with every view of an index. */
  readonly number: number;
  /** Microseconds since 1970: every publish up to this stamp is in it, and none after. */
  readonly stamp: number;
  readonly parts: readonly ViewPart[];
}

export const EMPTY_VIEW: View = { number: 0, stamp: 0, parts: [] };

export function countLiving({ segment, dead }: ViewPart): number {
  return segment.records - (dead?.total ?? 0);
}
