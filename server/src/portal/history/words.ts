/** Causes of the history as people read them. */
import { CAUSE_MEANINGS, type HistoryCause } from '@tmds/contract/history';
import type { Level } from '../frame/components.ts';

export const CAUSE_TITLES: Readonly<Record<HistoryCause, string>> = {
  first: 'First version',
  office: 'Office',
  correction: 'Correction',
  renormalization: 'Read otherwise',
  removal: 'Removal',
};

/** A change that needs a second look is marked. */
export const CAUSE_LEVELS: Readonly<Record<HistoryCause, Level>> = {
  first: 'plain',
  office: 'plain',
  correction: 'warn',
  renormalization: 'off',
  removal: 'bad',
};

export function meaningOf(cause: HistoryCause): string {
  const meaning = CAUSE_MEANINGS[cause];
  return cause === 'removal' ? `${meaning}; the record stays` : meaning;
}
