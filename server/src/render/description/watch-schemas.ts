/** The schemas of watches and of a diagnosis, derived from the contract. */

import {
  DIAGNOSIS_VERDICTS,
  DIAGNOSIS_WINDOWS,
  type DiagnosisCriterion,
  type DiagnosisEvent,
  type WatchDiagnosis,
} from '@tmds/contract/diagnosis';
import type { HistoryEvent } from '@tmds/contract/history';
import { GOODS_RELATIONS, type GoodsRelation, HELD_AS_NAMES, LIKENESS_MARK_MAX } from '@tmds/contract/likeness';
import {
  HIT_EVENTS,
  type HitLikeness,
  WATCH_CHOICES,
  WATCH_ITEMS_MAX,
  WATCH_KINDS,
  WATCH_NAME_MAX,
  WATCH_OWNER_MAX,
  WATCH_REFERENCE_MAX,
  WATCH_STRATEGIES,
  WATCH_STRATEGIES_DEFAULT,
  type WatchDetail,
  type WatchesPage,
  type WatchHitItem,
  type WatchHitsPage,
  type WatchMonth,
  type WatchSummary,
} from '@tmds/contract/watches';
import { closed, feedCursor, instant, type Json, type Members, pageCursor, refer } from './schema-parts.ts';

const count = { type: 'integer', minimum: 0 };

const identity = closed(
  {
    jurisdiction_code: { type: 'string', minLength: 1, description: 'Register code.' },
    uid: { type: 'string', minLength: 1, description: 'Identity within the register.' },
  },
  'A record by its identity. It may not exist yet.',
);

const summary = {
  id: { type: 'string', description: 'Chosen by the customer.' },
  name: { type: 'string', minLength: 1, description: 'For people.' },
  reference: { type: ['string', 'null'], description: 'Your own, such as the number of a matter; null: none.' },
  kind: { type: 'string', enum: WATCH_KINDS, description: 'What is watched.' },
  search: {
    type: ['string', 'null'],
    description: 'The query string of the search, or of the search for likeness; null for records and owners.',
  },
  item_count: { ...count, description: 'How many records or owners it lists.' },
  revision: { type: 'integer', minimum: 1, description: 'Rises with every change.' },
  created_at: { ...instant, description: 'When it was made.' },
  changed_at: { ...instant, description: 'When it was last changed.' },
  holds_from: { ...instant, description: 'How far events had been matched when it was changed.' },
  ended_at: { ...instant, type: ['string', 'null'], description: 'Null while it is live.' },
};

const likeness = {
  oneOf: [
    closed<HitLikeness>(
      {
        name: { type: 'string', description: 'The name that is alike, in compared form.' },
        held_as: {
          type: ['string', 'null'],
          enum: [...HELD_AS_NAMES, null],
          description: 'What the name is of the mark; null: the hit is older than the distinction.',
        },
        evidence: {
          type: 'array',
          description: 'Every way in which it is alike.',
          items: closed<HitLikeness['evidence'][number]>(
            {
              strategy: { type: 'string', enum: WATCH_STRATEGIES, description: 'The way in which names are alike.' },
              text: { type: 'string', description: 'In words.' },
            },
            'One way in which it is alike.',
          ),
        },
        goods: {
          oneOf: [
            closed<GoodsRelation>(
              {
                relation: { type: 'string', enum: GOODS_RELATIONS, description: 'Same, related, apart, or not known.' },
                nice_classes: {
                  type: 'array',
                  description: 'Its classes that are the same or related.',
                  items: { type: 'integer', minimum: 1, maximum: 45 },
                },
              },
              'How its classes relate to those of the watch.',
            ),
            { type: 'null', description: 'The watch names no classes.' },
          ],
        },
      },
      'Why its name is alike: of the version that the event created or, if it stops matching, of the one before.',
    ),
    { type: 'null', description: 'The watch was not for likeness when it was hit.' },
  ],
};

function buildInput(): Json {
  return {
    type: 'object',
    description: 'A watch: exactly one of `search`, `records`, `owners` and `similar`.',
    required: ['name'],
    properties: {
      name: { type: 'string', minLength: 1, maxLength: WATCH_NAME_MAX, description: 'For people.' },
      reference: {
        type: ['string', 'null'],
        minLength: 1,
        maxLength: WATCH_REFERENCE_MAX,
        description: 'Your own, such as the number of a matter: hits, messages to webhooks and files repeat it.',
      },
      search: { type: 'string', description: 'The query string of a search.' },
      records: {
        type: 'array',
        minItems: 1,
        maxItems: WATCH_ITEMS_MAX,
        items: identity,
        description: 'Records by their identities.',
      },
      owners: {
        type: 'array',
        minItems: 1,
        maxItems: WATCH_ITEMS_MAX,
        items: { type: 'string', minLength: 1, maxLength: WATCH_OWNER_MAX },
        description: 'Names, compared like `owner_name` of a search.',
      },
      similar: {
        type: 'object',
        description: 'A mark; the watch is hit by records with names that are alike.',
        required: ['mark'],
        properties: {
          mark: { type: 'string', minLength: 1, maxLength: LIKENESS_MARK_MAX, description: 'The text of the mark.' },
          strategies: {
            type: 'array',
            minItems: 1,
            items: { type: 'string', enum: WATCH_CHOICES },
            description:
              `In which ways names are alike; if none is named: ${WATCH_STRATEGIES_DEFAULT.join(', ')}. And which texts ` +
              `are compared; if none is named, all: ${HELD_AS_NAMES.join(', ')}.`,
          },
          classes: {
            type: 'array',
            minItems: 1,
            items: { type: 'integer', minimum: 1, maximum: 45 },
            description: 'Nice classes of its goods: hits say how they relate. They leave nothing out.',
          },
          search: { type: 'string', description: 'The query string of a search, which the records have to satisfy.' },
        },
        additionalProperties: false,
      },
    },
    additionalProperties: false,
  };
}

/** `event`: the members of an event of the history. */
export function buildWatchSchemas(event: Members<HistoryEvent>): Json {
  const month = closed<WatchMonth>({
    month: { type: 'string', pattern: '^\\d{4}-\\d{2}$', description: 'UTC calendar month.' },
    events: {
      ...count,
      type: ['integer', 'null'],
      description:
        'Events of the history, from counted_from on, in which a record began to match, changed while matching, or ' +
        'stopped matching. Null for a month before it.',
    },
    last_changed: { ...count, description: 'Records that match now and last changed in the month.' },
    hits: { ...count, description: 'Hits of the watch in the month.' },
  });
  return {
    WatchInput: buildInput(),
    Watch: closed<WatchSummary>(summary, 'A watch.'),
    WatchesPage: closed<WatchesPage>(
      {
        items: { type: 'array', items: refer('schemas', 'Watch'), description: 'The watches.' },
        next_cursor: pageCursor,
      },
      'One page of watches.',
    ),
    WatchDetail: closed<WatchDetail>(
      {
        ...summary,
        records: { type: ['array', 'null'], items: identity, description: 'Null unless it lists records.' },
        owners: {
          type: ['array', 'null'],
          items: { type: 'string' },
          description: 'In the form in which names are compared; null unless it lists owners.',
        },
        matches_now: { ...count, description: 'Records that match now.' },
        months: { type: 'array', items: month, description: 'The last twelve months, the running one first.' },
        counted_from: {
          ...instant,
          description: 'Where counting starts: the first month, or later if there were too many events to check.',
        },
      },
      'A watch with everything that it lists, and what it matches.',
    ),
    WatchHit: closed<WatchHitItem>(
      {
        event: {
          type: 'string',
          enum: HIT_EVENTS,
          description: 'The record begins to match, changes while matching, or stops matching.',
        },
        ...event,
        likeness,
        reference: {
          type: ['string', 'null'],
          description: 'Your own reference on the watch, as it is now; null: none.',
        },
      },
      'An event of the history, and how it hits the watch.',
    ),
    WatchHitsPage: closed<WatchHitsPage>(
      {
        items: { type: 'array', items: refer('schemas', 'WatchHit'), description: 'The hits.' },
        next_cursor: feedCursor,
      },
      'One page of the hits of a watch, in the order of the history.',
    ),
  };
}

const maybeInstant = { ...instant, type: ['string', 'null'] };
const maybeEvent = { type: ['string', 'null'], enum: [...HIT_EVENTS, null] };

const criterion = closed<DiagnosisCriterion>(
  {
    criterion: { type: 'string', description: 'The name of a filter, or the kind of the watch for its list or mark.' },
    asks: { type: 'string', description: 'As a query string; of a list, how many entries it has.' },
    holds: {
      type: ['boolean', 'null'],
      description: 'Whether the record as it is now satisfies it; null when no register has the record.',
    },
    since: {
      ...maybeInstant,
      description: 'The version from which on this has been so; null when for longer than the examined changes.',
    },
    likeness,
  },
  'What the watch asks of a record.',
);

const event = closed<DiagnosisEvent>(
  {
    version: { ...instant, description: 'The version that the change made.' },
    window: {
      type: 'string',
      enum: DIAGNOSIS_WINDOWS,
      description: 'Before the watch was as it is, checked, not checked yet, or after the watch ended.',
    },
    matches: { ...maybeEvent, description: 'How it would hit the watch as it is; null: it does not match.' },
    hit: { ...maybeEvent, description: 'How it did hit; null: it did not.' },
    done_at: { ...maybeInstant, description: 'When somebody marked the hit as done.' },
  },
  'A change of the record, as the watch sees it.',
);

export function buildDiagnosisSchemas(): Json {
  return {
    WatchDiagnosis: closed<WatchDiagnosis>(
      {
        watch: { type: 'string', description: 'Id of the watch.' },
        kind: { type: 'string', enum: WATCH_KINDS, description: 'What is watched.' },
        jurisdiction_code: { type: 'string', description: 'Register code of the record.' },
        uid: { type: 'string', description: 'Identity of the record within the register.' },
        verdict: { type: 'string', enum: DIAGNOSIS_VERDICTS, description: 'Why it did or did not hit.' },
        text: { type: 'string', description: 'The verdict as a sentence, with what can be done.' },
        holds_from: { ...instant, description: 'Later events are matched by the watch as it is.' },
        complete_through: { ...instant, description: 'Every event up to it is checked.' },
        ended_at: { ...maybeInstant, description: 'Null while the watch is live.' },
        criteria: { type: 'array', items: criterion, description: 'Everything that the watch asks for.' },
        events: { type: 'array', items: event, description: 'The latest changes of the record, newest first.' },
        has_more_events: { type: 'boolean', description: 'Whether there are older ones, which were not examined.' },
      },
      'Why a record did or did not hit a watch.',
    ),
  };
}
