/** A follower, the real service and a faulty network between: it recovers on its own, to what the service holds. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Clock } from '../../../client/src/clock.ts';
import { TrademarkClient } from '../../../client/src/main.ts';
import {
  openNdjsonSink,
  openSqliteSink,
  type ReplicaSink,
  replicate,
  verify,
} from '../../../client/src/replica/main.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { type PlayedFault, type ProxyFault, startFaultyProxy } from '../support/faulty-proxy.ts';
import { makeFolder } from '../support/folder.ts';
import { listHeld } from '../support/held.ts';
import { startWithKey } from '../support/service.ts';
import { buildRecords, publishRecords } from '../torture/publish.ts';

const US = { jurisdiction_code: 'US' };
/** What becomes of the first calls of a round, in turn; the later ones go through. */
const FAULTS: readonly ProxyFault[] = ['none', 'network', 'none', 'bad_gateway', 'cut', 'stalled', 'lost', 'none'];
const ROUNDS = 3;

/** Real time, except that waits end at once, and an attempt's limit when the answer has stalled. */
function buildStalledClock(): Clock & { stall(): void } {
  let expire: () => void = () => undefined;
  return {
    nowMs: () => Date.now(),
    monotonicMs: () => performance.now(),
    sleep: () =>
      new Promise((resolve) => {
        expire = resolve;
      }),
    stall: () => expire(),
  };
}

const impatient: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: async () => undefined,
};

const SINKS: Record<string, (folder: string) => Promise<ReplicaSink>> = {
  sqlite: (folder) => openSqliteSink(join(folder, 'marks.db')),
  ndjson: (folder) => openNdjsonSink(join(folder, 'marks')),
};

async function listServed(db: Database): Promise<string[]> {
  return (await db.query<{ detail: string }>(sql`select detail from record`)).map(({ detail }) => detail).sort();
}

for (const [kind, openSink] of Object.entries(SINKS)) {
  test(`a ${kind} follower recovers from cut connections, a gateway's 502 and stalled answers [4.6.1, 7]`, async (t) => {
    const { key, ...service } = await startWithKey(t);
    await publishRecords(service.db, buildRecords(30, US));
    const clock = buildStalledClock();
    let calls = 0;
    const proxy = await startFaultyProxy(t, service.url, async (): Promise<PlayedFault> => {
      const fault = FAULTS[calls] ?? 'none';
      calls += 1;
      return { fault, pauseMs: 0, retryAfterSeconds: 0, onStalled: clock.stall };
    });
    const client = new TrademarkClient({ apiKey: key, baseUrl: `${proxy.url}/records`, clock });
    const sink = await openSink(makeFolder(t));
    const stop = new AbortController();
    const faults: string[] = [];
    let rounds = 0;
    const publishing: Promise<unknown>[] = [];
    const follower = replicate({
      client: {
        changes: async (...call) => {
          await Promise.all(publishing);
          return await client.changes(...call);
        },
      },
      sink,
      limit: 8,
      mode: 'follow',
      signal: stop.signal,
      clock: impatient,
      onStep: ({ event }) => {
        if (event.kind === 'fault') faults.push((event.error as Error).name);
        if (event.kind !== 'end_saved') return;
        rounds += 1;
        calls = 0;
        if (rounds === ROUNDS) stop.abort();
        else publishing.push(publishRecords(service.db, buildRecords(25, { ...US, mark_name: `ROUND ${rounds}` })));
      },
    });
    const state = await follower;
    assert.deepEqual([state.kind, state.position.delivered], ['caught_up', 30 + 25 * (ROUNDS - 1)]);
    const round = ['Connection', 'Connection', 'Connection', 'Timeout', 'Connection'].map(
      (why) => `Trademark${why}Error`,
    );
    assert.deepEqual(faults, Array.from({ length: ROUNDS }, () => round).flat());
    assert.deepEqual(await listHeld(sink), await listServed(service.db));
    const direct = new TrademarkClient({ apiKey: key, baseUrl: service.url });
    assert.equal((await verify({ client: direct, sink })).equal, true);
    await sink.close();
  });
}
