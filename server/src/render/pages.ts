/**
 * Records and pages as delivered. Records are stored rendered, so a page is joined from their texts without parsing
 * them. A page that is still being read while it is sent stays a stream of chunks.
 */
import type { ChangesPage } from '../store/records/changes.ts';
import type { SearchPage } from '../store/records/search.ts';
import { type Answer, type Chunks, renderJson, renderTagged } from './answer.ts';

/** One record (specification 4.5). */
export function renderRecord(detail: Buffer | string): Answer {
  return renderTagged(detail);
}

/** A page of a search, with counts only if they were requested (rule I-18). */
export function renderSearchPage({ items, next_cursor, matched }: SearchPage): Answer {
  const counts = matched === null ? {} : { matched_count: matched.count, matched_count_capped: matched.capped };
  return renderJson(joinPage(items, { next_cursor, ...counts }));
}

/** A page of the feed, with the instant up to which it is complete (rule I-23), and its lineage (rule I-47). */
export function renderChangesPage(page: ChangesPage): Answer {
  const headers: Record<string, string> = { 'x-change-horizon': page.horizon, 'feed-lineage': page.lineage };
  if (page.nextPollSeconds !== null) headers['x-poll-after'] = String(page.nextPollSeconds);
  return renderJson(joinPage(page.items, { next_cursor: page.next_cursor }), headers);
}

/** `{"items":[…],…}` with the other members after the items. */
function joinPage(
  items: readonly Buffer[] | AsyncIterable<Buffer>,
  members: Readonly<Record<string, unknown>>,
): Buffer | Chunks {
  const head = Buffer.from('{"items":[');
  const tail = Buffer.from(`],${JSON.stringify(members).slice(1)}`);
  return Symbol.asyncIterator in items ? joinChunks(head, items, tail) : joinItems(head, items, tail);
}

const COMMA = 0x2c;

/** Copies every item once, from where its text is kept. */
function joinItems(head: Buffer, items: readonly Buffer[], tail: Buffer): Buffer {
  const commas = Math.max(0, items.length - 1);
  const bytes = items.reduce((sum, item) => sum + item.length, head.length + commas + tail.length);
  const page = Buffer.allocUnsafe(bytes);
  let at = head.copy(page);
  for (const [place, item] of items.entries()) {
    if (place > 0) page[at++] = COMMA;
    at += item.copy(page, at);
  }
  tail.copy(page, at);
  return page;
}

async function* joinChunks(head: Buffer, items: AsyncIterable<Buffer>, tail: Buffer): AsyncGenerator<Buffer> {
  yield head;
  yield* items;
  yield tail;
}
