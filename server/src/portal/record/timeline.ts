/**
 * The dates of a record as a timeline: those that the office states, joined with those that follow from a rule, one
 * entry where both agree; and when its office last changed it.
 */
import type { TrademarkDetail } from '@tmds/contract/record';
import { html } from 'htm/preact';
import { computeDates, type DateAnswer, type Parent, readFacts } from '../../dates/compute.ts';
import { findOpenDay } from '../../due/next-dates.ts';
import { EVENT_WORDS } from '../../due/words.ts';
import { renderRule } from '../dates/rule-view.ts';
import { renderDate } from '../frame/pieces.ts';
import { type DateShown, renderTimeline } from '../frame/timeline.ts';
import type { FamilyGroup } from './family.ts';

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

/** The international registration among the family, if the record is a part of one. */
export function answerDates(record: TrademarkDetail, family: readonly FamilyGroup[], today: string): DateAnswer[] {
  const numbers = record.international_registration_numbers ?? [];
  const parents = family
    .flatMap(({ members }) => members ?? [])
    .filter(({ jurisdiction_code: code, international_registration_numbers: held }) => {
      return code === 'WO' && record.jurisdiction_code !== 'WO' && held?.some((number) => numbers.includes(number));
    });
  const [parent] = parents;
  const known: Parent | null =
    parent === undefined || parents.length > 1
      ? null
      : { registered: parent.registration_date, expires: parent.expiry_date };
  return computeDates(readFacts(record, known), today);
}

/** The labels of dates that an office states and a rule gives. */
const STATED_LABELS = { renewal: 'Expires', opposition_end: 'Opposition until' } as const;
type StatedEvent = keyof typeof STATED_LABELS;

const isStatedEvent = (event: DateAnswer['event']): event is StatedEvent => Object.hasOwn(STATED_LABELS, event);

/** A period that has ended is history. */
function nameEnded(shown: DateShown, today: string): DateShown {
  return shown.date < today ? { ...shown, label: shown.label.replace(/^Opposition until/, 'Opposition ended') } : shown;
}

/** What is said about the stated date with this label, and about the computed one next to it. */
function joinAnswers(stated: readonly DateShown[], answers: readonly DateAnswer[], today: string): DateShown[] {
  const said = answers.reduce<readonly DateShown[]>((dates, answer) => joinAnswer(dates, answer, today), stated);
  return said
    .map((date) => nameEnded(date, today))
    .sort((one, other) => (one.date < other.date ? -1 : one.date > other.date ? 1 : 0));
}

function joinAnswer(dates: readonly DateShown[], answer: DateAnswer, today: string): readonly DateShown[] {
  const { event, agreement, computed } = answer;
  if (computed === null || agreement === null) return dates;
  const detail = renderRule(computed, today);
  if (agreement === 'computed_only') {
    const open = findOpenDay(computed, today);
    if (open === null) return dates;
    const label = `${EVENT_WORDS[event]}${open.isLate ? ', with a surcharge' : ''}`;
    return [...dates, { label, date: open.date, isComputed: true, detail }];
  }
  if (!isStatedEvent(event)) return dates;
  const label = STATED_LABELS[event];
  const relabel = (to: Partial<DateShown> & { readonly label: string }): DateShown[] =>
    dates.map((date) => (date.label === label ? { ...date, ...to } : date));
  if (agreement === 'agrees') return relabel({ label: `${label}; agrees with the rule`, detail });
  const other = { label: `${label}, by the rule; the office states another date`, date: computed.endsOn };
  return [...relabel({ label: `${label}; the rule gives another date` }), { ...other, isComputed: true, detail }];
}
