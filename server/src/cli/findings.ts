/** Findings of checks, as `tmds doctor` and `tmds verify` print them. */
export interface Finding {
  readonly subject: string;
  /** The observation. */
  readonly seen: string;
  /** What to do; null when nothing is wrong. */
  readonly remedy: string | null;
}

export function renderFinding({ subject, seen, remedy }: Finding): string {
  const advice = remedy === null || remedy === seen ? '' : `; ${remedy}`;
  return `${remedy === null ? 'ok   ' : 'WRONG'}  ${subject.padEnd(9)}  ${seen}${advice}`;
}
