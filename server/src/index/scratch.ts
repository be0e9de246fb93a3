/** The working memory of one thread's searches, used again by each: a search holds it from its begin to its end. */
import { CHUNK_SIZE, CHUNK_WORDS } from './postings.ts';

/** A bit for every record of a segment, and how many are set in each chunk. */
export interface SegmentBits {
  readonly words: Uint32Array;
  readonly counts: Uint32Array;
}

/** Larger or more bitmaps than a search usually needs are not kept: 2 MB each at most (`SEGMENT_RECORDS_MAX`). */
const KEPT_BITMAPS_MAX = 8;

export class Scratch {
  /** Members of one chunk, ascending. */
  readonly list = new Uint16Array(CHUNK_SIZE);
  /** Bitmaps of one chunk. */
  readonly bits = new Uint32Array(CHUNK_WORDS);
  readonly side = new Uint32Array(CHUNK_WORDS);
  private readonly kept: SegmentBits[] = [];
  private lent = 0;

  /** A bitmap of a segment, whatever is in it; until `takeBack`. */
  lendBits(chunks: number): SegmentBits {
    const index = this.lent;
    this.lent += 1;
    const kept = this.kept[index];
    if (kept !== undefined && kept.counts.length >= chunks) return kept;
    const bits = { words: new Uint32Array(chunks * CHUNK_WORDS), counts: new Uint32Array(chunks) };
    if (index < KEPT_BITMAPS_MAX) this.kept[index] = bits;
    return bits;
  }

  /** Everything lent is free again. */
  takeBack(): void {
    this.lent = 0;
  }
}
