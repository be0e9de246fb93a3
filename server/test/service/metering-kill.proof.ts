/** What a crash costs: nothing that was answered, and at most what was in flight (TMDS_KILL_CALLS for more). */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { issueKey } from '../../src/access/keys.ts';
import { listUsageDays } from '../../src/store/accounts/usage.ts';
import { createTestDatabase } from '../support/database.ts';
import { waitFor } from '../support/process.ts';

const CALLS = Number(process.env.TMDS_KILL_CALLS ?? 2000);
const CONNECTIONS = Number(process.env.TMDS_KILL_CONNECTIONS ?? 64);
const PROCESS = fileURLToPath(new URL('../support/metered-process.ts', import.meta.url));

interface Server {
  child: ChildProcess;
  port: number;
  /** Calls that are sent and not answered. */
  inFlight: number;
}

async function startServer(url: string): Promise<Server> {
  const child = spawn(process.execPath, ['--conditions=tmds-source', '--import', 'tsx', PROCESS, url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout!, 'data')) as [Buffer];
  return { child, port: Number(line.toString()), inFlight: 0 };
}

/** The status, or null when the connection broke before a status came. */
async function call(server: Server, agent: Agent, key: string): Promise<number | null> {
  server.inFlight += 1;
  const status = await send(server.port, agent, key);
  server.inFlight -= 1;
  return status;
}

/** Between two instructions, wherever it is, and not before a call is in flight. */
async function killInFlight(server: Server): Promise<void> {
  server.child.kill('SIGSTOP');
  await waitFor(async () => server.inFlight > 0);
  server.child.kill('SIGKILL');
}

function send(port: number, agent: Agent, key: string): Promise<number | null> {
  return new Promise((resolve) => {
    const sent = request({ host: '127.0.0.1', port, agent, path: '/v1/jurisdictions', headers: { 'x-api-key': key } });
    sent.on('response', (response) => {
      response.resume();
      response.on('error', () => undefined);
      resolve(response.statusCode ?? null);
    });
    sent.on('error', () => resolve(null));
    sent.end();
  });
}

test('stores at least what was answered and at most what was in flight more, across kill -9 [I-29]', async (t) => {
  const { db, url } = await createTestDatabase(t);
  const servers = [await startServer(url), await startServer(url)];
  const agent = new Agent({ keepAlive: true });
  t.after(async () => {
    agent.destroy();
    for (const { child } of servers) child.kill('SIGKILL');
  });
  const limits = { rateLimitPerMinute: 1_000_000, quota: null };
  const { id, key } = await issueKey(db, {
    customer: 'c',
    name: null,
    products: ['records'],
    actor: 'test',
    ...limits,
  });
  let [started, served, broken] = [0, 0, 0];
  let restarted: Promise<void> | null = null;
  const restart = async (): Promise<void> => {
    await killInFlight(servers[0]!);
    await once(servers[0]!.child, 'exit');
    servers[0] = await startServer(url);
  };
  const callOn = async (caller: number): Promise<void> => {
    while (started < CALLS) {
      started += 1;
      if (started > CALLS / 2) restarted ??= restart();
      const status = await call(servers[caller % 2]!, agent, key);
      if (status === 200) served += 1;
      else if (status === null) {
        broken += 1;
        await restarted;
      } else assert.fail(`answered ${status}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, caller) => callOn(caller)));
  await restarted;
  const days = await listUsageDays(db, { keyId: id, month: null });
  const stored = days.reduce((sum, day) => sum + day.units, 0);
  t.diagnostic(`${started} calls: ${served} served, ${broken} broken by the kill, ${stored} units stored`);
  assert.ok(broken > 0 && broken <= CONNECTIONS / 2 + 1, `${broken} calls were in flight`);
  assert.ok(stored >= served, `${stored} units for ${served} answers`);
  assert.ok(stored <= served + broken, `${stored} units for ${served} answers and ${broken} in flight`);
});

/** More: TMDS_KILL_PROCESSES. */
const PROCESSES = Number(process.env.TMDS_KILL_PROCESSES ?? 4);
const QUOTA = 600;
const CALLERS = 32;

test('processes of which some are killed serve one quota to its last unit and not one more [8, I-28, I-29]', async (t) => {
  const { db, url } = await createTestDatabase(t);
  const servers = await Promise.all(Array.from({ length: PROCESSES }, () => startServer(url)));
  const agent = new Agent({ keepAlive: true });
  t.after(async () => {
    agent.destroy();
    for (const { child } of servers) child.kill('SIGKILL');
  });
  const order = { customer: 'c', name: null, products: ['records'] as const, actor: 'test' };
  const { id, key } = await issueKey(db, { ...order, rateLimitPerMinute: 1_000_000, quota: QUOTA });
  let [served, broken, refused] = [0, 0, 0];
  const living = new Set(servers);
  const kills: Promise<void>[] = [];
  const killOne = (): void => {
    const server = servers[kills.length]!;
    kills.push(killInFlight(server).then(() => void living.delete(server)));
  };
  const callOn = async (caller: number): Promise<void> => {
    for (let turn = caller; refused < CALLERS; turn += 1) {
      const all = [...living];
      const status = await call(all[turn % all.length]!, agent, key);
      if (status === 200) served += 1;
      else if (status === null) broken += 1;
      else if (status === 429) refused += 1;
      else assert.fail(`answered ${status}`);
      // Half of them, one after the other, while the quota is used up.
      if (kills.length < PROCESSES / 2 && served > ((kills.length + 1) * QUOTA) / PROCESSES) killOne();
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, (_, caller) => callOn(caller)));
  await Promise.all(kills);
  const days = await listUsageDays(db, { keyId: id, month: null });
  const stored = days.reduce((sum, day) => sum + day.units, 0);
  t.diagnostic(`${served} served, ${broken} broken by kills, ${stored} units stored`);
  assert.equal(living.size, PROCESSES / 2);
  assert.ok(broken > 0, 'calls were in flight');
  assert.equal(stored, QUOTA);
  assert.ok(served <= QUOTA && served + broken >= QUOTA, `${served} served and ${broken} broken of ${QUOTA}`);
});
