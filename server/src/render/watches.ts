/** Answers about watches (docs/design/watches.md). */
import type { WatchDetail, WatchesPage, WatchHitsPage, WatchSummary } from '@tmds/contract/watches';
import { encodeWatchCursor } from '../parse/watches.ts';
import type { HitsPage } from '../store/watches/hits.ts';
import type { StoredWatch, WatchSubject } from '../store/watches/watches.ts';
import { type Answer, renderJson } from './answer.ts';

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
