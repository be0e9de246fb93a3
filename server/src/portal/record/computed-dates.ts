/** Dates that follow from a rule, joined with those that the office states: one entry where both agree. */
import type { TrademarkDetail } from '@tmds/contract/record';
import { computeDates, type DateAnswer } from '../../dates/compute.ts';
import { type Parent, readFacts } from '../../dates/facts.ts';
import { findOpenDay } from '../../due/next-dates.ts';
import { EVENT_WORDS } from '../../due/words.ts';
import { renderRule } from '../dates/rule-view.ts';
import type { DateShown } from '../frame/timeline.ts';
import type { FamilyGroup } from './family.ts';

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

/** What is said about the stated date with this label, and about the computed one next to it. */
export function joinAnswers(stated: readonly DateShown[], answers: readonly DateAnswer[], today: string): DateShown[] {
  const said = answers.reduce<readonly DateShown[]>((dates, answer) => joinAnswer(dates, answer, today), stated);
  return [...said].sort((one, other) => (one.date < other.date ? -1 : one.date > other.date ? 1 : 0));
}

function joinAnswer(dates: readonly DateShown[], answer: DateAnswer, today: string): readonly DateShown[] {
  const { event, agreement, computed } = answer;
  if (computed === null || agreement === null) return dates;
  const detail = renderRule(computed);
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
