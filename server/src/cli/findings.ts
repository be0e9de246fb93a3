/** How `tmds doctor` and `tmds verify` print what their checks found. */
import type { Finding } from '../watch/doctor.ts';

export function renderFinding({ subject, seen, remedy }: Finding): string {
  const advice = remedy === null || remedy === seen ? '' : `; ${remedy}`;
  return `${remedy === null ? 'ok   ' : 'WRONG'}  ${subject.padEnd(9)}  ${seen}${advice}`;
}
