/** The real server with two real standbys: what it reads while they are killed, promoted, stopped and started. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { issueKey } from '../../src/access/keys.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { createDataFolder, runTmds, startServing, waitFor } from '../support/process.ts';
import { startReadLoad } from '../support/read-load.ts';
import { countReads, placeOf } from '../support/reader-servers.ts';
import { publishRecords } from '../torture/publish.ts';
import { type Node, startPrimary } from '../torture/standby.ts';

/** Publishes between two events. */
const PUBLISHES = 15;

async function countIndexes({ db }: Node): Promise<number> {
  return (await db.query(sql`select from pg_stat_activity where application_name = 'tmds index'`)).length;
}

test('two standbys are killed under load, one is promoted, the other lags, stops and returns: nothing is lost, repeated, old or of another history [4.6.1, I-19, I-41]', async (t) => {
  const primary = await startPrimary(t);
  const promoted = await primary.addStandby();
  const stopped = await primary.addStandby();
  const environment = {
    DATABASE_URL: primary.url,
    DATABASE_REPLICA_URLS: [promoted, stopped].map(({ url }) => url).join(','),
    TMDS_DATA_DIR: await createDataFolder(t),
  };
  const settings = { TMDS_CHANGE_HORIZON_SECONDS: '0', TMDS_METRICS_PORT: '0', TMDS_LOG_LEVEL: 'info' };
  const server = await startServing(t, { ...environment, ...settings });
  const { key } = await issueKey(primary.db, {
    ...{ customer: 'Example', name: null, products: ['records'], rateLimitPerMinute: 1_000_000 },
    ...{ quota: null, actor: 'test' },
  });
  const call = async (path: string) => {
    const answer = await fetch(`${server.address}${path}`, { headers: { 'x-api-key': key } });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const load = startReadLoad(primary.db, call);
  await load.publishMore(PUBLISHES);
  const readsOf = async (node: Node): Promise<number> => (await countReads(server)).get(placeOf(node)) ?? 0;
  for (const standby of [stopped, promoted]) {
    await standby.kill();
    await load.publishMore(PUBLISHES);
    const dead = await readsOf(standby);
    await standby.start();
    await waitFor(async () => (await readsOf(standby)) > dead);
  }
  await load.publishMore(PUBLISHES);
  const before = await countReads(server);
  assert.ok(before.get(placeOf(promoted))! > 0 && before.get(placeOf(stopped))! > 0, 'both are read from');
  assert.equal((await countIndexes(promoted)) + (await countIndexes(stopped)) > 0, true, 'the index follows one');

  await stopped.pauseReplay();
  await load.publishMore(PUBLISHES);
  await stopped.resumeReplay();

  await promoted.promote();
  for (let number = 0; number < PUBLISHES; number += 1) {
    await publishRecords(promoted.db, [{ uid: `R${number}`, mark_name: 'of another history' }]);
  }
  await load.publishMore(PUBLISHES);
  const between = await countReads(server);
  await stopped.stop();
  await load.publishMore(PUBLISHES);
  const alone = await countReads(server);
  await stopped.start();
  await waitFor(async () => (await countReads(server)).get(placeOf(stopped))! > alone.get(placeOf(stopped))!);
  await load.publishMore(PUBLISHES);
  await load.end();

  assert.deepEqual(load.faults, []);
  assert.ok(between.get(placeOf(stopped))! > before.get(placeOf(stopped))!, 'the other standby went on');
  assert.ok(alone.get('primary')! > between.get('primary')!, 'the primary answers when no standby can');
  assert.equal((await countReads(server)).get(placeOf(promoted)), alone.get(placeOf(promoted)), 'it is not read again');
  assert.equal(await countIndexes(promoted), 0);
  t.diagnostic(JSON.stringify(load.counts));

  const { status, stdout } = await runTmds(t, ['doctor', '--json'], environment);
  const { findings } = JSON.parse(stdout) as { findings: { subject: string; seen: string }[] };
  const seen = findings.filter(({ subject }) => subject === 'replica').map((finding) => finding.seen);
  assert.equal(status, 1);
  assert.equal(seen[0], `${placeOf(promoted)} is not read from: it is not a standby`);
  assert.match(seen[1]!, /is read from: a standby, \d+ ms behind the primary$/);
});
