/**
 * The names of a view of the index: which name of the lexicon each text of a segment is, and which names a record holds
 * that satisfies the conditions of a search. Segments whose texts are known from others are read without spelling them
 * again, so a merge costs little.
 */
import type { Interruption } from '../index/interruption.ts';
import { SegmentMatches } from '../index/match.ts';
import type { SearchTools } from '../index/matchers.ts';
import { fillBits } from '../index/page.ts';
import { hasBit } from '../index/postings.ts';
import type { SegmentBits } from '../index/scratch.ts';
import type { Segment } from '../index/segment.ts';
import { compareTexts, readText } from '../index/texts.ts';
import type { View, ViewPart } from '../index/view.ts';
import type { Condition } from '../plan/search.ts';
import { spellName } from '../record/spelling.ts';
import { Lexicon, NO_NAME } from './lexicon.ts';

/** Texts read between two checks: a few milliseconds of work. */
const TEXTS_AT_ONCE = 4_096;
/** The lexicon is made again once this share of its names may be held by no record. */
const STALE_SHARE = 0.5;
/** A lexicon with fewer names is kept. */
const STALE_NAMES_MIN = 10_000;

/** The names of a segment. */
interface SegmentNames {
  readonly segment: Segment;
  /** The name of each text of the dictionary of marks. */
  readonly names: Uint32Array;
}

/** A part of a view with the records that satisfy the conditions; null: all of them. */
export interface MatchedPart {
  readonly part: ViewPart;
  readonly names: Uint32Array;
  readonly bits: SegmentBits | null;
}

export interface Held {
  readonly parts: readonly MatchedPart[];
  readonly names: Uint8Array;
}

export class NamesOfView {
  lexicon = new Lexicon();
  private segments: SegmentNames[] = [];
  private held = new Uint8Array(0);

  /** Reads the names of segments that are new, and forgets those of segments that are gone. */
  adopt(view: View, interruption: Interruption): void {
    const known = new Map(this.segments.map((each) => [each.segment.parts.id, each]));
    const fresh: SegmentNames[] = [];
    for (const { segment } of view.parts) {
      const names = known.get(segment.parts.id) ?? { segment, names: this.readNames(segment, interruption) };
      fresh.push(names);
    }
    this.segments = fresh;
    this.lexicon.weigh();
    const texts = fresh.reduce((sum, { names }) => sum + names.length, 0);
    if (this.lexicon.nameCount > STALE_NAMES_MIN && texts < this.lexicon.nameCount * (1 - STALE_SHARE)) {
      this.lexicon = new Lexicon();
      this.segments = [];
      this.adopt(view, interruption);
    }
  }

  private readNames(segment: Segment, interruption: Interruption): Uint32Array {
    const texts = segment.names.mark_name;
    const names = new Uint32Array(texts.offsets.length - 1);
    const others = this.segments.map((each) => new KnownTexts(each));
    for (let text = 0; text < names.length; text += 1) {
      if (text % TEXTS_AT_ONCE === 0) interruption.check();
      let name: number | null = null;
      for (const other of others) name ??= other.find(segment, text);
      names[text] = name ?? this.lexicon.add(spellName(readText(texts, text)));
    }
    return names;
  }

  /** The names that records satisfying the conditions hold. Valid until the next call and until `scratch.takeBack`. */
  findHeld(view: View, conditions: readonly Condition[], tools: SearchTools): Held {
    const count = this.lexicon.nameCount;
    if (this.held.length < count) this.held = new Uint8Array(Math.ceil(count * 1.1));
    else this.held.fill(0);
    const parts: MatchedPart[] = [];
    tools.scratch.takeBack();
    for (const [index, part] of view.parts.entries()) {
      tools.interruption.check();
      const { names } = this.segments[index]!;
      const matches = SegmentMatches.open(part, conditions, tools);
      if (matches === null) continue;
      if (matches.isWhole) {
        for (const name of names) if (name !== NO_NAME) this.held[name] = 1;
        parts.push({ part, names, bits: null });
        continue;
      }
      const bits = tools.scratch.lendBits(part.segment.chunks);
      fillBits(matches, bits.words, bits.counts, tools);
      this.note(part.segment, names, bits);
      parts.push({ part, names, bits });
    }
    return { parts, names: this.held };
  }

  private note({ names: { mark_name } }: Segment, names: Uint32Array, { words }: SegmentBits): void {
    const { ordinals, ordinalStarts } = mark_name;
    for (let text = 0; text < names.length; text += 1) {
      const name = names[text]!;
      if (name === NO_NAME || this.held[name] === 1) continue;
      const end = ordinalStarts[text + 1]!;
      for (let at = ordinalStarts[text]!; at < end; at += 1) {
        if (!hasBit(words, 0, ordinals[at]!)) continue;
        this.held[name] = 1;
        break;
      }
    }
  }

  /** Bytes of memory, without what a search needs. */
  get size(): number {
    return this.segments.reduce((sum, { names }) => sum + names.byteLength, this.lexicon.size);
  }
}

/** The texts of a segment that has been read, walked in their order. */
class KnownTexts {
  private readonly known: SegmentNames;
  private at = 0;

  constructor(known: SegmentNames) {
    this.known = known;
  }

  /** The name of text `text` of another segment; null if it is not there. Texts come in their order. */
  find(segment: Segment, text: number): number | null {
    const own = this.known.segment.names.mark_name;
    const texts = segment.names.mark_name;
    const count = this.known.names.length;
    const isBefore = (at: number): boolean => compareTexts(own, at, texts, text) < 0;
    // Leaps that double, then bisection: a short list of texts does not walk along a long one.
    let low = this.at;
    let leap = 1;
    while (low + leap < count && isBefore(low + leap)) {
      low += leap;
      leap *= 2;
    }
    let high = Math.min(count, low + leap + 1);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBefore(middle)) low = middle + 1;
      else high = middle;
    }
    this.at = low;
    return low < count && compareTexts(own, low, texts, text) === 0 ? this.known.names[low]! : null;
  }
}
