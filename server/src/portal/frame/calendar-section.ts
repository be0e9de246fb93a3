/** The calendars of a watch or docket, on its page: their addresses without the secret, and the way to make one. */
import { html } from 'htm/preact';
import type { Calendar } from '../../store/dates/calendars.ts';
import type { PublicCall } from './call.ts';
import { renderButton } from './components.ts';
import { renderButtonForm } from './forms.ts';
import { renderInstant } from './pieces.ts';
import { renderTable } from './table.ts';

export function renderCalendars(
  call: PublicCall,
  { calendars, action, lasts }: { calendars: readonly Calendar[]; action: string; lasts: string },
): unknown {
  return html`
    <section id="calendar">
      <h2>Calendar</h2>
      <p class="hint">
        A secret address with the dates ahead, stated and computed, for Outlook, Google Calendar, Apple Calendar and
        others. Anybody who knows the address can read it. ${lasts}
      </p>
      ${
        calendars.length === 0
          ? null
          : renderTable<Calendar>({
              label: 'Addresses',
              rows: calendars,
              columns: [
                { label: 'Made', isHeader: true, cell: ({ created_at: at }) => renderInstant(at) },
                { label: 'By', style: 'name', cell: ({ created_by: name }) => html`<bdi>${name}</bdi>` },
                {
                  label: 'Revoke',
                  isUnlabelled: true,
                  cell: ({ calendar_id: id }) => html`<a href=${`/portal/calendars/${id}/revoke`}>Revoke…</a>`,
                },
              ],
            })
      }
      ${renderButtonForm(call, action, renderButton('Make an address', 'second'))}
    </section>
  `;
}
