/** How pages declare their routes: one that shows something, and one to which a form is sent; and pages with a form. */

import { html } from 'htm/preact';
import type { PortalServices } from '../services.ts';
import type { MemberCall, Page, PortalAnswer, PortalRoute, PublicCall, Section, SignedInCall } from './call.ts';
import { renderFault, renderHeading } from './components.ts';
import { type Fields, type Form, isFault, type Values } from './forms.ts';
import type { Fault } from './once.ts';

type Handling<Call> = (call: Call, services: PortalServices) => Promise<PortalAnswer>;
export type MemberHandling = Handling<MemberCall>;
type Change = Extract<PortalRoute, { readonly method: 'POST' }>;

/** What happens to a form: the work that it asks for, and its page again if it has a fault. */
interface Submission<Call, Of extends Fields> {
  readonly refused: (call: Call, services: PortalServices, fault: string) => Promise<Page>;
  readonly answer: (call: Call, services: PortalServices, values: Values<Of>) => Promise<PortalAnswer | Fault>;
}

interface Routes<Call> {
  /** `viewable`: operators who view a customer see the page too. */
  readonly show: (url: string, handler: Handling<Call>, viewable?: boolean) => PortalRoute;
  /** `page`: where the form is, with the names of `url` in it; `keeps`: the fields that are shown again. */
  readonly change: (url: string, page: string, keeps: readonly string[], handler: Handling<Call>) => Change;
  /** `page`: where the form is. */
  readonly submit: <Of extends Fields>(
    url: string,
    page: string,
    form: Form<Of>,
    submission: Submission<Call, Of>,
  ) => Change;
  /** A page whose form is sent to its own address. */
  readonly ask: <Of extends Fields>(
    url: string,
    form: Form<Of>,
    page: (call: Call, services: PortalServices, fault?: string) => Promise<Page>,
    answer: Submission<Call, Of>['answer'],
  ) => PortalRoute[];
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

function buildRoutes<Call extends PublicCall>(
  below: string,
  handledBy: (handler: Handling<Call>) => Pick<PortalRoute, 'members' | 'operators' | 'people'>,
): Routes<Call> {
  const show: Routes<Call>['show'] = (url, handler, viewable = false) => ({
    method: 'GET',
    url: below + url,
    viewable,
    ...handledBy(handler),
  });
  const change: Routes<Call>['change'] = (url, page, keeps, handler) => ({
    method: 'POST',
    url: below + url,
    form: { page: ({ params }: PublicCall) => `/portal${below}${fillIn(page, params)}`, keeps },
    ...handledBy(handler),
  });
  const submit: Routes<Call>['submit'] = (url, page, form, { refused, answer }) =>
    change(url, page, form.keeps, async (call, services) => {
      const values = form.read(call.form);
      const outcome = isFault(values) ? values : await answer(call, services, values);
      return isFault(outcome) ? { status: 422, ...(await refused(call, services, outcome.fault)) } : outcome;
    });
  const ask: Routes<Call>['ask'] = (url, form, page, answer) => [
    show(url, (call, services) => page(call, services)),
    submit(url, url, form, { refused: page, answer }),
  ];
  return { show, change, submit, ask };
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
