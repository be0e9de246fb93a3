/** Which searches find the international registrations that records are part of. Pure. */
import { NUMBERS_MAX } from '@tmds/contract/limits';
import type { TrademarkDetail } from '@tmds/contract/record';
import type { SearchPlan } from './search.ts';

const INTERNATIONAL = 'WO';

/** One search for this many numbers at once; none if no record names a registration. */
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
