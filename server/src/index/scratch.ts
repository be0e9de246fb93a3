/** The working memory of a search thread. Its searches use it one after the other. */
import { CHUNK_SIZE, CHUNK_WORDS } from './postings.ts';

/** A bit for every record of a segment, and the number of bits set in each chunk. */
export interface SegmentBits {
  readonly words: Uint32Array;
  readonly counts: Uint32Array;
}

/** Bitmaps kept for the next search, more than most searches need; each takes 2 MB at most (`SEGMENT_RECORDS_MAX`). */
const KEPT_BITMAPS_MAX = 8;

export class Scratch {
  /** Members of one chunk, ascending. */
  readonly list = new Uint16Array(CHUNK_SIZE);
  /** Two bitmaps of one chunk. */
  readonly bits = new Uint32Array(CHUNK_WORDS);
  readonly side = new Uint32Array(CHUNK_WORDS);
  private readonly kept: SegmentBits[] = [];
  private lent = 0;

  /** A bitmap of a segment, not cleared; valid until `takeBack`. */
  lendBits(chunks: number): SegmentBits {
    const index = this.lent;
    this.lent += 1;
    const kept = this.kept[index];
    if (kept !== undefined && kept.counts.length >= chunks) return kept;
    const bits = { words: new Uint32Array(chunks * CHUNK_WORDS), counts: new Uint32Array(chunks) };
    if (index < KEPT_BITMAPS_MAX) this.kept[index] = bits;
    return bits;
  }

  /** Makes every lent bitmap available again. */
  takeBack(): void {
    this.lent = 0;
  }
}
