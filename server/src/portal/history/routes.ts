/**
 * The history of a record: each page of it is one call of the public API with a key that the person chose, judged and
 * metered like any other.
 */
import { CHANGED_FIELDS, HISTORY_CAUSES } from '@tmds/contract/history';
import { ask, baseUrlOf, chooseKey, type Explorer, renderNoKey } from '../explorer/ask.ts';
import type { Answers } from '../explorer/remembered-answers.ts';
import { encodePairs, type SearchPairs } from '../explorer/search-pairs.ts';
import type { MemberCall, Page, PortalRoute } from '../frame/call.ts';
import type { PortalServices } from '../services.ts';
import { CURSORS_MAX, type HistoryFilter, renderHistoryPage } from './history-page.ts';
import { placeOf } from './places.ts';

/** Versions of a page. */
const LIMIT = 20;

export function listHistoryRoutes(services: PortalServices, answers: Answers): PortalRoute[] {
  const explorer = { services, answers };
  return [{ method: 'GET', url: '/explorer/history/:register/*', members: (call) => showHistory(call, explorer) }];
}

async function showHistory(call: MemberCall, explorer: Explorer): Promise<Page> {
  const { services, answers } = explorer;
  const choice = await chooseKey(call, services, answers);
  if (choice.keys.length === 0) return renderNoKey(call, services, { title: 'History', section: 'explorer' });
  const { register = '', '*': uid = '' } = call.params;
  const filter = readFilter(call.query);
  const target = planTarget({ register, uid }, filter);
  const outcome = await ask(call, explorer, choice, target);
  const request = { baseUrl: baseUrlOf(call, services), target, keyId: choice.key?.id ?? '' };
  const place = placeOf({ register, uid }, call.query, choice.key?.id ?? null);
  return renderHistoryPage(call, { place, filter, choice, outcome, request });
}

/** Unknown names are left out. */
function readFilter(query: URLSearchParams): HistoryFilter {
  const chosen = (name: string): readonly string[] => (query.get(name) ?? '').split(',');
  const [fields, causes] = [chosen('field'), chosen('cause')];
  return {
    fields: CHANGED_FIELDS.filter((field) => fields.includes(field)),
    causes: HISTORY_CAUSES.filter((cause) => causes.includes(cause)),
    cursors: query.getAll('cursor').slice(-CURSORS_MAX),
  };
}

function planTarget(
  { register, uid }: { readonly register: string; readonly uid: string },
  { fields, causes, cursors }: HistoryFilter,
): string {
  const cursor = cursors.at(-1);
  const pairs: SearchPairs = [
    ...(fields.length === 0 ? [] : [['field', fields.join(',')] as const]),
    ...(causes.length === 0 ? [] : [['cause', causes.join(',')] as const]),
    ['limit', String(LIMIT)],
    ...(cursor === undefined ? [] : [['cursor', cursor] as const]),
  ];
  const path = `/v1/${encodeURIComponent(register)}/trademarks/${encodeURIComponent(uid)}/history`;
  return `${path}${encodePairs(pairs)}`;
}
