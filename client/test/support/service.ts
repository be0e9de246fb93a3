/**
 * An in-memory service that keeps the feed's contract (I-19 … I-23) and offers digests (docs/design/client.md), behind
 * the same `fetch` the client uses. Time is its own and moves only by `advance`. Faults are played per call by `plan`.
 */
import { DIGEST_FORM } from '@tmds/contract/extras';
import type { TrademarkDetail } from '@tmds/contract/record';
import type { Fetch, FetchAnswer, FetchInit } from '../../src/config.ts';
import { digestRecord, encodeDigest, findBucket } from '../../src/replica/digest.ts';
import { buildAnswer, buildRefusal } from './answers.ts';

/** What happens to a call: `lost` serves it and drops the answer, `cut` serves half of it. */
export type Fault =
  | 'none'
  | 'network'
  | 'lost'
  | 'cut'
  | 'rate_limited'
  | 'unavailable'
  | 'gateway'
  | 'hang'
  | 'quota'
  | 'internal'
  | 'timeout'
  | 'busy_gateway'
  | 'strange';

export interface FakeService {
  readonly fetch: Fetch;
  /** What the service holds, by identity. */
  readonly records: Map<string, TrademarkDetail>;
  /** One entry for every page of the feed that left the service: its first and last record, or null when empty. */
  readonly pages: { sent: string[]; fault: Fault }[];
  readonly calls: () => number;
  /** Publishes changed or new content in one batch, all with one stamp. */
  publish(changes: readonly Partial<TrademarkDetail>[]): void;
  advance(ms: number): void;
  /** What it served until now goes on under another lineage, with these records, as after a restore. */
  goBack(lineage: string, records: ReadonlyMap<string, TrademarkDetail>): void;
  /** Chooses the fault of each call, by its number. */
  plan(faultOf: (call: number) => Fault): void;
}

export const HORIZON_MS = 300_000;
const BUCKET_BITS = 4;

export interface FakeServiceOptions {
  build: (overrides: Partial<TrademarkDetail>) => TrademarkDetail;
  unsettledMax?: number;
  /** Retry-After of a 429; a 503 asks for one second at most. */
  retryAfterSeconds?: number;
}

export function buildService({ build, unsettledMax = 1_000, retryAfterSeconds = 7 }: FakeServiceOptions): FakeService {
  const records = new Map<string, TrademarkDetail>();
  const pages: { sent: string[]; fault: Fault }[] = [];
  let nowMicros = Date.UTC(2026, 0, 1) * 1000;
  let lastStamp = 0;
  let calls = 0;
  let lineage = 'first';
  let faultOf: (call: number) => Fault = () => 'none';

  const horizon = (): string => writeInstant(nowMicros - HORIZON_MS * 1000);

  const describeFeed = () => ({ 'x-request-id': `req-${calls}`, 'feed-lineage': lineage });

  function serveChanges(code: string | null, query: URLSearchParams): FetchAnswer {
    const since = query.get('since');
    if (since === null) return buildRefusal('validation_error', {}, 'since');
    const position = readCursor(query.get('cursor'), since, code);
    if (typeof position === 'string') return buildRefusal(position, {}, 'cursor');
    const sinceInstant = writeInstant(Date.parse(since) * 1000);
    const found = [...records.values()]
      .filter((record) => code === null || record.jurisdiction_code === code)
      .filter((record) => record.updated_at >= sinceInstant && record.updated_at <= horizon())
      .filter((record) => position === null || compareKeys(keyOf(record), position) > 0)
      .sort((a, b) => compareKeys(keyOf(a), keyOf(b)))
      .slice(0, Number(query.get('limit') ?? 500));
    const items = query.get('expand') === 'payload' ? found : found.map(withoutPayload);
    const last = found.at(-1);
    const next_cursor = last === undefined ? null : writeCursor(since, code, keyOf(last));
    return buildAnswer(200, { items, next_cursor }, { ...describeFeed(), 'x-change-horizon': horizon() });
  }

  /** The filters `status` and `owner_name`, from the record that changed longest ago to the latest. */
  function serveSearch(query: URLSearchParams): FetchAnswer {
    if (query.get('sort') !== 'updated_at' || query.get('order') !== 'asc') return buildRefusal('invalid_parameter');
    const bound = new URLSearchParams([...query].filter(([name]) => name !== 'cursor' && name !== 'limit')).toString();
    const position = readCursor(query.get('cursor'), bound, null);
    if (typeof position === 'string') return buildRefusal(position, {}, 'cursor');
    const [status, owner] = [query.get('status'), query.get('owner_name')];
    const rest = [...records.values()]
      .filter((record) => status === null || record.status === status)
      .filter((record) => owner === null || (record.owner_names ?? []).includes(owner))
      .filter((record) => position === null || compareKeys(keyOf(record), position) > 0)
      .sort((a, b) => compareKeys(keyOf(a), keyOf(b)));
    const found = rest.slice(0, Number(query.get('limit') ?? 50));
    const items = query.get('expand') === 'payload' ? found : found.map(withoutPayload);
    const next_cursor = rest.length > found.length ? writeCursor(bound, null, keyOf(found.at(-1)!)) : null;
    return buildAnswer(200, { items, next_cursor });
  }

  function serveDigests(code: string | null, bucket: number | null, query: URLSearchParams): FetchAnswer {
    const asOf = query.get('as_of') ?? '';
    if (asOf > horizon()) return buildRefusal('invalid_parameter', {}, 'as_of');
    const scope = [...records.values()].filter((record) => code === null || record.jurisdiction_code === code);
    if (code !== null && scope.length === 0) return buildRefusal('not_found');
    const inBucket = scope.filter((record) => bucket === null || findBucket(record.updated_at, BUCKET_BITS) === bucket);
    const settled = inBucket.filter((record) => record.updated_at <= asOf);
    const unsettled = inBucket
      .filter((record) => record.updated_at > asOf)
      .map(({ jurisdiction_code, uid }) => (code === null ? { jurisdiction_code, uid } : { uid }));
    if (unsettled.length > unsettledMax) return buildRefusal('unavailable');
    const head = { form: DIGEST_FORM, as_of: asOf, bucket_bits: BUCKET_BITS };
    if (bucket !== null) {
      const after = query.get('cursor') ?? '';
      const rest = settled.filter(({ uid }) => uid > after).sort((a, b) => (a.uid < b.uid ? -1 : 1));
      const listed = rest.slice(0, 50);
      const items = listed.map((record) => ({ uid: record.uid, digest: encodeDigest(digestRecord(record)) }));
      const next_cursor = rest.length > listed.length ? listed.at(-1)!.uid : null;
      return buildAnswer(200, { ...head, items, unsettled, next_cursor });
    }
    const groups = new Map<string | number, TrademarkDetail[]>();
    for (const record of settled) {
      const group = code === null ? record.jurisdiction_code : findBucket(record.updated_at, BUCKET_BITS);
      groups.set(group, [...(groups.get(group) ?? []), record]);
    }
    const items = [...groups].map(([group, members]) => ({
      [code === null ? 'jurisdiction_code' : 'bucket']: group,
      record_count: members.length,
      digest: encodeDigest(members.reduce((sum, record) => sum ^ digestRecord(record), 0n)),
    }));
    return buildAnswer(200, { ...head, items, unsettled });
  }

  function serve(url: URL): FetchAnswer {
    const segments = url.pathname.split('/').slice(2).map(decodeURIComponent);
    const code = segments.length > 1 ? segments[0]! : null;
    const resource = code === null ? segments[0] : segments[1];
    if (resource === 'changes') return serveChanges(code, url.searchParams);
    if (code === null && resource === 'trademarks') return serveSearch(url.searchParams);
    if (resource === 'digests') {
      return serveDigests(code, segments[2] === undefined ? null : Number(segments[2]), url.searchParams);
    }
    if (code !== null && resource === 'trademarks') {
      const found = records.get(`${code} ${segments[2]}`);
      if (found === undefined) return buildRefusal('not_found');
      return buildAnswer(200, url.searchParams.get('expand') === 'payload' ? found : withoutPayload(found));
    }
    if (resource === 'jurisdictions') {
      const codes = [...new Set([...records.values()].map((record) => record.jurisdiction_code))].sort();
      const countOf = (wanted: string): number =>
        [...records.values()].filter((record) => record.jurisdiction_code === wanted).length;
      const items = codes.map((known) => ({
        jurisdiction_code: known,
        record_count: countOf(known),
        data_current_through: null,
      }));
      return buildAnswer(200, { items });
    }
    return buildRefusal('not_found');
  }

  return {
    records,
    pages,
    calls: () => calls,
    fetch: async (url: string, _init: FetchInit) => {
      const fault = faultOf(calls);
      calls += 1;
      if (fault === 'network') throw new TypeError('fetch failed', { cause: new Error('read ECONNRESET') });
      if (fault === 'rate_limited') return buildRefusal('rate_limited', { 'retry-after': String(retryAfterSeconds) });
      if (fault === 'unavailable')
        return buildRefusal('unavailable', { 'retry-after': String(Math.min(1, retryAfterSeconds)) });
      if (fault === 'gateway') return buildAnswer(504, '<html>gateway</html>');
      if (fault === 'quota') return buildRefusal('quota_exceeded');
      if (fault === 'internal') return buildRefusal('internal_error');
      if (fault === 'timeout') return buildRefusal('query_timeout');
      if (fault === 'busy_gateway') return buildAnswer(429, 'slow down', { 'retry-after': '90' });
      if (fault === 'strange') return buildAnswer(404, '<html>no backend</html>');
      if (fault === 'hang') return new Promise(() => undefined);
      const answer = serve(new URL(url));
      const text = await answer.text();
      if (new URL(url).pathname.endsWith('/changes') && answer.status === 200) {
        const { items } = JSON.parse(text) as { items: TrademarkDetail[] };
        pages.push({ sent: items.map((item) => `${nameOf(item)} ${item.updated_at}`), fault });
      }
      if (fault === 'lost') throw new TypeError('fetch failed', { cause: new Error('socket hang up') });
      return fault === 'cut' ? buildAnswer(answer.status, text.slice(0, text.length / 2)) : answer;
    },
    publish: (changes) => {
      lastStamp = Math.max(nowMicros, lastStamp + 1);
      nowMicros = lastStamp;
      const stamp = writeInstant(lastStamp);
      for (const change of changes) {
        const known = records.get(nameOf(build(change)));
        const next = build({ ...known, ...change, updated_at: stamp, first_seen_at: known?.first_seen_at ?? stamp });
        records.set(nameOf(next), next);
      }
    },
    advance: (ms) => {
      nowMicros += ms * 1000;
    },
    goBack: (next, kept) => {
      lineage = next;
      records.clear();
      for (const [name, record] of kept) records.set(name, record);
    },
    plan: (choose) => {
      faultOf = choose;
    },
  };
}

export function nameOf(record: Pick<TrademarkDetail, 'jurisdiction_code' | 'uid'>): string {
  return `${record.jurisdiction_code} ${record.uid}`;
}

function withoutPayload({ payload: _left, ...record }: TrademarkDetail): TrademarkDetail {
  return record;
}

type Key = readonly [updatedAt: string, code: string, uid: string];

function keyOf(record: TrademarkDetail): Key {
  return [record.updated_at, record.jurisdiction_code, record.uid];
}

function compareKeys(a: Key, b: Key): number {
  for (const [index, part] of a.entries()) {
    if (part !== b[index]) return part < b[index]! ? -1 : 1;
  }
  return 0;
}

function writeCursor(since: string, code: string | null, key: Key): string {
  return Buffer.from(JSON.stringify([since, code, key])).toString('base64url');
}

function readCursor(
  cursor: string | null,
  since: string,
  code: string | null,
): Key | null | 'cursor_invalid' | 'cursor_query_mismatch' {
  if (cursor === null) return null;
  try {
    const [boundSince, boundCode, key] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [
      string,
      string,
      Key,
    ];
    return boundSince === since && boundCode === code ? key : 'cursor_query_mismatch';
  } catch {
    return 'cursor_invalid';
  }
}

function writeInstant(micros: number): string {
  const ms = Math.floor(micros / 1000);
  return new Date(ms).toISOString().replace('Z', `${String(micros - ms * 1000).padStart(3, '0')}Z`);
}
