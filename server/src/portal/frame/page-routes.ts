/**
 * How pages declare their routes: one that shows something, one to which a form is sent, the changes of an object, and
 * the questions before a change.
 */

import { html } from 'htm/preact';
import type { Database, Queryable, Transaction } from '../../database/driver/db.ts';
import type { PortalServices } from '../services.ts';
import {
  type MemberCall,
  type Page,
  PageRefusal,
  type PortalAnswer,
  type PortalRoute,
  type PublicCall,
  type Redirect,
  type Section,
  type SignedInCall,
} from './call.ts';
import { renderFault, renderHeading } from './components.ts';
import { type Fields, type Form, isFault, renderForm, type Submission, type Values } from './forms.ts';
import type { Fault } from './once.ts';

type Handling<Call> = (call: Call, services: PortalServices) => Promise<PortalAnswer>;
/** A page, also with the fault of a form that is on it. */
type Showing<Call> = (call: Call, services: PortalServices, fault?: string) => Promise<Page>;
type Change = Extract<PortalRoute, { readonly method: 'POST' }>;

/** What happens to a form: the work that it asks for, and its page again if it has a fault. */
interface Handled<Call, Of extends Fields> {
  /** Default: a page that says so and leads back. */
  readonly refused?: (call: Call, services: PortalServices, fault: string) => Promise<Page>;
  readonly answer: (call: Call, services: PortalServices, values: Values<Of>) => Promise<PortalAnswer | Fault>;
}

/** An object that has pages and changes below its address. */
interface Subject<Call, Found> {
  readonly at: string;
  /** Throws PageRefusal when there is no such object for this caller, or when it cannot be changed. */
  readonly find: (call: Call, reading: { readonly database: Queryable }) => Promise<Found>;
  /** Whether it is looked for before the form's token too: a form about nothing is then not found, and never stale. */
  readonly isFoundFirst?: boolean;
  /** Runs a change once, in a transaction. */
  readonly run: (
    call: Call,
    database: Database,
    work: (tx: Transaction) => Promise<Redirect | Fault>,
  ) => Promise<Redirect | Fault>;
}

interface Work<Call, Found, Of extends Fields> {
  /** Judges what was typed before the transaction begins. */
  readonly judge?: (call: Call, services: PortalServices, values: Values<Of>) => Promise<Fault | null>;
  /** Resolves to the path that the browser goes on to. */
  readonly work: (tx: Transaction, found: Found, doing: Doing<Call, Of>) => Promise<string | Fault>;
  /** Called after the transaction, unless the form had a fault. */
  readonly done?: (call: Call) => void;
}

interface Doing<Call, Of extends Fields> {
  readonly call: Call;
  readonly services: PortalServices;
  readonly values: Values<Of>;
}

/** The question before a change: the head of its page, what it says, and its form. */
interface Question<Of extends Fields>
  extends Omit<FormPage, 'fault'>,
    Pick<Submission<Of>, 'label' | 'kind' | 'shown' | 'before' | 'back'> {
  readonly words?: unknown;
}

interface Changes<Call, Found> {
  /** `page`: where the form is, below the object; null for a form whose fault is shown on a page that leads back. */
  readonly change: <Of extends Fields>(
    url: string,
    form: Form<Of>,
    page: Showing<Call> | null,
    work: Work<Call, Found, Of>['work'],
  ) => Change;
  readonly ask: <Of extends Fields>(
    url: string,
    form: Form<Of>,
    question: (found: Found, call: Call, services: PortalServices) => Question<Of> | Promise<Question<Of>>,
    work: Work<Call, Found, Of>,
  ) => PortalRoute[];
}

interface Routes<Call> {
  /** `viewable`: operators who view a customer see the page too. */
  readonly show: (url: string, handler: Handling<Call>, viewable?: boolean) => PortalRoute;
  /** `page`: where the form is, with names of `url` and of fields in it. */
  readonly submit: <Of extends Fields>(url: string, page: string, form: Form<Of>, handled: Handled<Call, Of>) => Change;
  /** A page whose form is sent to its own address. */
  readonly ask: <Of extends Fields>(
    url: string,
    form: Form<Of>,
    page: Showing<Call>,
    answer: Handled<Call, Of>['answer'],
  ) => PortalRoute[];
  readonly of: <Found>(subject: Subject<Call, Found>) => Changes<Call, Found>;
}

export function buildMemberRoutes(services: PortalServices): Routes<MemberCall> {
  return buildRoutes('', (handler) => ({ members: (call) => handler(call, services) }));
}

/** Pages of operators, below `/operator`. */
export function buildOperatorRoutes(services: PortalServices): Routes<SignedInCall> {
  return buildRoutes('/operator', (handler) => ({ operators: (call) => handler(call, services) }));
}

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
    show(url, page),
    submit(url, url, form, { refused: page, answer }),
  ];
  const of: Routes<Call>['of'] = (subject) => buildChanges(subject, { submit, ask }, pageOf);
  return { show, submit, ask, of };
}

function buildChanges<Call extends PublicCall, Found>(
  { at, find, run, isFoundFirst = false }: Subject<Call, Found>,
  { submit, ask }: Pick<Routes<Call>, 'submit' | 'ask'>,
  pageOf: (page: string, call: PublicCall) => string,
): Changes<Call, Found> {
  const answerBy =
    <Of extends Fields>({ judge, work, done }: Work<Call, Found, Of>): Handled<Call, Of>['answer'] =>
    async (call, services, values) => {
      if (isFoundFirst) await find(call, services);
      const fault = (await judge?.(call, services, values)) ?? null;
      if (fault !== null) return fault;
      const outcome = await run(call, services.database, async (tx) => {
        const led = await work(tx, await find(call, { database: tx }), { call, services, values });
        return typeof led === 'string' ? { to: led } : led;
      });
      if (!isFault(outcome)) done?.(call);
      return outcome;
    };
  return {
    change: (url, form, page, work) =>
      submit(url === '' ? at : `${at}/${url}`, at, form, {
        ...(page === null ? {} : { refused: page }),
        answer: answerBy({ work }),
      }),
    ask: (url, form, question, work) => {
      const own = `${at}/${url}`;
      const show: Showing<Call> = async (call, services, fault) => {
        const asked = await question(await find(call, services), call, services);
        const { words = null, label, kind, shown, before, back, ...page } = asked;
        const sent = { action: pageOf(own, call), label, kind, shown, before, back };
        const content = html`${words}${renderForm(call, form, sent as Submission<typeof form.fields>)}`;
        return buildFormPage({ ...page, fault: fault ?? null }, content);
      };
      return ask(own, form, show, answerBy(work));
    },
  };
}

function fillIn(page: string, params: Readonly<Record<string, string>>): string {
  return page.replace(/:(\w+)/g, (_all, name: string) => encodeURIComponent(params[name] ?? ''));
}

interface FormPage {
  readonly title: string;
  readonly heading?: unknown;
  readonly section: Section;
  readonly trail?: unknown;
  readonly fault?: string | null | undefined;
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
