/**
 * Dates of the second product: what an office states, what follows from the law, and whether they agree. Bounds are
 * counts unless the name ends in a unit.
 */
import type { Status } from './enums.ts';
import { cursor, FILTERS, type ParameterDefinition } from './parameters.ts';
import type { DateText } from './record.ts';

export const DATE_EVENTS = ['opposition_end', 'use_declaration', 'renewal', 'dependency_end'] as const;
export type DateEvent = (typeof DATE_EVENTS)[number];

/** How protection came about: by a filing at the office, or by an international registration. */
export const ROUTES = ['direct', 'madrid'] as const;
export type Route = (typeof ROUTES)[number];

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
export type Anchor = (typeof ANCHORS)[number];

/** Whether what is stated is what follows; `stated_only` and `computed_only` if there is nothing to compare. */
export const AGREEMENTS = ['agrees', 'differs', 'stated_only', 'computed_only'] as const;
export type Agreement = (typeof AGREEMENTS)[number];

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

/** What follows from one rule for one record. */
export interface ComputedDateInfo {
  /** The day to which the term leads: what an office states as expiry or end of opposition. */
  ends_on: DateText;
  opens_on: DateText | null;
  /** The last day without a surcharge, on a working day where the rule moves it there. */
  due_on: DateText;
  /** The last day of grace, or of every extension. */
  late_until: DateText | null;
  rule: string;
  rule_version: number;
  anchor: Anchor;
  anchor_date: DateText;
  consequence: string;
}

export interface DateInfo {
  event: DateEvent;
  /** As the office publishes it. */
  stated: DateText | null;
  computed: ComputedDateInfo | null;
  agreement: Agreement | null;
  /** Facts without which nothing is computed. */
  missing: Anchor[] | null;
}

export interface RecordDates {
  jurisdiction_code: string;
  uid: string;
  route: Route;
  /** The day as of which the next dates were chosen, in UTC. */
  as_of: DateText;
  dates: DateInfo[];
  disclaimer: string;
}

/** What is due for one record on one day. */
export interface DueItem {
  due_on: DateText;
  jurisdiction_code: string;
  uid: string;
  mark_name: string | null;
  status: Status;
  dates: DateInfo[];
}

export interface DuePage {
  items: DueItem[];
  next_cursor: string | null;
  disclaimer: string;
}

/** A span of days: `since` is included, `before` is not; null = open. */
export interface RuleSpan {
  fact: Anchor;
  since: DateText | null;
  before: DateText | null;
}

export interface DateRuleInfo {
  rule: string;
  version: number;
  jurisdiction_code: string;
  route: Route;
  event: DateEvent;
  anchor: Anchor;
  /** When the rule holds; null = always. */
  holds: RuleSpan[] | null;
  /** In words. */
  text: string;
  /** Each as an ISO 8601 duration; lengths depend on the day a term begins, in this order. */
  terms: { duration: string; first_only: boolean; begins_from: DateText | null; begins_before: DateText | null }[];
  repeats: boolean;
  window: string | null;
  grace: string | null;
  extendable_to: string | null;
  rolls: boolean;
  consequence: string;
  source: string;
}

export interface DateRulesPage {
  items: DateRuleInfo[];
  disclaimer: string;
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
