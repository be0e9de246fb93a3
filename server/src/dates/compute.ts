/**
 * Dates that follow from the law for one record, next to what the office states. Nothing here replaces the office's own
 * date: the three answers are what is stated, what follows, and whether they agree.
 */
import type { DateText } from '@tmds/contract/record';
import { addTerm, dayNumber, endOfMonth, subtractTerm } from './calendar.ts';
import { rollForward } from './closing-days.ts';
import type { Facts } from './facts.ts';
import type { Anchor, DateEvent, RepeatingRule, Rule, Span, TermLength } from './rule.ts';
import { RULES } from './rules/all.ts';

/** Terms of one record that are counted at most: marks of 1875 with terms of ten years have sixteen. */
const TERMS_MAX = 40;

export type Agreement = 'agrees' | 'differs' | 'stated_only' | 'computed_only';

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

/** The next date of each event, as of `today`; an event is left out if nothing is stated and no rule is known. */
export function computeDates(facts: Facts, today: DateText): DateAnswer[] {
  const rules = RULES.filter((rule) => rule.jurisdiction === facts.jurisdiction && rule.route === facts.route);
  const events: DateEvent[] = ['opposition_end', 'use_declaration', 'renewal', 'dependency_end'];
  return events.flatMap((event) => {
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
  const usable = rules.filter((rule) => fits(rule, facts));
  const until = stated === null || stated < today ? today : stated;
  const schedules = usable.map((rule) => ({ rule, dates: listDates(rule, facts, until) }));
  const known = event === 'use_declaration' ? schedules : schedules.filter(({ dates }) => dates.length > 0).slice(0, 1);
  const computed = isDue(event, facts)
    ? chooseDate(
        known.flatMap(({ dates }) => dates),
        stated,
        today,
      )
    : null;
  const missing = computed === null && isDue(event, facts) ? listMissing(rules, facts) : [];
  return {
    event,
    stated,
    computed,
    agreement: agreementOf(
      stated,
      known.flatMap(({ dates }) => dates),
      computed,
    ),
    missing,
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

/**
 * The dates of a rule for these facts, in order, through the first that is not before `until`: thousands of records
 * are computed at once, and most terms lie far ahead. None if the anchor is not known.
 */
export function listDates(rule: Rule, facts: Facts, until: DateText = '9999-12-31'): ComputedDate[] {
  const anchor = facts.anchors[rule.anchor];
  if (anchor === null) return [];
  const ends = rule.repeats ? listTermEnds(rule, anchor, until) : [addTerm(anchor, rule.term)];
  return ends.map((endsOn) => finishDate(rule, anchor, endsOn));
}

function listTermEnds({ terms, ends: where }: RepeatingRule, anchor: DateText, until: DateText): DateText[] {
  const ends: DateText[] = [];
  // Terms are counted from the anchor's own day, so that a mark of 29 February keeps its day.
  let months = 0;
  while (ends.length < TERMS_MAX) {
    const begin = addTerm(anchor, { months });
    const term = terms.find((length) => isLengthOf(length, begin, ends.length === 0));
    if (term === undefined) return ends;
    months += (term.years ?? 0) * 12 + (term.months ?? 0);
    const end = endOfTerm(addTerm(anchor, { months }), where);
    ends.push(end);
    if (end >= until) return ends;
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
function chooseDate(dates: readonly ComputedDate[], stated: DateText | null, today: DateText): ComputedDate | null {
  const inOrder = [...dates].sort((a, b) => (a.endsOn < b.endsOn ? -1 : 1));
  if (stated !== null) {
    const distance = ({ endsOn }: ComputedDate) => Math.abs(dayNumber(endsOn) - dayNumber(stated));
    return inOrder.reduce<ComputedDate | null>(
      (best, date) => (best === null || distance(date) < distance(best) ? date : best),
      null,
    );
  }
  return inOrder.find(({ dueOn, lateUntil }) => (lateUntil ?? dueOn) >= today) ?? inOrder.at(-1) ?? null;
}

function agreementOf(
  stated: DateText | null,
  dates: readonly ComputedDate[],
  computed: ComputedDate | null,
): Agreement | null {
  if (stated === null) return computed === null ? null : 'computed_only';
  if (dates.length === 0) return 'stated_only';
  return dates.some(({ endsOn, dueOn }) => endsOn === stated || dueOn === stated) ? 'agrees' : 'differs';
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
