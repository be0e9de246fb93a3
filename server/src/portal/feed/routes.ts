/**
 * Changes: the latest of a register, or the feed from an instant on. Like the explorer, each page is one call of the
 * public API with a key that the person chose.
 */

import type { ChangesPage } from '@tmds/contract/record';
import { listRegisters } from '../../store/records/registers.ts';
import { ask, baseUrlOf, chooseKey, type Explorer, renderNoKey } from '../explorer/ask.ts';
import type { Answers } from '../explorer/remembered-answers.ts';
import { encodePairs, type SearchPairs } from '../explorer/search-pairs.ts';
import type { MemberCall, Page, PortalRoute } from '../frame/call.ts';
import { spellRecords } from '../frame/party-names.ts';
import type { PortalServices } from '../services.ts';
import { renderFeedPage } from './feed-page.ts';

const FEED_LIMIT = 50;
const LATEST_LIMIT = 25;

export function listFeedRoutes(services: PortalServices, answers: Answers): PortalRoute[] {
  const explorer = { services, answers };
  return [{ method: 'GET', url: '/feed', members: (call) => showFeed(call, explorer) }];
}

async function showFeed(call: MemberCall, explorer: Explorer): Promise<Page> {
  const { services, answers } = explorer;
  const { query } = call;
  const choice = await chooseKey(call, services, answers);
  if (choice.keys.length === 0) return renderNoKey(call, services, { title: 'Latest changes', section: 'registers' });
  const registers = await listRegisters(services.database);
  const register = query.get('register') ?? '';
  const since = query.get('since') ?? '';
  const isAsked = query.has('show') || register !== '' || since !== '';
  const target = since === '' ? planLatest(register) : planFeed({ register, since, cursor: query.get('cursor') ?? '' });
  const outcome = isAsked ? await ask(call, explorer, choice, target) : null;
  const request = { baseUrl: baseUrlOf(call, services), target, keyId: choice.key?.id ?? '' };
  const page = outcome === null || outcome.refusal !== null ? null : (outcome.answer.body as ChangesPage);
  const items = await spellRecords(services.database, page?.items ?? []);
  return renderFeedPage(call, { registers, register, since, choice, isAsked, outcome, items, request });
}

/** The newest changes: a search, because the feed has the oldest first. */
function planLatest(register: string): string {
  const pairs: SearchPairs = [
    ...(register === '' ? [] : [['jurisdiction', register] as const]),
    ['updated_since', '1970-01-01T00:00:00Z'],
    ['limit', String(LATEST_LIMIT)],
  ];
  return `/v1/trademarks${encodePairs(pairs)}`;
}

function planFeed({ register, since, cursor }: { register: string; since: string; cursor: string }): string {
  const pairs: SearchPairs = [
    ['since', since],
    ...(cursor === '' ? [] : [['cursor', cursor] as const]),
    ['limit', String(FEED_LIMIT)],
  ];
  const path = register === '' ? '/v1/changes' : `/v1/${encodeURIComponent(register)}/changes`;
  return `${path}${encodePairs(pairs)}`;
}
