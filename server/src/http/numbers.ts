/** The endpoint that finds many records of a register by their numbers. */
import { parseRegisterNumbers } from '../parse/numbers.ts';
import { listRegisters } from '../plan/filters.ts';
import { planNumbers } from '../plan/numbers.ts';
import { renderSearchPage } from '../render/pages.ts';
import { defineEndpoint } from './endpoint.ts';
import { readSearch } from './search.ts';

export const registerNumbersEndpoint = defineEndpoint({
  name: 'register_numbers',
  parse: ({ values, path }) => parseRegisterNumbers(values, path.register),
  plan: planNumbers,
  covers: ({ conditions }) => listRegisters(conditions),
  read: readSearch,
  render: renderSearchPage,
  isStaged: true,
});
