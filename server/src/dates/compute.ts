/**
 * Dates that follow from the law for one record, next to what the office states. Nothing here replaces the office's own
 * date: the three answers are what is stated, what follows, and whether they agree.
 */
import { type Agreement, type Anchor, DATE_EVENTS, type DateEvent, type Route } from '@tmds/contract/dates';
import type { DateText, RecordContent } from '@tmds/contract/record';
import { addTerm, dayNumber, endOfMonth, subtractTerm, type Term } from './calendar.ts';
import { rollForward } from './closing-days.ts';
import type { RepeatingRule, Rule, Span, TermLength } from './rule.ts';
import { RULES } from './rules/all.ts';

/** Terms of one record that are counted at most: marks of 1875 with terms of ten years have sixteen. */
const TERMS_MAX = 40;
/** No rule leaves more time than this between the end of a term and the last day on which the act is possible. */
const LATEST_AFTER_END: Term = { years: 2 };

export interface ComputedDate {
  readonly event: DateEvent;
  readonly rule: Rule;
  readonly anchor: { readonly fact: Anchor; readonly date: DateText };
  /** The day to which the term leads; what an office states as expiry or as the end of opposition. */
  readonly endsOn: DateText;
  readonly opensOn: DateText | null;
  /** The last day without a surcharge, moved to a working day where the rule says so. */
  readonly dueOn: DateText;
  /** The last day of grace, or of every extension. */
  readonly lateUntil: DateText | null;
}

/** One line of the answer. Stated, computed, or both; `missing` are facts without which nothing can be computed. */
export interface DateAnswer {
  readonly event: DateEvent;
  readonly stated: DateText | null;
  readonly computed: ComputedDate | null;
  readonly agreement: Agreement | null;
  readonly missing: readonly Anchor[];
}

/**
 * The next date of each event, as of `today`; an event is left out if nothing is stated and no rule is known, and a
 * period of opposition that has passed unless its end is stated.
 */
export function computeDates(facts: Facts, today: DateText): DateAnswer[] {
  const rules = RULES.filter((rule) => rule.jurisdiction === facts.jurisdiction && rule.route === facts.route);
  return DATE_EVENTS.flatMap((event) => {
    const answer = answerEvent(
      event,
      rules.filter((rule) => rule.event === event),
      facts,
      today,
    );
    return answer.stated === null && answer.computed === null && answer.missing.length === 0 ? [] : [answer];
  });
}

function answerEvent(event: DateEvent, rules: readonly Rule[], facts: Facts, today: DateText): DateAnswer {
  const stated = statedDate(event, facts);
  const usable = rules.flatMap((rule) => (fits(rule, facts) ? listEnds(rule, facts) : []));
  // Declarations follow from several rules at once; of other events the first rule that fits counts.
  const schedules = event === 'use_declaration' ? usable : usable.slice(0, 1);
  const chosen = isDue(event, facts) ? chooseDate(schedules, stated, today) : null;
  const isHistory = event === 'opposition_end' && stated === null && isPast(rules, facts, chosen, today);
  const computed = isHistory ? null : chosen;
  return {
    event,
    stated,
    computed,
    agreement: agreementOf(stated, schedules, computed),
    missing: computed === null && isDue(event, facts) && !isHistory ? listMissing(rules, facts) : [],
  };
}

function statedDate(event: DateEvent, { stated }: Facts): DateText | null {
  if (event === 'renewal') return stated.expiry;
  return event === 'opposition_end' ? stated.oppositionEnd : null;
}

/** Only what is registered is renewed; a mark that has ended has no dates ahead. */
function isDue(event: DateEvent, { status, terminated }: Facts): boolean {
  if (event === 'opposition_end') return true;
  return status === 'Registered' && terminated === null;
}

/**
 * Whether nobody waits for the end of opposition any more: the mark has ended; or it is registered, and its office
 * registers after the period, the period has ended, or the registration is so old that it must have.
 */
function isPast(
  rules: readonly Rule[],
  { status, terminated, anchors }: Facts,
  period: ComputedDate | null,
  today: DateText,
): boolean {
  if (terminated !== null || status === 'Abandoned' || status === 'Cancelled') return true;
  if (status !== 'Registered') return false;
  if (rules.every(({ route, notBefore }) => route === 'direct' && notBefore === undefined)) return true;
  const { registration_date: registered } = anchors;
  return period === null
    ? registered !== null && registered < subtractTerm(today, LATEST_AFTER_END)
    : !isOpen(period, today);
}

/** Whether the facts are those that a rule is limited to. */
function fits({ when = {}, anchor, notBefore }: Rule, { anchors }: Facts): boolean {
  const date = anchors[anchor];
  const earliest = notBefore === undefined ? null : anchors[notBefore];
  if (date !== null && earliest !== null && date < earliest) return false;
  return Object.entries(when).every(([fact, span]) => {
    const date = anchors[fact as Anchor];
    return date !== null && isWithin(date, span);
  });
}

function isWithin(date: DateText, { from, before }: Span): boolean {
  return (from === undefined || date >= from) && (before === undefined || date < before);
}

/** The ends of all terms of a rule, from one anchor. */
interface Schedule {
  readonly rule: Rule;
  readonly anchor: DateText;
  readonly ends: readonly DateText[];
}

/** None if the anchor is not known. */
function listEnds(rule: Rule, facts: Facts): Schedule[] {
  const anchor = facts.anchors[rule.anchor];
  if (anchor === null) return [];
  return [{ rule, anchor, ends: rule.repeats ? listTermEnds(rule, anchor) : [addTerm(anchor, rule.term)] }];
}

/** Every date of a rule for these facts, in order; none if the anchor is not known. */
export function listDates(rule: Rule, facts: Facts): ComputedDate[] {
  return listEnds(rule, facts).flatMap(({ anchor, ends }) => ends.map((end) => finishDate(rule, anchor, end)));
}

function listTermEnds({ terms, ends: where }: RepeatingRule, anchor: DateText): DateText[] {
  const ends: DateText[] = [];
  // Terms are counted from the anchor's own day, so that a mark of 29 February keeps its day.
  let months = 0;
  while (ends.length < TERMS_MAX) {
    const begin = addTerm(anchor, { months });
    const term = terms.find((length) => isLengthOf(length, begin, ends.length === 0));
    if (term === undefined) return ends;
    months += (term.years ?? 0) * 12 + (term.months ?? 0);
    ends.push(endOfTerm(addTerm(anchor, { months }), where));
  }
  return ends;
}

function endOfTerm(anniversary: DateText, where: RepeatingRule['ends']): DateText {
  if (where === 'month') return endOfMonth(anniversary);
  return where === 'eve' ? addTerm(anniversary, { days: -1 }) : anniversary;
}

function isLengthOf({ first, begins = {} }: TermLength, begin: DateText, isFirst: boolean): boolean {
  return (first === undefined || isFirst) && isWithin(begin, begins);
}

function finishDate(rule: Rule, date: DateText, endsOn: DateText): ComputedDate {
  const roll = (day: DateText) => (rule.rolls ? rollForward(day, rule.jurisdiction) : day);
  return {
    event: rule.event,
    rule,
    anchor: { fact: rule.anchor, date },
    endsOn,
    opensOn: rule.opensBefore === undefined ? null : subtractTerm(endsOn, rule.opensBefore),
    dueOn: roll(endsOn),
    lateUntil: lastDay(rule, date, endsOn, roll),
  };
}

function lastDay(rule: Rule, anchor: DateText, endsOn: DateText, roll: (day: DateText) => DateText): DateText | null {
  if (rule.grace !== undefined) return roll(addTerm(endsOn, rule.grace));
  if (rule.repeats || rule.extendableTo === undefined) return null;
  return roll(addTerm(anchor, rule.extendableTo));
}

/**
 * The date that counts now: the one nearest to the stated one, since the office knows which renewals were made; else
 * the first that can still be met, which assumes that every earlier one was.
 */
function chooseDate(schedules: readonly Schedule[], stated: DateText | null, today: DateText): ComputedDate | null {
  const choose =
    stated === null ? (each: Schedule) => findNext(each, today) : (each: Schedule) => findNearest(each, stated);
  const found = schedules.map(choose).filter((date) => date !== null);
  const open = found.filter((date) => isOpen(date, today));
  const [first = null] = (open.length === 0 ? found : open).sort((one, other) => (one.endsOn < other.endsOn ? -1 : 1));
  return first;
}

function findNearest({ rule, anchor, ends }: Schedule, stated: DateText): ComputedDate | null {
  let nearest: DateText | null = null;
  let distance = Number.POSITIVE_INFINITY;
  for (const end of ends) {
    const away = Math.abs(dayNumber(end) - dayNumber(stated));
    if (away < distance) [nearest, distance] = [end, away];
  }
  return nearest === null ? null : finishDate(rule, anchor, nearest);
}

function findNext({ rule, anchor, ends }: Schedule, today: DateText): ComputedDate | null {
  const earliest = subtractTerm(today, LATEST_AFTER_END);
  let last: ComputedDate | null = null;
  for (const end of ends) {
    if (end < earliest && end !== ends.at(-1)) continue;
    last = finishDate(rule, anchor, end);
    if (isOpen(last, today)) return last;
  }
  return last;
}

function isOpen({ dueOn, lateUntil }: ComputedDate, today: DateText): boolean {
  return (lateUntil ?? dueOn) >= today;
}

function agreementOf(
  stated: DateText | null,
  schedules: readonly Schedule[],
  computed: ComputedDate | null,
): Agreement | null {
  if (stated === null) return computed === null ? null : 'computed_only';
  if (schedules.length === 0) return 'stated_only';
  const agrees = schedules.some(({ ends }) => ends.includes(stated)) || computed?.dueOn === stated;
  return agrees ? 'agrees' : 'differs';
}

/** Facts that would make a rule of this event usable. */
function listMissing(rules: readonly Rule[], { anchors }: Facts): Anchor[] {
  const needed = rules.flatMap((rule) => [rule.anchor, ...(Object.keys(rule.when ?? {}) as Anchor[])]);
  const early = rules.filter(({ anchor, notBefore }) => {
    const earliest = notBefore === undefined ? null : anchors[notBefore];
    return earliest !== null && (anchors[anchor] ?? earliest) < earliest;
  });
  return [...new Set([...needed.filter((fact) => anchors[fact] === null), ...early.map(({ anchor }) => anchor)])];
}

export interface Facts {
  readonly jurisdiction: string;
  readonly route: Route;
  readonly status: RecordContent['status'];
  readonly anchors: { readonly [Name in Anchor]: DateText | null };
  readonly stated: { readonly expiry: DateText | null; readonly oppositionEnd: DateText | null };
  readonly terminated: DateText | null;
}

/** What another record states about the same mark: the international registration that it came from. */
export interface Parent {
  readonly registered: DateText | null;
  readonly expires: DateText | null;
}

type Stated = Pick<
  RecordContent,
  | 'jurisdiction_code'
  | 'office'
  | 'status'
  | 'application_number'
  | 'application_date'
  | 'registration_date'
  | 'publication_date'
  | 'expiry_date'
  | 'opposition_period_end'
  | 'termination_date'
  | 'international_registration_numbers'
>;

export function readFacts(record: Stated, parent: Parent | null = null, priority: DateText | null = null): Facts {
  return {
    jurisdiction: record.jurisdiction_code,
    route: routeOf(record),
    status: record.status,
    anchors: {
      application_date: record.application_date,
      registration_date: record.registration_date,
      publication_date: record.publication_date,
      priority_date: priority,
      international_registration_date: parent?.registered ?? null,
      international_expiry_date: parent?.expires ?? null,
    },
    stated: { expiry: record.expiry_date, oppositionEnd: record.opposition_period_end },
    terminated: record.termination_date,
  };
}

/** Registers that name an international registration on a mark only if the mark came from it. */
const NAMED_BY_PARENT: readonly string[] = ['AU', 'BR'];
/** Serial numbers that the USPTO gives to requests for extension (TMEP 401.02). */
const US_EXTENSION = /^79\d{6}$/u;

/** Readers state the office WO on every record that is part of an international registration. */
function routeOf(record: Stated): Route {
  const isPart =
    record.office === 'WO' ||
    record.jurisdiction_code === 'WO' ||
    (record.jurisdiction_code === 'US' && US_EXTENSION.test(record.application_number ?? '')) ||
    (NAMED_BY_PARENT.includes(record.jurisdiction_code) && record.international_registration_numbers !== null);
  return isPart ? 'madrid' : 'direct';
}
