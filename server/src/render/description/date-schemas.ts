/** The schemas of dates: of one record, of many, and of the rules. */
import {
  AGREEMENTS,
  ANCHORS,
  type ComputedDateInfo,
  DATE_EVENTS,
  type DateInfo,
  type DateRuleInfo,
  type DateRulesPage,
  type DueItem,
  type DuePage,
  type RecordDates,
  ROUTES,
  type RuleSpan,
} from '@tmds/contract/dates';
import { STATUSES } from '@tmds/contract/enums';
import { closed, type Json, pageCursor, refer } from './schema-parts.ts';

const text = (description: string): Json => ({ type: 'string', description });
const day = (description: string): Json => ({ type: 'string', format: 'date', description });
const dayOrNull = (description: string): Json => ({ type: ['string', 'null'], format: 'date', description });
const duration = (description: string): Json => ({ type: ['string', 'null'], description });
const code = text('Register code.');
const fact: Json = { type: 'string', enum: ANCHORS, description: 'The fact from which the term runs.' };
const event: Json = { type: 'string', enum: DATE_EVENTS, description: 'What the date is for.' };
const route: Json = {
  type: 'string',
  enum: ROUTES,
  description: 'How protection came about: a filing at the office, or an international registration.',
};
const disclaimer = text('What the dates are not.');

export function buildDateSchemas(): Json {
  const computed = closed<ComputedDateInfo>(
    {
      ends_on: day('The day to which the term leads; what an office states as expiry or end of opposition.'),
      opens_on: dayOrNull('The first day on which the act is possible.'),
      due_on: day('The last day without a surcharge, on a working day where the rule moves it there.'),
      late_until: dayOrNull('The last day of grace, or of every extension.'),
      rule: text('Name of the rule.'),
      rule_version: { type: 'integer', minimum: 1, description: 'Version of the rule.' },
      anchor: fact,
      anchor_date: day('The day of that fact.'),
      consequence: text('What happens if nothing is done.'),
    },
    'What follows from one rule.',
  );
  const date = closed<DateInfo>(
    {
      event,
      stated: dayOrNull('The date as the office publishes it.'),
      computed: { anyOf: [computed, { type: 'null' }], description: 'Null if no rule applies or a fact is missing.' },
      agreement: {
        type: ['string', 'null'],
        enum: [...AGREEMENTS, null],
        description: 'Whether the stated date is the one that follows; null if there is neither.',
      },
      missing: {
        type: ['array', 'null'],
        items: { type: 'string', enum: ANCHORS },
        description: 'Facts without which nothing is computed.',
      },
    },
    'One event of a record: what is stated, what follows, whether they agree.',
  );
  const dates = { type: 'array', items: refer('schemas', 'DateInfo'), description: 'The dates, event by event.' };
  return {
    DateInfo: date,
    RecordDates: closed<RecordDates>(
      {
        jurisdiction_code: code,
        uid: text('Identity within the register.'),
        route,
        as_of: day('The day, in UTC, as of which the next dates were chosen.'),
        dates,
        disclaimer,
      },
      'The dates of one record.',
    ),
    DuePage: closed<DuePage>(
      {
        items: {
          type: 'array',
          items: closed<DueItem>({
            due_on: day('The stated date, otherwise the last day without a surcharge.'),
            jurisdiction_code: code,
            uid: text('Identity within the register.'),
            mark_name: { type: ['string', 'null'], description: 'Mark text as filed.' },
            status: { type: 'string', enum: STATUSES, description: 'Normalized status.' },
            dates,
          }),
          description: 'Records with what is due.',
        },
        next_cursor: pageCursor,
        disclaimer,
      },
      'One page of dates, the earliest first.',
    ),
    DateRulesPage: closed<DateRulesPage>(
      { items: { type: 'array', items: buildRuleSchema(), description: 'The rules.' }, disclaimer },
      'The rules from which dates follow.',
    ),
  };
}

function buildRuleSchema(): Json {
  return closed<DateRuleInfo>({
    rule: text('Name of the rule; with its version it never changes its meaning.'),
    version: { type: 'integer', minimum: 1, description: 'Versions hold at different times.' },
    jurisdiction_code: code,
    route,
    event,
    anchor: fact,
    holds: {
      type: ['array', 'null'],
      items: closed<RuleSpan>({
        fact,
        since: dayOrNull('The first day of that fact for which the rule holds; null: any.'),
        before: dayOrNull('The day before which that fact must lie; null: any.'),
      }),
      description: 'When the rule holds; null: always.',
    },
    text: text('The rule in words.'),
    terms: {
      type: 'array',
      items: closed<DateRuleInfo['terms'][number]>({
        duration: text('ISO 8601 duration.'),
        first_only: { type: 'boolean', description: 'True for a length of the first term alone.' },
        begins_from: dayOrNull('The first day on which such a term begins; null: any.'),
        begins_before: dayOrNull('Terms that begin before this day are so long; null: all.'),
      }),
      description: 'Lengths of terms, in the order in which they are tried.',
    },
    repeats: { type: 'boolean', description: 'Whether term follows term.' },
    window: duration('How long before the due day the act is possible; null: no earliest day.'),
    grace: duration('How long after the due day the act is still possible; null: not.'),
    extendable_to: duration('How far the office may extend it, from the anchor; null: not.'),
    rolls: { type: 'boolean', description: 'Whether a last day without office moves to the next working day.' },
    consequence: text('What happens if nothing is done.'),
    source: text('Statute or regulation, with the article.'),
  });
}
