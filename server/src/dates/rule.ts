/**
 * What a rule of law says about a date, as data. Rules are plain tables (`rules/`), each with its source; nothing in
 * them is code. A rule that changed is two rules, each with the days between which its anchor must lie.
 */
import type { Anchor, DateEvent, Route } from '@tmds/contract/dates';
import type { DateText } from '@tmds/contract/record';
import type { Term } from './calendar.ts';
import type { CalendarCode } from './closing-days.ts';

/** A span of days; a side that is missing is open. `from` is included, `before` is not. */
export interface Span {
  readonly from?: DateText;
  readonly before?: DateText;
}

/** How long a term is that begins within a span. The first line that fits counts. */
export interface TermLength extends Term {
  /** True if it is the length of the first term only. */
  readonly first?: true;
  readonly begins?: Span;
}

interface RuleBase {
  /** Stable name, such as `us.renewal`; unique with `version`. */
  readonly id: string;
  readonly version: number;
  readonly jurisdiction: CalendarCode;
  readonly event: DateEvent;
  readonly route: Route;
  readonly anchor: Anchor;
  /** In which span each of these dates must lie for the rule to hold; a date that is not known does not fit. */
  readonly when?: { readonly [Fact in Anchor]?: Span };
  /** The anchor counts only if it is not before this date: registers publish an application, or its registration. */
  readonly notBefore?: Anchor;
  /** How long before the due day the act may be done. */
  readonly opensBefore?: Term;
  /** How long after the due day it may still be done, usually for a fee. */
  readonly grace?: Term;
  /** Whether a last day on which the office is closed moves to the next day on which it is open. */
  readonly rolls: boolean;
  /** What happens if nothing is done. */
  readonly consequence: string;
  /** The rule in words of its own. */
  readonly text: string;
  /** Statute or regulation with its article. */
  readonly source: string;
}

/** A date that comes once, a term after its anchor. */
export interface SingleRule extends RuleBase {
  readonly repeats: false;
  readonly term: Term;
  /** How far the office may extend it on request, in all, after the anchor. */
  readonly extendableTo?: Term;
}

/** The end of each term in a row of terms. */
export interface RepeatingRule extends RuleBase {
  readonly repeats: true;
  readonly terms: readonly TermLength[];
  /** Where a term ends, if not on the anniversary of its beginning: the day before, or the end of that month. */
  readonly ends?: 'eve' | 'month';
}

export type Rule = SingleRule | RepeatingRule;
