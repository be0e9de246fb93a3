/** What a check has seen, in words for the operator. */
export interface Observation {
  readonly seen: string;
  /** What to do; null if nothing. */
  readonly remedy: string | null;
}
