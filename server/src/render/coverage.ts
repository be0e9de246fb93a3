/**
 * Derives the coverage of a register from the files that it was loaded from, and the sentence that says what can be
 * concluded from silence. The endpoint, the portal and the commands use these words.
 */

import type { CoverageReport, CoverageSeries } from '@tmds/contract/coverage';
import type { RegisterCompleteness } from '@tmds/contract/search-coverage';
import { DAY_MS } from '../base/clock.ts';
import type { RegisterFacts } from '../store/records/registers.ts';
import type { SeriesFacts } from '../store/records/source-series.ts';
import { showPeriod } from '../store/sync/source-files.ts';
import { type Answer, renderTagged } from './answer.ts';

export function renderCoverage(report: CoverageReport): Answer {
  return renderTagged(JSON.stringify(report));
}

export function describeCoverage(facts: RegisterFacts, nowMs: number): CoverageReport {
  const { jurisdiction_code, record_count, data_current_through, series, last_load, open_rejects, reading } = facts;
  return {
    jurisdiction_code,
    record_count,
    data_current_through,
    conclusion: concludeFromSilence(facts, nowMs),
    series: series.map(describeSeries),
    last_load,
    open_rejects,
    issues: reading === null ? null : { ...reading, share: roundShare(reading.flagged / reading.read) },
  };
}

/** The same in short, for the header of every answer. */
export function describeCompleteness(facts: RegisterFacts, nowMs: number): RegisterCompleteness {
  const { jurisdiction_code, series, open_rejects, data_current_through: through } = facts;
  const gaps = series.map(({ missing_count, out_of_order_count, order_matters }) =>
    order_matters ? missing_count + out_of_order_count : missing_count,
  );
  return {
    jurisdiction_code,
    complete_through: findLastDay(series, through),
    late: series.some((each) => isOverdue(each, nowMs)),
    gaps: gaps.reduce((sum, count) => sum + count, 0),
    rejects: open_rejects,
  };
}

/**
 * The day before the instant up to which the register is complete, or before the first missing file of a day. A gap
 * between files of weeks or numbers has no day; it is only counted.
 */
function findLastDay(series: readonly SeriesFacts[], through: string | null): string | null {
  const loaded = series.map(({ last }) => dayOf(last)).filter((day) => day !== null);
  const known = through === null ? (loaded.sort().at(-1) ?? null) : lastWholeDay(through);
  if (known === null) return null;
  const gapped = series.filter(({ expected, missing }) => expected && dayOf(missing[0]?.period ?? null) !== null);
  return gapped.reduce<string | null>((day, facts) => {
    const before = dayOf(findCompleteThrough(facts));
    return day === null || before === null ? null : before < day ? before : day;
  }, known);
}

/** Null for a label that is not a day. */
function dayOf(label: string | null): string | null {
  return /^\d{4}-\d{2}-\d{2}(?=\/|$)/.exec(label ?? '')?.[0] ?? null;
}

/** The day that the instant ends, or the day before the instant. */
function lastWholeDay(instant: string): string {
  const day = instant.slice(0, 10);
  if (instant.slice(11, 19) === '23:59:59') return day;
  return new Date(Date.parse(`${day}T00:00:00Z`) - DAY_MS).toISOString().slice(0, 10);
}

function isOverdue({ next, overdue_ms }: SeriesFacts, nowMs: number): boolean {
  return next !== null && overdue_ms !== null && overdue_ms < nowMs;
}

function describeSeries(facts: SeriesFacts): CoverageSeries {
  const { first, last, missing, out_of_order, next, before_missing: _before, overdue_ms: _due, ...rest } = facts;
  return {
    ...rest,
    first_period: shown(first),
    last_period: shown(last),
    complete_through: shown(findCompleteThrough(facts)),
    missing: missing.map(({ period, reason }) => ({ period: showPeriod(period), reason })),
    out_of_order: out_of_order.map(({ period, after, loaded_at }) => ({
      period: showPeriod(period),
      after: showPeriod(after),
      loaded_at,
    })),
    next_period: shown(next),
  };
}

function shown(label: string | null): string | null {
  return label === null ? null : showPeriod(label);
}

/** Six digits, and zero only if there is nothing. */
function roundShare(share: number): number {
  return share === 0 ? 0 : Math.max(0.000001, Math.round(share * 1_000_000) / 1_000_000);
}

/** Null if periods are unknown, if the expected periods are unknown, and if the first one is missing. */
function findCompleteThrough({ first, last, expected, missing, before_missing }: SeriesFacts): string | null {
  if (!expected || first === null || last === null) return null;
  const [gap] = missing;
  return gap === undefined || gap.period > last ? last : before_missing;
}

/** Sentences name this many periods; further ones are counted. */
const NAMED_MAX = 3;

function concludeFromSilence(
  { series, last_load, open_rejects, data_current_through }: RegisterFacts,
  nowMs: number,
): string {
  if (last_load === null && series.length === 0) {
    return 'Nothing can be concluded from silence, because no load has ended yet.';
  }
  const known = series.filter(({ last }) => last !== null);
  const rejected = describeRejects(open_rejects);
  if (known.length === 0) {
    const unknown = 'it is not known which periods the loaded files cover';
    return data_current_through === null
      ? `Nothing can be concluded from silence, because ${unknown}${rejected}.`
      : `According to the files, or to the operator who loaded them, every change that the office published before ${showInstant(data_current_through)} is here; ${unknown}${rejected}.`;
  }
  const isOne = series.length === 1;
  const clauses = known.map((each) => `${isOne ? '' : `${nameSeries(each)}: `}${concludeSeries(each, nowMs)}`);
  const others = series
    .filter(({ last }) => last === null)
    .map((each) => {
      const isAlone = known.every(({ source, format }) => source !== each.source || format !== each.format);
      return isAlone ? nameSeries(each) : `other files of ${nameSeries(each)}`;
    });
  const unknown = others.length === 0 ? '' : `; of ${joinWords(others)} it is not known which periods were loaded`;
  const sentence = `${clauses.join('; ')}${unknown}${rejected}.`;
  return isOne ? `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}` : sentence;
}

/** To the minute, and as a day if it is the beginning of one. */
function showInstant(instant: string): string {
  const [day, time] = [instant.slice(0, 10), instant.slice(11, 16)];
  return time === '00:00' ? day : `${day} ${time} UTC`;
}

function concludeSeries(facts: SeriesFacts, nowMs: number): string {
  const { first, last, expected, missing, missing_count, out_of_order, out_of_order_count, order_matters } = facts;
  const [before, after] = split(missing, last ?? '');
  const start = [first, before[0] ?? first].sort()[0] ?? null;
  const span = start === last ? `in ${nameUnit(last)}` : `from ${nameUnit(start)} through ${nameUnit(last)}`;
  const main = expected
    ? `a change published by the office ${span} is here`
    : start === last
      ? `files of ${nameUnit(last)} are loaded, and it is not known which others there should be`
      : `files ${span} are loaded, and it is not known whether one between them is missing`;
  const gaps = missing_count - after.length;
  const but = gaps === 0 ? '' : `, except for ${namePeriods(before, gaps)}, which ${gaps === 1 ? 'is' : 'are'} missing`;
  const rest =
    after.length === 0 ? '' : `; ${namePeriods(after, after.length)} ${after.length === 1 ? 'is' : 'are'} not loaded`;
  const late = namePeriods(
    out_of_order.map(({ period }) => period),
    out_of_order_count,
  );
  const order =
    out_of_order_count === 0 || !order_matters
      ? ''
      : `; ${late} came after later ones, so that what ${out_of_order_count === 1 ? 'it states' : 'they state'} may have replaced something newer`;
  return `${main}${but}${rest}${order}${describeOverdue(facts, nowMs)}`;
}

/** Up to the last period loaded, and after it. */
function split(missing: SeriesFacts['missing'], last: string): [before: string[], after: string[]] {
  const periods = missing.map(({ period }) => period);
  return [periods.filter((period) => period < last), periods.filter((period) => period >= last)];
}

function describeOverdue(facts: SeriesFacts, nowMs: number): string {
  return isOverdue(facts, nowMs) ? `; ${nameUnit(facts.next)} is overdue` : '';
}

function describeRejects(rejected: number): string {
  if (rejected === 0) return '';
  return rejected === 1
    ? '; a record or file that a load rejected is not'
    : `; ${rejected} records or files that loads rejected are not`;
}

function nameSeries({ source, format }: SeriesFacts): string {
  return source ?? `${format} by hand`;
}

/** `2026-11-03, 2026-11-04, 2026-11-05 and 2 more`. */
function namePeriods(labels: readonly string[], count: number): string {
  const named = labels.slice(0, NAMED_MAX).map(nameUnit);
  const further = count - named.length;
  return joinWords(further > 0 ? [...named, `${further} more`] : named);
}

function joinWords(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** `week 2026-W45`, `number 2240`; a day, a month or a year unchanged. */
function nameUnit(label: string | null): string {
  const text = showPeriod(label ?? '');
  if (/^\d{9}/.test(label ?? '')) return `number ${text}`;
  return /^\d{4}-W/.test(text) ? `week ${text}` : text;
}
