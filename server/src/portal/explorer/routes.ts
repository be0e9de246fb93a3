/**
 * The search of the explorer. Each page makes one call of the public API with a key that the person chose, so
 * it is judged, metered and refused like any other call. When a link on another site led here, nothing is charged until
 * the person confirms.
 */
import type { DateText } from '@tmds/contract/record';
import { isoInstant } from '../../base/clock.ts';
import { listRegisters } from '../../store/records/registers.ts';
import type { MemberCall, Page, PortalRoute, Redirect } from '../frame/call.ts';
import { countReadings } from '../search/routes.ts';
import type { PortalServices } from '../services.ts';
import { ask, baseUrlOf, type Explorer } from './ask.ts';
import { chooseKey, renderNoKey } from './charged-key.ts';
import { listExportRoutes } from './export-routes.ts';
import { translateForm } from './form-fields.ts';
import { listImageRoutes } from './image-routes.ts';
import type { Answers } from './remembered-answers.ts';
import { renderSearchPage } from './search-page.ts';
import { encodePairs } from './search-pairs.ts';
import { readSearch } from './search-target.ts';

/** Controls alone are not a search. */
const CONTROLS = ['sort', 'order', 'limit', 'count', 'expand'];

export function listExplorerRoutes(services: PortalServices, answers: Answers): PortalRoute[] {
  const explorer = { services, answers };
  return [
    { method: 'GET', url: '/explorer', members: (call) => showSearch(call, explorer) },
    ...listExportRoutes(explorer),
    ...listImageRoutes(explorer),
  ];
}

async function showSearch(call: MemberCall, explorer: Explorer): Promise<Page | Redirect> {
  const { services, answers } = explorer;
  const today = isoInstant(services.clock.nowMs()).slice(0, 10) as DateText;
  const translated = translateForm(call.query, today);
  if (translated !== null) return { to: `/portal/explorer?${translated.toString()}` };
  const choice = await chooseKey(call, services, answers);
  if (choice.keys.length === 0) return renderNoKey(call, services, { title: 'Explorer', section: 'explorer' });
  const registers = await listRegisters(services.database);
  const { pairs, target } = readSearch(call.query);
  const isSearch = pairs.some(([name]) => !CONTROLS.includes(name));
  const outcome = isSearch ? await ask(call, explorer, choice, target) : null;
  const isServed = outcome !== null && outcome.refusal === null;
  const facets = isServed ? await services.countFacets(call.user.customer_id, encodePairs(pairs).slice(1)) : [];
  const request = { baseUrl: baseUrlOf(call, services), target, keyId: choice.key?.id ?? '' };
  const text = call.query.get('q') ?? '';
  const readings = text === '' ? [] : await countReadings(text, call, services);
  return renderSearchPage(call, { choice, registers, pairs, isSearch, outcome, facets, readings, request });
}
