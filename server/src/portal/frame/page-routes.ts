/** How pages declare their routes: one that shows something, and one to which a form is sent; and pages with a form. */

import { html } from 'htm/preact';
import type { PortalServices } from '../services.ts';
import type { MemberCall, Page, PortalAnswer, PortalRoute, PublicCall, Section, SignedInCall } from './call.ts';
import { renderFault, renderHeading } from './components.ts';

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

interface FormPage {
  readonly title: string;
  /** Default: the title. */
  readonly heading?: unknown;
  readonly section: Section;
  /** The pages above it. */
  readonly trail?: unknown;
  /** Why what was sent is refused; null if it was not. */
  readonly fault?: string | null;
  /** The status of a refused form; default 422. */
  readonly refusedStatus?: number;
}

export function buildFormPage(
  { title, heading = title, section, trail = null, fault = null, refusedStatus = 422 }: FormPage,
  content: unknown,
): Page {
  const body = html`
    <section class="narrow">
      ${trail}
      ${renderHeading(heading)}
      ${renderFault(fault)}
      ${content}
    </section>
  `;
  return { title, body, section, status: fault === null ? 200 : refusedStatus };
}
