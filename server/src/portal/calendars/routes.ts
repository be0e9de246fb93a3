/** Calendars of watches and dockets: made, shown once, revoked. Every change is audited. */

import { html } from 'htm/preact';
import { buildToken } from '../../access/secret.ts';
import type { Queryable, Transaction } from '../../database/driver/db.ts';
import { insertAudit } from '../../store/accounts/customers.ts';
import { findDocket } from '../../store/accounts/dockets.ts';
import {
  CALENDARS_MAX,
  type CalendarPlace,
  type CalendarSubject,
  countCalendars,
  findOwnCalendar,
  insertCalendar,
  revokeCalendar,
} from '../../store/dates/calendars.ts';
import { findWatch } from '../../store/watches/watches.ts';
import {
  actorOf,
  type MemberCall,
  type Page,
  PageRefusal,
  type PortalAnswer,
  type PortalRoute,
  pageNotFound,
} from '../frame/call.ts';
import { renderHeading, renderLinkButton, renderSecret, renderTrail } from '../frame/components.ts';
import { NO_FIELDS, renderForm } from '../frame/forms.ts';
import { doAlone } from '../frame/once.ts';
import { buildMemberRoutes } from '../frame/page-routes.ts';
import { renderInstant } from '../frame/pieces.ts';
import { within } from '../frame/roles.ts';
import { keepSecret, type SecretSubject, type ShownSecret, showSecret } from '../frame/secrets.ts';
import type { PortalServices } from '../services.ts';

export function listCalendarRoutes(services: PortalServices): PortalRoute[] {
  const { show, submit, ask } = buildMemberRoutes(services);
  return [
    ...within('watches', [
      submit('/watches/:id/calendar', '/watches/:id', NO_FIELDS, {
        answer: (call) => make(call, services, findWatchOf),
      }),
      show('/calendars/:id', showAddress),
      ...ask('/calendars/:id/revoke', NO_FIELDS, showRevoke, revoke),
    ]),
    ...within('dockets', [
      submit('/reconcile/:id/calendar', '/reconcile/:id', NO_FIELDS, {
        answer: (call) => make(call, services, findDocketOf),
      }),
    ]),
  ];
}

interface Made {
  readonly subject: CalendarSubject;
  readonly change: Record<string, unknown>;
}

async function findWatchOf(tx: Queryable, { user, params }: MemberCall): Promise<Made> {
  const watch = await findWatch(tx, user.customer_id, params.id ?? '');
  if (watch === null || watch.ended_at !== null) throw pageNotFound();
  return { subject: { watch_id: watch.watch_id }, change: { watch: watch.id, name: watch.name } };
}

async function findDocketOf(tx: Queryable, { user, params }: MemberCall): Promise<Made> {
  const docket = await findDocket(tx, user.customer_id, params.id ?? '');
  if (docket === null || docket.parts_done < docket.parts) throw pageNotFound();
  return { subject: { docket_id: docket.docket_id }, change: { name: docket.name } };
}

async function make(
  call: MemberCall,
  { database }: PortalServices,
  find: (tx: Queryable, call: MemberCall) => Promise<Made>,
): Promise<PortalAnswer> {
  const { customer_id: customerId, user_id: userId } = call.user;
  const { text: secret, digest } = buildToken();
  return doAlone(call, database, async (tx) => {
    const { subject, change } = await find(tx, call);
    if ((await countCalendars(tx, customerId)) >= CALENDARS_MAX) {
      const message = `A customer has at most ${CALENDARS_MAX} addresses of calendars. Revoke one that is no longer used.`;
      throw new PageRefusal(409, 'No more addresses', message);
    }
    const id = await insertCalendar(tx, { customerId, subject, secretDigest: digest, userId });
    await note(tx, call, 'calendar.make', { calendar: id, ...change });
    const text = `${call.origin}/portal/calendar/${secret}.ics`;
    await keepSecret(tx, call, secretOf(id), { title: 'The address of your calendar', text, until: null });
    return { to: `/portal/calendars/${id}` };
  });
}

async function note(tx: Transaction, call: MemberCall, action: string, change: Record<string, unknown>): Promise<void> {
  await insertAudit(tx, { actor: actorOf(call), action, customer_id: call.user.customer_id, key_id: null, change });
}

const secretOf = (id: string): SecretSubject => ({ kind: 'calendar', id });

/** The calendar of the path. To a customer, somebody else's does not exist. */
async function findOwn({ user, params }: MemberCall, { database }: { database: Queryable }): Promise<CalendarPlace> {
  const place = await findOwnCalendar(database, user.customer_id, params.id ?? '');
  if (place === null) throw pageNotFound();
  return place;
}

async function showAddress(call: MemberCall, services: PortalServices): Promise<Page> {
  const place = await findOwn(call, services);
  const secret = secretOf(place.calendar_id);
  return renderAddress(place, await showSecret(call, services.database, secret, pageOfCalendar(place)));
}

async function revoke(call: MemberCall, services: PortalServices): Promise<PortalAnswer> {
  return doAlone(call, services.database, async (tx) => {
    const place = await findOwn(call, { database: tx });
    await revokeCalendar(tx, place.customer_id, place.calendar_id);
    await note(tx, call, 'calendar.revoke', {
      calendar: place.calendar_id,
      ...(place.watch === null ? {} : { watch: place.watch }),
    });
    return { to: `${pageOfCalendar(place)}?done=calendar_revoked` };
  });
}

/** The page of the watch or docket that a calendar is of. */
function pageOfCalendar({ watch, docket_id: docketId }: CalendarPlace): string {
  return watch === null ? `/portal/reconcile/${docketId}` : `/portal/watches/${watch}`;
}

function sectionOf({ watch }: CalendarPlace): 'watches' | 'reconcile' {
  return watch === null ? 'reconcile' : 'watches';
}

function renderAddress(place: CalendarPlace, { title, text }: ShownSecret): Page {
  const body = html`
    <section class="narrow">
      ${renderHeading(title)}
      ${renderSecret(
        'This is the only time the address is shown. Anybody who has it can read the dates, until it is revoked.',
        { label: 'Address', text, id: 'calendar-address' },
      )}
      <p>Subscribe to it in your calendar program, usually under “add a calendar from the internet” or “by URL”.</p>
      ${renderLinkButton('Back', pageOfCalendar(place))}
    </section>
  `;
  return { title: 'Address of a calendar', body, section: sectionOf(place) };
}

async function showRevoke(call: MemberCall, services: PortalServices): Promise<Page> {
  const place = await findOwn(call, services);
  const back = pageOfCalendar(place);
  const body = html`
    <section class="narrow">
      ${renderTrail({ label: 'Back', href: back })}
      ${renderHeading('Revoke the address')}
      <p>
        The address that was made ${renderInstant(place.created_at)} no longer answers. Calendar programs then
        show an error, or the dates that they read last.
      </p>
      ${renderForm(call, NO_FIELDS, { action: `/portal/calendars/${place.calendar_id}/revoke`, label: 'Revoke', kind: 'danger', back })}
    </section>
  `;
  return { title: 'Revoke the address', body, section: sectionOf(place) };
}
