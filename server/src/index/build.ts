/**
 * Builds a segment from records in the order of their changes: a whole segment, or one that can be matched by some of
 * the fields only.
 */
import { FILTER_DATES, type FilterDate } from '@tmds/contract/enums';
import { TERM_FIELD_NAMES, TERM_FIELDS, type TermField } from '../record/terms.ts';
import { appendText, Growing, shareZeros, sortTexts } from './arrays.ts';
import { buildColumn, buildOrder, DaysBuilder, isOrderDate } from './dates.ts';
import {
  type IndexEntry,
  isSearchedInside,
  type MatchedEntry,
  NAME_FAMILIES,
  NAMES_OF,
  type NameFamily,
  NUMBER_FIELDS,
  NUMBERS_OF,
  type NumberField,
} from './entry.ts';
import { CHUNK_SIZE, PostingsBuilder } from './postings.ts';
import { joinKey, mapNames, nameSections, type Sections, type SegmentParts } from './segment.ts';
import { DictionaryBuilder } from './text-table.ts';
import { buildTrigrams } from './trigrams.ts';

type ByField<Name extends string, Value> = Readonly<Record<Name, Value>>;

/** A segment of newly published records. */
export interface BuiltSegment {
  readonly parts: SegmentParts;
  /** The ordinals of records that earlier segments may hold in an older version, sorted by key. */
  readonly replacing: Uint32Array;
}

/** The fields by which the records of a segment can be matched, in addition to the time of their change. */
export type SegmentField = TermField | FilterDate | NameFamily | NumberField;

export class SegmentBuilder {
  records = 0;
  private readonly isWhole: boolean;
  private readonly isReplacing = new Growing(Uint8Array);
  private readonly postings = new PostingsBuilder();
  private readonly termOf: ReadonlyMap<TermField, Map<string, number>>;
  private terms = 0;
  private readonly stamps = new Growing(Float64Array);
  private readonly stampStarts = new Growing(Uint32Array);
  private readonly keyBytes = new Growing(Uint8Array, 1 << 16);
  private readonly keyOffsets = new Growing(Uint32Array);
  private readonly digests = new Growing(Uint32Array);
  private readonly days: ReadonlyMap<FilterDate, DaysBuilder>;
  private readonly names: ReadonlyMap<NameFamily, DictionaryBuilder>;
  private readonly numbers: ReadonlyMap<NumberField, DictionaryBuilder>;

  /**
   * `only`: the fields of a segment that is matched by conditions on these and on times of changes, and read by nothing
   * else. It has no keys, no digests and no trigrams.
   */
  constructor(only: ReadonlySet<SegmentField> | null = null) {
    const isWanted = (field: SegmentField): boolean => only?.has(field) ?? true;
    const mapWanted = <Field extends SegmentField, Value>(fields: readonly Field[], make: () => Value) =>
      new Map(fields.filter(isWanted).map((field) => [field, make()]));
    this.isWhole = only === null;
    this.termOf = mapWanted(TERM_FIELD_NAMES, () => new Map<string, number>());
    this.days = mapWanted(FILTER_DATES, () => new DaysBuilder());
    this.names = mapWanted(NAME_FAMILIES, () => new DictionaryBuilder());
    this.numbers = mapWanted(NUMBER_FIELDS, () => new DictionaryBuilder());
    this.keyOffsets.push(0);
  }

  /** Takes each record once, in the order of (stamp, register, uid). */
  add(entry: IndexEntry): void {
    const { detail, digest } = entry;
    appendText(this.keyBytes, joinKey(detail.jurisdiction_code, detail.uid));
    this.keyOffsets.push(this.keyBytes.length);
    this.digests.push(digest[0]);
    this.digests.push(digest[1]);
    this.isReplacing.push(detail.first_seen_at === detail.updated_at ? 0 : 1);
    this.addMatched(entry);
  }

  /** As `add`, for a segment of some fields, in the order of stamps. */
  addMatched(entry: MatchedEntry): void {
    const ordinal = this.records;
    const { stamp, detail } = entry;
    if (this.stamps.array[this.stamps.length - 1] !== stamp || ordinal === 0) {
      this.stamps.push(stamp);
      this.stampStarts.push(ordinal);
    }
    for (const [field, known] of this.termOf) this.addTerms(known, TERM_FIELDS[field](detail), ordinal);
    for (const [field, days] of this.days) days.add(detail[field]);
    for (const [family, names] of this.names) addTexts(names, NAMES_OF[family](entry), ordinal);
    for (const [field, numbers] of this.numbers) addTexts(numbers, NUMBERS_OF[field](entry), ordinal);
    this.records += 1;
    if (this.records % CHUNK_SIZE === 0) this.postings.closeChunk();
  }

  private addTerms(known: Map<string, number>, values: readonly string[], ordinal: number): void {
    for (let index = 0; index < values.length; index += 1) {
      const value = values[index]!;
      if (values.indexOf(value) < index) continue;
      let term = known.get(value);
      if (term === undefined) {
        term = this.terms;
        this.terms += 1;
        known.set(value, term);
      }
      this.postings.add(term, ordinal);
    }
  }

  /** Do not use the builder again after this. */
  finish(id: string): BuiltSegment {
    const { records } = this;
    if (records % CHUNK_SIZE > 0) this.postings.closeChunk();
    this.stampStarts.push(records);
    const keys = { bytes: this.keyBytes.share(), offsets: this.keyOffsets.share() };
    const sorted = shareZeros(Uint32Array, records);
    for (let ordinal = 0; ordinal < records; ordinal += 1) sorted[ordinal] = ordinal;
    if (this.isWhole) sortTexts(keys, sorted);
    const { terms, postings } = numberTerms(this.termOf, this.postings.finish());
    const sections: Sections = {
      ...nameSections('stamps', { values: this.stamps.share(), starts: this.stampStarts.share() }),
      ...nameSections('keys', { ...keys, sorted }),
      ...nameSections('digests', { words: this.digests.share() }),
      ...nameSections('postings', postings),
      ...Object.assign({}, ...Array.from(this.days, ([field, days]) => finishDates(field, days, sorted))),
      ...this.finishDictionaries(),
    };
    const replacing = sorted.filter((ordinal) => this.isReplacing.array[ordinal] === 1);
    return { parts: { id, records, terms, sections }, replacing };
  }

  private finishDictionaries(): Sections {
    const sections = [
      ...Array.from(this.names, ([family, names]) => {
        const dictionary = names.finish();
        return nameSections(family, {
          ...dictionary,
          ...(this.isWhole && isSearchedInside(family) ? buildTrigrams(dictionary) : {}),
        });
      }),
      ...Array.from(this.numbers, ([field, numbers]) => nameSections(field, numbers.finish())),
    ];
    return Object.assign({}, ...sections);
  }
}

function addTexts(dictionary: DictionaryBuilder, texts: readonly string[], ordinal: number): void {
  for (const text of texts) if (text !== '') dictionary.add(text, ordinal);
}

function finishDates(field: FilterDate, builder: DaysBuilder, byKey: Uint32Array): Sections {
  const { days, numbers } = builder.finish();
  return nameSections(field, isOrderDate(field) ? buildOrder(days, numbers, byKey) : buildColumn(days, numbers));
}

type Postings = ReturnType<PostingsBuilder['finish']>;

/** The builder numbers terms as it meets them; this renumbers them field by field, as a segment needs them. */
function numberTerms(
  termOf: ReadonlyMap<TermField, ReadonlyMap<string, number>>,
  postings: Postings,
): { terms: ByField<TermField, readonly string[]>; postings: Postings } {
  const order = TERM_FIELD_NAMES.flatMap((field) => [...(termOf.get(field)?.values() ?? [])]);
  const chunks = order.length === 0 ? 0 : postings.counts.length / order.length;
  const counts = shareZeros(Uint32Array, postings.counts.length);
  const starts = shareZeros(Uint32Array, postings.starts.length);
  for (const [term, built] of order.entries()) {
    counts.set(postings.counts.subarray(built * chunks, (built + 1) * chunks), term * chunks);
    starts.set(postings.starts.subarray(built * chunks, (built + 1) * chunks), term * chunks);
  }
  const terms = mapNames(TERM_FIELD_NAMES, (field) => [...(termOf.get(field)?.keys() ?? [])]);
  return { terms, postings: { ...postings, counts, starts } };
}
