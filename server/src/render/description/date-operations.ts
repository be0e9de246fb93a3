/** What the interface description says about the operations of dates. */
import { type DATES_ENDPOINTS, DATES_RECORDS_MAX } from '@tmds/contract/dates';
import { EXAMPLES } from './examples.ts';
import type { Operation } from './operation.ts';

export const DATE_OPERATIONS = {
  due_dates: {
    id: 'listDueDates',
    tag: 'dates',
    summary: 'What is due between two days',
    description:
      'The dates of the records that the filters match, in order: those that offices state and those that follow from ' +
      'the rules, as of `from`. A record whose office states a date is listed under it, whatever the rule gives. The ' +
      `filters may match at most ${DATES_RECORDS_MAX.toLocaleString('en')} records. It belongs to the product ` +
      '`analytics`. One unit a page.',
    schema: 'DuePage',
    example: EXAMPLES.dueDates,
    headers: ['Coverage'],
    codes: [
      'missing_filter',
      'query_too_broad',
      'cursor_invalid',
      'cursor_query_mismatch',
      'query_timeout',
      'validation_error',
    ],
  },
  record_dates: {
    id: 'getRecordDates',
    tag: 'dates',
    summary: 'The dates of one record',
    description:
      'For each event what the office states, what follows from a rule, and whether they agree; or which fact is ' +
      'missing. Nothing replaces the date of the office. A part of an international registration is dated by the ' +
      'registration, if its record is held. It belongs to the product `analytics`.',
    schema: 'RecordDates',
    example: EXAMPLES.recordDates,
    headers: ['Coverage'],
    codes: ['not_found'],
  },
  date_rules: {
    id: 'listDateRules',
    tag: 'dates',
    summary: 'The rules from which dates follow',
    description:
      'Every rule with its versions: the fact it runs from, its terms, window, grace and consequence, and the article of ' +
      'its source. It belongs to the product `analytics`.',
    schema: 'DateRulesPage',
    example: EXAMPLES.dateRules,
    headers: ['ETag'],
    codes: [],
  },
} as const satisfies Record<keyof typeof DATES_ENDPOINTS, Operation>;
