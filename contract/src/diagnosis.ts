/** Why a record did or did not hit a watch. */
import type { Instant } from './record.ts';
import type { RegisterCode, Uid } from './values.ts';
import type { HitEvent, HitLikeness, WatchKind } from './watches.ts';

/**
 * Of the examined changes of the record: one hit the watch; one that matches is not checked yet; the record is in no
 * register; none matches; those that match came before the watch was as it is, or after it ended; one should have hit
 * and did not; or the search of the watch is not understood any more.
 */
export type DiagnosisVerdict =
  | 'hit'
  | 'waiting'
  | 'no_record'
  | 'no_match'
  | 'before_watch'
  | 'ended'
  | 'unexplained'
  | 'not_understood';

/**
 * Where a change lies: before the watch was as it is, among what it has checked, not checked yet, or after it ended.
 */
export type DiagnosisWindow = 'before_watch' | 'checked' | 'waiting' | 'ended';

/** Changes of the record that are examined, the newest ones. */
export const DIAGNOSIS_EVENTS_MAX = 100;

/** What the watch asks of a record; a record matches when it satisfies all of it. */
export interface DiagnosisCriterion {
  /** The name of a filter, or the kind of the watch for its list or its mark. */
  readonly criterion: string;
  /** As a query string; of a list, how many entries it has. */
  readonly asks: string;
  /** Whether the record as it is now satisfies it; null when no register has the record. */
  readonly holds: boolean | null;
  /**
   * The version from which on this has been so; null when it has been so for longer than the examined changes, and when
   * the record is in no register. For a list of records: since when the watch is as it is.
   */
  readonly since: Instant | null;
  /** Why the name is alike; null for other criteria, and when it is not. @oneOf */
  readonly likeness: HitLikeness | null;
}

/** A change of the record, as the watch sees it. */
export interface DiagnosisEvent {
  /** The version that the change made. */
  readonly version: Instant;
  /** Before the watch was as it is, checked, not checked yet, or after the watch ended. */
  readonly window: DiagnosisWindow;
  /** How it would hit the watch as it is; null: neither this version nor the one before matches. */
  readonly matches: HitEvent | null;
  /** How it did hit; null: it did not. */
  readonly hit: HitEvent | null;
  /** When somebody of the team marked the hit as done, which takes it off the lists of new hits. */
  readonly done_at: Instant | null;
}

/** Why a record did or did not hit a watch. @schema */
export interface WatchDiagnosis {
  /** Id of the watch. */
  readonly watch: string;
  readonly kind: WatchKind;
  /** Register code of the record. */
  readonly jurisdiction_code: RegisterCode;
  /** Identity of the record within the register. */
  readonly uid: Uid;
  /** Why it did or did not hit. */
  readonly verdict: DiagnosisVerdict;
  /** The verdict as a sentence, with what can be done. */
  readonly text: string;
  /** Later events are matched by the watch as it is. */
  readonly holds_from: Instant;
  /** Every event up to it is checked. */
  readonly complete_through: Instant;
  /** Null while the watch is live. */
  readonly ended_at: Instant | null;
  /** Everything that the watch asks for. */
  readonly criteria: readonly DiagnosisCriterion[];
  /** The latest changes of the record, newest first. */
  readonly events: readonly DiagnosisEvent[];
  /** Whether there are older ones, which were not examined. */
  readonly has_more_events: boolean;
}
