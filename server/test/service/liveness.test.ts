/** How soon a database that does not answer is found out. */
import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { buildLog, type Log } from '../../src/base/log.ts';
import { readMigrations } from '../../src/database/schema/migrate.ts';
import { findServedHorizon, type Liveness, startLiveness } from '../../src/upkeep/health/liveness.ts';
import { createTestDatabase, testLog } from '../support/database.ts';
import { waitFor } from '../support/process.ts';
import { dialDatabase } from '../support/tls-database.ts';

/** Lines of the log at levels that matter. */
function buildLines(): { readonly log: Log; readonly levels: () => number[] } {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const log = buildLog({ level: 'warn', format: 'json', destination });
  return { log, levels: () => lines.map((line) => JSON.parse(line).level as number) };
}

/** Time that stands still unless it is moved; the database and the sockets are real. */
interface StandingClock extends Clock {
  /** To when the next sleeper wakes. */
  moveOn(): Promise<void>;
}

function buildStandingClock(): StandingClock {
  let nowMs = 0;
  let sleepers: { readonly wakesMs: number; readonly wake: () => void }[] = [];
  const callAfter: Clock['callAfter'] = (ms, wake) => {
    const sleeper = { wakesMs: nowMs + ms, wake };
    sleepers.push(sleeper);
    return () => {
      sleepers = sleepers.filter((each) => each !== sleeper);
    };
  };
  return {
    ...systemClock,
    monotonicMs: () => nowMs,
    callAfter,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const stop = (): void => {
          forget();
          reject(signal?.reason);
        };
        const forget = callAfter(ms, () => {
          signal?.removeEventListener('abort', stop);
          resolve();
        });
        if (signal?.aborted) stop();
        else signal?.addEventListener('abort', stop, { once: true });
      }),
    moveOn: async () => {
      if (sleepers.length > 0) nowMs = Math.min(...sleepers.map(({ wakesMs }) => wakesMs));
      const woken = sleepers.filter(({ wakesMs }) => wakesMs === nowMs);
      sleepers = sleepers.filter(({ wakesMs }) => wakesMs !== nowMs);
      for (const { wake } of woken) wake();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

/** A look that is under way ends only as time goes on. */
async function stopMoving(liveness: Liveness, clock: StandingClock): Promise<void> {
  let isStopped = false;
  const stopping = liveness.stop().then(() => {
    isStopped = true;
  });
  while (!isStopped) await clock.moveOn();
  await stopping;
}

/** The way to a database on which nothing comes back once it is silenced. */
async function startGate(t: TestContext, url: string) {
  const sockets = new Set<Socket>();
  /** What reached the database. */
  const reached = { connections: 0, messages: 0 };
  let isSilent = false;
  const server = createServer((client) => {
    const database = dialDatabase(new URL(url));
    for (const socket of [client, database]) sockets.add(socket.on('error', () => undefined));
    reached.connections += 1;
    client.on('close', () => database.destroy());
    client.on('data', (chunk) => {
      reached.messages += 1;
      database.write(chunk);
    });
    database.on('data', (chunk) => {
      if (!isSilent) client.write(chunk);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const gate = new URL(url);
  gate.searchParams.delete('host');
  gate.host = `127.0.0.1:${(server.address() as { port: number }).port}`;
  const silence = (): void => {
    isSilent = true;
  };
  return { url: gate.href, silence, reached };
}

const FOUND_OUT_MS_MAX = 3_000;

test('a database that falls silent is found out within three seconds, asked or not [I-35, I-39]', async (t) => {
  const { url, db } = await createTestDatabase(t);
  assert.equal(await findServedHorizon(db), null);
  const gate = await startGate(t, url);
  const clock = buildStandingClock();
  const migrations = await readMigrations();
  const liveness = startLiveness({ horizonSeconds: 900, url: () => gate.url, migrations, clock, log: testLog });
  t.after(() => stopMoving(liveness, clock));
  await liveness.check();
  assert.equal(liveness.closedBecause(), null);
  // What a command next to the server says of its horizon.
  assert.equal(await findServedHorizon(db), 900);
  const begun: number[] = [];
  liveness.onClosed(() => void begun.push(liveness.generation()));
  gate.silence();
  while (liveness.closedBecause() === null) await clock.moveOn();
  assert.ok(clock.monotonicMs() <= FOUND_OUT_MS_MAX, `closed after ${clock.monotonicMs()} ms`);
  // Connections from before are not used again.
  assert.deepEqual(begun, [1]);
});

test('asking for the health costs the database nothing, and waits only for a check that is overdue [I-26, I-39]', async (t) => {
  const { url } = await createTestDatabase(t);
  const { url: gateUrl, reached } = await startGate(t, url);
  const clock = buildStandingClock();
  const migrations = await readMigrations();
  const liveness = startLiveness({ horizonSeconds: 900, url: () => gateUrl, migrations, clock, log: testLog });
  t.after(() => stopMoving(liveness, clock));
  await liveness.check();
  const before = { ...reached };
  await Promise.all(Array.from({ length: 1_000 }, () => liveness.check()));
  assert.deepEqual(reached, before);
  assert.equal(reached.connections, 1);
});

test('a database that a starting service waits for is a warning; one that falls silent later is an error [I-39]', async (t) => {
  const { url } = await createTestDatabase(t);
  const silent = await startGate(t, url);
  silent.silence();
  const clock = buildStandingClock();
  const migrations = await readMigrations();
  const { log, levels } = buildLines();
  let address = silent.url;
  const liveness = startLiveness({ url: () => address, migrations, clock, log, horizonSeconds: 300 });
  t.after(() => stopMoving(liveness, clock));
  while (levels().length === 0) await clock.moveOn();
  assert.deepEqual(levels(), [40]);
  const gate = await startGate(t, url);
  address = gate.url;
  // The look that is under way ends only as time goes on; a later one finds the database.
  await waitFor(async () => {
    await clock.moveOn();
    return liveness.closedBecause() === null;
  });
  gate.silence();
  while (liveness.closedBecause() === null) await clock.moveOn();
  assert.deepEqual(levels(), [40, 50]);
  // Before its database is dropped, which waits for connections.
  await stopMoving(liveness, clock);
});
