/** Causes of the history as people read them. */
import type { HistoryCause } from '@tmds/contract/history';
import type { Level } from '../frame/components.ts';

export const CAUSE_TITLES: Readonly<Record<HistoryCause, string>> = {
  first: 'First version',
  office: 'Office',
  correction: 'Correction',
  renormalization: 'Read differently',
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

const MEANINGS: Readonly<Record<HistoryCause, string>> = {
  first: 'new in our data',
  office: 'updated by the office',
  correction: 'corrected by the office, with the same date',
  renormalization: 'unchanged at the office, read differently by this service',
  removal: 'no longer in the office’s data; the record stays',
};

export function meaningOf(cause: HistoryCause): string {
  return MEANINGS[cause];
}
