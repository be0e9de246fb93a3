/** The endpoint that finds many records of a register by their numbers. */
import { parseRegisterNumbers } from '../parse/numbers.ts';
import { checkDeclared } from '../parse/query.ts';
import { planNumbers } from '../plan/numbers.ts';
import type { SearchPlan } from '../plan/search.ts';
import type { Endpoint } from './call.ts';
import { serveSearch } from './search.ts';

export const registerNumbersEndpoint: Endpoint<SearchPlan> = {
  name: 'register_numbers',
  prepare: ({ pairs, register }, timing) => {
    const request = timing.measure('parse', () =>
      parseRegisterNumbers(checkDeclared('register_numbers', pairs), register),
    );
    return timing.measure('plan', () => planNumbers(request));
  },
  serve: serveSearch,
};
