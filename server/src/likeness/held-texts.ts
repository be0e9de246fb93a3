/**
 * Texts of a segment that a search compares, with the records that hold them and satisfy its conditions. The index
 * files the texts of marks and their variants together, as `mark_name` finds them, and variants once more on their own:
 * which of the two a text is of a record follows from that.
 */
import type { HeldAs } from '@tmds/contract/likeness';
import { countTexts, type DictionarySections } from '../index/arrays.ts';
import type { SegmentBits } from '../index/matchers.ts';
import { hasBit } from '../index/postings.ts';
import type { Segment } from '../index/segment.ts';
import { NO_NAME } from './lexicon.ts';

/** The names of a segment: for each text of a dictionary its number in the lexicon. */
export interface SegmentNames {
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
export class MarkTexts extends HeldTexts {
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
