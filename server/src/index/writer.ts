/**
 * The only writer of an index: applies every publish in the order of stamps, marks the records it replaces as dead, and
 * swaps in merged segments. Readers get views, which never change.
 * Invariant: in every view each record is alive in exactly one segment, in its newest version up to the view's stamp.
 */
import { compareTexts, shareZeros } from './arrays.ts';
import type { BuiltSegment } from './build.ts';
import { CHUNK_BITS, CHUNK_WORDS, hasBit, setBit } from './postings.ts';
import {
  countLiving,
  type DeadRecords,
  EMPTY_VIEW,
  SEGMENT_RECORDS_MAX,
  Segment,
  type SegmentParts,
  type View,
  type ViewPart,
} from './segment.ts';

/** Neighbours of one size worth a merge. More would mean fewer merges per record, but more segments to search. */
const MERGED_SEGMENTS_MIN = 8;
/** Segments with up to this many records count as equally small, because merging them is cheap. */
const SMALLEST_RECORDS = 1_024;
/** Merging up to this many records is cheap, whatever the sizes of their segments. */
const CHEAP_RECORDS = 16_384;
/** Beyond that, a segment is at most this share of a merge, or a large one would be copied for every few small ones. */
const LARGEST_SHARE_MAX = 0.5;
/** A segment with a larger share of dead records is rewritten alone, to free their memory. */
const DEAD_SHARE_MAX = 0.5;

/** No search uses a view with a lower number than this, so memory of older views can be overwritten. */
export type OldestView = () => number;

export class IndexWriter {
  view: View;
  private readonly oldestView: OldestView;
  /** Numbers of the views that merges and snapshots read. */
  private held: number[] = [];
  private retired: { dead: DeadRecords; segmentId: string; lastView: number }[] = [];

  constructor(oldestView: OldestView, view: View = EMPTY_VIEW) {
    this.oldestView = oldestView;
    this.view = view;
  }

  /** Adds the publishes after the view's stamp up to `stamp`, as segments in the order of changes. */
  apply(built: readonly BuiltSegment[], stamp: number): View {
    const killed = new Map<string, KillList>();
    const fresh = built.map(({ parts, replacing }) => {
      const segment = new Segment(parts);
      for (const part of this.view.parts) findReplaced(segment, replacing, part, killListOf(killed, part));
      return { segment, dead: null };
    });
    const parts = this.view.parts.map((part) => this.kill(part, killListOf(killed, part)));
    return this.show([...parts, ...fresh.filter(({ segment }) => segment.records > 0)], stamp);
  }

  /**
   * Keeps the memory of the current view unchanged, for a merge or a snapshot, until the returned function is called.
   */
  hold(): () => void {
    const { number } = this.view;
    this.held.push(number);
    return () => void this.held.splice(this.held.indexOf(number), 1);
  }

  /** Replaces `inputs`, held since their merge began; records that died since are dead in the merged segment. */
  replace(inputs: readonly ViewPart[], parts: SegmentParts): View {
    const segment = new Segment(parts);
    const ids = new Set(inputs.map((input) => input.segment.parts.id));
    const at = this.view.parts.findIndex((part) => ids.has(part.segment.parts.id));
    const replaced = this.view.parts.filter((part) => ids.has(part.segment.parts.id));
    const dead: number[] = [];
    for (const part of replaced) {
      const before = inputs.find((input) => input.segment === part.segment)?.dead ?? null;
      for (const ordinal of listDiedSince(part, before)) {
        const found = findRecord(segment, part.segment, ordinal);
        if (found !== null) dead.push(found);
      }
    }
    const merged = this.kill({ segment, dead: null }, dead);
    const others = this.view.parts.filter((part) => !ids.has(part.segment.parts.id));
    if (segment.records > 0) others.splice(at, 0, merged);
    this.retired = this.retired.filter(({ segmentId }) => !ids.has(segmentId));
    return this.show(others, this.view.stamp);
  }

  private show(parts: readonly ViewPart[], stamp: number): View {
    this.view = { number: this.view.number + 1, stamp, parts };
    return this.view;
  }

  private kill(part: ViewPart, ordinals: KillList): ViewPart {
    if (ordinals.length === 0) return part;
    const { words, counts } = this.takeDead(part);
    let total = part.dead?.total ?? 0;
    for (const ordinal of ordinals) {
      if (hasBit(words, 0, ordinal)) continue;
      setBit(words, 0, ordinal);
      counts[ordinal >>> CHUNK_BITS]! += 1;
      total += 1;
    }
    return { segment: part.segment, dead: { words, counts, total } };
  }

  /** A copy of the dead records, in memory that no reader uses. */
  private takeDead({ segment, dead }: ViewPart): Pick<DeadRecords, 'words' | 'counts'> {
    const oldest = Math.min(this.oldestView(), ...this.held);
    const segmentId = segment.parts.id;
    const free = this.retired.find((each) => each.segmentId === segmentId && each.lastView < oldest);
    if (free !== undefined) this.retired.splice(this.retired.indexOf(free), 1);
    const copy = free?.dead ?? {
      words: shareZeros(Uint32Array, segment.chunks * CHUNK_WORDS),
      counts: shareZeros(Uint32Array, segment.chunks),
    };
    if (dead === null) return copy;
    copy.words.set(dead.words);
    copy.counts.set(dead.counts);
    this.retired.push({ dead, segmentId, lastView: this.view.number });
    return copy;
  }
}

type KillList = number[];

function killListOf(killed: Map<string, KillList>, { segment }: ViewPart): KillList {
  const { id } = segment.parts;
  let list = killed.get(id);
  if (list === undefined) {
    list = [];
    killed.set(id, list);
  }
  return list;
}

/** Finds the records of `replacing` in an older segment. Keys ascend, so each search starts where the last ended. */
function findReplaced(fresh: Segment, replacing: Uint32Array, { segment, dead }: ViewPart, killed: KillList): void {
  let place = 0;
  for (const ordinal of replacing) {
    place = findAtOrAfter(segment, fresh, ordinal, place);
    if (place === segment.records) return;
    const found = segment.byKey[place]!;
    if (compareRecords(segment, found, fresh, ordinal) !== 0) continue;
    if (dead === null || !hasBit(dead.words, 0, found)) killed.push(found);
  }
}

/** The ordinal in `segment` of a record of another segment; null if it is not there. */
function findRecord(segment: Segment, other: Segment, ordinal: number): number | null {
  const place = findAtOrAfter(segment, other, ordinal, 0);
  const found = segment.byKey[place];
  return found !== undefined && compareRecords(segment, found, other, ordinal) === 0 ? found : null;
}

/** The first place by key, from `start` on, at or after a record: by doubling leaps, then bisection. */
function findAtOrAfter(segment: Segment, other: Segment, ordinal: number, start: number): number {
  const isBefore = (place: number): boolean => compareRecords(segment, segment.byKey[place]!, other, ordinal) < 0;
  let low = start;
  let leap = 1;
  while (low + leap < segment.records && isBefore(low + leap)) {
    low += leap;
    leap *= 2;
  }
  let high = Math.min(segment.records, low + leap + 1);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function compareRecords(one: Segment, oneOrdinal: number, other: Segment, otherOrdinal: number): number {
  return compareTexts(one.keys, oneOrdinal, other.keys, otherOrdinal);
}

function listDiedSince({ segment, dead }: ViewPart, before: DeadRecords | null): number[] {
  if (dead === null || dead.total === (before?.total ?? 0)) return [];
  const died: number[] = [];
  for (let ordinal = 0; ordinal < segment.records; ordinal += 1) {
    const wasDead = before !== null && hasBit(before.words, 0, ordinal);
    if (!wasDead && hasBit(dead.words, 0, ordinal)) died.push(ordinal);
  }
  return died;
}

/** The neighbouring segments to merge next, none of them in `busy`; null if no merge is worth it. */
export function chooseMerge(view: View, busy: ReadonlySet<string>): readonly ViewPart[] | null {
  const isFree = ({ segment }: ViewPart): boolean => !busy.has(segment.parts.id);
  const wasted = view.parts.find(
    (part) => isFree(part) && part.dead !== null && part.dead.total > part.segment.records * DEAD_SHARE_MAX,
  );
  if (wasted !== undefined) return [wasted];
  const sizes = view.parts.map(sizeOf);
  for (const size of [...new Set(sizes)].sort((one, other) => one - other)) {
    const runs = splitRuns(view.parts, (part, index) => isFree(part) && sizes[index]! <= size);
    const run = runs.map(takeWhatFits).findLast(isWorthMerging);
    if (run !== undefined) return run;
  }
  return null;
}

function isWorthMerging(run: readonly ViewPart[]): boolean {
  if (run.length < MERGED_SEGMENTS_MIN) return false;
  const sizes = run.map(countLiving);
  const records = sizes.reduce((sum, size) => sum + size, 0);
  return records <= CHEAP_RECORDS || Math.max(...sizes) <= records * LARGEST_SHARE_MAX;
}

/** The size of a segment as a power of `MERGED_SEGMENTS_MIN`, rounded down. */
function sizeOf(part: ViewPart): number {
  return Math.floor(Math.log(Math.max(1, countLiving(part) / SMALLEST_RECORDS)) / Math.log(MERGED_SEGMENTS_MIN));
}

function splitRuns(parts: readonly ViewPart[], belongs: (part: ViewPart, index: number) => boolean): ViewPart[][] {
  const runs: ViewPart[][] = [[]];
  for (const [index, part] of parts.entries()) {
    if (belongs(part, index)) runs.at(-1)!.push(part);
    else runs.push([]);
  }
  return runs;
}

function takeWhatFits(run: readonly ViewPart[]): ViewPart[] {
  const taken: ViewPart[] = [];
  let records = 0;
  for (const part of run) {
    records += countLiving(part);
    if (records > SEGMENT_RECORDS_MAX) break;
    taken.push(part);
  }
  return taken;
}
