/** The endpoints that find many records by their numbers, of one register and of several, or by their identities. */
import { parseIdentities, parseNumbersOfRegisters, parseRegisterNumbers } from '../parse/numbers.ts';
import { listRegisters } from '../plan/filters.ts';
import { planNumbers, planNumbersOfRegisters } from '../plan/numbers.ts';
import { renderIdentitiesPage, renderNumbersPage, renderSearchPage } from '../render/pages.ts';
import { defineEndpoint } from './endpoint.ts';
import { findIdentities, findNumbers } from './find-many.ts';
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

export const numbersEndpoint = defineEndpoint({
  name: 'numbers',
  parse: ({ values }) => parseNumbersOfRegisters(values),
  plan: planNumbersOfRegisters,
  covers: ({ request }) => request.registers.map(([register]) => register),
  read: findNumbers,
  render: renderNumbersPage,
  isStaged: true,
});

export const identitiesEndpoint = defineEndpoint({
  name: 'identities',
  parse: ({ values }) => parseIdentities(values),
  covers: (asked) => [...new Set(asked.map(({ register }) => register))].sort(),
  read: findIdentities,
  render: renderIdentitiesPage,
});
