/**
 * The records before and after one on the page of results from which it was opened. They come from the remembered
 * answer of that page, so they cost nothing; when it is forgotten there are none.
 */
import type { TrademarkDetail } from '@tmds/contract/record';
import { html } from 'htm/preact';
import type { MemberCall } from '../frame/call.ts';
import { formatCount } from '../frame/pieces.ts';
import type { Explorer } from './ask.ts';
import { recallResults } from './recalled-results.ts';
import { recordPath } from './record-path.ts';
import { nextPagePath, readRowsBefore } from './search-place.ts';

interface RecordName {
  readonly register: string;
  readonly uid: string;
}

export interface Neighbours {
  /** Paths of the portal; null where the page of results begins or ends. */
  readonly before: string | null;
  readonly after: string | null;
  /** The next page of results, on the last record of a page that has one. */
  readonly nextPage: string | null;
  /** Counted from 1 over the whole search; null when unknown. */
  readonly row: number | null;
}

/** `keyId`: the key of the customer that pays for the record; the page of results must have been charged to it too. */
export async function findNeighbours(
  call: MemberCall,
  explorer: Explorer,
  keyId: string,
  { register, uid }: RecordName,
): Promise<Neighbours | null> {
  const recalled = await recallResults(call, explorer, keyId);
  if (recalled === null) return null;
  const { from, query, page } = recalled;
  const at = page.items.findIndex((item) => item.jurisdiction_code === register && item.uid === uid);
  if (at < 0) return null;
  const pathOf = (item: TrademarkDetail | undefined): string | null =>
    item === undefined ? null : recordPath(item, { keyId, from });
  const before = readRowsBefore(query);
  const isLast = at === page.items.length - 1;
  return {
    before: pathOf(page.items[at - 1]),
    after: pathOf(page.items[at + 1]),
    nextPage: isLast ? nextPagePath(query, page, keyId) : null,
    row: before === null ? null : before + at + 1,
  };
}

export function renderNeighbours(neighbours: Neighbours | null): unknown {
  if (neighbours === null) return null;
  const { before, after, nextPage, row } = neighbours;
  return html`
    <nav class="neighbours" aria-label="Records of the search">
      ${before === null ? null : html`<a rel="prev" data-step="back" href=${before}>Previous record</a>`}
      ${row === null ? null : html`<span class="silent">Trademark ${formatCount(row)}</span>`}
      ${after === null ? null : html`<a rel="next" data-step="on" href=${after}>Next record</a>`}
      ${nextPage === null ? null : html`<a data-step="on" href=${nextPage}>Next page of the search</a>`}
    </nav>
  `;
}
