/**
 * Compares the payloads of a replica with the service's. The service's digests do not cover payloads, so they are
 * fetched: the feed from its beginning to the position of the proof, one call for every 200 records. Payloads are equal
 * when their texts are equal, because a replica stores texts.
 */
import { CHANGES_PAGE_EXPANDED_MAX } from '@tmds/contract/limits';
import type { CallOptions } from '../config.ts';
import { TrademarkProtocolError } from '../errors.ts';
import { payloadText } from '../payload-text.ts';
import type { FeedClient } from './reader.ts';
import { nameIdentity, type RecordIdentity, type ReplicaScope, type ReplicaSnapshot } from './sink.ts';

export interface PayloadProof {
  /**
   * `compared`: all of them; `partly`: the calls ran out; `left_out`: not requested; `not_replicated`: the replica has
   * none.
   */
  readonly state: 'compared' | 'partly' | 'left_out' | 'not_replicated';
  readonly compared: number;
}

export interface PayloadComparison {
  readonly client: FeedClient;
  readonly snapshot: ReplicaSnapshot;
  readonly scope: ReplicaScope;
  readonly asOf: string;
  readonly call: CallOptions;
  readonly callsLeft: number;
  readonly wanted: boolean;
}

interface Compared {
  readonly proof: PayloadProof;
  readonly differences: RecordIdentity[];
  readonly calls: number;
}

/** Older services wrote this as null: the source states no document. */
const NO_DOCUMENT = '{}';

/** @param known records that are known to differ, and need no comparison */
export async function comparePayloads(options: PayloadComparison, known: ReadonlySet<string>): Promise<Compared> {
  if (options.scope.expand !== 'payload') return buildUncompared('not_replicated');
  if (!options.wanted) return buildUncompared('left_out');
  const differences: RecordIdentity[] = [];
  let compared = 0;
  let calls = 0;
  for (const code of options.scope.jurisdiction_code?.split(',') ?? [undefined]) {
    let cursor: string | null = null;
    for (;;) {
      if (calls >= options.callsLeft) return { proof: { state: 'partly', compared }, differences, calls };
      const page = await fetchPage(options, code, cursor);
      calls += 1;
      const settled = page.items.filter((item) => item.updated_at <= options.asOf && !known.has(nameIdentity(item)));
      const held = await options.snapshot.findPayloads(settled);
      for (const item of settled) {
        const name = nameIdentity(item);
        if (!held.has(name)) continue;
        compared += 1;
        if ((held.get(name) ?? NO_DOCUMENT) !== (payloadText(item) ?? NO_DOCUMENT)) {
          differences.push({ jurisdiction_code: item.jurisdiction_code, uid: item.uid });
        }
      }
      const last = page.items.at(-1);
      if (last === undefined || last.updated_at > options.asOf) break;
      if (page.next_cursor === null || page.next_cursor === cursor) {
        throw new TrademarkProtocolError(
          'a page of the feed with records did not advance the cursor',
          page.meta.requestId,
        );
      }
      cursor = page.next_cursor;
    }
  }
  return { proof: { state: 'compared', compared }, differences, calls };
}

function fetchPage({ client, scope, call }: PayloadComparison, code: string | undefined, cursor: string | null) {
  const limit = CHANGES_PAGE_EXPANDED_MAX;
  return client.changes({ since: scope.since, jurisdiction_code: code, cursor, limit, expand: 'payload' }, call);
}

function buildUncompared(state: PayloadProof['state']): Compared {
  return { proof: { state, compared: 0 }, differences: [], calls: 0 };
}
