/** Builds a segment from records in the order of their changes. */
import { FILTER_DATES, type FilterDate } from '@tmds/contract/enums';
import { TERM_FIELD_NAMES, TERM_FIELDS, type TermField } from '../record/terms.ts';
import { Growing, shareZeros } from './arrays.ts';
import { buildColumn, buildOrder, DaysBuilder, isOrderDate } from './dates.ts';
import { DictionaryBuilder } from './dictionary.ts';
import {
  type IndexEntry,
  NAME_FAMILIES,
  NAMES_OF,
  type NameFamily,
  NUMBER_FIELDS,
  NUMBERS_OF,
  type NumberField,
} from './entry.ts';
import { CHUNK_SIZE, PostingsBuilder } from './postings.ts';
import { joinKey, mapNames, nameSections, type Sections, type SegmentParts } from './segment.ts';
import { appendText, sortTexts } from './texts.ts';
import { buildTrigrams } from './trigrams.ts';

type ByField<Name extends string, Value> = Readonly<Record<Name, Value>>;

/** A segment of newly published records. */
export interface BuiltSegment {
  readonly parts: SegmentParts;
  /** The ordinals of records that earlier segments may hold in an older version, sorted by key. */
  readonly replacing: Uint32Array;
}

export class SegmentBuilder {
  records = 0;
  private readonly isReplacing = new Growing(Uint8Array);
  private readonly postings = new PostingsBuilder();
  private readonly termOf = new Map(TERM_FIELD_NAMES.map((field) => [field, new Map<string, number>()]));
  private terms = 0;
  private readonly stamps = new Growing(Float64Array);
  private readonly stampStarts = new Growing(Uint32Array);
  private readonly keyBytes = new Growing(Uint8Array, 1 << 16);
  private readonly keyOffsets = new Growing(Uint32Array);
  private readonly digests = new Growing(Uint32Array);
  private readonly days = mapNames(FILTER_DATES, () => new DaysBuilder());
  private readonly names = mapNames(NAME_FAMILIES, () => new DictionaryBuilder());
  private readonly numbers = mapNames(NUMBER_FIELDS, () => new DictionaryBuilder());

  constructor() {
    this.keyOffsets.push(0);
  }

  /** Takes each record once, in the order of (stamp, register, uid). */
  add(entry: IndexEntry): void {
    const ordinal = this.records;
    const { stamp, detail, digest } = entry;
    if (this.stamps.array[this.stamps.length - 1] !== stamp || ordinal === 0) {
      this.stamps.push(stamp);
      this.stampStarts.push(ordinal);
    }
    appendText(this.keyBytes, joinKey(detail.jurisdiction_code, detail.uid));
    this.keyOffsets.push(this.keyBytes.length);
    this.digests.push(digest[0]);
    this.digests.push(digest[1]);
    this.isReplacing.push(detail.first_seen_at === detail.updated_at ? 0 : 1);
    for (const field of TERM_FIELD_NAMES) this.addTerms(field, TERM_FIELDS[field](detail), ordinal);
    for (const field of FILTER_DATES) this.days[field].add(detail[field]);
    for (const family of NAME_FAMILIES) addTexts(this.names[family], NAMES_OF[family](entry), ordinal);
    for (const field of NUMBER_FIELDS) addTexts(this.numbers[field], NUMBERS_OF[field](entry), ordinal);
    this.records += 1;
    if (this.records % CHUNK_SIZE === 0) this.postings.closeChunk();
  }

  private addTerms(field: TermField, values: readonly string[], ordinal: number): void {
    const known = this.termOf.get(field)!;
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
    sortTexts(keys, sorted);
    const { terms, postings } = numberTerms(this.termOf, this.postings.finish());
    const sections: Sections = {
      ...nameSections('stamps', { values: this.stamps.share(), starts: this.stampStarts.share() }),
      ...nameSections('keys', { ...keys, sorted }),
      ...nameSections('digests', { words: this.digests.share() }),
      ...nameSections('postings', postings),
      ...Object.assign({}, ...FILTER_DATES.map((field) => finishDates(field, this.days[field], sorted))),
      ...finishDictionaries(this.names, this.numbers),
    };
    const replacing = sorted.filter((ordinal) => this.isReplacing.array[ordinal] === 1);
    return { parts: { id, records, terms, sections }, replacing };
  }
}

function addTexts(dictionary: DictionaryBuilder, texts: readonly string[], ordinal: number): void {
  for (const text of texts) if (text !== '') dictionary.add(text, ordinal);
}

function finishDates(field: FilterDate, builder: DaysBuilder, byKey: Uint32Array): Sections {
  const { days, numbers } = builder.finish();
  return nameSections(field, isOrderDate(field) ? buildOrder(days, numbers, byKey) : buildColumn(days, numbers));
}

function finishDictionaries(
  names: ByField<NameFamily, DictionaryBuilder>,
  numbers: ByField<NumberField, DictionaryBuilder>,
): Sections {
  const sections = [
    ...NAME_FAMILIES.map((family) => {
      const dictionary = names[family].finish();
      return nameSections(family, { ...dictionary, ...buildTrigrams(dictionary) });
    }),
    ...NUMBER_FIELDS.map((field) => nameSections(field, numbers[field].finish())),
  ];
  return Object.assign({}, ...sections);
}

type Postings = ReturnType<PostingsBuilder['finish']>;

/** The builder numbers terms as it meets them; this renumbers them field by field, as a segment needs them. */
function numberTerms(
  termOf: ReadonlyMap<TermField, ReadonlyMap<string, number>>,
  postings: Postings,
): { terms: ByField<TermField, readonly string[]>; postings: Postings } {
  const order = TERM_FIELD_NAMES.flatMap((field) => [...termOf.get(field)!.values()]);
  const chunks = order.length === 0 ? 0 : postings.counts.length / order.length;
  const counts = shareZeros(Uint32Array, postings.counts.length);
  const starts = shareZeros(Uint32Array, postings.starts.length);
  for (const [term, built] of order.entries()) {
    counts.set(postings.counts.subarray(built * chunks, (built + 1) * chunks), term * chunks);
    starts.set(postings.starts.subarray(built * chunks, (built + 1) * chunks), term * chunks);
  }
  const terms = mapNames(TERM_FIELD_NAMES, (field) => [...termOf.get(field)!.keys()]);
  return { terms, postings: { ...postings, counts, starts } };
}
