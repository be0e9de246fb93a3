/**
 * Finds which of some records satisfy conditions, without adding them to the index: they become separate small
 * segments, matched like every other, so a record passes exactly if a search would find it. Several versions of a
 * record may be among them. Each field has a segment, made when a condition first asks for it: most sieves are asked
 * for few of the fields, and an unused field costs nothing.
 */
import type { Instant } from '@tmds/contract/record';
import { microsOf } from '../base/clock.ts';
import type { Condition } from '../plan/search.ts';
import { joinAliases } from '../record/aliases.ts';
import { RenderedContent } from '../record/content.ts';
import { foldNormalName } from '../record/names.ts';
import { readText } from './arrays.ts';
import { SegmentBuilder, type SegmentField } from './build.ts';
import type { NameFamily } from './entry.ts';
import { AS_BITS, SegmentMatches } from './match.ts';
import { NEVER_INTERRUPTED, Scratch } from './matchers.ts';
import { CHUNK_WORDS, setBit } from './postings.ts';
import { Segment } from './segment.ts';

/** A version of a record, as the texts that the database holds. */
export interface RecordText {
  readonly updated_at: Instant;
  readonly detail: string;
  readonly mark_variants: string | null;
}

/** Where the texts are that a register holds of a mark. */
const HELD_FAMILIES = ['mark_name', 'variant', 'pseudo_mark'] as const satisfies readonly NameFamily[];

/** By which fields a condition is matched: none for one on times of changes. */
export function fieldsOf(condition: Condition): readonly SegmentField[] {
  switch (condition.kind) {
    case 'name':
    case 'names':
      return [condition.family];
    case 'held':
      return HELD_FAMILIES;
    case 'number':
      return condition.spelled === undefined ? [condition.field] : [condition.field, 'jurisdiction'];
    case 'numbers':
      return condition.fields;
    case 'changes':
      return [];
    default:
      return [condition.field];
  }
}

/** A name with more aliases is found by its parts. */
const ALIAS_PARTS_MAX = 3;

export class Sieve {
  private readonly records: readonly RecordText[];
  /** Where the record of each ordinal stands among those given. */
  private readonly positions: Uint32Array;
  /** For each field that was asked for, the segment that can be matched by it. All have the same ordinals. */
  private readonly segments = new Map<SegmentField, Segment>();
  private anySegment: Segment | undefined;
  private readonly tools = { scratch: new Scratch(), interruption: NEVER_INTERRUPTED };
  /** The matches of each condition asked for so far, as bits by ordinal; null for none. */
  private readonly known = new Map<Condition, Uint32Array | null>();
  private readonly common: Uint32Array;

  /** Takes some thousand records, in any order. */
  constructor(records: readonly RecordText[]) {
    this.records = records;
    const positionsAt = new Map<Instant, number[]>();
    for (const [position, { updated_at }] of records.entries()) {
      const positions = positionsAt.get(updated_at);
      if (positions === undefined) positionsAt.set(updated_at, [position]);
      else positions.push(position);
    }
    // Canonical instants compare like texts.
    const stamps = [...positionsAt.keys()].sort();
    this.positions = Uint32Array.from(stamps.flatMap((stamp) => positionsAt.get(stamp)!));
    this.common = new Uint32Array(Math.ceil(records.length / 32));
  }

  /**
   * The positions of the records that satisfy all of the conditions, ascending. What matches one condition is kept, so
   * lists that share condition objects are cheap to ask for.
   */
  find(conditions: readonly Condition[]): Uint32Array {
    this.prepare(conditions.flatMap(fieldsOf));
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
    const names = this.segmentOf([family]).names[family];
    return Array.from({ length: names.offsets.length - 1 }, (_, place) => readText(names, place));
  }

  /** Every text that a record holds of its mark. */
  listHeld(): string[] {
    // In one segment, as conditions on them need.
    this.segmentOf(HELD_FAMILIES);
    return [...new Set([...this.listNames('mark_name'), ...this.listNames('pseudo_mark')])];
  }

  /** Names with an alias that successive names of a record may be the parts of, in one spelling (rule I-49). */
  listWholes(field: 'owner_names' | 'representative_names'): string[] {
    const wholes = new Set<string>();
    for (const { detail } of this.records) {
      const names = new RenderedContent(detail)[field]?.map(foldNormalName) ?? [];
      for (let parts = 2; parts <= ALIAS_PARTS_MAX; parts += 1) {
        for (let at = 0; at + parts <= names.length; at += 1) wholes.add(joinAliases(names.slice(at, at + parts)));
      }
    }
    return [...wholes];
  }

  /** Makes what fields are matched by at once, which is faster than one after the other when `find` needs them. */
  prepare(fields: readonly SegmentField[]): void {
    const missing = fields.filter((field) => !this.segments.has(field));
    if (missing.length > 0) this.makeSegment(new Set(missing));
  }

  private segmentOf(fields: readonly SegmentField[]): Segment {
    const segment = fields.length === 0 ? this.anySegment : this.segments.get(fields[0]!);
    const isReady = fields.every((field) => this.segments.get(field) === segment);
    return segment !== undefined && isReady ? segment : this.makeSegment(new Set(fields));
  }

  private makeSegment(fields: ReadonlySet<SegmentField>): Segment {
    const builder = new SegmentBuilder(fields);
    let instant: Instant | null = null;
    let stamp = 0;
    for (const position of this.positions) {
      const { updated_at, detail, mark_variants: markVariants } = this.records[position]!;
      if (updated_at !== instant) stamp = microsOf(updated_at);
      instant = updated_at;
      builder.addMatched({ stamp, detail: new RenderedContent(detail), markVariants });
    }
    const segment = new Segment(builder.finish('').parts);
    for (const field of fields) this.segments.set(field, segment);
    this.anySegment = segment;
    return segment;
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
    const segment = this.segmentOf(fieldsOf(condition));
    const matches = SegmentMatches.open({ segment, dead: null }, [condition], this.tools);
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
