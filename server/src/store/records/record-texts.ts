/**
 * Texts of records that recent pages of searches had. A text belongs to a version, and never changes; the reader has to
 * know whether the version is still the current one (docs/search.md).
 * Invariant: memory is bounded for any size of text.
 */
import type { Instant } from '@tmds/contract/record';
import { LRUCache } from 'lru-cache';

/** A record as the index knows it. */
export interface ListedRecord {
  readonly jurisdiction_code: string;
  readonly uid: string;
  readonly updated_at: Instant;
}

/**
 * Some 50,000 records. Among a million records, random searches then find 52 % of their rows kept; 30 % with a quarter
 * of it, 60 % with three times as much (docs/search.md).
 */
const BYTES_MAX = 64 * 1024 * 1024;
/** The memory of a text in addition to its own bytes: its key, its buffer, its place. */
const BESIDE_BYTES = 400;

interface Held {
  readonly updated_at: string;
  readonly text: Buffer;
}

export class RecordTexts {
  private readonly held: LRUCache<string, Held>;

  constructor(bytesMax: number = BYTES_MAX) {
    this.held = new LRUCache({ maxSize: bytesMax, sizeCalculation: ({ text }) => text.length + BESIDE_BYTES });
  }

  /** The text of exactly this version. */
  find(record: ListedRecord): Buffer | undefined {
    const held = this.held.get(keyOf(record));
    return held?.updated_at === record.updated_at ? held.text : undefined;
  }

  keep(record: ListedRecord, text: Buffer): void {
    this.held.set(keyOf(record), { updated_at: record.updated_at, text });
  }
}

function keyOf({ jurisdiction_code, uid }: ListedRecord): string {
  return `${jurisdiction_code}\0${uid}`;
}
