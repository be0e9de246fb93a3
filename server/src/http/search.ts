/** The endpoints of search, for all registers and for one, and of the look-up of a record. */

import { withLimits } from '../database/driver/db.ts';
import { parseSearch } from '../parse/search.ts';
import { parseRegister } from '../parse/values.ts';
import { listRegisters } from '../plan/filters.ts';
import { planSearch, type SearchPlan } from '../plan/search.ts';
import { renderTagged } from '../render/answer.ts';
import { renderSearchPage } from '../render/pages.ts';
import { missingRecord } from '../store/records/registers.ts';
import type { SearchPage } from '../store/records/search.ts';
import type { Call } from './call.ts';
import { defineEndpoint, type Services } from './endpoint.ts';
import { findPage } from './find-page.ts';

/** Finds a page of matches within the time limit of a search. Its turn ends when the page has been sent. */
export function readSearch(plan: SearchPlan, services: Services, call: Call): Promise<SearchPage> {
  return findPage(plan, services, call.limitSearch(services), call.timing);
}

export const searchEndpoint = defineEndpoint({
  name: 'search',
  parse: ({ values, breadth }) => parseSearch(values, null, breadth),
  plan: planSearch,
  covers: ({ conditions }) => listRegisters(conditions),
  read: readSearch,
  render: renderSearchPage,
  isStaged: true,
});

export const scopedSearchEndpoint = defineEndpoint({
  name: 'scoped_search',
  parse: ({ values, path, breadth }) => parseSearch(values, path.register, breadth),
  plan: planSearch,
  covers: ({ conditions }) => listRegisters(conditions),
  read: readSearch,
  render: renderSearchPage,
  isStaged: true,
});

export const lookupEndpoint = defineEndpoint({
  name: 'lookup',
  parse: ({ values, path }) => ({
    // As `parseRegister` returns it (rule I-11).
    register: parseRegister(path.register),
    uid: path.uid,
    expandPayload: values.expand === 'payload',
  }),
  covers: ({ register }) => [register],
  read: async ({ register, uid, expandPayload }, { database, records }, call) => {
    const record = await records.find(register, uid, expandPayload, call);
    if (record === null) throw await missingRecord(withLimits(database, { signal: call.signal }), register);
    return record;
  },
  render: (record) => renderTagged(record),
});
