/**
 * The page of results from which a record was opened, if its answer is still remembered: the records before and after,
 * and the images that the page shows. Costs nothing. Invariant: an image is sent as a file that no browser runs.
 */

import type { SearchPage, TrademarkDetail } from '@tmds/contract/record';
import { html } from 'htm/preact';
import { type Download, type MemberCall, type PortalRoute, pageNotFound } from '../frame/call.ts';
import { formatCount, parseNext } from '../frame/pieces.ts';
import { chooseKey, type Explorer, searchOptions } from './ask.ts';
import { decodeImage, firstImage, recordPath } from './record-parts.ts';
import { nextPagePath, readRowsBefore, readSearch } from './search-pairs.ts';

export interface RecalledResults {
  readonly from: string;
  readonly query: URLSearchParams;
  readonly page: SearchPage;
}

/** `keyId`: a key of the customer; answers to other keys are not read. Null when there is nothing to recall. */
async function recallResults(
  call: Pick<MemberCall, 'query'>,
  { answers, services }: Explorer,
  keyId: string,
): Promise<RecalledResults | null> {
  const from = parseNext(call.query.get('from'));
  if (!from.startsWith('/portal/explorer?')) return null;
  const query = new URLSearchParams(from.slice(from.indexOf('?') + 1));
  const { target } = readSearch(query);
  const options = searchOptions(target, services);
  const answer = await answers.recall({ keyId, target, stamp: query.get('asked') ?? '', ...options });
  return answer === null ? null : { from, query, page: answer.body as SearchPage };
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
  { register, uid }: { register: string; uid: string },
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

export function listImageRoutes(explorer: Explorer): PortalRoute[] {
  return [{ method: 'GET', url: '/explorer/images/:register/*', members: (call) => sendImage(call, explorer) }];
}

async function sendImage(call: MemberCall, explorer: Explorer): Promise<Download> {
  const { key } = await chooseKey(call, explorer.services, explorer.answers);
  const { register, '*': uid } = call.params;
  const recalled = key === null ? null : await recallResults(call, explorer, key.id);
  const record = recalled?.page.items.find((item) => item.jurisdiction_code === register && item.uid === uid);
  const uri = firstImage(record?.payload);
  if (uri === null) throw pageNotFound();
  const { type, bytes } = decodeImage(uri);
  return { download: 'image', type, chunks: [bytes] };
}
