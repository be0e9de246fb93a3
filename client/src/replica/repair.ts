/**
 * Fetches the records that `verify` found different and corrects them, and rebuilds derived tables that differ, without
 * moving the replica's position.
 */
import type { TrademarkDetail } from '@tmds/contract/record';
import type { TrademarkClient } from '../client.ts';
import { isApiError } from '../errors.ts';
import { nameIdentity, type RecordIdentity, type Repair, type ReplicaSink } from './sink.ts';
import type { RecordDifference } from './verify.ts';

/** Records corrected in one transaction. */
const BATCH_RECORDS = 200;

export interface RepairOptions {
  client: Pick<TrademarkClient, 'get'>;
  sink: ReplicaSink;
  differences: readonly RecordDifference[];
  /** Derived tables to make again, once the records are corrected. */
  derived?: readonly string[] | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * One call for each record. Records that the service does not have are removed. A record that has been replaced in the
 * meantime is left alone, because it is newer.
 *
 * @returns how many records were changed
 * @throws TrademarkError when a call fails; earlier corrections are kept
 */
export async function repair({ client, sink, differences, derived = [], signal }: RepairOptions): Promise<number> {
  const { seen, expand } = await findSeen(sink, differences);
  let changed = 0;
  for (let start = 0; start < differences.length; start += BATCH_RECORDS) {
    const batch: Repair[] = [];
    for (const identity of differences.slice(start, start + BATCH_RECORDS)) {
      const { jurisdiction_code, uid } = identity;
      const record = await fetchRecord(client, identity, expand, signal);
      batch.push({ jurisdiction_code, uid, seen: seen.get(nameIdentity(identity)) ?? null, record });
    }
    changed += await sink.repair(batch);
  }
  if (derived.length > 0) await sink.derive?.(derived);
  return changed;
}

async function fetchRecord(
  client: RepairOptions['client'],
  { jurisdiction_code, uid }: RecordIdentity,
  expand: 'payload' | undefined,
  signal: AbortSignal | undefined,
): Promise<TrademarkDetail | null> {
  try {
    return await client.get(jurisdiction_code, uid, { expand }, { signal });
  } catch (error) {
    if (isApiError(error, 'not_found')) return null;
    throw error;
  }
}

/** The current `updated_at` of each record. */
async function findSeen(
  sink: ReplicaSink,
  differences: readonly RecordDifference[],
): Promise<{ seen: Map<string, string>; expand: 'payload' | undefined }> {
  const asked = new Set(differences.map(nameIdentity));
  const codes = new Set(differences.map((difference) => difference.jurisdiction_code));
  return await sink.read(async ({ stored, listRecords }) => {
    const seen = new Map<string, string>();
    for (const code of codes) {
      for await (const record of listRecords(code)) {
        if (asked.has(nameIdentity(record))) seen.set(nameIdentity(record), record.updated_at);
      }
    }
    return { seen, expand: stored?.scope.expand ?? undefined };
  });
}
