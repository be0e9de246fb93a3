/** Why a record did or did not hit a watch. */
import type { Instant } from './record.ts';
import type { HitEvent, HitLikeness, WatchKind } from './watches.ts';

/**
 * Of the examined changes of the record: one hit the watch; one that matches is not checked yet; the record is in no
 * register; none matches; those that match came before the watch was as it is, or after it ended; one should have hit
 * and did not; or the search of the watch is not understood any more.
 */
export const DIAGNOSIS_VERDICTS = [
  'hit',
  'waiting',
  'no_record',
  'no_match',
  'before_watch',
  'ended',
  'unexplained',
  'not_understood',
] as const;
export type DiagnosisVerdict = (typeof DIAGNOSIS_VERDICTS)[number];

/**
 * Where a change lies: before the watch was as it is, among what it has checked, not checked yet, or after it ended.
 */
export const DIAGNOSIS_WINDOWS = ['before_watch', 'checked', 'waiting', 'ended'] as const;
export type DiagnosisWindow = (typeof DIAGNOSIS_WINDOWS)[number];

/** Changes of the record that are examined, the newest ones. */
export const DIAGNOSIS_EVENTS_MAX = 100;

/** What the watch asks of a record; a record matches when it satisfies all of it. */
export interface DiagnosisCriterion {
  /** The name of a filter, or the kind of the watch for its list or its mark. */
  readonly criterion: string;
  /** As a query string; of a list, how many entries it has. */
  readonly asks: string;
  /** Whether the record as it is now satisfies it; null when the record is in no register. */
  readonly holds: boolean | null;
  /**
   * The version from which on this has been so; null when it has been so for longer than the examined changes, and when
   * the record is in no register. For a list of records: since when the watch is as it is.
   */
  readonly since: Instant | null;
  /** Why the name is alike; null for other criteria, and when it is not. */
  readonly likeness: HitLikeness | null;
}

/** A version of the record, as the watch sees it. */
export interface DiagnosisEvent {
  readonly version: Instant;
  readonly window: DiagnosisWindow;
  /** How it would hit the watch as it is; null: neither this version nor the one before matches. */
  readonly matches: HitEvent | null;
  /** How it did hit; null: it did not. */
  readonly hit: HitEvent | null;
  /** When somebody of the team marked the hit as done, which takes it off the lists of new hits. */
  readonly done_at: Instant | null;
}

export interface WatchDiagnosis {
  readonly watch: string;
  readonly kind: WatchKind;
  readonly jurisdiction_code: string;
  readonly uid: string;
  readonly verdict: DiagnosisVerdict;
  /** The verdict as a sentence, with what can be done. */
  readonly text: string;
  /** Later events are matched by the watch as it is. */
  readonly holds_from: Instant;
  /** Every event up to it is checked. */
  readonly complete_through: Instant;
  /** Null while the watch is live. */
  readonly ended_at: Instant | null;
  readonly criteria: readonly DiagnosisCriterion[];
  /** Newest first. */
  readonly events: readonly DiagnosisEvent[];
  /** Whether there are older ones, which were not examined. */
  readonly has_more_events: boolean;
}
