/**
 * Proves that a replica equals the service at a feed position, or names the records that differ: register by register,
 * then bucket by bucket, then record by record, each level asked only where the one above differs. The replica must be
 * complete up to the position (run `replicate` first); it is read, never changed.
 */
import type { TrademarkClient } from '../client.ts';
import { type CallOptions, checkInteger } from '../config.ts';
import type { SetDigest } from '../digests.ts';
import { isApiError, TrademarkProtocolError } from '../errors.ts';
import { BUCKET_BITS_MAX, digestRecord, encodeDigest, findBucket } from './digest.ts';
import { EPOCH } from './replicate.ts';
import { ReplicaError, type ReplicaScope, type ReplicaSink, type StoredRecord } from './sink.ts';

export const DIGEST_FORM = 1;
export const CALLS_DEFAULT = 30;
export const CALLS_MAX = 100_000;

export interface VerifyOptions {
  client: Pick<TrademarkClient, 'digests' | 'registerDigests' | 'bucketDigests'>;
  sink: ReplicaSink;
  /** Calls that may be spent, default 30; what they cannot name is counted in `unnamedBuckets`. */
  callsMax?: number | undefined;
  signal?: AbortSignal | undefined;
}

export interface RecordDifference {
  readonly jurisdiction_code: string;
  readonly uid: string;
  /** `content`: both have it, not alike. */
  readonly difference: 'missing' | 'extra' | 'content';
}

export interface Verification {
  readonly equal: boolean;
  readonly as_of: string;
  /** Records compared, as the service counts them. */
  readonly records: number;
  /** Records changed since `as_of`, left out of the comparison. */
  readonly unsettled: number;
  readonly differences: readonly RecordDifference[];
  /** Differing buckets whose records the call budget left unnamed. */
  readonly unnamedBuckets: number;
  readonly calls: number;
}

interface Sum {
  count: number;
  digest: bigint;
}

/**
 * @throws ReplicaError when the replica was never caught up, does not hold everything, or the service has no digests
 * @throws TrademarkError when a call fails
 */
export async function verify(options: VerifyOptions): Promise<Verification> {
  const { client, sink } = options;
  const callsMax = checkInteger('callsMax', options.callsMax ?? CALLS_DEFAULT, 3, CALLS_MAX);
  const call: CallOptions = { signal: options.signal };
  const { scope, asOf } = await readAsOf(sink);

  const top = await client.digests(asOf, call).catch(explainMissing);
  const bits = checkForm(top.form, top.bucket_bits);
  let calls = 1;
  const inScope = (code: string): boolean => scope.jurisdiction_code === null || code === scope.jurisdiction_code;
  const unsettled = new Set(
    top.unsettled
      .filter(({ jurisdiction_code }) => inScope(jurisdiction_code))
      .map(({ jurisdiction_code, uid }) => nameIdentity(jurisdiction_code, uid)),
  );
  const theirs = new Map(
    top.items.filter((item) => inScope(item.jurisdiction_code)).map((item) => [item.jurisdiction_code, item]),
  );
  const ours = await sumRecords(sink, unsettled, (record) => record.jurisdiction_code);

  const differences: RecordDifference[] = [];
  let unnamedBuckets = 0;
  for (const code of listUnequal(theirs, ours)) {
    if (calls + 2 > callsMax) {
      unnamedBuckets += 1;
      continue;
    }
    const named = await nameDifferences(options, code, asOf, bits, callsMax - calls);
    calls += named.calls;
    unnamedBuckets += named.unnamedBuckets;
    differences.push(...named.differences);
  }
  return {
    equal: differences.length === 0 && unnamedBuckets === 0,
    as_of: asOf,
    records: [...theirs.values()].reduce((sum, item) => sum + item.record_count, 0),
    unsettled: unsettled.size,
    differences,
    unnamedBuckets,
    calls,
  };
}

async function readAsOf(sink: ReplicaSink): Promise<{ scope: ReplicaScope; asOf: string }> {
  const stored = await sink.find();
  if (stored === null) throw new ReplicaError(`${sink.label} holds no replica`);
  const { scope, position } = stored;
  if (scope.since !== EPOCH) {
    throw new ReplicaError(
      `${sink.label} starts at ${scope.since}: only a replica since ${EPOCH} can equal the service`,
    );
  }
  if (position.complete_to === null) {
    throw new ReplicaError(`${sink.label} was never caught up; let it catch up first`);
  }
  return { scope, asOf: position.complete_to };
}

function explainMissing(error: unknown): never {
  if (!isApiError(error, 'not_found')) throw error;
  throw new ReplicaError('this service does not offer the digests that verification needs', { cause: error });
}

function checkForm(form: number, bits: number): number {
  if (form === DIGEST_FORM && Number.isInteger(bits) && bits >= 1 && bits <= BUCKET_BITS_MAX) return bits;
  throw new TrademarkProtocolError(`digests of form ${form} with ${bits} bucket bits are unknown to this client`, null);
}

/** Buckets of one register, then the records of the buckets that differ. Two passes over the replica. */
async function nameDifferences(
  options: VerifyOptions,
  code: string,
  asOf: string,
  bits: number,
  callsMax: number,
): Promise<{ differences: RecordDifference[]; unnamedBuckets: number; calls: number }> {
  const { client, sink } = options;
  const call: CallOptions = { signal: options.signal };
  const page = await client.registerDigests(code, asOf, call).catch(acceptUnknownRegister);
  let calls = 1;
  const unsettled = new Set((page?.unsettled ?? []).map(({ uid }) => nameIdentity(code, uid)));
  const ours = await sumRecords(sink, unsettled, (record) =>
    record.jurisdiction_code === code ? findBucket(record.updated_at, bits) : null,
  );
  const theirs = new Map((page?.items ?? []).map((item) => [item.bucket, item]));
  const buckets = listUnequal(theirs, ours);

  const remote = new Map<number, Map<string, string>>();
  for (const bucket of buckets) {
    const records = new Map<string, string>();
    let cursor: string | undefined;
    do {
      if (calls >= callsMax) break;
      const list = page === null ? null : await client.bucketDigests(code, bucket, asOf, cursor, call);
      calls += list === null ? 0 : 1;
      for (const { uid, digest } of list?.items ?? []) records.set(uid, digest);
      for (const { uid } of list?.unsettled ?? []) unsettled.add(nameIdentity(code, uid));
      cursor = list?.next_cursor ?? undefined;
      if (cursor === undefined) remote.set(bucket, records);
    } while (cursor !== undefined);
    if (!remote.has(bucket)) break;
  }
  const differences = await compareRecords(sink, code, bits, remote, unsettled);
  return { differences, unnamedBuckets: buckets.length - remote.size, calls };
}

/** A register that the service does not know has no records there. */
function acceptUnknownRegister(error: unknown): null {
  if (isApiError(error, 'not_found')) return null;
  throw error;
}

async function compareRecords(
  sink: ReplicaSink,
  code: string,
  bits: number,
  remote: ReadonlyMap<number, Map<string, string>>,
  unsettled: ReadonlySet<string>,
): Promise<RecordDifference[]> {
  const found = new Map<string, RecordDifference['difference']>();
  const add = (uid: string, difference: RecordDifference['difference']): void => {
    // A record whose stamps differ is extra in one bucket and missing in the other.
    if (!unsettled.has(nameIdentity(code, uid))) found.set(uid, found.has(uid) ? 'content' : difference);
  };
  for await (const record of sink.listRecords()) {
    if (record.jurisdiction_code !== code) continue;
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

/** One pass: count and digest by group; a record whose group is null is left out, and so is an unsettled one. */
async function sumRecords<Group>(
  sink: ReplicaSink,
  unsettled: ReadonlySet<string>,
  groupOf: (record: StoredRecord) => Group | null,
): Promise<Map<Group, Sum>> {
  const sums = new Map<Group, Sum>();
  for await (const record of sink.listRecords()) {
    const group = groupOf(record);
    if (group === null || unsettled.has(nameIdentity(record.jurisdiction_code, record.uid))) continue;
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

function nameIdentity(code: string, uid: string): string {
  return `${code}\n${uid}`;
}
