/**
 * The body of `/v1/jurisdictions/{jurisdiction_code}/coverage`: what can be concluded when a register reports no
 * change. Periods are written as people write them: `2026-11-20`, `2026-W47`, `2026-11`, `2026`, `2240`; for a period
 * in several files, `2026-11-20 part 3`. They are the periods of the source, never the times at which files arrived.
 */
import type { Instant } from './record.ts';

/** Why a period is missing: no file of it came, or its file is not loaded because it failed, came late, … */
export const MISSING_REASONS = ['absent', 'failed', 'late', 'skipped', 'waiting'] as const;
export type MissingReason = (typeof MISSING_REASONS)[number];

/** The condition of a declared source, the most serious first. */
export const SOURCE_CONDITIONS = ['stopped', 'failing', 'overdue', 'gaps', 'never checked', 'current'] as const;
export type SourceCondition = (typeof SOURCE_CONDITIONS)[number];

/** At most this many missing periods, and periods loaded out of order, are listed; all are counted. */
export const COVERAGE_LISTED_MAX = 100;

export interface CoverageReport {
  jurisdiction_code: string;
  /** Records of the register now. */
  record_count: number;
  /** The instant up to which the register is complete, as far as its files or the operator who loaded them state it. */
  data_current_through: Instant | null;
  /** What can be concluded from silence, in a sentence made from the facts below. */
  conclusion: string;
  /** The files that were loaded, in series: one for each declared source, and for each format loaded by hand. */
  series: CoverageSeries[];
  /** Null before the first. */
  last_load: CoverageLoad | null;
  /** Records and files that loads rejected and that no later load has stored; operators may close them. */
  open_rejects: number;
  /** Null until a load that states it has read at least half as many records as the register has. */
  issues: CoverageIssues | null;
}

export interface CoverageSeries {
  /** The name of the declared source; null for files loaded by hand. */
  source: string | null;
  format: string;
  /** The condition of the source; null if it is not declared, or for files loaded by hand. */
  condition: SourceCondition | null;
  /** The first and last period loaded; null if it is not known which periods the files are of. */
  first_period: string | null;
  last_period: string | null;
  /** The last period before which none is missing; null while the expected periods are unknown. */
  complete_through: string | null;
  /**
   * Whether the expected periods are known, from a rhythm or consecutive numbers. Otherwise further ones may be
   * missing.
   */
  expected: boolean;
  /** Periods up to the last one that are not loaded, the first ones first. */
  missing: MissingPeriod[];
  missing_count: number;
  /** Periods that were last loaded after a later period; the most recently loaded first. */
  out_of_order: LatePeriod[];
  out_of_order_count: number;
  /** False if its statements carry their age, so that one loaded out of order does not replace newer ones. */
  order_matters: boolean;
  /** The next expected period, and when it becomes overdue; null without a rhythm. */
  next_period: string | null;
  overdue_at: Instant | null;
  last_loaded_at: Instant | null;
  /** When the list of its files was last read; null for files loaded by hand. */
  checked_at: Instant | null;
}

export interface MissingPeriod {
  period: string;
  reason: MissingReason;
}

export interface LatePeriod {
  period: string;
  /** The newest period loaded before it. */
  after: string;
  loaded_at: Instant;
}

/** Counts of a whole load, across its registers. */
export interface CoverageLoad {
  load_id: string;
  format: string;
  finished_at: Instant;
  read: number;
  new: number;
  changed: number;
  unchanged: number;
  /** Records and files that could not be read; they are not in the register. */
  rejected: number;
  issues: number;
}

/** For the last finished load that read at least half as many records of the register as it has now. */
export interface CoverageIssues {
  load_id: string;
  finished_at: Instant;
  /** Records of the register that it read. */
  read: number;
  /** How many of those records have at least one issue. */
  flagged: number;
  /** `flagged` of `read`, from 0 to 1. */
  share: number;
}
