/** Turns a request for many records by their numbers into the plan of a search. Pure. */
import type { NumbersRequest } from '../parse/numbers.ts';
import type { SearchPlan } from './search.ts';

/** The kinds of numbers that an office gives to a record; a priority number belongs to another one. */
const OWN_NUMBERS = ['application_number', 'registration_number', 'international_registration_number'] as const;

export function planNumbers({ register, numbers, after, limit, binding }: NumbersRequest): SearchPlan {
  return {
    register,
    conditions: [
      { kind: 'terms', field: 'jurisdiction', values: [register] },
      { kind: 'numbers', fields: OWN_NUMBERS, numbers },
    ],
    sort: 'updated_at',
    order: 'desc',
    after,
    limit,
    countMax: 0,
    expandPayload: false,
    binding,
  };
}
