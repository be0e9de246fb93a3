/** The schema of a diagnosis, derived from the contract. */
import {
  DIAGNOSIS_VERDICTS,
  DIAGNOSIS_WINDOWS,
  type DiagnosisCriterion,
  type DiagnosisEvent,
  type WatchDiagnosis,
} from '@tmds/contract/diagnosis';
import { HIT_EVENTS, WATCH_KINDS } from '@tmds/contract/watches';
import { closed, instant, type Json } from './schema-parts.ts';
import { likeness } from './watch-schemas.ts';

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
