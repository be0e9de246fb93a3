/** The first page of a person, and what can be done on it: all hits are seen, recent searches are cleared. */
import { buildDatesReader } from '../../due/watched-dates.ts';
import { deleteRecentSearches } from '../../store/accounts/saved-searches.ts';
import { markAllSeen } from '../../store/watches/new-hits.ts';
import { type MemberCall, PageRefusal, type PortalAnswer, type PortalRoute } from '../frame/call.ts';
import { NO_FIELDS, type Values } from '../frame/forms.ts';
import { doOnce } from '../frame/once.ts';
import { buildMemberRoutes } from '../frame/page-routes.ts';
import { within } from '../frame/roles.ts';
import type { PortalServices } from '../services.ts';
import { readHome } from './home.ts';
import { renderHome, SEEN } from './home-page.ts';

const INSTANT = /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

export function listHomeRoutes(services: PortalServices): PortalRoute[] {
  const readDates = buildDatesReader({ ...services, matches: services.watches });
  const { submit } = buildMemberRoutes(services);
  return [
    {
      method: 'GET',
      url: '/',
      viewable: true,
      // Marks are no business of an operator who views the customer.
      area: 'own',
      members: async (call) =>
        call.isViewing ? { to: '/portal/usage' } : renderHome(call, await readHome(call, services, readDates)),
    },
    ...within('watches', [submit('/hits-seen', '', SEEN, { answer: answerSeen })]),
    ...within('search', [submit('/searches-cleared', '', NO_FIELDS, { answer: answerCleared })]),
  ];
}

/** Up to what the page showed: hits that were found since then stay new. */
async function answerSeen(
  call: MemberCall,
  { database }: PortalServices,
  { through }: Values<typeof SEEN.fields>,
): Promise<PortalAnswer> {
  if (!INSTANT.test(through) || Number.isNaN(Date.parse(through))) {
    throw new PageRefusal(400, 'The form is broken', 'Open the start page again.');
  }
  return doOnce(call, database, async (tx) => {
    await markAllSeen(tx, call.user.user_id, through);
    return { to: '/portal?done=hits_seen' };
  });
}

async function answerCleared(call: MemberCall, { database }: PortalServices): Promise<PortalAnswer> {
  return doOnce(call, database, async (tx) => {
    await deleteRecentSearches(tx, call.user.user_id);
    return { to: '/portal?done=searches_cleared' };
  });
}
