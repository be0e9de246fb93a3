/**
 * The hits that a watch would have, for `tmds watch preview`. They are counted as the server counts them, with the
 * command's own search index, which reads every record once.
 */
import { OperatorError } from '../base/errors.ts';
import { openLiveIndex } from '../follow/live-index.ts';
import { previewRecords, previewSearch, type WatchPreview } from '../http/preview-watch.ts';
import type { WatchSubject } from '../store/watches/watches.ts';
import type { CommandServices } from './context.ts';
import { type Column, renderTable } from './table.ts';

/** The largest register of all takes minutes to read. */
const READY_MS_MAX = 3_600_000;
/** Nobody else waits for a thread of this process. */
const COUNT_MS_MAX = 60_000;
const LOOK = { events: 1_000_000, ms: COUNT_MS_MAX, stepEvents: 5_000 } as const;

/** `watchId`: null for a watch that does not exist yet. */
export async function previewAlone(
  { url, database, clock, log }: CommandServices,
  subject: WatchSubject,
  watchId: string | null,
): Promise<WatchPreview> {
  if (subject.kind === 'records') return await previewRecords({ database, clock }, subject.records, watchId);
  const index = openLiveIndex({ url, folder: null, searchers: 1, clock, log });
  const late = new AbortController();
  try {
    const isLate = clock.sleep(READY_MS_MAX, late.signal).then(() => {
      throw new OperatorError(`the search index was not ready in time: ${index.status.fault ?? 'too many records'}`);
    });
    await Promise.race([index.ready, isLate]);
    const limits = { deadlineMs: clock.monotonicMs() + 2 * COUNT_MS_MAX };
    return await previewSearch({ index, database, clock }, subject, watchId, limits, LOOK);
  } finally {
    late.abort();
    await index.close();
  }
}

const COLUMNS: readonly Column<WatchPreview['months'][number]>[] = [
  { title: 'month', cell: (row) => row.month },
  { title: 'events', cell: (row) => row.events ?? 'not counted' },
  { title: 'last_changed', cell: (row) => row.last_changed },
  { title: 'hits', cell: (row) => row.hits },
];

export function describePreview({ matches_now, months, counted_from }: WatchPreview): string {
  const head = `${matches_now} match now; events are counted from ${counted_from} on`;
  return [head, '', renderTable(COLUMNS, months)].join('\n');
}
