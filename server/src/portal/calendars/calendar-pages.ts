/** The page that shows the address of a new calendar, and the one that revokes it. */
import { html } from 'htm/preact';
import type { CalendarPlace } from '../../store/dates/calendars.ts';
import type { MemberCall, Page } from '../frame/call.ts';
import { renderHeading, renderLinkButton, renderSecret, renderTrail } from '../frame/components.ts';
import { renderConfirm } from '../frame/fields.ts';
import { formFields, renderInstant } from '../frame/pieces.ts';
import type { ShownSecret } from '../frame/shown-once.ts';

/** The page of the watch or docket that a calendar is of. */
export function pageOfCalendar({ watch, docket_id: docketId }: CalendarPlace): string {
  return watch === null ? `/portal/reconcile/${docketId}` : `/portal/watches/${watch}`;
}

function sectionOf({ watch }: CalendarPlace): 'watches' | 'reconcile' {
  return watch === null ? 'reconcile' : 'watches';
}

export function renderAddress(place: CalendarPlace, { title, text }: ShownSecret): Page {
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

export function renderRevoke(call: MemberCall, place: CalendarPlace): Page {
  const back = pageOfCalendar(place);
  const body = html`
    <section class="narrow">
      ${renderTrail({ label: 'Back', href: back })}
      ${renderHeading('Revoke the address')}
      <p>
        The address that was made ${renderInstant(place.created_at)} no longer answers. Calendar programs then
        show an error, or the dates that they read last.
      </p>
      ${renderConfirm({
        action: `/portal/calendars/${place.calendar_id}/revoke`,
        tokens: formFields(call),
        label: 'Revoke',
        back,
      })}
    </section>
  `;
  return { title: 'Revoke the address', body, section: sectionOf(place) };
}
