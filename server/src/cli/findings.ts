/** How `tmds doctor` and `tmds verify` print what their checks found. */
import type { Finding } from '../monitor/doctor.ts';

export function renderFinding({ subject, seen, remedy, advice }: Finding): string {
  const more = remedy === null ? advice : remedy;
  const verdict = remedy !== null ? 'WRONG' : advice === undefined ? 'ok   ' : 'note ';
  return `${verdict}  ${subject.padEnd(9)}  ${seen}${more === undefined || more === seen ? '' : `; ${more}`}`;
}
