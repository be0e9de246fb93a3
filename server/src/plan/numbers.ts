/**
 * Plans of searches for many records by their numbers, one for each register; and for the international registrations
 * that records are part of. Pure.
 */

import { NUMBERS_MAX } from '@tmds/contract/limits';
import type { TrademarkDetail } from '@tmds/contract/record';
import type { NumbersOfRegistersRequest, NumbersRequest } from '../parse/numbers.ts';
import type { SearchPlan } from './search.ts';

/** The kinds of numbers that an office gives to a record; a priority number belongs to another one. */
export const OWN_NUMBERS = ['application_number', 'registration_number', 'international_registration_number'] as const;

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

export interface NumbersPlan {
  readonly request: NumbersOfRegistersRequest;
  /** In the order of the codes, without registers that earlier pages have finished; `limit` is that of the page. */
  readonly searches: readonly (readonly [register: string, search: SearchPlan])[];
}

/** A register that does not exist matches nothing, as in the filter of a search (rule I-11). */
export function planNumbersOfRegisters(request: NumbersOfRegistersRequest): NumbersPlan {
  const { registers, after, limit, binding } = request;
  const left = registers.filter(([code]) => after === null || code >= after.jurisdiction_code);
  const searches = left.map(([register, numbers]) => {
    const from = after?.jurisdiction_code === register ? after : null;
    return [register, { ...planNumbers({ register, numbers, after: from, limit, binding }), register: null }] as const;
  });
  return { request, searches };
}

const INTERNATIONAL = 'WO';

/** The registrations of records: one search for so many numbers at once; none if no record names a registration. */
export function planParents(records: readonly TrademarkDetail[]): SearchPlan[] {
  const named = records
    .filter(({ jurisdiction_code }) => jurisdiction_code !== INTERNATIONAL)
    .flatMap(({ international_registration_numbers: numbers }) => numbers ?? []);
  const numbers = [...new Set(named)].sort();
  const plans: SearchPlan[] = [];
  for (let from = 0; from < numbers.length; from += NUMBERS_MAX) {
    plans.push({
      register: null,
      conditions: [
        { kind: 'terms', field: 'jurisdiction', values: [INTERNATIONAL] },
        {
          kind: 'numbers',
          fields: ['international_registration_number'],
          numbers: numbers.slice(from, from + NUMBERS_MAX),
        },
      ],
      sort: 'updated_at',
      order: 'desc',
      after: null,
      limit: NUMBERS_MAX,
      countMax: 0,
      expandPayload: false,
      binding: { kind: 'search', query: '' },
    });
  }
  return plans;
}
