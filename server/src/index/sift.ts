/**
 * Tells which of some records satisfy conditions, without adding them to the index: they become a small segment of
 * their own, matched like every other, so a record passes exactly if a search would find it. Several versions of a
 * record may be among them.
 */
import type { Instant, TrademarkDetail } from '@tmds/contract/record';
import type { Condition } from '../plan/search.ts';
import { SegmentBuilder } from './build.ts';
import type { NameFamily } from './entry.ts';
import { microsOf } from './instants.ts';
import { NEVER_INTERRUPTED } from './interruption.ts';
import { AS_BITS, SegmentMatches } from './match.ts';
import { CHUNK_WORDS, setBit } from './postings.ts';
import { Scratch } from './scratch.ts';
import { Segment } from './segment.ts';
import { readText } from './texts.ts';

/** A version of a record, as the texts that the database holds. */
export interface RecordText {
  readonly updated_at: Instant;
  readonly detail: string;
  readonly mark_variants: string | null;
}

export class Sieve {
  private readonly segment: Segment;
  /** Where the record of each ordinal stands among those given. */
  private readonly positions: Uint32Array;
  private readonly tools = { scratch: new Scratch(), interruption: NEVER_INTERRUPTED };
  /** The matches of each condition asked for so far, as bits by ordinal; null for none. */
  private readonly known = new Map<Condition, Uint32Array | null>();
  private readonly common: Uint32Array;

  /** Takes some thousand records, in any order. */
  constructor(records: readonly RecordText[]) {
    const stamps = Float64Array.from(records, ({ updated_at }) => microsOf(updated_at));
    this.positions = Uint32Array.from(records.keys()).sort((one, other) => stamps[one]! - stamps[other]!);
    const builder = new SegmentBuilder();
    for (const position of this.positions) {
      const { detail, mark_variants: markVariants } = records[position]!;
      builder.add({
        stamp: stamps[position]!,
        detail: JSON.parse(detail) as TrademarkDetail,
        markVariants,
        digest: [0, 0],
      });
    }
    this.segment = new Segment(builder.finish('').parts);
    this.common = new Uint32Array(Math.ceil(records.length / 32));
  }

  /**
   * The positions of the records that satisfy all of the conditions, ascending. What matches one condition is kept, so
   * lists that share condition objects are cheap to ask for.
   */
  find(conditions: readonly Condition[]): Uint32Array {
    const { common } = this;
    common.fill(0xffffffff);
    for (const condition of conditions) {
      const matching = this.matchesOf(condition);
      if (matching === null) return new Uint32Array(0);
      for (let word = 0; word < common.length; word += 1) common[word]! &= matching[word]!;
    }
    const found: number[] = [];
    for (let word = 0; word < common.length; word += 1) {
      for (let bits = common[word]!; bits !== 0; bits &= bits - 1) {
        const ordinal = word * 32 + 31 - Math.clz32(bits & -bits);
        if (ordinal < this.positions.length) found.push(this.positions[ordinal]!);
      }
    }
    return Uint32Array.from(found).sort();
  }

  /** The distinct names of the records, in compared form. */
  listNames(family: NameFamily): string[] {
    const names = this.segment.names[family];
    return Array.from({ length: names.offsets.length - 1 }, (_, place) => readText(names, place));
  }

  private matchesOf(condition: Condition): Uint32Array | null {
    let matching = this.known.get(condition);
    if (matching === undefined) {
      matching = this.match(condition);
      this.known.set(condition, matching);
    }
    return matching;
  }

  private match(condition: Condition): Uint32Array | null {
    const { scratch } = this.tools;
    scratch.takeBack();
    const matches = SegmentMatches.open({ segment: this.segment, dead: null }, [condition], this.tools);
    if (matches === null) return null;
    const bits = new Uint32Array(this.common.length);
    let isEmpty = true;
    for (let chunk = matches.chunks.from; chunk < matches.chunks.to; chunk += 1) {
      const base = chunk * CHUNK_WORDS;
      const size = matches.evaluate(chunk, scratch.bits, 0);
      if (size === AS_BITS) bits.set(scratch.bits.subarray(0, Math.min(CHUNK_WORDS, bits.length - base)), base);
      else for (let at = 0; at < size; at += 1) setBit(bits, base, scratch.list[at]!);
      if (size !== 0) isEmpty = false;
    }
    return isEmpty ? null : bits;
  }
}
