/** The fields whose values a search page counts. */
import { nameAndCode } from '../frame/registers.ts';

/** The values of a field, each with the number of matches that have it; most frequent first. */
export interface FacetCounts {
  readonly field: FacetField;
  readonly values: readonly { readonly value: string; readonly count: number }[];
}

/** The fields, with their labels. */
export const FACET_FIELDS = {
  status: 'Status',
  jurisdiction: 'Register',
  nice_class: 'Nice class',
  kind_of_mark: 'Kind of mark',
  mark_feature: 'Mark feature',
  owner_country: 'Owner country',
  application_year: 'Year of filing',
} as const;
export type FacetField = keyof typeof FACET_FIELDS;

const CODED: ReadonlySet<FacetField> = new Set(['jurisdiction', 'owner_country']);

/** A value of a field as people read it. */
export function nameOfValue(field: FacetField, value: string): string {
  return CODED.has(field) ? nameAndCode(value) : value;
}
