/**
 * Answers about watches and the history (docs/design/watches.md, docs/design/history.md): hits, pages of events, a
 * record as it was, and why a record did or did not hit a watch, in words. The verdict is decided from what was found.
 */

import type { DiagnosisVerdict, DiagnosisWindow, WatchDiagnosis } from '@tmds/contract/diagnosis';
import type { WatchDetail, WatchesPage, WatchHitsPage, WatchSummary } from '@tmds/contract/watches';
import { encodeWatchCursor } from '../parse/watches.ts';
import type { FoundFeed, FoundHistory } from '../store/records/history.ts';
import type { HitsPage } from '../store/watches/hits.ts';
import type { StoredWatch, WatchSubject } from '../store/watches/watches.ts';
import type { Diagnosis } from '../watches/diagnose.ts';
import { type Answer, renderJson, renderTagged } from './answer.ts';

function summarize(watch: StoredWatch): WatchSummary {
  const { watch_id: _watch, customer_id: _customer, ...summary } = watch;
  return summary;
}

export function renderWatch(watch: StoredWatch): Answer {
  return renderJson(JSON.stringify(summarize(watch)));
}

/** `hasMore`: whether there is another page. */
export function renderWatches(watches: readonly StoredWatch[], hasMore: boolean): Answer {
  const last = watches.at(-1);
  const next_cursor = hasMore && last !== undefined ? encodeWatchCursor(last.id) : null;
  return renderJson(JSON.stringify({ items: watches.map(summarize), next_cursor } satisfies WatchesPage));
}

export function renderWatchDetail(
  watch: StoredWatch,
  subject: WatchSubject,
  preview: Pick<WatchDetail, 'matches_now' | 'months' | 'counted_from'>,
): Answer {
  const detail: WatchDetail = {
    ...summarize(watch),
    records: subject.kind === 'records' ? subject.records : null,
    owners: subject.kind === 'owners' ? subject.owners : null,
    ...preview,
  };
  return renderJson(JSON.stringify(detail));
}

/** New hits may come at any time, and every call costs a unit. */
const POLL_AFTER_SECONDS = 10;

/** `reference`: of the watch. */
export function renderHits(page: HitsPage, reference: string | null): Answer {
  const { next_cursor, completeThrough, lineage } = page;
  const items = page.items.map((hit) => ({ ...hit, reference }));
  const headers: Record<string, string> = { 'x-change-horizon': completeThrough, 'feed-lineage': lineage };
  if (next_cursor === null) headers['x-poll-after'] = String(POLL_AFTER_SECONDS);
  return renderJson(JSON.stringify({ items, next_cursor } satisfies WatchHitsPage), headers);
}

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
    `It matches only in changes that were checked before ${watch.changed_at}, when the watch became as it is. A watch ` +
    'reports changes: it hits when the record changes again and matches.',
  ended: ({ watch }) => `The watch ended at ${watch.ended_at}, and reports no later change. Put it again to go on.`,
  unexplained: () => 'A change of it should have hit the watch and did not. Report it to those who run the service.',
  not_understood: () => 'The search of the watch is not understood by this version, and is not matched. Put it again.',
};

/** A page of the feed of events, with the instant up to which it is complete. */
export function renderHistoryFeed({ items, next_cursor, horizon, lineage, nextPollSeconds }: FoundFeed): Answer {
  const headers: Record<string, string> = { 'x-change-horizon': horizon, 'feed-lineage': lineage };
  if (nextPollSeconds !== null) headers['x-poll-after'] = String(nextPollSeconds);
  return renderJson(JSON.stringify({ items, next_cursor }), headers);
}

export function renderRecordHistory({ items, next_cursor }: FoundHistory): Answer {
  return renderJson(JSON.stringify({ items, next_cursor }));
}

/** A version never changes, so a client that has it need not ask for a year, the longest time that caches respect. */
export function renderVersion(version: Buffer): Answer {
  return renderTagged(version, { 'cache-control': 'private, max-age=31536000, immutable' });
}
