/**
 * The body of `/v1/jurisdictions/{jurisdiction_code}/coverage`: what can be concluded when a register reports no
 * change. Periods are written as people write them: `2026-11-20`, `2026-W47`, `2026-11`, `2026`, `2240`; for a period
 * in several files, `2026-11-20 part 3`. They are the periods of the source, never the times at which files arrived.
 */
import type { Instant } from './record.ts';
import type { Count, LoadId, Positive, RegisterCode, Share, Text } from './values.ts';

/** Why a period is missing: no file of it came, or its file is not loaded because it failed, came late, … */
export type MissingReason = 'absent' | 'failed' | 'late' | 'skipped' | 'waiting';

/** The condition of a declared source, the most serious first. */
export type SourceCondition = 'stopped' | 'failing' | 'overdue' | 'gaps' | 'never checked' | 'current';

/** At most this many missing periods, and periods loaded out of order, are listed; all are counted. */
export const COVERAGE_LISTED_MAX = 100;

/** What can be concluded when a register reports no change. @schema */
export interface CoverageReport {
  jurisdiction_code: RegisterCode;
  /** Records of the register. */
  record_count: Count;
  /** The instant up to which the register is complete, as far as its files or the operator who loaded them state it. */
  data_current_through: Instant | null;
  /** What can be concluded from silence, in a sentence made of the rest. */
  conclusion: Text;
  /** The files that were loaded, in series: one for each declared source, and for each format loaded by hand. */
  series: CoverageSeries[];
  /** Null before the first load. */
  last_load: CoverageLoad | null;
  /** Records and files that loads rejected and that no later load has stored; operators may close them. */
  open_rejects: Count;
  /** Null while no load that counted them has read at least half as many records as the register has. */
  issues: CoverageIssues | null;
}

export interface CoverageSeries {
  /** The name of the declared source; null for files loaded by hand. */
  source: string | null;
  /** Format of the files. */
  format: string;
  /** The condition of the source; null if it is not declared, or for files loaded by hand. */
  condition: SourceCondition | null;
  /** The first period loaded; null if it is not known which periods the files are of. */
  first_period: string | null;
  /** The last period that was loaded; null if it is not known. */
  last_period: string | null;
  /** The last period loaded before which none is missing; null while the expected periods are unknown. */
  complete_through: string | null;
  /** Whether the expected periods are known, from a rhythm or consecutive numbers; if not, more may be missing. */
  expected: boolean;
  /** Periods up to the last one that are not loaded, the first ones first. @maxItems COVERAGE_LISTED_MAX */
  missing: MissingPeriod[];
  /** How many are missing, those that are not listed included. */
  missing_count: Count;
  /**
   * Periods that were last loaded after a later period; the most recently loaded first.
   * @maxItems COVERAGE_LISTED_MAX
   */
  out_of_order: LatePeriod[];
  /** How many there are, those that are not listed included. */
  out_of_order_count: Count;
  /** False if its statements carry their age, so that one loaded out of order does not replace newer ones. */
  order_matters: boolean;
  /** The next expected period; null without a rhythm. */
  next_period: string | null;
  /** When that becomes overdue. */
  overdue_at: Instant | null;
  /** When a file of the series was last loaded. */
  last_loaded_at: Instant | null;
  /** When the list of its files was last read; null for files loaded by hand. */
  checked_at: Instant | null;
}

/** @minLength 1 @example 2026-11-20 @example 2026-W47 @example 2026-11 @example 2026 @example 2240 */
type Period = string;

export interface MissingPeriod {
  /** The missing period. */
  period: Period;
  /** absent: no file of it came. Else why it is not loaded. */
  reason: MissingReason;
}

export interface LatePeriod {
  /** The late period. */
  period: Period;
  /** The newest period loaded before it. */
  after: Period;
  /** When it was loaded. */
  loaded_at: Instant;
}

/** The last load of the register. Its counts are of all registers that it read. */
export interface CoverageLoad {
  load_id: LoadId;
  /** Format of its files. */
  format: string;
  /** When it finished. */
  finished_at: Instant;
  /** Records that it read. */
  read: Count;
  /** Records that were not there before. */
  new: Count;
  /** Records whose content changed. */
  changed: Count;
  /** Records that were there already, with the same content. */
  unchanged: Count;
  /** Records and files that could not be read, and are not in the register. */
  rejected: Count;
  /** Values that could not be read as the format expects them. */
  issues: Count;
}

/** How many records had issues in the last load that read at least half as many as the register has. */
export interface CoverageIssues {
  load_id: LoadId;
  /** When that load finished. */
  finished_at: Instant;
  /** Records of the register that the load read. */
  read: Positive;
  /** How many of those records have at least one issue. */
  flagged: Count;
  /** `flagged` of `read`, from 0 to 1. */
  share: Share;
}
