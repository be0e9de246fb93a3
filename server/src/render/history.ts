/** Answers of the history (docs/design/history.md): pages of events, and a record as it was. */
import type { FoundFeed, FoundHistory } from '../store/records/history.ts';
import { type Answer, renderJson, renderTagged } from './answer.ts';

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
