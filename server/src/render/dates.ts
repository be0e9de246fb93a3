/** Dates as delivered: what is stated, what follows, whether they agree; and the rules themselves. */
import {
  type ComputedDateInfo,
  DATES_DISCLAIMER,
  type DateInfo,
  type DateRuleInfo,
  type DateRulesPage,
  type DueItem,
  type DuePage,
  type RecordDates,
  type RuleSpan,
} from '@tmds/contract/dates';
import type { Term } from '../dates/calendar.ts';
import type { ComputedDate, DateAnswer } from '../dates/compute.ts';
import type { Rule } from '../dates/rule.ts';
import { type Answer, renderJson, renderTagged } from './answer.ts';

export function renderRecordDates(dates: Omit<RecordDates, 'disclaimer'>): Answer {
  const body: RecordDates = { ...dates, disclaimer: DATES_DISCLAIMER };
  return renderJson(JSON.stringify(body));
}

export function renderDuePage({ items, next_cursor }: { items: DueItem[]; next_cursor: string | null }): Answer {
  const page: DuePage = { items, next_cursor, disclaimer: DATES_DISCLAIMER };
  return renderJson(JSON.stringify(page));
}

export function renderRules(rules: readonly Rule[]): Answer {
  const page: DateRulesPage = { items: rules.map(describeRule), disclaimer: DATES_DISCLAIMER };
  return renderTagged(JSON.stringify(page));
}

export function describeDate({ event, stated, computed, agreement, missing }: DateAnswer): DateInfo {
  return {
    event,
    stated,
    computed: computed === null ? null : describeComputed(computed),
    agreement,
    missing: missing.length === 0 ? null : [...missing],
  };
}

function describeComputed({ rule, anchor, endsOn, opensOn, dueOn, lateUntil }: ComputedDate): ComputedDateInfo {
  return {
    ends_on: endsOn,
    opens_on: opensOn,
    due_on: dueOn,
    late_until: lateUntil,
    rule: rule.id,
    rule_version: rule.version,
    anchor: anchor.fact,
    anchor_date: anchor.date,
    consequence: rule.consequence,
  };
}

function describeRule(rule: Rule): DateRuleInfo {
  const terms = rule.repeats ? rule.terms : [rule.term];
  return {
    rule: rule.id,
    version: rule.version,
    jurisdiction_code: rule.jurisdiction,
    route: rule.route,
    event: rule.event,
    anchor: rule.anchor,
    holds: describeSpans(rule.when),
    text: rule.text,
    terms: terms.map((term) => ({
      duration: formatDuration(term),
      first_only: 'first' in term,
      begins_from: ('begins' in term ? term.begins?.from : undefined) ?? null,
      begins_before: ('begins' in term ? term.begins?.before : undefined) ?? null,
    })),
    repeats: rule.repeats,
    window: durationOrNull(rule.opensBefore),
    grace: durationOrNull(rule.grace),
    extendable_to: rule.repeats ? null : durationOrNull(rule.extendableTo),
    rolls: rule.rolls,
    consequence: rule.consequence,
    source: rule.source,
  };
}

function describeSpans(when: Rule['when']): RuleSpan[] | null {
  if (when === undefined) return null;
  return Object.entries(when).map(([fact, { from = null, before = null }]) => ({
    fact: fact as RuleSpan['fact'],
    since: from,
    before,
  }));
}

function durationOrNull(term: Term | undefined): string | null {
  return term === undefined ? null : formatDuration(term);
}

/** ISO 8601, such as `P10Y` or `P30D`. */
function formatDuration({ years, months, days }: Term): string {
  const parts = [
    [years, 'Y'],
    [months, 'M'],
    [days, 'D'],
  ] as const;
  return `P${parts.flatMap(([count, unit]) => (count === undefined ? [] : [`${count}${unit}`])).join('')}`;
}
