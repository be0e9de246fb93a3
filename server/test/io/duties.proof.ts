/** Two servers on one database: the work of one process passes on when its holder is killed or paused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listHolders } from '../../src/store/duties/duties.ts';
import { connectTestDatabase, createTestDatabase } from '../support/database.ts';
import { createDataFolder, runTmds, type ServingProcess, startServing, waitFor } from '../support/process.ts';

const WORK = ['matching', 'webhooks'] as const;

test('a duty of one of two servers passes to the other when it is killed or paused, and is never done by both', {
  timeout: 300_000,
}, async (t) => {
  const { url } = await createTestDatabase(t);
  const db = await connectTestDatabase(url);
  t.after(() => db.close());
  /** Names the connections of each server apart by what they are called at the database: its own process. */
  const readPids = async (): Promise<Readonly<Record<string, number>>> => {
    const holders = (await listHolders(db)).filter(({ duty }) => WORK.some((work) => work === duty));
    assert.equal(new Set(holders.map(({ duty }) => duty)).size, holders.length, 'a duty has one holder');
    return Object.fromEntries(holders.map(({ duty, pid }) => [duty, pid]));
  };
  const start = async (): Promise<ServingProcess> =>
    await startServing(t, { DATABASE_URL: url, TMDS_DATA_DIR: await createDataFolder(t) });
  const waitForOthers = async (before: Readonly<Record<string, number>>): Promise<Readonly<Record<string, number>>> => {
    let now = await readPids();
    await waitFor(async () => {
      now = await readPids();
      return WORK.every((work) => now[work] !== undefined && now[work] !== before[work]);
    });
    return now;
  };

  const first = await start();
  const ofFirst = await waitForOthers({});
  const second = await start();
  assert.deepEqual(await readPids(), ofFirst, 'a second server takes nothing from the first');

  first.kill('SIGSTOP');
  const ofSecond = await waitForOthers(ofFirst);
  first.kill('SIGCONT');
  assert.equal((await fetch(`${first.address}/livez`)).status, 200, 'it goes on');
  assert.deepEqual(await readPids(), ofSecond, 'who comes back takes nothing from the second');
  const shown = await runTmds(t, ['doctor', '--json'], { DATABASE_URL: url, TMDS_DATA_DIR: await createDataFolder(t) });
  const { findings } = JSON.parse(shown.stdout) as { findings: { subject: string; seen: string }[] };
  const duties = findings.filter(({ subject }) => subject === 'duties').map(({ seen }) => seen);
  for (const work of WORK) {
    const told = new RegExp(`^${work}: tmds [a-z ]+, process ${ofSecond[work]} of the database, since \\S+Z$`);
    assert.ok(
      duties.some((seen) => told.test(seen)),
      `${work} in ${duties.join('; ')}`,
    );
  }

  second.kill('SIGKILL');
  await second.ended;
  await waitForOthers(ofSecond);
  first.kill('SIGTERM');
  assert.equal((await first.ended).status, 0);
  assert.deepEqual(await readPids(), {}, 'a server that ends gives back what it holds');
});
