/** What `/livez` and `/readyz` say to whatever runs the process, and that they cost nothing. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { NoAnswer } from '../../src/base/no-answer.ts';
import { createTestDatabase } from '../support/database.ts';
import { openLocalIndex } from '../support/local-index.ts';
import { refusalOf, startService, type TestAnswer } from '../support/service.ts';

function messageOf(answer: TestAnswer): string {
  return (answer.body as { error: { message: string } }).error.message;
}

test('a process that can serve is alive and ready, for GET and HEAD, without a key', async (t) => {
  const service = await startService(t);
  for (const [path, status] of [
    ['/livez', 'alive'],
    ['/readyz', 'ready'],
  ] as const) {
    const got = await service.call(path);
    assert.deepEqual([got.status, got.body, got.headers['cache-control']], [200, { status }, 'no-store']);
    const head = await service.call(path, { method: 'HEAD' });
    assert.deepEqual([head.status, head.text], [200, '']);
    const posted = await service.call(path, { method: 'POST', body: 'x' });
    assert.deepEqual([posted.status, posted.headers.allow], [405, 'GET, HEAD']);
  }
});

test('without its schema a process is alive and not ready, and says why', async (t) => {
  const database = await createTestDatabase(t, { migrated: false });
  const service = await startService(t, { database });
  assert.equal((await service.call('/livez')).status, 200);
  const ready = await service.call('/readyz');
  assert.deepEqual([ready.status, refusalOf(ready).code], [503, 'unavailable']);
  assert.match(messageOf(ready), /^Not ready: .*database/);
});

test('while the index is built a process is healthy and not ready', async (t) => {
  const database = await createTestDatabase(t);
  const checkReady = (): void => {
    throw new NoAnswer('index_building', { percent: 40 });
  };
  const service = await startService(t, { database, index: { ...openLocalIndex(database.db), checkReady } });
  assert.equal((await service.call('/v1/health')).status, 200);
  const ready = await service.call('/readyz');
  assert.equal(ready.status, 503);
  assert.equal(messageOf(ready), 'Not ready: The search index is being built (40 %). Try again shortly.');
});

test('a probe with a key is neither metered nor refused, whatever the key may do', async (t) => {
  const service = await startService(t);
  const { key } = await service.issue({ rateLimitPerMinute: 2, quota: 1 });
  for (let round = 0; round < 5; round += 1) {
    const answer = await service.call('/readyz', { key });
    assert.deepEqual([answer.status, answer.headers['x-ratelimit-limit']], [200, undefined]);
  }
  assert.equal((await service.call('/livez', { key: 'no key at all' })).status, 200);
  // The rate and the quota of the key are whole.
  assert.equal((await service.call('/v1/jurisdictions', { key })).status, 200);
});

test('a process that stops is alive and not ready', async (t) => {
  const service = await startService(t);
  const { port } = new URL(service.url);
  const begin = async (path: string): Promise<Socket> => {
    const socket = connect(Number(port), '127.0.0.1').setEncoding('utf8');
    await once(socket, 'connect');
    // The rest of the request follows once the process stops; until then the connection is in use.
    socket.write(`GET ${path} HTTP/1.1\r\n`);
    return socket;
  };
  const sockets = [await begin('/livez'), await begin('/readyz')];
  // Answered after the bytes above have arrived, which were sent before.
  await service.call('/livez');
  const closing = service.app.close();
  const answers = await Promise.all(
    sockets.map(async (socket) => {
      let text = '';
      socket.on('data', (chunk: string) => {
        text += chunk;
      });
      socket.write('Host: x\r\n\r\n');
      await once(socket, 'close');
      return text;
    }),
  );
  await closing;
  assert.match(answers[0]!, /^HTTP\/1\.1 200 [\s\S]*"alive"/);
  assert.match(answers[1]!, /^HTTP\/1\.1 503 [\s\S]*Not ready: The service is shutting down\./);
});
