/** Callers that leave before their answer is whole: what they are charged, what is logged, and that nothing stays. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { buildLog } from '../../src/base/log.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { READ_MS_MAX } from '../../src/http/wire.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { chooseCases } from '../support/depth.ts';
import { refusalOf, type ServiceOptions, startService, type TestService } from '../support/service.ts';
import { countUnits } from '../support/units.ts';
import { buildRecords, publishRecords } from '../torture/publish.ts';

interface LogLine {
  readonly msg: string;
  readonly request_id: string;
  readonly key_id?: string;
  readonly status?: number;
  readonly sent_bytes?: number;
  readonly err?: { message: string };
}

interface Watched {
  readonly service: TestService;
  readonly lines: LogLine[];
  /** The timers of answers that are running now, by what they would do. */
  readonly timers: Set<() => void>;
}

const PAGE = '/v1/changes?since=1970-01-01&expand=payload';

async function startWatched(t: TestContext, database?: ServiceOptions['database']): Promise<Watched> {
  const lines: LogLine[] = [];
  const timers = new Set<() => void>();
  const clock: Clock = {
    ...systemClock,
    callAfter: (ms, act) => {
      if (ms !== READ_MS_MAX) return systemClock.callAfter(ms, act);
      timers.add(act);
      return () => void timers.delete(act);
    },
  };
  const log = buildLog({ level: 'info', destination: { write: (line) => void lines.push(JSON.parse(line)) } });
  const service = await startService(t, { clock, log, ...(database === undefined ? {} : { database }) });
  return { service, lines, timers };
}

async function open(service: TestService, text: string): Promise<Socket> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

const request = (path: string, key: string, more = ''): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n${more}\r\n`;

/** Turns of the event loop, which the database and the sockets have their say in, until `holds`. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setImmediate(resolve));
}

function countConnections({ app }: TestService): Promise<number> {
  return new Promise((resolve, reject) =>
    app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
}

/** Holds every page of the feed up while `work` runs. */
async function whileHeldUp(service: TestService, work: () => Promise<void>): Promise<void> {
  await service.db.transaction(async (tx) => {
    await tx.query(sql`lock table record in access exclusive mode`);
    await work();
  });
}

/** A database whose second portion of payloads cannot be read. */
async function createBreakingDatabase(t: TestContext): Promise<TestDatabase> {
  const { db, url } = await createTestDatabase(t);
  let portions = 0;
  const copyRows: Database['copyRows'] = (statement, limits) => {
    if (statement.text.includes('left join payload') && ++portions > 1) return Promise.reject(new Error('torn disk'));
    return db.copyRows(statement, limits);
  };
  return { db: { ...db, copyRows }, url };
}

async function countWaiting(service: TestService): Promise<number> {
  const [row] = await service.db.query<{ waiting: number }>(sql`
    select count(*)::int as waiting from pg_locks where not granted
      and database = (select oid from pg_database where datname = current_database())`);
  return row!.waiting;
}

for (const encoding of chooseCases(['identity', 'br'])) {
  test(`pages whose callers have left before they were ready hold nothing and cost nothing, ${encoding} [4.6, I-28, I-29]`, {
    timeout: 300_000,
  }, async (t) => {
    const { service, lines, timers } = await startWatched(t);
    const { id, key } = await service.issue();
    await publishRecords(service.db, buildRecords(8, { payload: { text: 'x'.repeat(700_000) } }));
    await service.call('/v1/jurisdictions', { key });
    const calls = 4;
    await whileHeldUp(service, async () => {
      const sockets = await Promise.all(
        Array.from({ length: calls }, () => open(service, request(PAGE, key, `Accept-Encoding: ${encoding}\r\n`))),
      );
      await until(async () => (await countWaiting(service)) === calls);
      for (const socket of sockets) socket.destroy();
      await until(async () => (await countConnections(service)) <= 1);
    });
    await until(async () => (await countUnits(service.db, id)) === 1);
    const abandoned = lines.filter(({ msg }) => msg.startsWith('call aborted'));
    assert.equal(abandoned.length, calls);
    for (const line of abandoned) {
      assert.deepEqual([line.key_id, line.status, line.sent_bytes], [id, undefined, 0]);
      assert.match(line.request_id, /^[0-9a-f-]{36}$/);
    }
    assert.equal(timers.size, 0);
    assert.equal(lines.filter(({ msg }) => msg.includes('call failed')).length, 0);
  });
}

test('calls that wait for their turn on a connection that breaks have not begun, and cost nothing [4.6, I-28]', {
  timeout: 300_000,
}, async (t) => {
  const { service, lines, timers } = await startWatched(t);
  const { id, key } = await service.issue();
  await publishRecords(service.db, buildRecords(8, { payload: { text: 'x'.repeat(700_000) } }));
  const socket = await open(service, request(PAGE, key).repeat(3));
  socket.pause();
  await until(() => timers.size === 1);
  socket.destroy();
  await until(() => timers.size === 0);
  const abandoned = lines.filter(({ msg }) => msg.startsWith('call aborted'));
  assert.equal(abandoned.length, 1);
  assert.ok(abandoned[0]!.sent_bytes! > 0);
  // It had begun to be delivered, so it is a served call.
  await until(async () => (await countUnits(service.db, id)) === 1);
});

test('a page whose caller leaves while it is read is a served call, and its line says what was sent [4.6, I-28]', {
  timeout: 300_000,
}, async (t) => {
  const { service, lines, timers } = await startWatched(t);
  const { id, key } = await service.issue();
  await publishRecords(service.db, buildRecords(20, { payload: { text: 'x'.repeat(700_000) } }));
  const calls = 5;
  for (let call = 0; call < calls; call += 1) {
    const socket = await open(service, request(PAGE, key));
    await once(socket, 'data');
    socket.destroy();
  }
  await until(() => lines.length === calls && timers.size === 0);
  for (const line of lines) {
    assert.deepEqual([line.msg, line.key_id, line.status], ['call aborted: the client closed its connection', id, 200]);
    assert.ok(line.sent_bytes! > 0 && line.sent_bytes! < 14_000_000, String(line.sent_bytes));
  }
  assert.equal(await countUnits(service.db, id), calls);
});

test('a page that is read ever so slowly is cut off, one that is read whole is not [4.6, I-28]', {
  timeout: 300_000,
}, async (t) => {
  const { service, lines, timers } = await startWatched(t);
  const { id, key } = await service.issue();
  await publishRecords(service.db, buildRecords(40, { payload: { text: 'x'.repeat(700_000) } }));
  assert.equal((await service.call(PAGE, { key })).status, 200);
  await until(() => timers.size === 0);
  const socket = await open(service, request(PAGE, key));
  await once(socket, 'data');
  socket.pause();
  socket.on('error', () => undefined);
  await until(() => timers.size === 1);
  for (const expire of timers) expire();
  await until(() => timers.size === 0 && lines.length === 2);
  assert.deepEqual(
    lines.map(({ msg, key_id: keyId, status }) => [msg, keyId, status]),
    [
      ['call served', id, 200],
      ['call aborted: the client read its answer too slowly', id, 200],
    ],
  );
  assert.ok(lines[1]!.sent_bytes! > 0);
  assert.equal(await countUnits(service.db, id), 2);
  socket.destroy();
});

test('a page that breaks off by our fault costs nothing and leaves an error with its cause [4.6, I-28]', {
  timeout: 300_000,
}, async (t) => {
  const database = await createBreakingDatabase(t);
  const { service, lines, timers } = await startWatched(t, database);
  const { id, key } = await service.issue();
  await publishRecords(service.db, buildRecords(9, { payload: { text: 'x'.repeat(700_000) } }));
  await assert.rejects(service.call(PAGE, { key }));
  await until(() => lines.length === 1 && timers.size === 0);
  const [line] = lines;
  assert.deepEqual(
    [line!.msg, line!.key_id, line!.status, line!.err?.message],
    ['call failed: the rest of its answer could not be read', id, 200, 'torn disk'],
  );
  assert.ok(line!.sent_bytes! > 0);
  assert.equal(await countUnits(service.db, id), 0);
});

test('a page that fails before its first byte is answered by an envelope that can be read [4.6, 7, I-9, I-28]', {
  timeout: 300_000,
}, async (t) => {
  const database = await createBreakingDatabase(t);
  const { service, lines } = await startWatched(t, database);
  const { id, key } = await service.issue();
  // The compressor keeps the first portion to itself, since it is small.
  await publishRecords(service.db, buildRecords(1, { payload: { text: 'small' } }));
  await publishRecords(service.db, [{ uid: 'large', payload: { text: 'x'.repeat(3_000_000) } }]);
  const answer = await service.call(PAGE, { key, headers: { 'accept-encoding': 'br' } });
  assert.deepEqual(refusalOf(answer), { status: 500, code: 'internal_error', param: undefined });
  assert.deepEqual([answer.headers['content-encoding'], answer.headers['x-change-horizon']], [undefined, undefined]);
  await until(() => lines.length === 1);
  assert.equal(lines[0]!.msg, 'call failed');
  assert.equal(await countUnits(service.db, id), 0);
});
