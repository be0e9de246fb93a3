/** The dates that a record states, as a timeline, and when its office last changed it. */
import type { TrademarkDetail } from '@tmds/contract/record';
import { html } from 'htm/preact';
import { renderDate } from '../frame/pieces.ts';
import { type DateShown, renderTimeline } from '../frame/timeline.ts';

function listDates(record: TrademarkDetail): DateShown[] {
  const dates: readonly (readonly [string, string | null])[] = [
    ['Filed', record.application_date],
    ['Published', record.publication_date],
    ['Opposition until', record.opposition_period_end],
    ['Registered', record.registration_date],
    ['Renewed', record.renewal_date],
    [`Status: ${record.status}`, record.status_date],
    ['Ended', record.termination_date],
    ['Expires', record.expiry_date],
  ];
  const stated = dates.flatMap(([label, date]) => (date === null ? [] : [{ label, date }]));
  return stated.sort((one, other) => (one.date < other.date ? -1 : one.date > other.date ? 1 : 0));
}

/** Dates by which something has to be done, or protection ends. */
const DEADLINES = ['opposition_period_end', 'expiry_date'] as const;
const DEADLINE_LABELS = { opposition_period_end: 'Opposition until', expiry_date: 'Expires' } as const;

/** The first date to come that the office states; null if it states none. `today`: a date in UTC. */
export function findNextDate(record: TrademarkDetail, today: string): DateShown | null {
  const ahead = DEADLINES.flatMap((field): DateShown[] => {
    const date = record[field];
    return date === null || date < today ? [] : [{ label: DEADLINE_LABELS[field], date }];
  });
  return ahead.sort((one, other) => (one.date < other.date ? -1 : 1))[0] ?? null;
}

/** `today`: a date in UTC. */
export function renderDates(record: TrademarkDetail, today: string): unknown {
  const dates = listDates(record);
  const office = renderOfficeDates(record);
  if (dates.length === 0 && office === null) return null;
  return html`
    <section id="dates">
      <h2>Dates</h2>
      ${dates.length === 0 ? null : renderTimeline(dates, today)}
      ${office}
    </section>
  `;
}

function renderOfficeDates({ external_update_date: external, record_update_date: batch }: TrademarkDetail): unknown {
  if (external === null && batch === null) return null;
  return html`
    <p class="hint">
      ${external === null ? null : html`The office changed it on ${renderDate(external)}. `}
      ${batch === null ? null : html`From the office’s files of ${renderDate(batch)}.`}
    </p>
  `;
}
