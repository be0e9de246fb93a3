/** What a caller may keep busy: connections, the time to send a request, headers. Others are served in the meantime. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { sql } from '../../src/database/driver/sql.ts';
import { CONNECTION_LIMITS, type ConnectionLimits } from '../../src/http/wire.ts';
import { waitFor } from '../support/process.ts';
import { startService, startWithKey, type TestService } from '../support/service.ts';

const SHORT: ConnectionLimits = { ...CONNECTION_LIMITS, headersMs: 150, requestMs: 300, lookMs: 20 };

async function open({ url }: TestService, text: string): Promise<{ socket: Socket; answer: Promise<string> }> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('utf8');
  await once(socket, 'connect');
  let received = '';
  const answer = new Promise<string>((resolve) => {
    socket.on('data', (chunk: string) => {
      received += chunk;
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(received));
  });
  socket.write(text);
  return { socket, answer };
}

/** Writes a byte at every turn that the other side leaves, until the connection is closed. */
function drip(socket: Socket, text: string): void {
  let at = 0;
  const next = (): void => {
    if (socket.destroyed || !socket.writable) return;
    socket.write(text[at % text.length]!, () => setTimeout(next, 10));
    at += 1;
  };
  next();
}

const REFUSED = /^HTTP\/1\.1 400 [\s\S]*"The request did not arrive in time; send it again, whole\."/;

test('a request whose headers or body come byte by byte is cut, and others are served in the meantime [I-9]', async (t) => {
  const service = await startService(t, { connections: SHORT });
  const slow = {
    nothing: await open(service, ''),
    headers: await open(service, 'GET /livez HTTP/1.1\r\nHost: x\r\nX-Slow: '),
    body: await open(
      service,
      'POST /portal/sign-in HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 60000\r\n\r\n',
    ),
  };
  // On a busy machine their request may be late too.
  const isServed = async (): Promise<boolean> => (await service.call('/livez').catch(() => null))?.status === 200;
  drip(slow.headers.socket, 'x');
  drip(slow.body.socket, 'email=x&');
  await waitFor(isServed);
  assert.match(await slow.nothing.answer, REFUSED);
  assert.match(await slow.headers.answer, REFUSED);
  assert.match(await slow.body.answer, /^HTTP\/1\.1 4\d\d |^$/);
  await waitFor(isServed);
});

test('a request with more than a hundred headers is refused, and its key is not read [I-9]', async (t) => {
  const service = await startService(t);
  const headers = (count: number): Record<string, string> =>
    Object.fromEntries(Array.from({ length: count }, (_, number) => [`x-${number}`, 'x']));
  assert.equal((await service.call('/livez', { headers: headers(90) })).status, 200);
  const refused = await service.call('/v1/usage', { key: 'no key', headers: headers(101) });
  assert.deepEqual(
    [refused.status, (refused.body as { error: { message: string } }).error.message],
    [400, 'The request carries more than 100 headers; send fewer.'],
  );
});

test('calls sent ahead over a connection wait for their turn, and too many of them close the connection [I-9]', async (t) => {
  const { key, ...service } = await startWithKey(t);
  const request = `GET /v1/XA/trademarks/none HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\n\r\n`;
  const last = request.replace('host: x', 'host: x\r\nconnection: close');
  const waiting = sql`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  const ahead = await service.db.transaction(async (tx) => {
    await tx.runScript('lock table record in access exclusive mode');
    const first = await open(service, request.repeat(4) + last);
    await waitFor(async () => (await service.db.query(waiting)).length === 1);
    // By the time that this one waits, those sent ahead would have been begun.
    const second = await open(service, last);
    await waitFor(async () => (await service.db.query(waiting)).length >= 2);
    assert.equal((await service.db.query(waiting)).length, 2);
    return [first, second];
  });
  const [five, one] = await Promise.all(ahead.map(({ answer }) => answer));
  assert.equal(five?.match(/HTTP\/1\.1 404/g)?.length, 5);
  assert.equal(one?.match(/HTTP\/1\.1 404/g)?.length, 1);

  const flood = await open(service, request.repeat(CONNECTION_LIMITS.aheadMax + 10));
  await flood.answer;
  assert.equal((await service.call('/v1/health')).status, 200);
});

test('connections above the bound are closed at once, those below it are served, and room is given back', async (t) => {
  const service = await startService(t, { connections: { ...CONNECTION_LIMITS, connectionsMax: 3 } });
  const kept = await Promise.all([open(service, ''), open(service, '')]);
  assert.equal((await service.call('/livez')).status, 200);
  const surplus = await open(service, 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n');
  assert.equal(await surplus.answer, '');
  kept[0]!.socket.write('GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  assert.match(await kept[0]!.answer, /^HTTP\/1\.1 200 /);
  const next = await open(service, 'GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  assert.match(await next.answer, /^HTTP\/1\.1 200 /);
  kept[1]!.socket.destroy();
});
