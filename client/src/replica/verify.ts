/**
 * Proves that a replica equals the service at a feed position, or lists the records that differ. Compares registers,
 * then the buckets of registers that differ, then the records of buckets that differ. Replicated payloads are fetched
 * and compared, and so is what the replica derives from its records. The replica is read as of one moment, before any
 * call, and never changed, so a follower may keep writing.
 */

import type { SetDigest } from '@tmds/contract/digests';
import { DIGEST_FORM } from '@tmds/contract/extras';
import type { TrademarkClient } from '../client.ts';
import { type CallOptions, checkInteger } from '../config.ts';
import { isApiError, TrademarkProtocolError } from '../errors.ts';
import { BUCKET_BITS_MAX, digestRecord, encodeDigest, findBucket } from './digest.ts';
import { comparePayloads, type PayloadProof } from './payloads.ts';
import type { FeedClient } from './reader.ts';
import {
  type DerivedTable,
  EPOCH,
  nameIdentity,
  type RecordIdentity,
  ReplicaError,
  type ReplicaScope,
  type ReplicaSink,
  type ReplicaSnapshot,
  type StoredRecord,
  UnprovableError,
} from './sink.ts';

const CALLS_MAX = 100_000;
/** Differences to list. A replica with more is better made from scratch than repaired. */
const DIFFERENCES_MAX = 10_000;
/** Records of differing buckets to compare in one pass over the replica, about 40 MB. */
const BATCH_RECORDS = 250_000;

export interface VerifyOptions {
  client: Pick<TrademarkClient, 'digests' | 'registerDigests' | 'bucketDigests'> & FeedClient;
  sink: ReplicaSink;
  /** The maximum number of calls, default 100,000. Buckets beyond it are counted in `unnamedBuckets`. */
  callsMax?: number | undefined;
  /** Whether to compare replicated payloads, which takes a call for every 200 records. Default true. */
  payloads?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

export interface RecordDifference extends RecordIdentity {
  /** `content`: both have it, but different; `payload`: only the payload differs. */
  readonly difference: 'missing' | 'extra' | 'content' | 'payload';
}

export interface Verification {
  /** True when nothing that was compared differs; `payloads` says whether payloads were. */
  readonly equal: boolean;
  readonly as_of: string;
  /** Records compared, as the service counts them. */
  readonly records: number;
  /** Records changed since `as_of`, which were not compared. */
  readonly unsettled: number;
  /** Up to 10,000. */
  readonly differences: readonly RecordDifference[];
  /** True when more records differ than are listed. */
  readonly differencesCapped: boolean;
  /** Differing buckets whose records are not listed because of the limits. */
  readonly unnamedBuckets: number;
  readonly payloads: PayloadProof;
  /** What the replica derives from its records, compared with them; empty when it derives nothing. */
  readonly derived: readonly DerivedTable[];
  readonly calls: number;
}

interface Sum {
  count: number;
  digest: bigint;
}

/** What a run of `verify` works with. */
interface Proof {
  readonly client: VerifyOptions['client'];
  readonly snapshot: ReplicaSnapshot;
  readonly call: CallOptions;
  readonly asOf: string;
  readonly callsMax: number;
  bits: number;
  calls: number;
  unnamedBuckets: number;
  readonly differences: RecordDifference[];
}

/**
 * @throws ReplicaError when the replica has never caught up, is not complete, or the service has no digests
 * @throws TrademarkError when a call fails
 */
export async function verify(options: VerifyOptions): Promise<Verification> {
  const callsMax = checkInteger('callsMax', options.callsMax ?? CALLS_MAX, 3, CALLS_MAX);
  return await options.sink.read(async (snapshot) => {
    const { scope, asOf } = readAsOf(options.sink.label, snapshot);
    const call = { signal: options.signal };
    const differences: RecordDifference[] = [];
    const proof: Proof = {
      ...{ client: options.client, snapshot, call, asOf, callsMax, differences },
      ...{ bits: 0, calls: 0, unnamedBuckets: 0 },
    };
    const { records, unsettled } = await compareRegisters(proof, scope);
    const payloads = await comparePayloads(
      { ...proof, scope, callsLeft: callsMax - proof.calls, wanted: options.payloads ?? true },
      new Set(differences.map(nameIdentity)),
    );
    differences.push(...payloads.differences.map((identity) => ({ ...identity, difference: 'payload' as const })));
    const derived = (await snapshot.compareDerived?.()) ?? [];
    return {
      equal: differences.length === 0 && proof.unnamedBuckets === 0 && !derived.some(isWrong),
      as_of: asOf,
      records,
      unsettled,
      differences: differences.slice(0, DIFFERENCES_MAX),
      differencesCapped: differences.length > DIFFERENCES_MAX || proof.unnamedBuckets > 0,
      unnamedBuckets: proof.unnamedBuckets,
      payloads: payloads.proof,
      derived,
      calls: proof.calls + payloads.calls,
    };
  });
}

export function isWrong({ missing, extra }: DerivedTable): boolean {
  return missing > 0 || extra > 0;
}

async function compareRegisters(proof: Proof, scope: ReplicaScope): Promise<{ records: number; unsettled: number }> {
  const { client, snapshot, asOf, call } = proof;
  const top = await client.digests(asOf, call).catch(explainMissing);
  proof.bits = checkForm(top.form, top.bucket_bits);
  proof.calls = 1;
  const codes = scope.jurisdiction_code?.split(',');
  const inScope = (item: { jurisdiction_code: string }): boolean => codes?.includes(item.jurisdiction_code) ?? true;
  const unsettled = new Set(top.unsettled.filter(inScope).map(nameIdentity));
  const theirs = new Map(top.items.filter(inScope).map((item) => [item.jurisdiction_code, item]));
  const ours = await sumRecords(snapshot.listRecords(), unsettled, (record) => record.jurisdiction_code);
  for (const code of listUnequal(theirs, ours)) {
    if (proof.calls + 2 > proof.callsMax || proof.differences.length >= DIFFERENCES_MAX) proof.unnamedBuckets += 1;
    else await nameDifferences(proof, code);
  }
  return {
    records: [...theirs.values()].reduce((sum, item) => sum + item.record_count, 0),
    unsettled: unsettled.size,
  };
}

function readAsOf(label: string, { stored }: ReplicaSnapshot): { scope: ReplicaScope; asOf: string } {
  if (stored === null) throw new ReplicaError(`${label} holds no replica`);
  const { scope, position } = stored;
  checkProvable(label, scope);
  if (scope.since !== EPOCH) {
    throw new UnprovableError(`${label} starts at ${scope.since}: only a replica since ${EPOCH} can equal the service`);
  }
  if (position.complete_to === null) {
    throw new UnprovableError(`${label} has never caught up; let it catch up first`);
  }
  return { scope, asOf: position.complete_to };
}

/** @throws ReplicaError for a replica of a search, because digests cover whole registers */
export function checkProvable(label: string, { search }: ReplicaScope): void {
  if (search === null) return;
  throw new UnprovableError(
    `${label} holds the records of a search, which digests cannot prove; each refresh compares all of them: run sync`,
  );
}

function explainMissing(error: unknown): never {
  if (!isApiError(error, 'not_found')) throw error;
  throw new UnprovableError('this service does not offer the digests that verification needs', { cause: error });
}

function checkForm(form: number, bits: number): number {
  if (form === DIGEST_FORM && Number.isInteger(bits) && bits >= 1 && bits <= BUCKET_BITS_MAX) return bits;
  throw new TrademarkProtocolError(`digests of form ${form} with ${bits} bucket bits are unknown to this client`, null);
}

/** Compares the buckets of a register, then the records of those that differ, in batches. */
async function nameDifferences(proof: Proof, code: string): Promise<void> {
  const { client, snapshot, asOf, bits, call } = proof;
  const page = await client.registerDigests(code, asOf, call).catch(acceptUnknownRegister);
  proof.calls += 1;
  const unsettled = new Set((page?.unsettled ?? []).map(({ uid }) => nameIdentity({ jurisdiction_code: code, uid })));
  const ours = await sumRecords(snapshot.listRecords(code), unsettled, (record) => findBucket(record.updated_at, bits));
  const theirs = new Map((page?.items ?? []).map((item) => [item.bucket, item]));
  const buckets = listUnequal(theirs, ours);
  while (buckets.length > 0) {
    if (proof.calls >= proof.callsMax || proof.differences.length >= DIFFERENCES_MAX) break;
    const batch = await fetchBuckets(proof, page === null ? null : code, buckets, unsettled);
    if (batch.size === 0) break;
    proof.differences.push(...(await compareRecords(proof, code, batch, unsettled)));
  }
  proof.unnamedBuckets += buckets.length;
}

/** The service has no records of a register that it does not know. */
function acceptUnknownRegister(error: unknown): null {
  if (isApiError(error, 'not_found')) return null;
  throw error;
}

type Batch = Map<number, Map<string, string>>;

/** Moves buckets from the list to a batch within the limits. @param code null when the service has no such register */
async function fetchBuckets(
  proof: Proof,
  code: string | null,
  buckets: number[],
  unsettled: Set<string>,
): Promise<Batch> {
  const batch: Batch = new Map();
  let size = 0;
  while (buckets.length > 0 && size < BATCH_RECORDS) {
    const bucket = buckets[0]!;
    const records = code === null ? new Map<string, string>() : await fetchBucket(proof, code, bucket, unsettled);
    if (records === null) break;
    batch.set(bucket, records);
    size += records.size;
    buckets.shift();
  }
  return batch;
}

/** The digests of a bucket by uid; null when the calls ran out. */
async function fetchBucket(
  proof: Proof,
  code: string,
  bucket: number,
  unsettled: Set<string>,
): Promise<Map<string, string> | null> {
  const records = new Map<string, string>();
  let cursor: string | null = null;
  do {
    if (proof.calls >= proof.callsMax) return null;
    const list = await proof.client.bucketDigests(code, bucket, proof.asOf, cursor, proof.call);
    proof.calls += 1;
    for (const { uid, digest } of list.items) records.set(uid, digest);
    for (const { uid } of list.unsettled) unsettled.add(nameIdentity({ jurisdiction_code: code, uid }));
    if (list.next_cursor !== null && list.next_cursor === cursor) {
      throw new TrademarkProtocolError('a page did not advance the cursor', list.meta.requestId);
    }
    cursor = list.next_cursor;
  } while (cursor !== null);
  return records;
}

async function compareRecords(
  { snapshot, bits }: Proof,
  code: string,
  remote: Batch,
  unsettled: ReadonlySet<string>,
): Promise<RecordDifference[]> {
  const found = new Map<string, RecordDifference['difference']>();
  const add = (uid: string, difference: RecordDifference['difference']): void => {
    // A record with a different `updated_at` is extra in one bucket and missing in another.
    if (unsettled.has(nameIdentity({ jurisdiction_code: code, uid }))) return;
    found.set(uid, found.has(uid) ? 'content' : difference);
  };
  for await (const record of snapshot.listRecords(code)) {
    const records = remote.get(findBucket(record.updated_at, bits));
    if (records === undefined) continue;
    const digest = records.get(record.uid);
    if (digest === undefined) add(record.uid, 'extra');
    else if (digest !== encodeDigest(digestRecord(record))) add(record.uid, 'content');
    records.delete(record.uid);
  }
  for (const records of remote.values()) {
    for (const uid of records.keys()) add(uid, 'missing');
  }
  return [...found]
    .map(([uid, difference]) => ({ jurisdiction_code: code, uid, difference }))
    .sort((a, b) => (a.uid < b.uid ? -1 : 1));
}

/** Count and digest of each group in one pass, without unsettled records. */
async function sumRecords<Group>(
  records: AsyncIterable<StoredRecord>,
  unsettled: ReadonlySet<string>,
  groupOf: (record: StoredRecord) => Group,
): Promise<Map<Group, Sum>> {
  const sums = new Map<Group, Sum>();
  for await (const record of records) {
    if (unsettled.has(nameIdentity(record))) continue;
    const group = groupOf(record);
    const sum = sums.get(group);
    if (sum === undefined) sums.set(group, { count: 1, digest: digestRecord(record) });
    else {
      sum.count += 1;
      sum.digest ^= digestRecord(record);
    }
  }
  return sums;
}

function listUnequal<Group>(theirs: ReadonlyMap<Group, SetDigest>, ours: ReadonlyMap<Group, Sum>): Group[] {
  return [...new Set([...theirs.keys(), ...ours.keys()])].filter((group) => {
    const their = theirs.get(group) ?? { record_count: 0, digest: encodeDigest(0n) };
    const our = ours.get(group) ?? { count: 0, digest: 0n };
    return their.record_count !== our.count || their.digest !== encodeDigest(our.digest);
  });
}
