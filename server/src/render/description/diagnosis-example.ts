/** An example of a diagnosis, for the interface description. */
import type { WatchDiagnosis } from '@tmds/contract/diagnosis';
import { EXAMPLES } from './examples.ts';

const { id, kind, holds_from } = EXAMPLES.watchSummary;
const { jurisdiction_code, uid, updated_at: version } = EXAMPLES.record;

export const DIAGNOSIS_EXAMPLE: WatchDiagnosis = {
  watch: id,
  kind,
  jurisdiction_code,
  uid,
  verdict: 'no_match',
  text: 'No change of it satisfies all that the watch asks for. As it is now, it fails: mark_name_contains.',
  holds_from,
  complete_through: '2026-11-24T00:00:00.123456Z',
  ended_at: null,
  criteria: [
    { criterion: 'jurisdiction', asks: 'jurisdiction=EM%2CXA', holds: true, since: version, likeness: null },
    {
      criterion: 'mark_name_contains',
      asks: 'mark_name_contains=lumora',
      holds: false,
      since: version,
      likeness: null,
    },
  ],
  events: [{ version, window: 'checked', matches: null, hit: null, done_at: null }],
  has_more_events: false,
};
