/** The dates of a record, stated and computed, as a timeline, and when its office last changed it. */
import type { TrademarkDetail } from '@tmds/contract/record';
import { html } from 'htm/preact';
import type { DateAnswer } from '../../dates/compute.ts';
import { renderDate } from '../frame/pieces.ts';
import { type DateShown, renderTimeline } from '../frame/timeline.ts';
import { joinAnswers } from './computed-dates.ts';

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
  return dates.flatMap(([label, date]) => (date === null ? [] : [{ label, date }]));
}

/** Labels of dates by which something has to be done, or protection ends. */
const DEADLINES = /^(?:Opposition until|Expires)\b/;

/** The first date to come, stated or computed; null if there is none. `today`: a date in UTC. */
export function findNextDate(record: TrademarkDetail, answers: readonly DateAnswer[], today: string): DateShown | null {
  const dates = joinAnswers(listDates(record), answers, today);
  return (
    dates.find(({ label, date, isComputed }) => date >= today && (isComputed === true || DEADLINES.test(label))) ?? null
  );
}

/** `today`: a date in UTC. */
export function renderDates(record: TrademarkDetail, answers: readonly DateAnswer[], today: string): unknown {
  const dates = joinAnswers(listDates(record), answers, today);
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
