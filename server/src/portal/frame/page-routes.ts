/** How pages declare their routes: one that shows something, and one to which a form is sent. */
import type { PortalServices } from '../services.ts';
import type { MemberCall, PortalAnswer, PortalRoute, PublicCall, SignedInCall } from './call.ts';

type Handling<Call> = (call: Call, services: PortalServices) => Promise<PortalAnswer>;
export type MemberHandling = Handling<MemberCall>;
type Change = Extract<PortalRoute, { readonly method: 'POST' }>;

interface Routes<Call> {
  /** `viewable`: operators who view a customer see the page too. */
  readonly show: (url: string, handler: Handling<Call>, viewable?: boolean) => PortalRoute;
  /** `page`: where the form is, with the names of `url` in it; `keeps`: the fields that are shown again. */
  readonly change: (url: string, page: string, keeps: readonly string[], handler: Handling<Call>) => Change;
}

/** Pages of the people of a customer. */
export function buildMemberRoutes(services: PortalServices): Routes<MemberCall> {
  return buildRoutes('', (handler) => ({ members: (call) => handler(call, services) }));
}

/** Pages of operators, below `/operator`. */
export function buildOperatorRoutes(services: PortalServices): Routes<SignedInCall> {
  return buildRoutes('/operator', (handler) => ({ operators: (call) => handler(call, services) }));
}

/** Pages of everybody who is signed in. */
export function buildPeopleRoutes(services: PortalServices): Routes<SignedInCall> {
  return buildRoutes('', (handler) => ({ people: (call) => handler(call, services) }));
}

function buildRoutes<Call>(
  below: string,
  handledBy: (handler: Handling<Call>) => Pick<PortalRoute, 'members' | 'operators' | 'people'>,
): Routes<Call> {
  return {
    show: (url, handler, viewable = false) => ({ method: 'GET', url: below + url, viewable, ...handledBy(handler) }),
    change: (url, page, keeps, handler) => ({
      method: 'POST',
      url: below + url,
      form: { page: ({ params }: PublicCall) => `/portal${below}${fillIn(page, params)}`, keeps },
      ...handledBy(handler),
    }),
  };
}

function fillIn(page: string, params: Readonly<Record<string, string>>): string {
  return page.replace(/:(\w+)/g, (_all, name: string) => encodeURIComponent(params[name] ?? ''));
}
