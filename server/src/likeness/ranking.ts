/**
 * The list of one strategy: the names that it finds, by grade. The place of a name is how many names have its grade or
 * a better one, so a grade that many names share is worth little. Every name is counted; names whose place is beyond
 * the bound are not listed.
 */
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

export interface Listed {
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
