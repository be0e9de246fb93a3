/** The name of an export file: the search in words, where a later part begins, and the day. */
import { foldWords } from '@tmds/contract/docket/words';
import { isoInstant } from '../../base/clock.ts';
import type { ExportPlan } from '../explorer/export-plan.ts';
import { describeFilters } from '../explorer/filter-chips.ts';

/** Of the words, so that a folder with a long name still takes the file. */
const WORDS_MAX = 80;

/** Only letters from a to z, digits and hyphens, whatever was searched for. */
export function nameFile({ pairs, before }: ExportPlan, nowMs: number, extension: string): string {
  const words = foldWords(describeFilters(pairs))
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
  let short = '';
  for (const word of words) {
    const longer = short === '' ? word.slice(0, WORDS_MAX) : `${short}-${word}`;
    if (longer.length > WORDS_MAX) break;
    short = longer;
  }
  const from = before === null || before === 0 ? [] : [`from-${before + 1}`];
  return `${['trademarks', ...(short === '' ? [] : [short]), ...from, isoInstant(nowMs).slice(0, 10)].join('-')}.${extension}`;
}
