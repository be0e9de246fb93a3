/** Filings that an office should show: the list, a new one, and the end of one. Every change is audited. */

import type { DateText } from '@tmds/contract/record';
import { WATCH_ID_FORM } from '@tmds/contract/watches';
import { html } from 'htm/preact';
import { addTerm } from '../../dates/calendar.ts';
import { dayAfter } from '../../due/watched-dates.ts';
import { FILING_WORDS } from '../../due/words.ts';
import { insertAudit } from '../../store/accounts/customers.ts';
import {
  countOpenFilings,
  dismissFiling,
  FILINGS,
  type FilingKind,
  insertFiling,
  OPEN_FILINGS_MAX,
} from '../../store/dates/filings.ts';
import { listCurrentRecords } from '../../store/records/current-records.ts';
import { findWatch } from '../../store/watches/watches.ts';
import { renderMarkName } from '../explorer/record-parts.ts';
import {
  actorOf,
  type MemberCall,
  type Page,
  type PortalAnswer,
  type PortalRoute,
  pageNotFound,
  typedIn,
} from '../frame/call.ts';
import {
  renderActions,
  renderButton,
  renderEmpty,
  renderFault,
  renderHeading,
  renderTrail,
} from '../frame/components.ts';
import { renderField, renderSelect } from '../frame/fields.ts';
import { doAlone } from '../frame/once.ts';
import { buildMemberRoutes } from '../frame/page-routes.ts';
import { formatCount, formFields } from '../frame/pieces.ts';
import { nameAndCode } from '../frame/registers.ts';
import type { PortalServices } from '../services.ts';
import { readFilings, renderFilings, type ShownFiling } from './filings-view.ts';

const FILINGS_SHOWN = 200;
const KEPT = ['register', 'uid', 'watch', 'filing', 'filed', 'days'];

export function listFilingRoutes(services: PortalServices): PortalRoute[] {
  const { show, change } = buildMemberRoutes(services);
  return [
    show('/filings', showFilings),
    show('/new-filing', (call) => showNew(call, services, null)),
    change('/new-filing', '/new-filing', KEPT, add),
    change('/filings/:id/dismiss', '/filings', [], dismiss),
  ];
}

async function showFilings(call: MemberCall, { database }: PortalServices): Promise<Page> {
  const filings = await readFilings(database, call.user.customer_id, 'all', FILINGS_SHOWN + 1);
  return renderAllFilings(call, { filings, max: FILINGS_SHOWN });
}

async function showNew(call: MemberCall, services: PortalServices, fault: string | null): Promise<Page> {
  const { database, clock, sendsMail } = services;
  const asked = readAsked(call);
  if (asked === null) throw pageNotFound();
  const [record] = await listCurrentRecords(database, [{ jurisdiction_code: asked.register, uid: asked.uid }]);
  return renderNewFiling(call, { asked, record: record ?? null, today: dayAfter(clock, 0), sendsMail, fault });
}

async function add(call: MemberCall, services: PortalServices): Promise<PortalAnswer> {
  const { database, clock } = services;
  const { customer_id, user_id } = call.user;
  const asked = readAsked(call);
  if (asked === null) throw pageNotFound();
  const typed = readFiling(call.form, dayAfter(clock, 0));
  if ('fault' in typed) return showNew(call, services, typed.fault);
  const { register, uid } = asked;
  const outcome = await doAlone(call, database, async (tx) => {
    if ((await countOpenFilings(tx, customer_id)) >= OPEN_FILINGS_MAX) {
      return { fault: `At most ${formatCount(OPEN_FILINGS_MAX)} filings can be waited for. Dismiss one first.` };
    }
    const watch = asked.watch === '' ? null : await findWatch(tx, customer_id, asked.watch);
    const watch_id = watch?.watch_id ?? null;
    await insertFiling(tx, { customer_id, user_id, watch_id, jurisdiction_code: register, uid, ...typed });
    const change = {
      filing: typed.filing,
      record: `${register} ${uid}`,
      filed: typed.filed_on,
      warning: typed.warn_on,
    };
    await insertAudit(tx, { actor: actorOf(call), action: 'filing.add', customer_id, key_id: null, change });
    return { to: '/portal/filings?done=filing_added' };
  });
  return 'fault' in outcome ? showNew(call, services, outcome.fault) : outcome;
}

async function dismiss(call: MemberCall, { database }: PortalServices): Promise<PortalAnswer> {
  const { customer_id } = call.user;
  return doAlone(call, database, async (tx) => {
    const dismissed = await dismissFiling(tx, customer_id, call.params.id ?? '');
    if (dismissed === null) throw pageNotFound();
    const change = { filing: dismissed.filing, record: `${dismissed.jurisdiction_code} ${dismissed.uid}` };
    await insertAudit(tx, { actor: actorOf(call), action: 'filing.dismiss', customer_id, key_id: null, change });
    return { to: '/portal/filings?done=filing_dismissed' };
  });
}

const DAYS_DEFAULT = 60;
const DAYS_MAX = 730;
/** A filing this long ago is no longer waited for. */
const EARLIEST = { years: 2 } as const;
const UID_LENGTH_MAX = 200;

export interface FilingAsked {
  readonly register: string;
  readonly uid: string;
  /** The id of the watch from whose hit it is made; empty without one. */
  readonly watch: string;
}

/** Null if the address names no record. */
function readAsked(call: Parameters<typeof typedIn>[0]): FilingAsked | null {
  const [register, uid, watch] = ['register', 'uid', 'watch'].map((name) => typedIn(call, name) ?? '') as [
    string,
    string,
    string,
  ];
  if (!/^[A-Z]{2}$/.test(register) || uid === '' || uid.length > UID_LENGTH_MAX) return null;
  return { register, uid, watch: WATCH_ID_FORM.test(watch) ? watch : '' };
}

export interface TypedFiling {
  readonly filing: FilingKind;
  readonly filed_on: DateText;
  readonly warn_on: DateText;
}

function readFiling(form: URLSearchParams, today: DateText): TypedFiling | { readonly fault: string } {
  const filing = FILINGS.find((kind) => kind === form.get('filing'));
  if (filing === undefined) return { fault: 'Choose what you filed.' };
  const filed = form.get('filed') ?? '';
  const isDate = /^\d{4}-\d\d-\d\d$/.test(filed) && addTerm(filed as DateText, { days: 0 }) === filed;
  if (!isDate || filed > today || filed < addTerm(today, { years: -EARLIEST.years })) {
    return { fault: `Give a day of the last ${EARLIEST.years} years, as in ${today}.` };
  }
  const days = /^\d{1,4}$/.test(form.get('days') ?? '') ? Number(form.get('days')) : 0;
  if (days < 1 || days > DAYS_MAX) return { fault: `Give a number of days from 1 to ${DAYS_MAX}.` };
  return { filing, filed_on: filed as DateText, warn_on: addTerm(filed as DateText, { days }) };
}

interface FilingsShown {
  readonly filings: readonly ShownFiling[];
  readonly max: number;
}

function renderAllFilings(call: MemberCall, { filings, max }: FilingsShown): Page {
  const isCut = filings.length > max;
  const body = html`
    ${renderTrail({ label: 'Home', href: '/portal' })}
    ${renderHeading('What you filed')}
    <p class="hint">
      Filings that the office should show. A filing is shown once the office changes what such a filing changes, after
      the day of filing: check that it is the change you expect. To add one, open the record and choose “I filed
      something”.
    </p>
    ${filings.length === 0 ? renderEmpty('Nothing is waited for.') : renderFilings(call, 'What you filed', filings.slice(0, max))}
    ${isCut ? html`<p class="hint">The first ${formatCount(max)} are shown. Dismiss those that are done.</p>` : null}
  `;
  return { title: 'What you filed', body, section: 'home' };
}

interface NewFilingShown {
  readonly asked: FilingAsked;
  readonly record: ShownFiling['record'];
  readonly today: string;
  readonly sendsMail: boolean;
  readonly fault: string | null;
}

function renderNewFiling(call: MemberCall, { asked, record, today, sendsMail, fault }: NewFilingShown): Page {
  const number = record?.registration_number ?? record?.application_number ?? asked.uid;
  const body = html`
    <section class="narrow">
      ${renderHeading('I filed something')}
      <p>
        For <strong><bdi>${record === null ? asked.uid : renderMarkName(record)}</bdi></strong>,${' '}
        ${nameAndCode(asked.register)} <bdi>${number}</bdi>. You see here${sendsMail ? ' and by mail' : null} when the office
        shows it, and when it does not after the days that you choose.
      </p>
      ${renderFault(fault)}
      <form method="post" action="/portal/new-filing" class="stack">
        ${formFields(call)}
        <input type="hidden" name="register" value=${asked.register} />
        <input type="hidden" name="uid" value=${asked.uid} />
        <input type="hidden" name="watch" value=${asked.watch} />
        ${renderSelect({
          id: 'filing',
          label: 'What you filed',
          choices: FILINGS.map((value) => ({ value, label: FILING_WORDS[value] })),
          chosen: typedIn(call, 'filing') ?? 'renewal',
        })}
        ${renderField({
          id: 'filed',
          label: 'On which day',
          attributes: { type: 'date', required: true, max: today, value: typedIn(call, 'filed') ?? today },
        })}
        ${renderField({
          id: 'days',
          label: 'Warn me after this many days',
          hint: 'Counted from the day of filing.',
          attributes: {
            type: 'number',
            required: true,
            min: 1,
            max: DAYS_MAX,
            value: typedIn(call, 'days') ?? String(DAYS_DEFAULT),
          },
        })}
        ${renderActions(renderButton('Wait for it'))}
      </form>
    </section>
  `;
  return { title: 'I filed something', body, section: 'home', ...(fault === null ? {} : { status: 422 }) };
}
