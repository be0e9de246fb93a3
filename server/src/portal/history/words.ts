/** Causes of the history as people read them. */
import type { HistoryCause } from '@tmds/contract/history';
import type { Level } from '../frame/components.ts';

export const CAUSE_TITLES: Readonly<Record<HistoryCause, string>> = {
  first: 'New in our data',
  office: 'Updated by the office',
  correction: 'Corrected by the office',
  renormalization: 'Read differently',
  removal: 'Gone from the office’s data',
};

/** A change that needs a second look is marked. */
export const CAUSE_LEVELS: Readonly<Record<HistoryCause, Level>> = {
  first: 'plain',
  office: 'plain',
  correction: 'warn',
  renormalization: 'off',
  removal: 'bad',
};

/** What the title does not say. */
export const CAUSE_DETAILS: Readonly<Partial<Record<HistoryCause, string>>> = {
  correction: 'the office’s date of the record is the same as before',
  renormalization: 'unchanged at the office',
  removal: 'the record stays here',
};

/** In one line with other words. */
export function meaningOf(cause: HistoryCause): string {
  const title = CAUSE_TITLES[cause];
  return title.charAt(0).toLowerCase() + title.slice(1);
}
