/** What `tmds serve` answers when the system lets it open nothing more. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { issueKey } from '../../src/access/keys.ts';
import { createTestDatabase } from '../support/database.ts';
import { startServing, waitFor } from '../support/process.ts';

/** More than a server needs to start, which reads hundreds of modules at once, and few enough to use up. */
const DESCRIPTORS_MAX = 400;
const CALLERS = 10;

interface Answer {
  readonly status: number | undefined;
  readonly retryAfter: string | undefined;
}

const UNAVAILABLE: Answer = { status: 503, retryAfter: '1' };

function call(agent: Agent, url: string, key: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { 'x-api-key': key } }, (response) => {
      response.resume();
      response.on('end', () => resolve({ status: response.statusCode, retryAfter: response.headers['retry-after'] }));
    }).on('error', reject);
  });
}

async function countDescriptors(pid: number): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`)).length;
}

/** Adds connections that say nothing, until the process can open none for anything else. */
async function useUpDescriptors(idle: Socket[], pid: number, port: number): Promise<void> {
  while ((await countDescriptors(pid)) < DESCRIPTORS_MAX) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    idle.push(socket);
    await once(socket, 'connect');
  }
}

test('a server that may open nothing more answers 503, takes no harm, and serves again afterwards [I-9, I-26, I-35]', {
  skip: process.platform === 'linux' ? false : 'counts the open files of a process below /proc',
}, async (t) => {
  const { db, url } = await createTestDatabase(t);
  const order = { customer: 'Example', name: null, products: ['records'], quota: null, actor: 'test' } as const;
  const { key } = await issueKey(db, { ...order, rateLimitPerMinute: 1_000_000 });
  const limits = { descriptorsMax: DESCRIPTORS_MAX };
  const { pid, address, stderr } = await startServing(t, { DATABASE_URL: url }, ['serve'], limits);
  const agent = new Agent({ keepAlive: true, maxSockets: CALLERS });
  t.after(() => agent.destroy());
  const callAll = (path: string): Promise<Answer[]> =>
    Promise.all(Array.from({ length: CALLERS }, () => call(agent, address + path, key)));
  // Callers who are connected already, and no connection to the database for what they will ask.
  await callAll('/v1/health');
  const idle: Socket[] = [];
  t.after(() => {
    for (const socket of idle) socket.destroy();
  });
  const useUp = (): Promise<void> => useUpDescriptors(idle, pid, Number(new URL(address).port));
  await useUp();
  await db.transaction(async (tx) => {
    await tx.runScript('lock table register in access exclusive mode');
    // A call that still finds a connection waits for the lock, and gets the same answer.
    for (const answer of await callAll('/v1/jurisdictions')) assert.deepEqual(answer, UNAVAILABLE);
  });
  await waitFor(async () => {
    await useUp();
    return isDeepStrictEqual(await call(agent, `${address}/v1/health`, key), UNAVAILABLE);
  });
  // Where the start has left a connection for every caller, none needed a new one.
  assert.match(stderr(), /EMFILE|lock timeout/);
  assert.doesNotMatch(stderr(), /internal_error/);
  for (const socket of idle) socket.destroy();
  await waitFor(async () => (await call(agent, `${address}/v1/health`, key)).status === 200);
  await waitFor(async () => (await callAll('/v1/jurisdictions')).every(({ status }) => status === 200));
});
