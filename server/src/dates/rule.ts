/**
 * What a rule of law says about a date, as data. Rules are plain tables (`rules/`), each with its source; nothing in
 * them is code. A rule that changed is two rules, each with the days between which its anchor must lie. What the rules
 * of most registers share is here, so that a table states only what differs.
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
interface SingleRule extends RuleBase {
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

const LAPSE = 'The registration ends with the term, and can be restored only where and while the office allows it.';

type Shared = 'version' | 'route' | 'consequence' | 'rolls' | 'terms' | 'opensBefore' | 'grace';

/** Ten years, with half a year before and half a year after, of a mark that was filed at the office. */
export function renewalRule(
  rule: Omit<RepeatingRule, 'event' | 'repeats' | Shared> & Partial<Pick<RepeatingRule, Shared>>,
): RepeatingRule {
  const usual = { version: 1, route: 'direct', rolls: true, terms: [{ years: 10 }], ...HALF_YEARS } as const;
  return { consequence: LAPSE, ...usual, ...rule, event: 'renewal', repeats: true };
}

const HALF_YEARS = { opensBefore: { months: 6 }, grace: { months: 6 } } as const;

/** A part of an international registration is renewed with it, at the International Bureau. */
export function partRenewalRule(
  jurisdiction: RepeatingRule['jurisdiction'],
  /** What the register gives as the day of the international registration, or of the later designation. */
  anchor: RepeatingRule['anchor'],
  text?: string,
): RepeatingRule[] {
  const shared = {
    jurisdiction,
    route: 'madrid',
    consequence: 'The designation ends with the international registration.',
    source: 'Madrid Protocol, articles 6(1) and 7; Regulations under the Protocol, rules 30 and 31',
  } as const;
  return [
    renewalRule({
      ...shared,
      id: `${jurisdiction.toLowerCase()}.renewal.parent`,
      anchor: 'international_expiry_date',
      terms: [{ first: true, years: 0 }, { years: 10 }],
      text: 'The international registration is renewed as a whole: its own end of term counts.',
    }),
    renewalRule({
      ...shared,
      id: `${jurisdiction.toLowerCase()}.renewal.part`,
      anchor,
      text:
        text ??
        'Ten years from the day of the international registration. A designation made later ends with the registration, so its term can be shorter.',
    }),
  ];
}

type Opposition = Pick<SingleRule, 'id' | 'jurisdiction' | 'term' | 'text' | 'source'> &
  Partial<Pick<SingleRule, 'route' | 'when' | 'notBefore' | 'extendableTo' | 'version' | 'consequence'>>;

export function oppositionRule(rule: Opposition): SingleRule {
  return {
    version: 1,
    route: 'direct',
    consequence: 'Nobody can oppose any more; a request for invalidity remains.',
    ...rule,
    event: 'opposition_end',
    anchor: 'publication_date',
    repeats: false,
    rolls: true,
  };
}

/** For marks of both routes; the name of the rule for parts of registrations ends with `suffix`, and it may differ. */
export function oppositionRules(
  suffix: string,
  rule: Omit<Opposition, 'route'>,
  ofParts: Partial<Opposition> = {},
): SingleRule[] {
  return [oppositionRule(rule), oppositionRule({ ...rule, route: 'madrid', id: `${rule.id}-${suffix}`, ...ofParts })];
}
