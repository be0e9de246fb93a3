/** How a server ends: which callers are still served, which are cut, and when. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { stopServer } from '../../src/http/stop.ts';
import { createTestDatabase, testLog } from '../support/database.ts';
import { openLocalIndex } from '../support/local-index.ts';
import { startWithKey } from '../support/service.ts';

const NEVER = new Promise<void>(() => undefined);

/** A clock that a test moves; sleepers are woken when it has come that far. */
function buildClock(): { clock: Clock; move: (ms: number) => void } {
  let offsetMs = 0;
  let sleepers: { untilMs: number; wake: () => void }[] = [];
  const monotonicMs = (): number => offsetMs;
  return {
    clock: {
      ...systemClock,
      monotonicMs,
      sleep: (ms, signal) =>
        new Promise((resolve, reject) => {
          sleepers.push({ untilMs: offsetMs + ms, wake: resolve });
          signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
        }),
    },
    move: (ms) => {
      offsetMs += ms;
      const woken = sleepers.filter(({ untilMs }) => untilMs <= offsetMs);
      sleepers = sleepers.filter(({ untilMs }) => untilMs > offsetMs);
      for (const { wake } of woken) wake();
    },
  };
}

test('a call in flight is answered when it ends before the deadline, and cut when it does not', async (t) => {
  for (const endsInTime of [true, false]) {
    const database = await createTestDatabase(t);
    let begin: () => void = () => undefined;
    let fail: (reason: Error) => void = () => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const search = (): Promise<never> =>
      new Promise((_resolve, reject) => {
        fail = reject;
        begin();
      });
    const { key, ...service } = await startWithKey(t, { database, index: { ...openLocalIndex(database.db), search } });
    const called = service.call('/v1/trademarks?status=Registered', { key }).then(
      ({ status, headers }) => [status, headers.connection],
      () => 'cut',
    );
    await begun;
    const { clock, move } = buildClock();
    const stopping = stopServer(service.app, { clock, log: testLog, drainMs: 0, callsMs: 7_500, hurried: NEVER });
    move(7_400);
    if (endsInTime) fail(new Error('the search failed'));
    else setImmediate(() => move(200));
    assert.deepEqual(await called, endsInTime ? [500, 'close'] : 'cut');
    setImmediate(() => move(5_000));
    await stopping;
    fail(new Error('over'));
  }
});
