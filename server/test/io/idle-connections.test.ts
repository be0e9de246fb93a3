/** Ten thousand callers who keep their connections and say nothing. */
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import { createDataFolder, startServing } from '../support/process.ts';

const CONNECTIONS = 10_000;
/** That are opened at once: fewer than wait to be accepted. */
const TOGETHER = 200;
/** What else the server has open. */
const OTHERS = 500;

/** Resolves once its call has been answered; the connection stays open. */
function openIdle(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n'));
    socket.once('error', reject);
    socket.once('data', (chunk: Buffer) => {
      if (chunk.toString().startsWith('HTTP/1.1 200')) resolve(socket);
      else reject(new Error(chunk.toString()));
    });
  });
}

test('ten thousand idle connections are kept, while others are served [I-26]', async (t) => {
  const { url } = await createTestDatabase(t);
  const environment = { DATABASE_URL: url, TMDS_DATA_DIR: await createDataFolder(t) };
  const server = await startServing(t, environment, ['serve'], { descriptorsMax: CONNECTIONS + OTHERS });
  const port = Number(new URL(server.address).port);
  const sockets: Socket[] = [];
  t.after(async () => {
    for (const socket of sockets) socket.destroy();
  });
  const broken: string[] = [];
  while (sockets.length < CONNECTIONS) {
    const opened = await Promise.all(Array.from({ length: TOGETHER }, () => openIdle(port)));
    for (const socket of opened) socket.on('error', ({ message }) => broken.push(message));
    sockets.push(...opened);
  }
  const answer = await fetch(`${server.address}/v1/health`);
  assert.deepEqual([answer.status, broken], [200, []]);
  // A stop waits for none of them.
  server.kill('SIGTERM');
  const { status } = await server.ended;
  assert.equal(status, 0);
});
