import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERRORS, type ErrorCode } from '@tmds/contract/errors';
import { TrademarkClient } from '../src/client.ts';
import type { ClientOptions } from '../src/config.ts';
import {
  isApiError,
  TrademarkApiError,
  TrademarkConnectionError,
  TrademarkProtocolError,
  TrademarkTimeoutError,
} from '../src/errors.ts';
import { parseRetryAfter, planBackoff } from '../src/retry.ts';
import { buildAnswer, buildFetch, buildRefusal, type ScriptedFetch } from './support/answers.ts';
import { buildSimulatedClock, type SimulatedClock } from './support/clock.ts';

const done = buildAnswer(200, { items: [] });

function buildClient(
  fetch: ScriptedFetch,
  options: ClientOptions = {},
): { client: TrademarkClient; clock: SimulatedClock } {
  const clock = buildSimulatedClock();
  const base = { apiKey: 'k-1', baseUrl: 'https://tm.example', fetch, clock, random: () => 0, maxRetries: 3 };
  return { client: new TrademarkClient({ ...base, ...options }), clock };
}

/** The waits between attempts, without the time limits of the attempts. */
function listWaits(clock: SimulatedClock): number[] {
  return clock.sleeps.filter((ms) => ms !== 30_000);
}

const RETRIED = {
  rate_limited: true,
  unavailable: true,
  invalid_parameter: false,
  unknown_parameter: false,
  missing_filter: false,
  reserved_parameter: false,
  query_too_broad: false,
  cursor_invalid: false,
  cursor_query_mismatch: false,
  unauthorized: false,
  key_revoked: false,
  product_not_enabled: false,
  not_found: false,
  method_not_allowed: false,
  query_timeout: false,
  validation_error: false,
  quota_exceeded: false,
  internal_error: false,
} as const satisfies Record<ErrorCode, boolean>;

for (const code of Object.keys(RETRIED) as ErrorCode[]) {
  test(`${RETRIED[code] ? 'repeats' : 'never repeats'} a call refused with ${code} [7]`, async () => {
    const fetch = buildFetch(buildRefusal(code, {}, 'limit'));
    const { client } = buildClient(fetch);
    await assert.rejects(client.jurisdictions(), (error: unknown) => {
      assert.ok(isApiError(error, code));
      assert.deepEqual(
        { status: error.status, message: error.message, param: error.param, requestId: error.requestId },
        { status: ERRORS[code].status, message: `refused: ${code}`, param: 'limit', requestId: `req-${code}` },
      );
      assert.equal(error.retryable, RETRIED[code]);
      return true;
    });
    assert.equal(fetch.calls.length, RETRIED[code] ? 4 : 1);
  });
}

test('waits as long as Retry-After says, then succeeds and counts the attempts [I-30]', async () => {
  const fetch = buildFetch(buildRefusal('rate_limited', { 'retry-after': '17' }), done);
  const { client, clock } = buildClient(fetch);
  const answer = await client.jurisdictions();
  assert.deepEqual(listWaits(clock), [17_000]);
  assert.equal(answer.meta.attempts, 2);
});

test('does not sit out a Retry-After longer than two minutes; the error carries it', async () => {
  const fetch = buildFetch(buildRefusal('unavailable', { 'retry-after': '121' }));
  const { client } = buildClient(fetch);
  await assert.rejects(client.usage(), (error: unknown) => {
    assert.ok(error instanceof TrademarkApiError);
    assert.equal(error.retryAfterMs, 121_000);
    assert.deepEqual(error.headers, { 'retry-after': '121' });
    return true;
  });
  assert.equal(fetch.calls.length, 1);
});

test('keeps the limits of a quota refusal on the error [7]', async () => {
  const fetch = buildFetch(buildRefusal('quota_exceeded', { 'x-quota-limit': '100', 'x-quota-used': '100' }));
  await assert.rejects(buildClient(fetch).client.usage(), (error: unknown) => {
    assert.ok(isApiError(error, 'quota_exceeded'));
    assert.deepEqual(error.headers, { 'x-quota-limit': '100', 'x-quota-used': '100' });
    return true;
  });
});

test('lists every failed parameter of a validation answer [2.6, I-7]', async () => {
  const detail = [{ loc: ['query', 'limit'], msg: 'too large', type: 'less_than_equal', input: '501' }];
  const body = { detail, error: { code: 'validation_error', message: 'limit is at most 500', param: 'limit' } };
  await assert.rejects(buildClient(buildFetch(buildAnswer(422, body))).client.usage(), (error: unknown) => {
    assert.ok(isApiError(error, 'validation_error'));
    assert.deepEqual(error.detail, detail);
    return true;
  });
});

test('repeats after a network fault with growing, capped waits, and stops after maxRetries', async () => {
  const fetch = buildFetch(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') }));
  const { client, clock } = buildClient(fetch, { maxRetries: 7 });
  await assert.rejects(client.usage(), (error: unknown) => {
    assert.ok(error instanceof TrademarkConnectionError);
    assert.match(error.message, /ECONNREFUSED/);
    return true;
  });
  assert.equal(fetch.calls.length, 8);
  assert.deepEqual(listWaits(clock), [250, 500, 1000, 2000, 4000, 4000, 4000]);
});

test("repeats after a body cut short and after a gateway's 429 or 5xx page, not after another page", async () => {
  const cut = buildFetch(buildAnswer(200, '{"items":[{"uid"'), buildAnswer(429, '<html>'), buildAnswer(520, ''), done);
  assert.equal((await buildClient(cut).client.jurisdictions()).meta.attempts, 4);
  const wrong = buildFetch(buildAnswer(404, '<html>'));
  await assert.rejects(buildClient(wrong).client.jurisdictions(), TrademarkProtocolError);
  assert.equal(wrong.calls.length, 1);
});

test('ends an attempt at its time limit, and repeats it', async () => {
  const fetch = buildFetch('hang', done);
  const { client, clock } = buildClient(fetch);
  const answer = await client.jurisdictions({ timeoutMs: 1_234 });
  assert.equal(answer.meta.attempts, 2);
  assert.deepEqual(clock.sleeps, [1_234, 250, 1_234]);
  assert.equal(fetch.calls[0]!.init.signal.aborted, true);
  const hung = buildClient(buildFetch('hang'));
  await assert.rejects(hung.client.jurisdictions({ maxRetries: 0 }), TrademarkTimeoutError);
});

test("ends at once when the caller aborts, in an attempt or in a wait, with the caller's reason", async () => {
  const reason = new Error('enough');
  const during = new AbortController();
  const hanging = buildClient(buildFetch('hang')).client.usage({ signal: during.signal });
  during.abort(reason);
  await assert.rejects(hanging, reason);

  const waiting = new AbortController();
  const fetch = buildFetch(buildRefusal('unavailable', { 'retry-after': '60' }));
  const { client } = buildClient(fetch, {
    clock: {
      ...buildSimulatedClock(),
      sleep: async (ms, signal) => {
        if (ms === 60_000) waiting.abort(reason);
        signal?.throwIfAborted();
        await new Promise(() => undefined);
      },
    },
  });
  await assert.rejects(client.usage({ signal: waiting.signal }), reason);
  assert.equal(fetch.calls.length, 1);

  const before = buildFetch(done);
  await assert.rejects(buildClient(before).client.usage({ signal: AbortSignal.abort(reason) }), reason);
  assert.equal(before.calls.length, 0);
});

test('spreads waits over the upper half of their ceiling', () => {
  assert.equal(planBackoff(1, 0, 500, 8000), 250);
  assert.equal(planBackoff(1, 0.5, 500, 8000), 375);
  assert.equal(planBackoff(100, 0.5, 500, 8000), 6000);
});

test('reads Retry-After as seconds or as a date, and nothing else', () => {
  const nowMs = Date.UTC(2026, 0, 1);
  assert.equal(parseRetryAfter('3', nowMs), 3000);
  assert.equal(parseRetryAfter('Thu, 01 Jan 2026 00:00:09 GMT', nowMs), 9000);
  assert.equal(parseRetryAfter('Thu, 01 Jan 2020 00:00:00 GMT', nowMs), 0);
  assert.equal(parseRetryAfter('soon', nowMs), null);
  assert.equal(parseRetryAfter(null, nowMs), null);
});
