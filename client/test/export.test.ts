/** Exports: pages that count once their position has arrived, continued after any end of a stream. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TrademarkClient } from '../src/client.ts';
import type { Fetch, FetchAnswer } from '../src/config.ts';
import { isApiError, TrademarkConnectionError, TrademarkProtocolError } from '../src/errors.ts';
import { buildImpatientClock } from './support/shell.ts';

type Played = string | Error | FetchAnswer;

const line = (value: unknown): string => `${JSON.stringify(value)}\n`;
const uid = (text: string): string => line({ uid: text });
const position = (next_cursor: string | null, error?: object): string =>
  line(error === undefined ? { next_cursor } : { next_cursor, error });

/** Plays bodies in order, in pieces of seven bytes, and repeats the last one. */
function play(...answers: Played[]): { client: TrademarkClient; targets: string[]; waits: number[] } {
  const targets: string[] = [];
  const waits: number[] = [];
  const fetch: Fetch = async (url) => {
    targets.push(url.slice('https://host/records'.length));
    const played = answers[Math.min(targets.length, answers.length) - 1]!;
    if (played instanceof Error) throw played;
    return typeof played === 'string' ? stream(played) : played;
  };
  const impatient = buildImpatientClock();
  const clock = {
    ...impatient,
    sleep: async (ms: number, signal?: AbortSignal) => {
      if (ms !== 30_000) waits.push(ms);
      return await impatient.sleep(ms, signal);
    },
  };
  const client = new TrademarkClient({ apiKey: 'k', baseUrl: 'https://host/records', fetch, clock, random: () => 0 });
  return { client, targets, waits };
}

function stream(text: string): FetchAnswer {
  const headers: Record<string, string> = { 'x-request-id': 'r1', coverage: 'US;through="2026-11-20"' };
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  const read = async () => {
    const value = bytes.slice(at, at + 7);
    at += 7;
    return value.length === 0 ? { done: true } : { done: false, value };
  };
  const body = { getReader: () => ({ read, cancel: async () => undefined }) };
  return { status: 200, headers: { get: (name) => headers[name] ?? null }, text: async () => text, body };
}

async function collect(walk: AsyncIterable<{ uid: string }>, into: string[]): Promise<void> {
  for await (const record of walk) into.push(record.uid);
}

test('a stream that ends, breaks off or is cut is continued without loss or repetition [I-16, I-40]', async () => {
  const { client, targets, waits } = play(
    `${uid('1') + position('c1') + uid('2')}{"uid`,
    new TypeError('reset'),
    uid('商') + position('c2'),
    uid('3') + position(null),
  );
  const walk = client.many.export({ jurisdiction: ['US'], fields: ['uid'] });
  const seen: string[] = [];
  await collect(walk, seen);
  assert.deepEqual(seen, ['1', '商', '3']);
  assert.deepEqual(
    targets.map((target) => target.split('cursor=')[1] ?? ''),
    ['', 'c1', 'c1', 'c2'],
  );
  assert.equal(targets[0], '/v1/export?jurisdiction=US&fields=uid&format=ndjson');
  assert.deepEqual([walk.cursor, waits.length], [null, 2]);
  assert.equal(walk.coverage?.registers[0]?.complete_through, '2026-11-20');
});

test('a rate is waited for; a quota ends the walk, which knows where to continue [I-30]', async () => {
  const { client, targets, waits } = play(
    uid('1') + position('c1') + position('c1', { code: 'rate_limited', message: 'wait', retry_after: 7 }),
    uid('2') + position('c2') + position('c2', { code: 'quota_exceeded', message: 'no units are left' }),
  );
  const walk = client.many.export({ jurisdiction: 'US', cursor: 'c0' });
  const seen: string[] = [];
  await assert.rejects(collect(walk, seen), (error) => {
    return isApiError(error) && error.code === 'quota_exceeded' && error.status === 429 && error.requestId === 'r1';
  });
  assert.deepEqual([seen, walk.cursor, waits, targets.length], [['1', '2'], 'c2', [7000], 2]);
});

test('the cursor advances when a page has been consumed', async () => {
  const { client } = play(uid('1') + position('c1') + uid('2') + position(null));
  const walk = client.many.export({ jurisdiction: 'US' });
  const seen: unknown[] = [];
  for await (const page of walk.pages()) seen.push([walk.cursor, page.next_cursor, page.items.length]);
  assert.deepEqual(seen, [
    [null, 'c1', 1],
    ['c1', null, 1],
  ]);
});

test('a stream without progress ends, after a bounded number of attempts', async () => {
  const still = play(uid('1') + position('c1') + uid('2') + position('c1'));
  await assert.rejects(collect(still.client.many.export({ jurisdiction: 'US' }), []), TrademarkProtocolError);
  const cut = play(uid('1'));
  await assert.rejects(collect(cut.client.many.export({ jurisdiction: 'US' }), []), TrademarkConnectionError);
  assert.equal(cut.targets.length, 4);
});

test('lists of 500 records of several registers fit into an address [I-9]', async () => {
  const found = {
    status: 200,
    headers: { get: () => null },
    text: async () => '{"items":[],"asked":[],"coverage":null}',
  };
  const { client, targets } = play(found);
  await client.many.findIdentities([{ jurisdiction_code: 'US', uid: 'a,b% ' }, 'EM:x:1']);
  assert.equal(targets[0], '/v1/identities?identities=US:a%252Cb%2525%2520,EM:x:1');
  const many = Array.from({ length: 500 }, (_, at) => ({ jurisdiction_code: 'US', uid: String(at).padStart(27, '0') }));
  await client.many.findIdentities(many);
  await client.many.findNumbers({ numbers: many.map(({ uid: number, ...rest }) => ({ ...rest, number })) });
  assert.ok(targets.slice(1).every((target) => target.length < 16_384));
});
