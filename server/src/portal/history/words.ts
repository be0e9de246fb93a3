/** Causes and fields of the history as people read them. */
import { CAUSE_MEANINGS, type ChangedField, type HistoryCause } from '@tmds/contract/history';
import type { Level } from '../frame/components.ts';

export const CAUSE_TITLES: Readonly<Record<HistoryCause, string>> = {
  first: 'First version',
  office: 'Office',
  correction: 'Correction',
  renormalization: 'Read otherwise',
  removal: 'Removal',
};

/** What needs a second look is marked. */
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

const FIELD_TITLES: Partial<Readonly<Record<ChangedField, string>>> = {
  mark_name: 'Mark',
  tm5_status: 'Status in the office’s words',
  owner_names: 'Owners',
  owner_countries: 'Owners’ countries',
  representative_names: 'Representatives',
  international_registration_numbers: 'International registration',
  priority_numbers: 'Priority',
  external_update_date: 'Changed by the office on',
};

export function titleOfField(field: ChangedField): string {
  const words = field.replaceAll('_', ' ');
  return FIELD_TITLES[field] ?? words.charAt(0).toUpperCase() + words.slice(1);
}
