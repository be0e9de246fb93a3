/** The page of results from which a record was opened, if its answer is still remembered. Costs nothing. */
import type { SearchPage } from '@tmds/contract/record';
import type { MemberCall } from '../frame/call.ts';
import { parseNext } from '../frame/pieces.ts';
import { type Explorer, searchOptions } from './ask.ts';
import { readSearch } from './search-target.ts';

export interface RecalledResults {
  /** The address of the page, and its query. */
  readonly from: string;
  readonly query: URLSearchParams;
  readonly page: SearchPage;
}

/** `keyId`: a key of the customer; answers to other keys are not read. Null when there is nothing to recall. */
export async function recallResults(
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
