/**
 * Which classes of goods are related, measured from the registers: of the owners that filed in class A in a register in
 * a year, the share that also filed in class B there in that year. Owners are sampled evenly if there are many. Records
 * without an application date or a class do not count.
 */
import type { RelatedClass } from '@tmds/contract/likeness';
import { dayAt, NO_DAY } from '../index/dates.ts';
import type { Interruption } from '../index/matchers.ts';
import { ARRAY_MAX, CHUNK_BITS, CHUNK_SIZE, CHUNK_WORDS, hasBit, listBits } from '../index/postings.ts';
import type { Segment, View, ViewPart } from '../index/segment.ts';

const CLASSES = 45;
/** Owners whose filings are read: some 200 ms of work for a million records. */
const OWNERS_MAX = 100_000;
/** Owners read between two checks. */
const OWNERS_AT_ONCE = 1_024;
/** A class is related if at least this share files in it too. */
const RELATED_SHARE_MIN = 0.1;
/** Fewer owners say nothing about a class. */
const OWNERS_MIN = 50;

export class RelatedClasses {
  /** Records that were measured; measured again once there are many more. */
  private measured = 0;
  /** At `a × (CLASSES + 1) + b`: owners, registers and years that have both; on the diagonal those that have one. */
  private counts = new Uint32Array((CLASSES + 1) ** 2);

  /** Measures a view unless it has hardly more records than the last one. */
  measure(view: View, interruption: Interruption): void {
    const records = view.parts.reduce((sum, { segment }) => sum + segment.records, 0);
    if (records <= this.measured * 1.1 && this.measured > 0) return;
    const counts = new Uint32Array((CLASSES + 1) ** 2);
    const owners = view.parts.reduce((sum, { segment }) => sum + segment.names.owner_name.offsets.length - 1, 0);
    const step = Math.max(1, Math.ceil(owners / OWNERS_MAX));
    for (const part of view.parts) countFilings(part, step, counts, interruption);
    this.counts = counts;
    this.measured = records;
  }

  /** The classes that are related to one of these, without these, most related first. */
  list(classes: readonly number[]): RelatedClass[] {
    const related: RelatedClass[] = [];
    for (const nice_class of classes) {
      const filed = this.count(nice_class, nice_class);
      if (filed < OWNERS_MIN) continue;
      for (let other = 1; other <= CLASSES; other += 1) {
        const share = this.count(nice_class, other) / filed;
        if (classes.includes(other) || share < RELATED_SHARE_MIN) continue;
        related.push({ nice_class, related_class: other, share: Math.round(share * 1_000) / 1_000 });
      }
    }
    return related.sort((one, other) => other.share - one.share || one.related_class - other.related_class);
  }

  private count(one: number, other: number): number {
    return this.counts[one * (CLASSES + 1) + other]!;
  }
}

function countFilings(part: ViewPart, step: number, counts: Uint32Array, interruption: Interruption): void {
  const { segment, dead } = part;
  const owners = segment.names.owner_name;
  const { low, high, register } = readClasses(segment, interruption);
  const order = segment.orders.application_date;
  const count = owners.offsets.length - 1;
  const filed = new Map<number, [number, number]>();
  for (let owner = 0, read = 0; owner < count; owner += step, read += 1) {
    if (read % OWNERS_AT_ONCE === 0) interruption.check();
    filed.clear();
    const end = owners.ordinalStarts[owner + 1]!;
    for (let at = owners.ordinalStarts[owner]!; at < end; at += 1) {
      const ordinal = owners.ordinals[at]!;
      const day = dayAt(order, order.places[ordinal]!);
      if (day === NO_DAY || (dead !== null && hasBit(dead.words, 0, ordinal))) continue;
      const filing = register[ordinal]! * 10_000 + Math.floor(day / 10_000);
      const classes = filed.get(filing);
      if (classes === undefined) filed.set(filing, [low[ordinal]!, high[ordinal]!]);
      else {
        classes[0] |= low[ordinal]!;
        classes[1] |= high[ordinal]!;
      }
    }
    for (const classes of filed.values()) addPairs(listClasses(classes), counts);
  }
}

function addPairs(classes: readonly number[], counts: Uint32Array): void {
  for (const one of classes) for (const other of classes) counts[one * (CLASSES + 1) + other]! += 1;
}

function listClasses([low, high]: readonly [number, number]): number[] {
  const classes: number[] = [];
  for (let bits = low; bits !== 0; bits &= bits - 1) classes.push(32 - Math.clz32(bits & -bits));
  for (let bits = high; bits !== 0; bits &= bits - 1) classes.push(64 - Math.clz32(bits & -bits));
  return classes;
}

/** For each record the bits of its classes, 1 to 32 and 33 to 45, and the number of its register. */
function readClasses(segment: Segment, interruption: Interruption) {
  const low = new Int32Array(segment.records);
  const high = new Int32Array(segment.records);
  const register = new Uint16Array(segment.records);
  for (const [value, term] of segment.listTerms('nice_class')) {
    interruption.check();
    const nice = Number(value);
    if (nice < 1 || nice > CLASSES) continue;
    const bits = nice <= 32 ? low : high;
    walkTerm(segment, term, (ordinal) => {
      bits[ordinal]! |= 1 << ((nice - 1) & 31);
    });
  }
  for (const [, term] of segment.listTerms('jurisdiction')) {
    interruption.check();
    walkTerm(segment, term, (ordinal) => {
      register[ordinal] = term;
    });
  }
  return { low, high, register };
}

const members = new Uint16Array(CHUNK_SIZE);

function walkTerm(segment: Segment, term: number, visit: (ordinal: number) => void): void {
  const { counts, starts, members: listed } = segment.postings;
  for (let chunk = 0; chunk < segment.chunks; chunk += 1) {
    const place = term * segment.chunks + chunk;
    const count = counts[place]!;
    const from = starts[place]!;
    const base = chunk << CHUNK_BITS;
    if (count <= ARRAY_MAX) {
      for (let at = from; at < from + count; at += 1) visit(base + listed[at]!);
      continue;
    }
    const words = segment.memberWords.subarray(from >> 1, (from >> 1) + CHUNK_WORDS);
    const size = listBits(words, 0, members);
    for (let at = 0; at < size; at += 1) visit(base + members[at]!);
  }
}
