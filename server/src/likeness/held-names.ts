/**
 * The names of a view of the index: which name of the lexicon each text of a segment is, and which names a record holds
 * that satisfies the conditions of a search. Segments whose texts are known from others are read without spelling them
 * again, so a merge costs little. The index files the texts of marks and their variants together, as `mark_name` finds
 * them, and variants once more on their own: which of the two a text is of a record follows from that.
 */
import type { HeldAs } from '@tmds/contract/likeness';
import { compareTexts, countTexts, type DictionarySections, readText, type Texts } from '../index/arrays.ts';
import { SegmentMatches } from '../index/match.ts';
import type { Interruption, SearchTools, SegmentBits } from '../index/matchers.ts';
import { fillBits } from '../index/page.ts';
import { hasBit } from '../index/postings.ts';
import type { Segment, View } from '../index/segment.ts';
import type { Condition } from '../plan/search.ts';
import { spellName } from '../record/spelling.ts';
import { Lexicon, NO_NAME } from './lexicon.ts';
import type { WordCounts } from './query.ts';

/** Texts read between two checks: a few milliseconds of work. */
const TEXTS_AT_ONCE = 4_096;
/** The lexicon is made again once this share of its names may be held by no record. */
const STALE_SHARE = 0.5;
/** A lexicon with fewer names is kept. */
const STALE_NAMES_MIN = 10_000;

interface Held {
  readonly parts: readonly HeldTexts[];
  readonly names: Uint8Array;
}

/** Which records hold which texts. */
interface Holding {
  readonly conditions: readonly Condition[];
  readonly heldAs: readonly HeldAs[];
}

const NO_TEXTS = new Uint32Array(0);

export class NamesOfView {
  lexicon = new Lexicon();
  private segments: SegmentNames[] = [];
  private held = new Uint8Array(0);
  private counted: { readonly key: string; readonly counts: WordCounts } | null = null;

  /** Reads the names of segments that are new, and forgets those of segments that are gone. */
  adopt(view: View, interruption: Interruption): void {
    const known = new Map(this.segments.map((each) => [each.segment.parts.id, each]));
    const fresh: SegmentNames[] = [];
    for (const { segment } of view.parts) {
      fresh.push(known.get(segment.parts.id) ?? this.readSegment(segment, interruption));
    }
    this.segments = fresh;
    this.counted = null;
    this.lexicon.weigh();
    const texts = fresh.reduce((sum, { marks, pseudoMarks }) => sum + marks.length + pseudoMarks.length, 0);
    if (this.lexicon.nameCount > STALE_NAMES_MIN && texts < this.lexicon.nameCount * (1 - STALE_SHARE)) {
      this.lexicon = new Lexicon();
      this.segments = [];
      this.adopt(view, interruption);
    }
  }

  private readSegment(segment: Segment, interruption: Interruption): SegmentNames {
    const { mark_name, variant, pseudo_mark } = segment.names;
    const marks = this.readNames(mark_name, interruption);
    const pseudoMarks = this.readNames(pseudo_mark, interruption);
    return { segment, marks, pseudoMarks, variants: findPlaces(variant, mark_name) };
  }

  private readNames(texts: DictionarySections, interruption: Interruption): Uint32Array {
    const names = new Uint32Array(countTexts(texts));
    if (names.length === 0) return NO_TEXTS;
    const others = this.segments.flatMap(({ segment, marks, pseudoMarks }) => [
      new KnownTexts(segment.names.mark_name, marks),
      new KnownTexts(segment.names.pseudo_mark, pseudoMarks),
    ]);
    const known = others.filter(({ count }) => count > 0);
    for (let text = 0; text < names.length; text += 1) {
      if (text % TEXTS_AT_ONCE === 0) interruption.check();
      let name: number | null = null;
      for (const other of known) name ??= other.find(texts, text);
      names[text] = name ?? this.lexicon.add(spellName(readText(texts, text)));
    }
    return names;
  }

  /**
   * The names that records satisfying the conditions hold in any of these ways. Valid until the next call and until
   * `scratch.takeBack`.
   */
  findHeld(view: View, { conditions, heldAs }: Holding, tools: SearchTools): Held {
    const count = this.lexicon.nameCount;
    if (this.held.length < count) this.held = new Uint8Array(Math.ceil(count * 1.1));
    else this.held.fill(0);
    const parts: HeldTexts[] = [];
    tools.scratch.takeBack();
    for (const [index, part] of view.parts.entries()) {
      tools.interruption.check();
      const matches = SegmentMatches.open(part, conditions, tools);
      if (matches === null) continue;
      let bits: SegmentBits | null = null;
      if (!matches.isWhole) {
        bits = tools.scratch.lendBits(part.segment.chunks);
        fillBits(matches, bits.words, bits.counts, tools);
      }
      for (const texts of listHeldTexts(this.segments[index]!, heldAs, bits)) {
        texts.note(this.held);
        parts.push(texts);
      }
    }
    return { parts, names: this.held };
  }

  /** How often words occur among the names of records that satisfy the conditions; kept for the next search. */
  countWords(view: View, holding: Holding, tools: SearchTools): WordCounts {
    const key = JSON.stringify(holding);
    if (this.counted?.key !== key) {
      this.counted = { key, counts: this.lexicon.countWords(this.findHeld(view, holding, tools).names) };
    }
    return this.counted.counts;
  }

  /** Bytes of memory, without what a search needs. */
  get size(): number {
    const sizes = this.segments.flatMap(({ marks, pseudoMarks, variants }) => [marks, pseudoMarks, variants]);
    return sizes.reduce((sum, { byteLength }) => sum + byteLength, this.lexicon.size);
  }
}

function listHeldTexts(names: SegmentNames, heldAs: readonly HeldAs[], bits: SegmentBits | null): HeldTexts[] {
  const { mark_name, pseudo_mark } = names.segment.names;
  const parts: HeldTexts[] = [];
  const [mark, variant] = [heldAs.includes('mark'), heldAs.includes('variant')];
  if (mark || variant) parts.push(new MarkTexts(names, mark_name, names.marks, { bits, mark, variant }));
  if (heldAs.includes('pseudo_mark')) parts.push(new HeldTexts(names, pseudo_mark, names.pseudoMarks, { bits }));
  return parts;
}

/** The place of each text among others, which have them all. */
function findPlaces(texts: Texts, others: Texts): Uint32Array {
  const count = countTexts(texts);
  const known = new KnownTexts(others, null);
  return Uint32Array.from({ length: count }, (_, text) => known.find(texts, text)!);
}

/** Texts that have been read, walked in their order. */
class KnownTexts {
  readonly count: number;
  private readonly own: Texts;
  private readonly names: Uint32Array | null;
  private at = 0;

  /** `names`: of each text; null: its place. */
  constructor(own: Texts, names: Uint32Array | null) {
    this.own = own;
    this.names = names;
    this.count = countTexts(own);
  }

  /** The name of text `text` of others; null if it is not there. Texts come in their order. */
  find(texts: Texts, text: number): number | null {
    const { own, count } = this;
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
    if (low === count || compareTexts(own, low, texts, text) !== 0) return null;
    return this.names === null ? low : this.names[low]!;
  }
}

/** The names of a segment: for each text of a dictionary its number in the lexicon. */
interface SegmentNames {
  readonly segment: Segment;
  /** Of the texts of marks and variants. */
  readonly marks: Uint32Array;
  readonly pseudoMarks: Uint32Array;
  /** The place of each variant among the texts of marks and variants. */
  readonly variants: Uint32Array;
}

/** Pseudo marks. */
export class HeldTexts {
  readonly segment: Segment;
  readonly texts: DictionarySections;
  readonly names: Uint32Array;
  /** The records that satisfy the conditions; null: all of them. */
  private readonly bits: SegmentBits | null;

  constructor(
    { segment }: SegmentNames,
    texts: DictionarySections,
    names: Uint32Array,
    { bits }: { readonly bits: SegmentBits | null },
  ) {
    this.segment = segment;
    this.texts = texts;
    this.names = names;
    this.bits = bits;
  }

  /** Marks the names with 1 that a record holds. */
  note(held: Uint8Array): void {
    const { names } = this;
    if (this.bits === null && this.isAll) {
      for (const name of names) if (name !== NO_NAME) held[name] = 1;
      return;
    }
    const count = countTexts(this.texts);
    for (let text = 0; text < count; text += 1) {
      const name = names[text]!;
      if (name !== NO_NAME && held[name] !== 1 && this.isHeld(text)) held[name] = 1;
    }
  }

  private isHeld(text: number): boolean {
    const { ordinals, ordinalStarts } = this.texts;
    const end = ordinalStarts[text + 1]!;
    for (let at = ordinalStarts[text]!; at < end; at += 1) {
      if (this.isMatched(ordinals[at]!) && (this.isAll || this.heldAsOf(text, ordinals[at]!) !== null)) return true;
    }
    return false;
  }

  /** The records that hold a text, each once, with what it is of their marks. */
  *listRecords(text: number): Generator<{ readonly ordinal: number; readonly heldAs: HeldAs }> {
    const { ordinals, ordinalStarts } = this.texts;
    let last = -1;
    for (let at = ordinalStarts[text]!; at < ordinalStarts[text + 1]!; at += 1) {
      const ordinal = ordinals[at]!;
      if (ordinal === last || !this.isMatched(ordinal)) continue;
      last = ordinal;
      const heldAs = this.heldAsOf(text, ordinal);
      if (heldAs !== null) yield { ordinal, heldAs };
    }
  }

  private isMatched(ordinal: number): boolean {
    return this.bits === null || hasBit(this.bits.words, 0, ordinal);
  }

  /** Whether every text is compared of every record that holds it. */
  protected get isAll(): boolean {
    return true;
  }

  /** What a text is of the mark of a record that holds it; null if it is not compared as that. */
  protected heldAsOf(_text: number, _ordinal: number): HeldAs | null {
    return 'pseudo_mark';
  }
}

/** Texts of marks, variants, or both. */
class MarkTexts extends HeldTexts {
  private readonly mark: boolean;
  private readonly variant: boolean;
  private readonly places: Uint32Array;
  /** The place of the variant that was asked for last, or where it would be. */
  private at = 0;

  constructor(
    names: SegmentNames,
    texts: DictionarySections,
    numbers: Uint32Array,
    chosen: { readonly bits: SegmentBits | null; readonly mark: boolean; readonly variant: boolean },
  ) {
    super(names, texts, numbers, chosen);
    this.mark = chosen.mark;
    this.variant = chosen.variant;
    this.places = names.variants;
  }

  protected override get isAll(): boolean {
    return this.mark && this.variant;
  }

  protected override heldAsOf(text: number, ordinal: number): HeldAs | null {
    if (this.isVariant(text, ordinal)) return this.variant ? 'variant' : null;
    return this.mark ? 'mark' : null;
  }

  /** Texts are asked for in their order. */
  private isVariant(text: number, ordinal: number): boolean {
    const { places } = this;
    if (this.at > 0 && places[this.at - 1]! >= text) this.at = 0;
    while (this.at < places.length && places[this.at]! < text) this.at += 1;
    if (places[this.at] !== text) return false;
    const { ordinals, ordinalStarts } = this.segment.names.variant;
    return ordinals.subarray(ordinalStarts[this.at], ordinalStarts[this.at + 1]).includes(ordinal);
  }
}
