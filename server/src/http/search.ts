/** The endpoints of search, for all registers and for one, and of the look-up of a record. */
import { QUERY_TIMEOUT_SECONDS } from '@tmds/contract/limits';
import { checkDeclared } from '../parse/query.ts';
import { parseSearch } from '../parse/search.ts';
import { parseRegister } from '../parse/values.ts';
import { planSearch, type SearchPlan } from '../plan/search.ts';
import { renderRecord, renderSearchPage } from '../render/pages.ts';
import { withLimits } from '../store/driver/db.ts';
import { recordNotFound } from '../store/records/registers.ts';
import type { Endpoint } from './call.ts';
import { findPage } from './find-page.ts';

/** Finds and renders a page of matches within the time limit of a search. */
export const serveSearch: Endpoint<SearchPlan>['serve'] = async (
  plan,
  { database, index, texts, stamps, clock, config },
  caller,
  timing,
  asker,
) => {
  const timeoutMs = (config.queryTimeoutSeconds ?? QUERY_TIMEOUT_SECONDS) * 1000;
  const deadlineMs = clock.monotonicMs() + timeoutMs;
  const turn = caller === null ? undefined : { customer: caller.customerId, key: caller.keyId };
  const { signal } = asker;
  const limits = { deadlineMs, signal, turn, holdTurn: (endTurn: () => void) => asker.whenSent(endTurn) };
  const page = await findPage(plan, { index, database, texts, stamps }, limits, timing);
  return timing.measure('render', () => renderSearchPage(page));
};

function buildSearchEndpoint(name: 'search' | 'scoped_search'): Endpoint<SearchPlan> {
  return {
    name,
    prepare: ({ pairs, register, breadth }, timing) => {
      const request = timing.measure('parse', () =>
        parseSearch(checkDeclared(name, pairs), name === 'search' ? null : register, breadth),
      );
      return timing.measure('plan', () => planSearch(request));
    },
    serve: serveSearch,
  };
}

export const searchEndpoint = buildSearchEndpoint('search');
export const scopedSearchEndpoint = buildSearchEndpoint('scoped_search');

/** For a look-up, the parsed request is the plan. */
interface LookupPlan {
  /** As `parseRegister` returns it (rule I-11). */
  readonly register: string;
  readonly uid: string;
  readonly expandPayload: boolean;
}

export const lookupEndpoint: Endpoint<LookupPlan> = {
  name: 'lookup',
  prepare: ({ pairs, register, uid }, timing) =>
    timing.measure('parse', () => ({
      register: parseRegister(register),
      uid,
      expandPayload: checkDeclared('lookup', pairs).expand === 'payload',
    })),
  serve: async ({ register, uid, expandPayload }, { database, records }, _caller, timing, asker) => {
    const record = await timing.measureAsync('store', () => records.find(register, uid, expandPayload, asker));
    if (record === null) throw await recordNotFound(withLimits(database, { signal: asker.signal }), register);
    return timing.measure('render', () => renderRecord(record));
  },
};
