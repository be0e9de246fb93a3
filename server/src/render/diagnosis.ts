/** Why a record did or did not hit a watch, in words. It decides the verdict from what was found, and finds nothing. */
import type { DiagnosisVerdict, DiagnosisWindow, WatchDiagnosis } from '@tmds/contract/diagnosis';
import type { Diagnosis } from '../watches/diagnose.ts';
import { type Answer, renderJson } from './answer.ts';

export function renderDiagnosis(diagnosis: Diagnosis): Answer {
  return renderJson(JSON.stringify(describeDiagnosis(diagnosis)));
}

export function describeDiagnosis(diagnosis: Diagnosis): WatchDiagnosis {
  const { watch, record, completeThrough, criteria, events, hasMore } = diagnosis;
  const verdict = judge(diagnosis);
  return {
    watch: watch.id,
    kind: watch.kind,
    ...record,
    verdict,
    text: TEXTS[verdict](diagnosis),
    holds_from: watch.holds_from,
    complete_through: completeThrough,
    ended_at: watch.ended_at,
    criteria,
    events: events.map(({ handling, ...event }) => ({ ...event, done_at: handling?.done_at ?? null })),
    has_more_events: hasMore,
  };
}

function judge({ watch, isUnderstood, events }: Diagnosis): DiagnosisVerdict {
  const matchesIn = (window: DiagnosisWindow): boolean =>
    events.some((event) => event.window === window && event.matches !== null);
  if (events.some(({ hit }) => hit !== null)) return 'hit';
  if (!isUnderstood) return 'not_understood';
  if (events.length === 0) return 'no_record';
  if (matchesIn('waiting')) return 'waiting';
  if (matchesIn('ended')) return 'ended';
  if (matchesIn('checked')) return watch.ended_at === null ? 'unexplained' : 'ended';
  return matchesIn('before_watch') ? 'before_watch' : 'no_match';
}

const TEXTS: Readonly<Record<DiagnosisVerdict, (diagnosis: Diagnosis) => string>> = {
  hit: ({ events }) => {
    const { version, handling } = events.find(({ hit }) => hit !== null)!;
    const done = handling?.done_at == null ? '' : ' Somebody marked that hit as done.';
    return `It hit the watch, last with its version of ${version}.${done}`;
  },
  waiting: ({ completeThrough }) =>
    `A change of it matches, but changes are checked only up to ${completeThrough}. The hit follows within seconds.`,
  no_record: () =>
    'No register here has this record. Check the code of the register and the id, and through which day the register ' +
    'is complete.',
  no_match: ({ criteria }) => {
    const failing = criteria.filter(({ holds }) => holds === false).map(({ criterion }) => criterion);
    return failing.length === 0
      ? 'No change of it satisfies all that the watch asks for.'
      : `No change of it satisfies all that the watch asks for. As it is now, it fails: ${failing.join(', ')}.`;
  },
  before_watch: ({ watch }) =>
    `It matches in changes up to ${watch.holds_from} only, before the watch was as it is. A watch reports changes: it ` +
    'hits when the record changes again and matches.',
  ended: ({ watch }) => `The watch ended at ${watch.ended_at}, and reports no later change. Put it again to go on.`,
  unexplained: () => 'A change of it should have hit the watch and did not. Report it to those who run the service.',
  not_understood: () => 'The search of the watch is not understood by this version, and is not matched. Put it again.',
};
