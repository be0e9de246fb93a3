/** The fields whose values a search page counts. */
import { titleOfClass } from '../frame/nice-classes.ts';
import { registerName } from '../frame/registers.ts';

/** The values of a field, each with the number of matches that have it; most frequent first. */
export interface FacetCounts {
  readonly field: FacetField;
  readonly values: readonly { readonly value: string; readonly count: number }[];
}

/** The fields with their labels, those that are used most first. */
export const FACET_FIELDS = {
  jurisdiction: 'Register',
  nice_class: 'Nice class',
  status: 'Status',
  application_year: 'Year of filing',
  owner_country: 'Owner country',
  kind_of_mark: 'Kind of mark',
  mark_feature: 'Mark feature',
} as const;
export type FacetField = keyof typeof FACET_FIELDS;

const CODED: ReadonlySet<FacetField> = new Set(['jurisdiction', 'owner_country']);

/** A value of a field as people read it. */
export function nameOfValue(field: FacetField, value: string): string {
  return CODED.has(field) ? registerName(value) : value;
}

/** What the value means, where the value alone does not say it; null elsewhere. */
export function meaningOfValue(field: FacetField, value: string): string | null {
  return field === 'nice_class' ? titleOfClass(Number(value)) : null;
}
