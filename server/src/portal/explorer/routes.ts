/**
 * The search of the explorer. Each page makes one call of the public API with a key that the person chose, so
 * it is judged, metered and refused like any other call. When a link on another site led here, nothing is charged until
 * the person confirms.
 */

import type { DateText, SearchPage, TrademarkDetail } from '@tmds/contract/record';
import { isoInstant } from '../../base/clock.ts';
import { listSavedSearches, noteSearch } from '../../store/accounts/saved-searches.ts';
import { listRegisters } from '../../store/records/registers.ts';
import type { MemberCall, Page, PortalRoute, Redirect } from '../frame/call.ts';
import { spellRecords } from '../frame/party-names.ts';
import { countRegisters, sumMatches } from '../search/readings.ts';
import { countReadings } from '../search/routes.ts';
import type { PortalServices } from '../services.ts';
import { ask, baseUrlOf, chooseKey, type Explorer, renderNoKey, searchOptions } from './ask.ts';
import { translateForm } from './form-fields.ts';
import { listImageRoutes } from './recalled-results.ts';
import { hasNames, readColumns } from './record-table.ts';
import type { Answers } from './remembered-answers.ts';
import { renderSearchPage } from './search-page.ts';
import { encodePairs, isGrid, readSearch, type SearchPairs } from './search-pairs.ts';
import type { Elsewhere } from './search-results.ts';
import { listFilters } from './search-words.ts';
import { countNear } from './spelling-help.ts';
import { findWaitingNames, type WaitingNames } from './waiting-names.ts';

const SAVED = { after: null, limit: 10 } as const;
/** Controls alone are not a search. */
const CONTROLS = ['sort', 'order', 'limit', 'count', 'expand'];

export function listExplorerRoutes(services: PortalServices, answers: Answers): PortalRoute[] {
  const explorer = { services, answers };
  return [
    { method: 'GET', url: '/explorer', members: (call) => showSearch(call, explorer) },
    ...listImageRoutes(explorer),
  ];
}

async function showSearch(call: MemberCall, explorer: Explorer): Promise<Page | Redirect> {
  const { services, answers } = explorer;
  const today = isoInstant(services.clock.nowMs()).slice(0, 10) as DateText;
  const translated = translateForm(call.query, today);
  if (translated !== null) return { to: `/portal/explorer?${translated.toString()}` };
  const choice = await chooseKey(call, services, answers);
  if (choice.keys.length === 0) return renderNoKey(call, services, { title: 'Search trademarks', section: 'explorer' });
  const registers = await listRegisters(services.database);
  const { pairs, target } = readSearch(call.query);
  const isSearch = pairs.some(([name]) => !CONTROLS.includes(name));
  const outcome = isSearch ? await ask(call, explorer, choice, target, searchOptions(target, services)) : null;
  const page = outcome === null || outcome.refusal !== null ? null : (outcome.answer.body as SearchPage);
  const facets = page === null ? [] : await services.countFacets(call.user.customer_id, encodePairs(pairs).slice(1));
  if (page !== null && !call.query.has('cursor')) await noteShown(call, pairs, sumMatches(facets), services);
  const isEmpty = page !== null && page.items.length === 0 && !call.query.has('cursor');
  const elsewhere = isEmpty ? await countElsewhere(call, pairs, services) : undefined;
  const near = isEmpty ? await countNear(call.user.customer_id, pairs, services) : [];
  const saved = isSearch ? [] : await listSavedSearches(services.database, call.user.customer_id, SAVED);
  const limit = services.findCallLimit(encodePairs(pairs).slice(1))?.message ?? null;
  const request = { baseUrl: baseUrlOf(call, services), target, keyId: choice.key?.id ?? '', limit };
  const text = call.query.get('q') ?? '';
  const readings = text === '' ? [] : await countReadings(text, call, services);
  const { items, waiting } = await readNames(call, page?.items ?? [], services);
  const found = { outcome, items, waiting, facets, elsewhere, near, readings, request };
  return renderSearchPage(call, { choice, registers, pairs, isSearch, saved, ...found });
}

interface NamedItems {
  /** With names as the source spells them. */
  readonly items: readonly TrademarkDetail[];
  readonly waiting: WaitingNames | null;
}

/** Only a table with columns of names shows any. */
async function readNames(
  { query }: MemberCall,
  items: readonly TrademarkDetail[],
  { database }: PortalServices,
): Promise<NamedItems> {
  const columns = readColumns(query.get('columns'));
  if (isGrid(query) || !hasNames(columns)) return { items, waiting: null };
  const [spelled, waiting] = await Promise.all([
    spellRecords(database, items),
    findWaitingNames(database, items, columns),
  ]);
  return { items: spelled, waiting };
}

const NOTED_CHARACTERS_MAX = 2000;

/** The first page of a search is one of the recent searches of the person. */
async function noteShown(
  { user }: MemberCall,
  pairs: SearchPairs,
  found: number | null,
  { database }: PortalServices,
): Promise<void> {
  const search = encodePairs(listFilters(pairs)).slice(1);
  if (search.length <= NOTED_CHARACTERS_MAX) await noteSearch(database, user.user_id, { search, found });
}

/**
 * The matches in registers that the search leaves out; null if they were not counted in time. Undefined if it leaves
 * none out, or names nothing but registers.
 */
async function countElsewhere(
  { user }: MemberCall,
  pairs: SearchPairs,
  services: PortalServices,
): Promise<Elsewhere | null | undefined> {
  const others = listFilters(pairs).filter(([name]) => name !== 'jurisdiction');
  if (others.length === 0 || others.length === listFilters(pairs).length) return undefined;
  const facets = await countRegisters(user.customer_id, others, services);
  return facets === null ? null : facets.flatMap(({ values }) => values);
}
