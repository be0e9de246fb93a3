/**
 * Dates of the second product: what an office states, what follows from the law, and whether they agree. Bounds are
 * counts unless the name ends in a unit.
 */
import type { Status } from './enums.ts';
import { cursor, FILTERS, type ParameterDefinition } from './parameters.ts';
import type { DateText } from './record.ts';
import type { PageCursor, Positive, RegisterCode, Uid } from './values.ts';

export const DATE_EVENTS = ['opposition_end', 'use_declaration', 'renewal', 'dependency_end'] as const;
/** What the date is for. */
export type DateEvent = (typeof DATE_EVENTS)[number];

/** How protection came about: a filing at the office, or an international registration. */
export type Route = 'direct' | 'madrid';

/** The facts from which a term may run. */
export const ANCHORS = [
  'application_date',
  'registration_date',
  'publication_date',
  'priority_date',
  'international_registration_date',
  /** The end of the term that the international register states for the parent. */
  'international_expiry_date',
] as const;
/** The fact from which the term runs. */
export type Anchor = (typeof ANCHORS)[number];

/** Whether what is stated is what follows; `stated_only` and `computed_only` if there is nothing to compare. */
export type Agreement = 'agrees' | 'differs' | 'stated_only' | 'computed_only';

/** Longest span of a list of dates, in days, both ends included. */
export const DATES_SPAN_DAYS = 366;
/** Records that the filters of a list of dates may match. */
export const DATES_RECORDS_MAX = 2_000;
const DATES_PAGE_MAX = 500;
export const DATES_PAGE_DEFAULT = 100;

/** Said with every computed date. */
export const DATES_DISCLAIMER =
  'Data, not advice. Computed dates follow from what the register publishes and from rules that may not fit the case; ' +
  'the date of the office decides. Have a qualified person check both before you rely on them.';

/** What the dates are not. */
type Disclaimer = string;

/** What happens if nothing is done. */
type Consequence = string;

/** What follows from one rule. */
export interface ComputedDateInfo {
  /** The day to which the term leads; what an office states as expiry or end of opposition. */
  ends_on: DateText;
  /** The first day on which the act is possible. */
  opens_on: DateText | null;
  /** The last day without a surcharge, on a working day where the rule moves it there. */
  due_on: DateText;
  /** The last day of grace, or of every extension. */
  late_until: DateText | null;
  /** Name of the rule. */
  rule: string;
  /** Version of the rule. */
  rule_version: Positive;
  anchor: Anchor;
  /** The day of that fact. */
  anchor_date: DateText;
  consequence: Consequence;
}

/** One event of a record: what is stated, what follows, whether they agree. @schema */
export interface DateInfo {
  event: DateEvent;
  /** The date as the office publishes it. */
  stated: DateText | null;
  /** Null if no rule applies or a fact is missing. */
  computed: ComputedDateInfo | null;
  /** Whether the stated date is the one that follows; null if there is neither. */
  agreement: Agreement | null;
  /** Facts without which nothing is computed. */
  missing: Anchor[] | null;
}

/** The dates of one record. @schema */
export interface RecordDates {
  jurisdiction_code: RegisterCode;
  uid: Uid;
  route: Route;
  /** The day, in UTC, as of which the next dates were chosen. */
  as_of: DateText;
  /** The dates, event by event. */
  dates: DateInfo[];
  disclaimer: Disclaimer;
}

/** What is due for one record on one day. */
export interface DueItem {
  /** The stated date, otherwise the last day without a surcharge. */
  due_on: DateText;
  jurisdiction_code: RegisterCode;
  uid: Uid;
  /** Mark text as filed. */
  mark_name: string | null;
  /** Normalized status. */
  status: Status;
  /** The dates, event by event. */
  dates: DateInfo[];
}

/** One page of dates, the earliest first. @schema */
export interface DuePage {
  /** Records with what is due. */
  items: DueItem[];
  next_cursor: PageCursor;
  disclaimer: Disclaimer;
}

/** A span of days: `since` is included, `before` is not; null = open. */
export interface RuleSpan {
  fact: Anchor;
  /** The first day of that fact for which the rule holds; null: any. */
  since: DateText | null;
  /** The day before which that fact must lie; null: any. */
  before: DateText | null;
}

interface TermLength {
  /** ISO 8601 duration. */
  duration: string;
  /** True for a length of the first term alone. */
  first_only: boolean;
  /** The first day on which such a term begins; null: any. */
  begins_from: DateText | null;
  /** Terms that begin before this day are so long; null: all. */
  begins_before: DateText | null;
}

export interface DateRuleInfo {
  /** Name of the rule; with its version it never changes its meaning. */
  rule: string;
  /** Versions hold at different times. */
  version: Positive;
  jurisdiction_code: RegisterCode;
  route: Route;
  event: DateEvent;
  anchor: Anchor;
  /** When the rule holds; null: always. */
  holds: RuleSpan[] | null;
  /** The rule in words. */
  text: string;
  /** Lengths of terms, in the order in which they are tried. */
  terms: TermLength[];
  /** Whether term follows term. */
  repeats: boolean;
  /** How long before the due day the act is possible; null: no earliest day. */
  window: string | null;
  /** How long after the due day the act is still possible; null: not. */
  grace: string | null;
  /** How far the office may extend it, from the anchor; null: not. */
  extendable_to: string | null;
  /** Whether a last day without office moves to the next working day. */
  rolls: boolean;
  consequence: Consequence;
  /** Statute or regulation, with the article. */
  source: string;
}

/** The rules from which dates follow. @schema */
export interface DateRulesPage {
  /** The rules. */
  items: DateRuleInfo[];
  disclaimer: Disclaimer;
}

const SPAN_PARAMETERS = {
  from: {
    value: { form: 'date' },
    filter: false,
    description: `Required. The first day; at most ${DATES_SPAN_DAYS} days with to.`,
    example: '2026-12-01',
  },
  to: { value: { form: 'date' }, filter: false, description: 'Required. The last day.', example: '2027-02-28' },
  event: {
    value: { form: 'enums', values: DATE_EVENTS },
    filter: false,
    description: 'Only dates of these events.',
    example: 'renewal,use_declaration',
  },
  cursor,
  limit: {
    value: {
      form: 'integer',
      min: 1,
      max: DATES_PAGE_MAX,
      default: DATES_PAGE_DEFAULT,
      expandedMax: DATES_PAGE_MAX,
    },
    filter: false,
    description: 'Most records of a page.',
    example: '100',
  },
} as const satisfies Record<string, ParameterDefinition>;

export const DATES_ENDPOINTS = {
  due_dates: {
    path: '/analytics/v1/dates',
    parameters: { ...SPAN_PARAMETERS, ...FILTERS },
    required: ['from', 'to'],
    metered: true,
  },
  record_dates: {
    path: '/analytics/v1/{jurisdiction_code}/trademarks/{uid}/dates',
    parameters: {},
    required: [],
    metered: true,
  },
  date_rules: { path: '/analytics/v1/rules', parameters: {}, required: [], metered: true },
} as const;
