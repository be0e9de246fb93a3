/**
 * What a search sees: segments in the order of changes, and which of their records have been replaced by later versions
 * (dead records). A view never changes, so a search sees each publish completely or not at all.
 */
import type { Segment } from './segment.ts';

/** The records of a segment that have a newer version in a later segment. */
export interface DeadRecords {
  /** A bit for each record; 1 = dead. */
  readonly words: Uint32Array;
  /** The number of dead records in each chunk. */
  readonly counts: Uint32Array;
  /** The number of dead records in the segment. */
  readonly total: number;
}

export interface ViewPart {
  readonly segment: Segment;
  /** Null while none of its records is dead. */
  readonly dead: DeadRecords | null;
}

export interface View {
  /** Increases with every view of an index. */
  readonly number: number;
  /** In microseconds since 1970. The view includes every publish up to this stamp, and none after it. */
  readonly stamp: number;
  readonly parts: readonly ViewPart[];
}

export const EMPTY_VIEW: View = { number: 0, stamp: 0, parts: [] };

export function countLiving({ segment, dead }: ViewPart): number {
  return segment.records - (dead?.total ?? 0);
}

/** How much a view holds; bytes of memory by part of the index. */
export function measureView({ parts }: View): { records: number; segments: number; bytes: Record<string, number> } {
  const bytes: Record<string, number> = {};
  for (const { segment, dead } of parts) {
    for (const [part, size] of Object.entries(segment.measure())) bytes[part] = (bytes[part] ?? 0) + size;
    if (dead !== null) bytes.dead = (bytes.dead ?? 0) + dead.words.byteLength;
  }
  return { records: parts.reduce((sum, part) => sum + countLiving(part), 0), segments: parts.length, bytes };
}
