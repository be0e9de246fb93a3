/**
 * A segment: some records, indexed once and never changed. Ordinals follow the order of changes (stamp, register, uid),
 * and a later segment holds later changes. All its arrays are in shared memory, so that any thread can open it from its
 * sections. It does not know which of its records have since been replaced; a view of several segments does.
 */
import { FILTER_DATES } from '@tmds/contract/enums';
import { TERM_FIELD_NAMES, type TermField } from '../record/terms.ts';
import { compareBytes, type DictionarySections, lowerBound, type Numbers, readText, type Texts } from './arrays.ts';
import {
  COLUMN_DATES,
  type ColumnDate,
  type ColumnSections,
  ORDER_DATES,
  type OrderDate,
  type OrderSections,
} from './dates.ts';
import { NAME_FAMILIES, type NameFamily, NUMBER_FIELDS, type NumberField } from './entry.ts';
import { countChunks, type PostingSections } from './postings.ts';
import { buildTrigrams, TrigramReader, type TrigramSections } from './trigrams.ts';

/** The arrays of a segment by name; a file of a snapshot holds the same. */
export type Sections = Readonly<Record<string, Numbers>>;

export interface SegmentParts {
  /** Unique across processes and restarts. */
  readonly id: string;
  readonly records: number;
  /** The values of each field. Terms are numbered in this order, field after field. */
  readonly terms: Readonly<Record<TermField, readonly string[]>>;
  readonly sections: Sections;
}

/** Register and uid as one text, which compares like the pair. */
export function joinKey(register: string, uid: string): string {
  return `${register}\0${uid}`;
}

export function splitKey(key: string): { jurisdiction_code: string; uid: string } {
  const end = key.indexOf('\0');
  return { jurisdiction_code: key.slice(0, end), uid: key.slice(end + 1) };
}

/** Upper limit on the records of a segment, so that all positions in its arrays stay below 2^31. */
export const SEGMENT_RECORDS_MAX = 16_000_000;

export class Segment {
  readonly parts: SegmentParts;
  readonly records: number;
  readonly chunks: number;
  /** Microseconds since 1970, ascending; stamp `i` belongs to ordinals [stampStarts[i], stampStarts[i + 1]). */
  readonly stamps: Float64Array;
  readonly stampStarts: Uint32Array;
  /** Register and uid of every record as `joinKey` joins them. */
  readonly keys: Texts;
  /** The ordinals, sorted by key. */
  readonly byKey: Uint32Array;
  /** Two words per record: the beginning of the digest of its delivered text. */
  readonly digests: Uint32Array;
  readonly postings: PostingSections;
  /** The same memory as `postings.members`, as words, for reading bitmaps. */
  readonly memberWords: Uint32Array;
  readonly orders: Readonly<Record<OrderDate, OrderSections>>;
  readonly columns: Readonly<Record<ColumnDate, ColumnSections>>;
  readonly names: Readonly<Record<NameFamily, DictionarySections>>;
  readonly numbers: Readonly<Record<NumberField, DictionarySections>>;
  private readonly termNumbers: Readonly<Record<TermField, ReadonlyMap<string, number>>>;
  private readonly termTotals: Uint32Array;
  private readonly trigrams = new Map<NameFamily, TrigramReader>();

  constructor(parts: SegmentParts) {
    this.parts = parts;
    this.records = parts.records;
    this.chunks = countChunks(parts.records);
    const read = (name: string) => readSections(parts.sections, name) as never;
    this.stamps = parts.sections['stamps.values'] as Float64Array;
    this.stampStarts = parts.sections['stamps.starts'] as Uint32Array;
    this.keys = read('keys');
    this.byKey = parts.sections['keys.sorted'] as Uint32Array;
    this.digests = parts.sections['digests.words'] as Uint32Array;
    this.postings = read('postings');
    const { buffer, byteOffset, length } = this.postings.members;
    this.memberWords = new Uint32Array(buffer, byteOffset, length >> 1);
    this.orders = mapNames(ORDER_DATES, read);
    this.columns = mapNames(COLUMN_DATES, read);
    this.names = mapNames(NAME_FAMILIES, read);
    this.numbers = mapNames(NUMBER_FIELDS, read);
    let first = 0;
    this.termNumbers = mapNames(TERM_FIELD_NAMES, (field) => {
      const from = first;
      first += parts.terms[field].length;
      return new Map(parts.terms[field].map((value, index) => [value, from + index]));
    });
    this.termTotals = sumByTerm(this.postings.counts, this.chunks, first);
  }

  /** The number of a term; null if no record of the segment has it. */
  findTerm(field: TermField, value: string): number | null {
    return this.termNumbers[field].get(value) ?? null;
  }

  /** The values of a field with the numbers of their terms. */
  listTerms(field: TermField): ReadonlyMap<string, number> {
    return this.termNumbers[field];
  }

  /** How many records have a term, including replaced ones. */
  countTerm(term: number): number {
    return this.termTotals[term]!;
  }

  /**
   * Opened when a search first needs them, because their letters take memory in each thread. A segment of some fields
   * was built without them; they are made now.
   */
  openTrigrams(family: NameFamily): TrigramReader {
    let reader = this.trigrams.get(family);
    if (reader === undefined) {
      const names = this.names[family];
      const isBuilt = `${family}.trigrams` in this.parts.sections;
      const sections = isBuilt ? readSections(this.parts.sections, family) : buildTrigrams(names);
      reader = new TrigramReader(sections as unknown as TrigramSections, names);
      this.trigrams.set(family, reader);
    }
    return reader;
  }

  readKey(ordinal: number): string {
    return readText(this.keys, ordinal);
  }

  isRecord(ordinal: number, record: { readonly jurisdiction_code: string; readonly uid: string }): boolean {
    return this.compareKey(ordinal, Buffer.from(joinKey(record.jurisdiction_code, record.uid))) === 0;
  }

  compareKey(ordinal: number, key: Uint8Array): number {
    return compareBytes(this.keys, ordinal, key);
  }

  /**
   * The first place in [from, to), whose keys ascend, with a key greater than that of a record; with `isAtOrAfter`,
   * greater or equal. `order` lists the ordinal at each place; null: ordinals are places.
   */
  findKey(
    order: Uint32Array | null,
    from: number,
    to: number,
    { jurisdiction_code, uid }: { readonly jurisdiction_code: string; readonly uid: string },
    isAtOrAfter: boolean,
  ): number {
    const key = Buffer.from(joinKey(jurisdiction_code, uid));
    let low = from;
    let high = to;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const difference = this.compareKey(order === null ? middle : order[middle]!, key);
      if (difference < 0 || (difference === 0 && !isAtOrAfter)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** In microseconds since 1970. */
  stampOf(ordinal: number): number {
    return this.stamps[lowerBound(this.stampStarts, ordinal + 1) - 1]!;
  }

  /** The first ordinal with a stamp of at least `micros`. */
  findStamp(micros: number): number {
    return this.stampStarts[lowerBound(this.stamps, micros)]!;
  }

  /** Bytes of memory by part of the index. */
  measure(): Record<string, number> {
    const bytes: Record<string, number> = {};
    for (const [name, numbers] of Object.entries(this.parts.sections)) {
      const part = partOf(name);
      bytes[part] = (bytes[part] ?? 0) + numbers.byteLength;
    }
    return bytes;
  }
}

const DATE_FIELDS: readonly string[] = FILTER_DATES;

function partOf(section: string): string {
  const [head = '', tail = ''] = section.split('.');
  if (DATE_FIELDS.includes(head)) return 'dates';
  if ((NUMBER_FIELDS as readonly string[]).includes(head)) return 'numbers';
  if (!(NAME_FAMILIES as readonly string[]).includes(head)) return head;
  return ['alphabet', 'trigrams', 'counts', 'starts', 'postings'].includes(tail) ? 'trigrams' : 'names';
}

function sumByTerm(counts: Uint32Array, chunks: number, terms: number): Uint32Array {
  const totals = new Uint32Array(terms);
  for (let term = 0; term < terms; term += 1) {
    for (let chunk = 0; chunk < chunks; chunk += 1) totals[term]! += counts[term * chunks + chunk]!;
  }
  return totals;
}

/** The sections `name.…` without the prefix. */
function readSections(sections: Sections, name: string): Readonly<Record<string, Numbers>> {
  const prefix = `${name}.`;
  return Object.fromEntries(
    Object.entries(sections).flatMap(([fullName, numbers]) =>
      fullName.startsWith(prefix) ? [[fullName.slice(prefix.length), numbers]] : [],
    ),
  );
}

/** The reverse of `readSections`. */
export function nameSections(name: string, sections: object): Sections {
  return Object.fromEntries(Object.entries(sections).map(([each, numbers]) => [`${name}.${each}`, numbers]));
}

export function mapNames<Name extends string, Value>(
  names: readonly Name[],
  map: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, map(name)])) as Record<Name, Value>;
}

/** The records of a segment that have a newer version in a later segment. */
export interface DeadRecords {
  /** A bit for each record; 1 = dead. */
  readonly words: Uint32Array;
  /** The number of dead records in each chunk. */
  readonly counts: Uint32Array;
  /** The number of dead records in the segment. */
  readonly total: number;
}

export interface ViewPart {
  readonly segment: Segment;
  /** Null while none of its records is dead. */
  readonly dead: DeadRecords | null;
}

/**
 * What a search sees: segments in the order of changes, and which of their records are dead. A view never changes, so a
 * search sees each publish completely or not at all.
 */
export interface View {
  /** Increases with every view of an index. */
  readonly number: number;
  /** In microseconds since 1970. The view includes every publish up to this stamp, and none after it. */
  readonly stamp: number;
  readonly parts: readonly ViewPart[];
}

export const EMPTY_VIEW: View = { number: 0, stamp: 0, parts: [] };

export function countLiving({ segment, dead }: ViewPart): number {
  return segment.records - (dead?.total ?? 0);
}

/** How much a view holds; bytes of memory by part of the index. */
export function measureView({ parts }: View): { records: number; segments: number; bytes: Record<string, number> } {
  const bytes: Record<string, number> = {};
  for (const { segment, dead } of parts) {
    for (const [part, size] of Object.entries(segment.measure())) bytes[part] = (bytes[part] ?? 0) + size;
    if (dead !== null) bytes.dead = (bytes.dead ?? 0) + dead.words.byteLength;
  }
  return { records: parts.reduce((sum, part) => sum + countLiving(part), 0), segments: parts.length, bytes };
}
