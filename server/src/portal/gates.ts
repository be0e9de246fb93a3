/**
 * The gates that every request passes in the same order before its page runs. For a form: it was sent by one of our
 * pages (origin and CSRF token). For every other page: somebody is signed in for whom the page is, and whose role opens
 * it. To everybody else, a page of operators does not exist.
 */
import type { FastifyRequest } from 'fastify';
import {
  type MemberCall,
  PageRefusal,
  type PortalAnswer,
  type PortalRoute,
  type PublicCall,
  pageNotFound,
  type SignedInCall,
} from './frame/call.ts';
import { StaleForm } from './frame/once.ts';
import { mayOpen } from './frame/roles.ts';
import type { PortalServices } from './services.ts';
import { renderEnded } from './sign-in/refused-form.ts';
import type { Sessions } from './sign-in/sessions.ts';
import { endViewing } from './sign-in/standing.ts';
import { showWhoHelps } from './team/who-helps-page.ts';
import type { Visit } from './visit.ts';

export async function enter(
  route: PortalRoute,
  call: PublicCall,
  request: FastifyRequest,
  { services, sessions, visit }: { services: PortalServices; sessions: Sessions; visit: Visit },
): Promise<PortalAnswer> {
  const { form } = route;
  const { person, token } = call;
  if (form !== undefined) {
    checkOrigin(call, request);
    if (person === null && route.open === undefined) return renderEnded(call, services, form);
    if (!(await sessions.isCsrf(visit.cookieToken, call.form.get('csrf') ?? ''))) throw new StaleForm('old');
  }
  if (route.open !== undefined) return route.open(maySpend(call) ? call : { ...call, user: null });
  if (person === null || token === null) return { to: `/portal/sign-in?next=${encodeURIComponent(call.target)}` };
  return enterSignedIn(route, { ...call, person, token }, services);
}

/**
 * Open pages may spend units of the customer that they know. They know neither the customer that an operator views, nor
 * the own one of a person whose role has no calls of programs.
 */
function maySpend({ person, isViewing }: PublicCall): boolean {
  return !isViewing && (person === null || mayOpen(person, 'api'));
}

async function enterSignedIn(route: PortalRoute, call: SignedInCall, services: PortalServices): Promise<PortalAnswer> {
  const { person, user } = call;
  if (route.people !== undefined) return route.people(call);
  if (route.operators !== undefined) {
    if (!person.is_operator) throw pageNotFound();
    // Whoever opens a page of their own has left the customer's. A form there does its work first.
    if (user !== null && route.form === undefined) return leave({ ...call, user }, services);
    return route.operators(call);
  }
  if (user === null) {
    if (route.url === '/') return { to: '/portal/operator' };
    throw new PageRefusal(403, 'For customers', 'Operators see this page while they view a customer.', CUSTOMERS);
  }
  if (person.is_operator && route.viewable !== true) {
    const message = 'While you view a customer you can look, but neither change anything nor spend their units.';
    throw new PageRefusal(403, 'Not while you view', message);
  }
  const member = { ...call, user };
  return mayOpen(person, route.area!) ? route.members!(member) : showWhoHelps(member, services);
}

/** Ends the view of a customer, and leads to the page that was opened. */
async function leave(call: MemberCall, { database }: PortalServices): Promise<PortalAnswer> {
  await endViewing(call, database);
  return { to: `${call.target}${call.target.includes('?') ? '&' : '?'}done=view_ended` };
}

const CUSTOMERS = '/portal/operator/customers';

function checkOrigin(call: PublicCall, request: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  const isForeignSite = site !== undefined && site !== 'same-origin' && site !== 'none';
  const isForeignOrigin = origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== hostOf(call));
  if (isForeignSite || isForeignOrigin) {
    throw new PageRefusal(403, 'The form was not accepted', 'It did not come from a page of this portal.');
  }
}

function hostOf({ origin }: PublicCall): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}
