/** Pages of large payloads to clients that do not read: bounded, without delaying anybody, and not forever. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Server, type Socket } from 'node:net';
import { test } from 'node:test';
import { waitFor } from '../support/process.ts';
import { startWithKey } from '../support/service.ts';
import { buildRecords, publishRecords } from '../torture/publish.ts';

const PAYLOAD = { text: 'x'.repeat(1_000_000) };

/** Asks for a page and reads nothing of it. */
async function openStalled(port: number, key: string): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port });
  await once(socket, 'connect');
  socket.pause();
  socket.write(`GET /v1/changes?since=1970-01-01&expand=payload HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n\r\n`);
  return socket;
}

test('clients that stop reading delay nobody, take no connection, and are cut off [4.6]', {
  timeout: 300_000,
}, async (t) => {
  const { key, ...service } = await startWithKey(t);
  await publishRecords(service.db, buildRecords(60, { payload: PAYLOAD }));
  const { server } = service.app;
  const { timeout } = server;
  const accepted = new Set<Socket>();
  server.on('connection', (socket: Socket) => accepted.add(socket));
  server.timeout = 1_500;
  const port = Number(new URL(service.url).port);
  // More of them than the pool has connections.
  const stalled = await Promise.all(Array.from({ length: 12 }, () => openStalled(port, key)));
  await waitFor(async () => accepted.size === stalled.length);
  // Only theirs are short: a busy machine may need longer for the page of a client that reads.
  server.timeout = timeout;
  const ended = stalled.map((socket) => {
    const closed = once(socket, 'close');
    socket.on('error', () => undefined);
    return closed;
  });
  const answer = await service.call('/v1/changes?since=1970-01-01&expand=payload', { key });
  assert.equal((answer.body as { items: unknown[] }).items.length, 60);
  await waitFor(async () => (await countConnections(server)) <= 1);
  for (const [index, socket] of stalled.entries()) {
    // The end of a connection shows only to somebody who reads; what had been sent is far from the whole page.
    let bytes = 0;
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    socket.resume();
    await ended[index];
    assert.ok(bytes < 50_000_000, `${bytes} bytes`);
  }
});

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });
}
