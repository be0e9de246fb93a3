/**
 * The one writer of an index: takes every publish in the order of stamps, marks what it replaces as dead, and swaps
 * merged segments in. Readers are given views, which never change.
 * Invariant: in every view each record lives in exactly one segment, in its newest version up to the view's stamp.
 */
import { shareZeros } from './arrays.ts';
import type { BuiltSegment } from './build.ts';
import { CHUNK_BITS, CHUNK_WORDS, hasBit, setBit } from './postings.ts';
import { SEGMENT_RECORDS_MAX, Segment, type SegmentParts } from './segment.ts';
import { compareTexts } from './texts.ts';
import { countLiving, type DeadRecords, EMPTY_VIEW, type View, type ViewPart } from './view.ts';

/** So many neighbours of one size are worth a merge: a record is merged once for each power of it. */
const MERGED_SEGMENTS_MIN = 8;
/** Segments up to so many records are of one, the smallest, size. */
const SMALLEST_RECORDS = 1_024;
/** A segment of which so much is dead is written anew by itself. */
const DEAD_SHARE_MAX = 0.5;

/** Says from when on memory of an older view may be written over: no reader looks at views below this number. */
export type OldestView = () => number;

export class IndexWriter {
  view: View;
  private readonly oldestView: OldestView;
  private retired: { dead: DeadRecords; segmentId: string; lastView: number }[] = [];

  constructor(oldestView: OldestView, view: View = EMPTY_VIEW) {
    this.oldestView = oldestView;
    this.view = view;
  }

  /** The publishes after the view's stamp, up to `stamp`, as segments in the order of changes. */
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

  /** `inputs` as they were when their merge began. What died since is dead in the merged segment too. */
  replace(inputs: readonly ViewPart[], parts: SegmentParts): View {
    const segment = new Segment(parts);
    const ids = new Set(inputs.map((input) => input.segment.parts.id));
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
    const at = this.view.parts.indexOf(replaced[0]!);
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

  /** A copy of what is dead, in memory that no reader looks at. */
  private takeDead({ segment, dead }: ViewPart): Pick<DeadRecords, 'words' | 'counts'> {
    const oldest = this.oldestView();
    const segmentId = segment.parts.id;
    const free = this.retired.findIndex((each) => each.segmentId === segmentId && each.lastView < oldest);
    const copy =
      free >= 0
        ? this.retired.splice(free, 1)[0]!.dead
        : {
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

/** Looks for the keys of `replacing`, which ascend, in an older segment, from where the last one was on. */
function findReplaced(fresh: Segment, replacing: Uint32Array, { segment, dead }: ViewPart, killed: KillList): void {
  let place = 0;
  for (const ordinal of replacing) {
    place = findAtOrBehind(segment, fresh, ordinal, place);
    if (place === segment.records) return;
    const found = segment.byKey[place]!;
    if (compareRecords(segment, found, fresh, ordinal) !== 0) continue;
    if (dead === null || !hasBit(dead.words, 0, found)) killed.push(found);
  }
}

/** The ordinal in `segment` of a record of another one; null where it is not. */
function findRecord(segment: Segment, other: Segment, ordinal: number): number | null {
  const place = findAtOrBehind(segment, other, ordinal, 0);
  const found = segment.byKey[place];
  return found !== undefined && compareRecords(segment, found, other, ordinal) === 0 ? found : null;
}

/** The first place by key, from `start` on, that is not before a record: leaps that double, then bisection. */
function findAtOrBehind(segment: Segment, other: Segment, ordinal: number, start: number): number {
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

/** The segments to merge next: neighbours of which none is in `busy`; null when there is nothing to gain. */
export function chooseMerge(view: View, busy: ReadonlySet<string>): readonly ViewPart[] | null {
  const isFree = ({ segment }: ViewPart): boolean => !busy.has(segment.parts.id);
  const wasted = view.parts.find(
    (part) => isFree(part) && part.dead !== null && part.dead.total > part.segment.records * DEAD_SHARE_MAX,
  );
  if (wasted !== undefined) return [wasted];
  const sizes = view.parts.map(sizeOf);
  for (const size of [...new Set(sizes)].sort((one, other) => one - other)) {
    const runs = splitRuns(view.parts, (part, index) => isFree(part) && sizes[index]! <= size);
    const run = runs.map(takeWhatFits).findLast(({ length }) => length >= MERGED_SEGMENTS_MIN);
    if (run !== undefined) return run;
  }
  return null;
}

/** Sizes are powers of the number of segments merged at least. */
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
