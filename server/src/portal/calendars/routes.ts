/** Calendars of watches and dockets: made, shown once, revoked. Every change is audited. */

import { html } from 'htm/preact';
import { buildToken } from '../../access/secret.ts';
import type { Queryable } from '../../database/driver/db.ts';
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
import { noteActivity } from '../frame/audit-table.ts';
import {
  type MemberCall,
  orNotFound,
  type Page,
  PageRefusal,
  type PortalAnswer,
  type PortalRoute,
  pageNotFound,
} from '../frame/call.ts';
import { renderLinkButton, renderSecret, renderTrail } from '../frame/components.ts';
import { NO_FIELDS } from '../frame/forms.ts';
import { doAlone } from '../frame/once.ts';
import { buildFormPage, buildMemberRoutes } from '../frame/page-routes.ts';
import { renderInstant } from '../frame/pieces.ts';
import { within } from '../frame/roles.ts';
import { keepSecret, type SecretSubject, showSecret } from '../frame/secrets.ts';
import type { PortalServices } from '../services.ts';

export function listCalendarRoutes(services: PortalServices): PortalRoute[] {
  const { show, submit, of } = buildMemberRoutes(services);
  const makes = (at: string, find: typeof findWatchOf): PortalRoute =>
    submit(`${at}/calendar`, at, NO_FIELDS, { answer: (call) => make(call, services, find) });
  return [
    ...within('watches', [
      makes('/watches/:id', findWatchOf),
      show('/calendars/:id', showAddress),
      ...of({ at: '/calendars/:id', find: findOwn, run: doAlone }).ask('revoke', NO_FIELDS, askRevoke, {
        work: async (tx, place, { call }) => {
          const { calendar_id: calendar, watch } = place;
          await revokeCalendar(tx, place.customer_id, calendar);
          await noteActivity(tx, call, 'calendar.revoke', { calendar, ...(watch === null ? {} : { watch }) });
          return `${pageOfCalendar(place)}?done=calendar_revoked`;
        },
      }),
    ]),
    ...within('dockets', [makes('/reconcile/:id', findDocketOf)]),
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
    await noteActivity(tx, call, 'calendar.make', { calendar: id, ...change });
    const text = `${call.origin}/portal/calendar/${secret}.ics`;
    await keepSecret(tx, call, secretOf(id), { title: 'The address of your calendar', text, until: null });
    return { to: `/portal/calendars/${id}` };
  });
}

const secretOf = (id: string): SecretSubject => ({ kind: 'calendar', id });

async function findOwn({ user, params }: MemberCall, { database }: { database: Queryable }): Promise<CalendarPlace> {
  return orNotFound(await findOwnCalendar(database, user.customer_id, params.id ?? ''));
}

async function showAddress(call: MemberCall, services: PortalServices): Promise<Page> {
  const place = await findOwn(call, services);
  const secret = secretOf(place.calendar_id);
  const { title, text } = await showSecret(call, services.database, secret, pageOfCalendar(place));
  return buildFormPage(
    { title: 'Address of a calendar', heading: title, section: sectionOf(place) },
    html`
      ${renderSecret(
        'This is the only time the address is shown. Anybody who has it can read the dates, until it is revoked.',
        { label: 'Address', text, id: 'calendar-address' },
      )}
      <p>Subscribe to it in your calendar program, usually under “add a calendar from the internet” or “by URL”.</p>
      ${renderLinkButton('Back', pageOfCalendar(place))}
    `,
  );
}

function pageOfCalendar({ watch, docket_id: docketId }: CalendarPlace): string {
  return watch === null ? `/portal/reconcile/${docketId}` : `/portal/watches/${watch}`;
}

function sectionOf({ watch }: CalendarPlace): 'watches' | 'reconcile' {
  return watch === null ? 'reconcile' : 'watches';
}

function askRevoke(place: CalendarPlace) {
  const back = pageOfCalendar(place);
  return {
    title: 'Revoke the address',
    section: sectionOf(place),
    trail: renderTrail({ label: 'Back', href: back }),
    words: html`
      <p>
        The address that was made ${renderInstant(place.created_at)} no longer answers. Calendar programs then
        show an error, or the dates that they read last.
      </p>
    `,
    label: 'Revoke',
    kind: 'danger',
    back,
  } as const;
}
