/** How pages declare their routes: one that shows something, and one to which a form is sent; and pages with a form. */

import { html } from 'htm/preact';
import type { PortalServices } from '../services.ts';
import {
  type MemberCall,
  type Page,
  PageRefusal,
  type PortalAnswer,
  type PortalRoute,
  type PublicCall,
  type Section,
  type SignedInCall,
} from './call.ts';
import { renderFault, renderHeading } from './components.ts';
import { type Fields, type Form, isFault, type Values } from './forms.ts';
import type { Fault } from './once.ts';

type Handling<Call> = (call: Call, services: PortalServices) => Promise<PortalAnswer>;
type Change = Extract<PortalRoute, { readonly method: 'POST' }>;

/** What happens to a form: the work that it asks for, and its page again if it has a fault. */
interface Submission<Call, Of extends Fields> {
  /** Default: a page that says so and leads back. */
  readonly refused?: (call: Call, services: PortalServices, fault: string) => Promise<Page>;
  readonly answer: (call: Call, services: PortalServices, values: Values<Of>) => Promise<PortalAnswer | Fault>;
}

interface Routes<Call> {
  /** `viewable`: operators who view a customer see the page too. */
  readonly show: (url: string, handler: Handling<Call>, viewable?: boolean) => PortalRoute;
  /** `page`: where the form is, with names of `url` and of fields in it. */
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
  const pageOf = (page: string, { params, form }: PublicCall): string =>
    `/portal${below}${fillIn(page, { ...Object.fromEntries(form), ...params })}`;
  const submit: Routes<Call>['submit'] = (url, page, form, { refused, answer }) => ({
    method: 'POST',
    url: below + url,
    form: { page: (call) => pageOf(page, call), keeps: form.keeps },
    ...form.parts,
    ...handledBy(async (call, services) => {
      const values = form.read(call.form);
      const outcome = isFault(values) ? values : await answer(call, services, values);
      if (!isFault(outcome)) return outcome;
      if (refused === undefined) throw new PageRefusal(422, 'Nothing was changed', outcome.fault, pageOf(page, call));
      return { status: 422, ...(await refused(call, services, outcome.fault)) };
    }),
  });
  const ask: Routes<Call>['ask'] = (url, form, page, answer) => [
    show(url, (call, services) => page(call, services)),
    submit(url, url, form, { refused: page, answer }),
  ];
  return { show, submit, ask };
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
