/**
 * The list of one strategy: the names that it finds, by grade. The place of a name is how many names have its grade or
 * a better one, so a grade that many names share is worth little. Every name is counted; names whose place is beyond
 * the bound are not listed. Of the lists of all strategies one order is made: each strategy that lists a name adds
 * 1 / (5 + its place), and names come by tier first. The order follows from the places alone, which every hit shows
 * (docs/design/likeness.md).
 */

import { LIKENESS_STRATEGIES, LIKENESS_TIERS, type LikenessStrategy, type LikenessTier } from '@tmds/contract/likeness';
import { Growing } from '../index/arrays.ts';

/** The last place that is listed. */
export const LISTED_MAX = 500;
/** Grades are whole numbers from 0 to this; 0 is not found. */
export const GRADE_MAX = 4096;
/** Entries kept before those beyond the bound are dropped. */
const KEPT_MAX = 2 * LISTED_MAX;

/** The grade of a likeness from 0 to 1. */
export function gradeOf(likeness: number): number {
  return Math.min(GRADE_MAX, Math.floor(likeness * GRADE_MAX));
}

interface Listed {
  readonly name: number;
  readonly place: number;
}

export class Ranking {
  private readonly counts = new Uint32Array(GRADE_MAX + 1);
  private readonly names = new Growing(Uint32Array, KEPT_MAX);
  private readonly grades = new Growing(Uint16Array, KEPT_MAX);
  private readonly gradeMin: number;
  /** Lower grades are beyond the bound. */
  private floor: number;
  found = 0;

  /** `likenessMin`: names that are less alike are not found. */
  constructor(likenessMin = 0) {
    this.gradeMin = Math.max(1, gradeOf(likenessMin));
    this.floor = this.gradeMin;
  }

  /** Forgets all names. */
  clear(): void {
    this.counts.fill(0);
    this.names.length = 0;
    this.grades.length = 0;
    this.floor = this.gradeMin;
    this.found = 0;
  }

  add(name: number, grade: number): void {
    if (grade < this.gradeMin) return;
    this.counts[grade]! += 1;
    this.found += 1;
    if (grade < this.floor) return;
    this.names.push(name);
    this.grades.push(grade);
    if (this.names.length >= KEPT_MAX) this.raiseFloor();
  }

  /** A name that is less alike is not listed, whatever else comes. From 0 to 1. */
  get likenessMin(): number {
    return this.floor / GRADE_MAX;
  }

  /** Drops the entries whose place is beyond the bound, whatever else comes. */
  raiseFloor(): void {
    let better = 0;
    let floor = GRADE_MAX + 1;
    while (floor > this.gradeMin && better + this.counts[floor - 1]! <= LISTED_MAX) {
      floor -= 1;
      better += this.counts[floor]!;
    }
    this.floor = floor;
    let kept = 0;
    for (let at = 0; at < this.names.length; at += 1) {
      if (this.grades.array[at]! < floor) continue;
      this.names.array[kept] = this.names.array[at]!;
      this.grades.array[kept] = this.grades.array[at]!;
      kept += 1;
    }
    this.names.length = kept;
    this.grades.length = kept;
  }

  /** The names within the bound; those with the same grade in the order in which they were added. */
  list(): Listed[] {
    this.raiseFloor();
    const places = new Uint32Array(GRADE_MAX + 1);
    for (let grade = GRADE_MAX, place = 0; grade >= this.floor; grade -= 1) {
      place += this.counts[grade]!;
      places[grade] = place;
    }
    return Array.from(this.names.filled(), (name, at) => ({ name, place: places[this.grades.array[at]!]! }));
  }
}

/** Dampens the first places, so that one list alone does not decide. From 2 to 20 the yardstick hardly changes. */
const PLACE_OFFSET = 5;
/** A strategy raises a name to its tier only if it finds at most this many names that are as alike. */
const RAISING_PLACE_MAX: Readonly<Record<LikenessTier, number>> = {
  identical: Number.POSITIVE_INFINITY,
  near: 5,
  shared: 3,
  alike: Number.POSITIVE_INFINITY,
};

export interface RankedName {
  readonly name: number;
  readonly tier: LikenessTier;
  /** Larger is better; says something only within the tier. */
  readonly sum: number;
  /** Where each strategy has it; strategies that do not list it are missing. */
  readonly places: ReadonlyMap<LikenessStrategy, number>;
}

/** All listed names, best first. Among equals, names come in the order of their letters. */
export function fuseRankings(rankings: Rankings, readLetters: (name: number) => string): RankedName[] {
  const placesOf = new Map<number, Map<LikenessStrategy, number>>();
  for (const [strategy, ranking] of rankings) {
    for (const { name, place } of ranking.list()) {
      const places = placesOf.get(name) ?? new Map<LikenessStrategy, number>();
      places.set(strategy, place);
      placesOf.set(name, places);
    }
  }
  const ranked = Array.from(placesOf, ([name, places]) => ({ name, places, tier: tierOf(places), sum: sumOf(places) }));
  return ranked.sort(
    (one, other) =>
      LIKENESS_TIERS.indexOf(one.tier) - LIKENESS_TIERS.indexOf(other.tier) ||
      other.sum - one.sum ||
      compareTexts(readLetters(one.name), readLetters(other.name)),
  );
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function tierOf(places: ReadonlyMap<LikenessStrategy, number>): LikenessTier {
  let best: LikenessTier = 'alike';
  for (const [strategy, place] of places) {
    const { tier } = LIKENESS_STRATEGIES[strategy];
    const isRaised = place <= RAISING_PLACE_MAX[tier];
    if (isRaised && LIKENESS_TIERS.indexOf(tier) < LIKENESS_TIERS.indexOf(best)) best = tier;
  }
  return best;
}

function sumOf(places: ReadonlyMap<LikenessStrategy, number>): number {
  let sum = 0;
  for (const place of places.values()) sum += 1 / (PLACE_OFFSET + place);
  return sum;
}

/** Which names are compared: 1 by the number of the name. Null: all. */
export type HeldNames = Uint8Array | null;

/** The lists of the chosen strategies. */
export type Rankings = ReadonlyMap<LikenessStrategy, Ranking>;
