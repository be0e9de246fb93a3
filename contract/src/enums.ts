/**
 * The closed sets of values of the record model (specification 4.3), in the specification's order. Filters keep this
 * order in canonical queries, to which cursors are bound: append values, never reorder them.
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

/** The products that a key can be sold (specification 5.5). */
export const PRODUCTS = ['records', 'analytics'] as const;
export type Product = (typeof PRODUCTS)[number];

export const SORTS = ['updated_at', 'application_date', 'registration_date'] as const;
export type Sort = (typeof SORTS)[number];

export const ORDERS = ['asc', 'desc'] as const;
export type Order = (typeof ORDERS)[number];

/** The seven dates with filters: `x`, `x_from` and `x_to` for each (specification 4.3, date filters). */
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
