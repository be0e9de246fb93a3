/** Filings that an office should show: the list, a new one, and the end of one. Every change is audited. */

import type { DateText } from '@tmds/contract/record';
import { WATCH_ID_FORM } from '@tmds/contract/watches';
import { html } from 'htm/preact';
import { addTerm } from '../../dates/calendar.ts';
import { dayAfter } from '../../due/watched-dates.ts';
import { FILING_WORDS } from '../../due/words.ts';
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
import { noteActivity } from '../frame/audit-table.ts';
import { type MemberCall, orNotFound, type Page, type PortalAnswer, type PortalRoute, typedIn } from '../frame/call.ts';
import { renderFault, renderHeading, renderTrail } from '../frame/components.ts';
import { choiceField, hiddenField, textField } from '../frame/field-kinds.ts';
import { declareForm, NO_FIELDS, renderForm, type Values } from '../frame/forms.ts';
import { doAlone, type Fault } from '../frame/once.ts';
import { buildMemberRoutes } from '../frame/page-routes.ts';
import { formatCount } from '../frame/pieces.ts';
import { nameAndCode } from '../frame/registers.ts';
import type { PortalServices } from '../services.ts';
import { readFilings, renderFilings } from './filings-view.ts';

const FILINGS_SHOWN = 200;

const DAYS_DEFAULT = 60;
const DAYS_MAX = 730;

/** The record, and the watch from whose hit the filing is made; then what is typed. */
const FILING = declareForm({
  register: hiddenField(),
  uid: hiddenField(),
  watch: hiddenField(),
  filing: choiceField({
    as: 'select',
    label: 'What you filed',
    choices: FILINGS.map((value) => ({ value, label: FILING_WORDS[value] })),
    initial: 'renewal',
    fault: 'Choose what you filed.',
  }),
  filed: textField({ label: 'Filing date', attributes: { type: 'date', required: true }, read: (text) => text }),
  days: textField({
    label: 'Warn me after this many days',
    hint: 'Counted from the filing date.',
    attributes: { type: 'number', required: true, min: 1, max: DAYS_MAX },
    read: (text) => {
      const days = /^\d{1,4}$/.test(text) ? Number(text) : 0;
      return days < 1 || days > DAYS_MAX ? null : days;
    },
  }),
});

export function listFilingRoutes(services: PortalServices): PortalRoute[] {
  const { show, submit, ask } = buildMemberRoutes(services);
  return [
    show('/filings', showFilings),
    ...ask('/new-filing', FILING, showNew, add),
    submit('/filings/:id/dismiss', '/filings', NO_FIELDS, {
      answer: (call, { database }) =>
        doAlone(call, database, async (tx) => {
          const dismissed = orNotFound(await dismissFiling(tx, call.user.customer_id, call.params.id ?? ''));
          const { filing, jurisdiction_code: register, uid } = dismissed;
          await noteActivity(tx, call, 'filing.dismiss', { filing, record: `${register} ${uid}` });
          return { to: '/portal/filings?done=filing_dismissed' };
        }),
    }),
  ];
}

async function showFilings(call: MemberCall, { database }: PortalServices): Promise<Page> {
  const filings = await readFilings(database, call.user.customer_id, 'all', FILINGS_SHOWN + 1);
  const body = html`
    ${renderTrail({ label: 'Home', href: '/portal' })}
    ${renderHeading('What you filed')}
    <p class="hint">
      Filings you expect to see in the register. A filing counts as shown when the register makes a change of its kind
      after the filing date: check that it is the change you expect. To add one, open the record and choose “I filed
      something”.
    </p>
    ${renderFilings(call, filings.slice(0, FILINGS_SHOWN))}
    ${filings.length > FILINGS_SHOWN ? html`<p class="hint">The first ${formatCount(FILINGS_SHOWN)} are shown. Dismiss those that are done.</p>` : null}
  `;
  return { title: 'What you filed', body, section: 'home' };
}

async function showNew(call: MemberCall, services: PortalServices, fault: string | null = null): Promise<Page> {
  const { database, clock, sendsMail } = services;
  const asked = orNotFound(readAsked(call));
  const [record = null] = await listCurrentRecords(database, [{ jurisdiction_code: asked.register, uid: asked.uid }]);
  const today = dayAfter(clock, 0);
  const number = record?.registration_number ?? record?.application_number ?? asked.uid;
  const body = html`
    <section class="narrow">
      ${renderHeading('I filed something')}
      <p>
        For <strong><bdi>${record === null ? asked.uid : renderMarkName(record)}</bdi></strong>,${' '}
        ${nameAndCode(asked.register)} <bdi>${number}</bdi>. Your home page${sendsMail ? ' and a mail' : null} will
        say when the register shows it, or that it still does not after the days you choose.
      </p>
      ${renderFault(fault)}
      ${renderForm(call, FILING, {
        action: '/portal/new-filing',
        shown: {
          register: { value: asked.register },
          uid: { value: asked.uid },
          watch: { value: asked.watch },
          filed: { attributes: { max: today }, value: today },
          days: { value: DAYS_DEFAULT },
        },
        label: 'Track this filing',
      })}
    </section>
  `;
  return { title: 'I filed something', body, section: 'home' };
}

async function add(
  call: MemberCall,
  { database, clock }: PortalServices,
  values: Values<typeof FILING.fields>,
): Promise<PortalAnswer | Fault> {
  const { customer_id, user_id } = call.user;
  const asked = orNotFound(readAsked(call));
  const typed = readFiling(values, dayAfter(clock, 0));
  if ('fault' in typed) return typed;
  const { register, uid } = asked;
  return doAlone(call, database, async (tx) => {
    if ((await countOpenFilings(tx, customer_id)) >= OPEN_FILINGS_MAX) {
      return { fault: `At most ${formatCount(OPEN_FILINGS_MAX)} filings can be tracked. Dismiss one first.` };
    }
    const watch = asked.watch === '' ? null : await findWatch(tx, customer_id, asked.watch);
    const watch_id = watch?.watch_id ?? null;
    await insertFiling(tx, { customer_id, user_id, watch_id, jurisdiction_code: register, uid, ...typed });
    const { filing, filed_on: filed, warn_on: warning } = typed;
    await noteActivity(tx, call, 'filing.add', { filing, record: `${register} ${uid}`, filed, warning });
    return { to: '/portal/filings?done=filing_added' };
  });
}

/** A filing this long ago is no longer tracked. */
const EARLIEST = { years: 2 } as const;
const UID_LENGTH_MAX = 200;

interface FilingAsked {
  readonly register: string;
  readonly uid: string;
  /** The id of the watch from whose hit it is made; empty without one. */
  readonly watch: string;
}

function readAsked(call: Parameters<typeof typedIn>[0]): FilingAsked | null {
  const [register, uid, watch] = ['register', 'uid', 'watch'].map((name) => typedIn(call, name) ?? '') as [
    string,
    string,
    string,
  ];
  if (!/^[A-Z]{2}$/.test(register) || uid === '' || uid.length > UID_LENGTH_MAX) return null;
  return { register, uid, watch: WATCH_ID_FORM.test(watch) ? watch : '' };
}

interface TypedFiling {
  readonly filing: FilingKind;
  readonly filed_on: DateText;
  readonly warn_on: DateText;
}

function readFiling({ filing, filed, days }: Values<typeof FILING.fields>, today: DateText): TypedFiling | Fault {
  const isDate = /^\d{4}-\d\d-\d\d$/.test(filed) && addTerm(filed as DateText, { days: 0 }) === filed;
  if (!isDate || filed > today || filed < addTerm(today, { years: -EARLIEST.years })) {
    return { fault: `Give a day of the last ${EARLIEST.years} years, as in ${today}.` };
  }
  if (days === null) return { fault: `Give a number of days from 1 to ${DAYS_MAX}.` };
  return { filing, filed_on: filed as DateText, warn_on: addTerm(filed as DateText, { days }) };
}
