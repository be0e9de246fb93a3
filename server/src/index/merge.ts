/**
 * Merges segments into one, from their arrays alone. Dead records are dropped; the others keep their order and are
 * numbered without gaps.
 */
import { FILTER_DATES, type FilterDate } from '@tmds/contract/enums';
import { TERM_FIELD_NAMES } from '../record/terms.ts';
import {
  compareTexts,
  countTexts,
  type DictionarySections,
  Growing,
  lowerBound,
  shareCopy,
  shareZeros,
  type Texts,
} from './arrays.ts';
import { buildColumn, buildOrder, type DayNumbers, isOrderDate, numberArray, type OrderSections } from './dates.ts';
import { isSearchedInside, NAME_FAMILIES, NUMBER_FIELDS } from './entry.ts';
import { ARRAY_MAX, CHUNK_BITS, CHUNK_WORDS, countChunks, hasBit, packMembers, shareMembers } from './postings.ts';
import {
  countLiving,
  mapNames,
  nameSections,
  type Sections,
  type Segment,
  type SegmentParts,
  type ViewPart,
} from './segment.ts';
import { buildTrigrams } from './trigrams.ts';

/** The new ordinal of a record that is not in the result. */
const DROPPED = 0xffffffff;

interface Input {
  readonly segment: Segment;
  /** The new ordinal of each record, or `DROPPED`. */
  readonly ordinals: Uint32Array;
}

/** Takes parts in the order of changes with at most `SEGMENT_RECORDS_MAX` living records in all. */
export function mergeSegments(parts: readonly ViewPart[], id: string): SegmentParts {
  const records = parts.reduce((sum, part) => sum + countLiving(part), 0);
  const inputs = numberRecords(parts);
  const keys = mergeKeys(inputs, records);
  const sorted = mergeByKey(inputs, keys);
  const postings = mergePostings(inputs, records);
  const sections: Sections[] = [
    nameSections('stamps', mergeStamps(inputs, records)),
    nameSections('keys', { ...keys, sorted }),
    nameSections('digests', { words: mergeDigests(inputs, records) }),
    nameSections('postings', postings.sections),
    ...FILTER_DATES.map((field) => mergeDates(field, inputs, sorted)),
    ...NAME_FAMILIES.map((family) => {
      const dictionary = mergeDictionaries(inputs, (segment) => segment.names[family]);
      return nameSections(family, { ...dictionary, ...(isSearchedInside(family) ? buildTrigrams(dictionary) : {}) });
    }),
    ...NUMBER_FIELDS.map((field) =>
      nameSections(
        field,
        mergeDictionaries(inputs, (segment) => segment.numbers[field]),
      ),
    ),
  ];
  return { id, records, terms: postings.terms, sections: Object.assign({}, ...sections) };
}

function numberRecords(parts: readonly ViewPart[]): Input[] {
  let next = 0;
  return parts.map(({ segment, dead }) => {
    const ordinals = new Uint32Array(segment.records);
    for (let ordinal = 0; ordinal < segment.records; ordinal += 1) {
      ordinals[ordinal] = dead !== null && hasBit(dead.words, 0, ordinal) ? DROPPED : next++;
    }
    return { segment, ordinals };
  });
}

function mergeStamps(inputs: readonly Input[], records: number): { values: Float64Array; starts: Uint32Array } {
  const values = new Growing(Float64Array);
  const starts = new Growing(Uint32Array);
  for (const { segment, ordinals } of inputs) {
    const { stamps, stampStarts } = segment;
    for (let index = 0; index < stamps.length; index += 1) {
      let ordinal = stampStarts[index]!;
      while (ordinal < stampStarts[index + 1]! && ordinals[ordinal] === DROPPED) ordinal += 1;
      if (ordinal === stampStarts[index + 1]) continue;
      values.push(stamps[index]!);
      starts.push(ordinals[ordinal]!);
    }
  }
  starts.push(records);
  return { values: values.share(), starts: starts.share() };
}

function mergeKeys(inputs: readonly Input[], records: number): Texts {
  const bytes = new Growing(Uint8Array, 1 << 16);
  const offsets = shareZeros(Uint32Array, records + 1);
  let record = 0;
  for (const { segment, ordinals } of inputs) {
    for (let ordinal = 0; ordinal < ordinals.length; ordinal += 1) {
      if (ordinals[ordinal] === DROPPED) continue;
      appendTextOf(bytes, segment.keys, ordinal);
      record += 1;
      offsets[record] = bytes.length;
    }
  }
  return { bytes: bytes.share(), offsets };
}

function appendTextOf(to: Growing<Uint8Array>, { bytes, offsets }: Texts, at: number): void {
  const from = offsets[at]!;
  const length = offsets[at + 1]! - from;
  to.reserve(length);
  // Texts are short: a loop is cheaper than creating a subarray.
  for (let index = 0; index < length; index += 1) to.array[to.length + index] = bytes[from + index]!;
  to.length += length;
}

/** The new ordinals, sorted by key: merges the orders of the inputs in pairs. */
function mergeByKey(inputs: readonly Input[], keys: Texts): Uint32Array {
  let orders: Uint32Array[] = inputs.map(({ segment, ordinals }) => {
    const order = new Uint32Array(segment.records);
    let size = 0;
    for (const ordinal of segment.byKey) if (ordinals[ordinal] !== DROPPED) order[size++] = ordinals[ordinal]!;
    return order.subarray(0, size);
  });
  while (orders.length > 1) {
    orders = Array.from({ length: Math.ceil(orders.length / 2) }, (_, pair) => {
      const [one, other] = [orders[pair * 2]!, orders[pair * 2 + 1]];
      return other === undefined ? one : mergeOrders(one, other, keys);
    });
  }
  const merged = shareZeros(Uint32Array, orders[0]?.length ?? 0);
  merged.set(orders[0] ?? []);
  return merged;
}

function mergeOrders(one: Uint32Array, other: Uint32Array, keys: Texts): Uint32Array {
  const merged = new Uint32Array(one.length + other.length);
  let first = 0;
  let second = 0;
  for (let at = 0; at < merged.length; at += 1) {
    const takesFirst =
      second === other.length || (first < one.length && compareTexts(keys, one[first]!, keys, other[second]!) < 0);
    merged[at] = takesFirst ? one[first++]! : other[second++]!;
  }
  return merged;
}

function mergeDigests(inputs: readonly Input[], records: number): Uint32Array {
  const words = shareZeros(Uint32Array, records * 2);
  for (const { segment, ordinals } of inputs) {
    for (let ordinal = 0; ordinal < ordinals.length; ordinal += 1) {
      const to = ordinals[ordinal]!;
      if (to === DROPPED) continue;
      words[to * 2] = segment.digests[ordinal * 2]!;
      words[to * 2 + 1] = segment.digests[ordinal * 2 + 1]!;
    }
  }
  return words;
}

function mergeDates(field: FilterDate, inputs: readonly Input[], byKey: Uint32Array): Sections {
  const sources = inputs.map(({ segment, ordinals }) => ({ ordinals, ...readDays(segment, field) }));
  const distinct = new Set(sources.flatMap((source) => [...source.days]));
  const days = shareCopy(Int32Array, Int32Array.from(distinct).sort());
  const numbers = numberArray(days.length, byKey.length);
  for (const source of sources) {
    const renumbered = Uint32Array.from([0, ...Array.from(source.days, (day) => 1 + lowerBound(days, day))]);
    for (let ordinal = 0; ordinal < source.ordinals.length; ordinal += 1) {
      const to = source.ordinals[ordinal]!;
      if (to !== DROPPED) numbers[to] = renumbered[source.numbers[ordinal]!]!;
    }
  }
  return nameSections(field, isOrderDate(field) ? buildOrder(days, numbers, byKey) : buildColumn(days, numbers));
}

/** The distinct days of a field and the day number of each record. */
function readDays(segment: Segment, field: FilterDate): { days: Int32Array; numbers: DayNumbers } {
  if (!isOrderDate(field)) return segment.columns[field];
  const order = segment.orders[field];
  return { days: order.days, numbers: numbersOf(order) };
}

/** The day numbers of the records of an order. */
function numbersOf({ days, starts, sorted }: OrderSections): DayNumbers {
  const numbers = numberArray(days.length, sorted.length);
  for (let number = 0; number <= days.length; number += 1) {
    for (let place = starts[number]!; place < starts[number + 1]!; place += 1) numbers[sorted[place]!] = number;
  }
  return numbers;
}

function mergePostings(inputs: readonly Input[], records: number) {
  const terms = mapNames(TERM_FIELD_NAMES, (field) => [
    ...new Set(inputs.flatMap(({ segment }) => segment.parts.terms[field])),
  ]);
  const chunks = countChunks(records);
  const total = TERM_FIELD_NAMES.reduce((sum, field) => sum + terms[field].length, 0);
  const counts = shareZeros(Uint32Array, total * chunks);
  const starts = shareZeros(Uint32Array, total * chunks);
  const members = new Growing(Uint16Array, 1 << CHUNK_BITS);
  const carriers = new Growing(Uint32Array, 1 << CHUNK_BITS);
  let term = 0;
  for (const field of TERM_FIELD_NAMES) {
    for (const value of terms[field]) {
      carriers.length = 0;
      for (const input of inputs) {
        const number = input.segment.findTerm(field, value);
        if (number !== null) listCarriers(input, number, carriers);
      }
      packTerm(carriers, term * chunks, { counts, starts, members });
      term += 1;
    }
  }
  return { terms, sections: { counts, starts, members: shareMembers(members) } };
}

/** Appends the new ordinals of the records that have a term, ascending. */
function listCarriers({ segment, ordinals }: Input, term: number, carriers: Growing<Uint32Array>): void {
  const { counts, starts, members } = segment.postings;
  for (let chunk = 0; chunk < segment.chunks; chunk += 1) {
    const count = counts[term * segment.chunks + chunk]!;
    const start = starts[term * segment.chunks + chunk]!;
    const base = chunk << CHUNK_BITS;
    carriers.reserve(count);
    const { array } = carriers;
    let end = carriers.length;
    const append = (member: number): void => {
      const ordinal = ordinals[base + member]!;
      if (ordinal !== DROPPED) array[end++] = ordinal;
    };
    if (count <= ARRAY_MAX) for (let at = start; at < start + count; at += 1) append(members[at]!);
    else eachBit(segment.memberWords, start >> 1, append);
    carriers.length = end;
  }
}

function eachBit(words: Uint32Array, from: number, act: (member: number) => void): void {
  for (let word = 0; word < CHUNK_WORDS; word += 1) {
    for (let bits = words[from + word]!; bits !== 0; bits &= bits - 1)
      act((word << 5) | (31 - Math.clz32(bits & -bits)));
  }
}

function packTerm(
  carriers: Growing<Uint32Array>,
  place: number,
  { counts, starts, members }: { counts: Uint32Array; starts: Uint32Array; members: Growing<Uint16Array> },
): void {
  for (let from = 0; from < carriers.length; ) {
    const chunk = carriers.array[from]! >>> CHUNK_BITS;
    const to = lowerBound(carriers.array, (chunk + 1) * (1 << CHUNK_BITS), from, carriers.length);
    counts[place + chunk] = to - from;
    starts[place + chunk] = packMembers(members, carriers.array, from, to);
    from = to;
  }
}

/** Merges the dictionaries of the inputs by reading them side by side, always the text that comes first. */
function mergeDictionaries(
  inputs: readonly Input[],
  choose: (segment: Segment) => DictionarySections,
): DictionarySections {
  const readers = inputs.map(({ segment, ordinals }) => ({ dictionary: choose(segment), ordinals, at: 0 }));
  const bytes = new Growing(Uint8Array, 1 << 16);
  const offsets = new Growing(Uint32Array);
  const ordinalStarts = new Growing(Uint32Array);
  const merged = new Growing(Uint32Array);
  offsets.push(0);
  ordinalStarts.push(0);
  for (let open = readers.filter(isOpen); open.length > 0; ) {
    const [first, ...same] = listFirst(open);
    const text = first!.at;
    const before = merged.length;
    for (const reader of [first!, ...same]) {
      appendOrdinals(merged, reader);
      reader.at += 1;
    }
    if (merged.length > before) {
      appendTextOf(bytes, first!.dictionary, text);
      offsets.push(bytes.length);
      ordinalStarts.push(merged.length);
    }
    if (!isOpen(first!) || same.some((reader) => !isOpen(reader))) open = open.filter(isOpen);
  }
  return {
    bytes: bytes.share(),
    offsets: offsets.share(),
    ordinalStarts: ordinalStarts.share(),
    ordinals: merged.share(),
  };
}

interface DictionaryReader {
  readonly dictionary: DictionarySections;
  /** The new ordinals of the records of this input. */
  readonly ordinals: Uint32Array;
  /** Position of the next text. */
  at: number;
}

function isOpen({ dictionary, at }: DictionaryReader): boolean {
  return at < countTexts(dictionary);
}

/** The readers whose next text comes first, in the order of the inputs. */
function listFirst(readers: readonly DictionaryReader[]): DictionaryReader[] {
  let first: DictionaryReader[] = [];
  for (const reader of readers) {
    const [best] = first;
    const difference = best === undefined ? -1 : compareTexts(reader.dictionary, reader.at, best.dictionary, best.at);
    if (difference < 0) first = [reader];
    else if (difference === 0) first.push(reader);
  }
  return first;
}

function appendOrdinals(merged: Growing<Uint32Array>, { dictionary, ordinals, at }: DictionaryReader): void {
  const { ordinalStarts, ordinals: own } = dictionary;
  for (let index = ordinalStarts[at]!; index < ordinalStarts[at + 1]!; index += 1) {
    const ordinal = ordinals[own[index]!]!;
    if (ordinal !== DROPPED) merged.push(ordinal);
  }
}
