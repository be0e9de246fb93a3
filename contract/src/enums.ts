/**
 * The closed sets of values of the record model (specification 4.3). The order is the specification's and part of
 * the stored coding of a record (`record/terms`): append, never reorder.
 */

export const STATUSES = ['Registered', 'Pending', 'Abandoned', 'Cancelled', 'Unknown'] as const;
export type Status = (typeof STATUSES)[number];

export const KINDS_OF_MARK = [
  'Certificate',
  'Collective',
  'Common right',
  'Defensive',
  'Geographical',
  'Guarantee',
  'Individual',
  'Logotype',
  'Other',
  'Service',
  'Trademark',
  'Denomination',
] as const;
export type KindOfMark = (typeof KINDS_OF_MARK)[number];

export const MARK_FEATURES = [
  'Word',
  'Figurative',
  'Combined',
  'Three-dimensional',
  'Colour',
  'Sound',
  'Hologram',
  'Olfactory',
  'Motion',
  'Touch',
  'Taste',
  'Position',
  'Other',
  'Chimney',
  'Combination of colours',
  'Multimedia',
  'Stylized characters',
  'Pattern',
  'Undefined',
] as const;
export type MarkFeature = (typeof MARK_FEATURES)[number];

/** What a key can be sold for (specification 5.5); the analytics product is served by another host. */
export const PRODUCTS = ['records', 'analytics'] as const;
export type Product = (typeof PRODUCTS)[number];

export const SORTS = ['updated_at', 'application_date', 'registration_date'] as const;
export type Sort = (typeof SORTS)[number];

export const ORDERS = ['asc', 'desc'] as const;
export type Order = (typeof ORDERS)[number];

/** The seven dates that can be filtered on, each in three forms (specification 4.3, date filters). */
export const FILTER_DATES = [
  'application_date',
  'registration_date',
  'publication_date',
  'status_date',
  'expiry_date',
  'termination_date',
  'opposition_period_end',
] as const;
export type FilterDate = (typeof FILTER_DATES)[number];
