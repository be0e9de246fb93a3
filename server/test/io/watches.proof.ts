/**
 * Watches over real processes: which server matches when others are killed, and what operators do with `tmds watch`.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { WatchDetail } from '@tmds/contract/watches';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { LOCK_SPACE, MATCHING_LOCK } from '../../src/database/schema/locks.ts';
import { runHere } from '../support/command.ts';
import { createTestDatabase } from '../support/database.ts';
import { createDataFolder, type ServingProcess, startServing, waitFor } from '../support/process.ts';
import { WatchedWorld } from '../support/watched-world.ts';
import { publishRecords } from '../torture/publish.ts';
import { buildRandom } from '../torture/random.ts';

const KILLS = Number(process.env.TMDS_WATCH_KILLS ?? 3);

async function isMatched(db: Database): Promise<boolean> {
  const [row] = await db.query<{ matched: boolean }>(
    sql`select complete_through >= last_stamp as matched from watch_progress, publish_clock`,
  );
  return row!.matched;
}

test('one of two servers matches, and when it is killed the other continues: no hit is lost or repeated', async (t) => {
  const { db, url } = await createTestDatabase(t);
  const random = buildRandom(11);
  const world = await WatchedWorld.open(db, random);
  for (let count = 0; count < 40; count += 1) await world.changeWatch();
  const start = async (): Promise<ServingProcess> =>
    await startServing(t, { DATABASE_URL: url, TMDS_DATA_DIR: await createDataFolder(t) });
  const servers = [await start(), await start()];
  const matchers = async (): Promise<number> => {
    const [row] = await db.query<{ count: number }>(sql`
      select count(*)::int as count from pg_locks where locktype = 'advisory' and granted
        and classid = ${LOCK_SPACE} and objid = ${MATCHING_LOCK}
        and database = (select oid from pg_database where datname = current_database())`);
    return row!.count;
  };
  for (let kill = 0; kill < KILLS; kill += 1) {
    for (let count = 0; count < 5; count += 1) await world.publish(30);
    await waitFor(async () => (await matchers()) === 1);
    // Whichever matches: both are killed in turn, each time while there is something left to match.
    const [oldest] = servers;
    oldest!.kill('SIGKILL');
    await oldest!.ended;
    await world.publish(30);
    servers.splice(0, 1);
    servers.push(await start());
    await waitFor(() => isMatched(db));
  }
  for (const [id, expected] of world.listExpected()) {
    assert.deepEqual((await world.listTold()).get(id), expected, id);
  }
  assert.ok(world.events.length > 100);
});

test('tmds watch makes, lists, shows and ends the watches of a customer, and prints their hits', async (t) => {
  const { db, url } = await createTestDatabase(t);
  const folder = await createDataFolder(t);
  const environment = { DATABASE_URL: url, TMDS_DATA_DIR: folder };
  const watch = (...words: string[]) => runHere(['watch', ...words, '--customer', 'Acme'], environment);
  const missing = await watch('list');
  assert.deepEqual([missing.status, missing.stdout], [1, '']);
  await runHere(['customer', 'add', 'Acme'], environment);
  const made = await watch('put', 'acme', '--name', 'Acme marks', '--search', 'owner_name=ACME');
  assert.deepEqual([made.status, made.stdout], [0, 'watch acme is created\n']);
  assert.equal(
    (await watch('put', 'acme', '--name', 'Acme marks', '--search', 'owner_name=acme')).stdout,
    'watch acme is unchanged\n',
  );
  const file = join(folder, 'watch.json');
  await writeFile(file, JSON.stringify({ name: 'two', records: [{ jurisdiction_code: 'US', uid: 'A' }] }));
  assert.equal((await watch('put', 'two', '--file', file)).stdout, 'watch two is created\n');
  const listed = JSON.parse((await watch('list', '--json')).stdout) as { id: string; search: string | null }[];
  assert.deepEqual(
    listed.map(({ id, search }) => [id, search]),
    [
      ['acme', 'owner_name=acme'],
      ['two', null],
    ],
  );
  assert.match((await watch('show', 'two')).stdout, /\nUS A\n$/);
  const server = await startServing(t, environment);
  await publishRecords(db, [{ jurisdiction_code: 'US', uid: 'A', owner_names: ['acme'] }]);
  await waitFor(() => isMatched(db));
  const hits = JSON.parse((await watch('hits', 'two', '--json')).stdout) as { items: { event: string; uid: string }[] };
  assert.deepEqual(
    hits.items.map(({ event, uid }) => [event, uid]),
    [['begins', 'A']],
  );
  assert.match((await watch('hits', 'acme')).stdout, /US +A +begins +first/);
  await publishRecords(db, [{ jurisdiction_code: 'US', uid: 'A', owner_names: ['other'] }]);
  await waitFor(() => isMatched(db));
  const shown = await watch('preview', 'acme');
  assert.match(shown.stdout, /^0 match now; events are counted from \d{4}-\d\d-01T00:00:00\.000000Z on\n/);
  assert.match(shown.stdout, /\n\d{4}-\d\d +2 +0 +2\n/, 'it began to match, and stopped');
  const preview = async (...words: string[]) =>
    JSON.parse((await watch('preview', ...words, '--json')).stdout) as Pick<WatchDetail, 'matches_now' | 'months'>;
  const told = ({ matches_now, months }: Awaited<ReturnType<typeof preview>>) => [matches_now, months[0]!.events];
  assert.deepEqual(told(await preview('two')), [1, 2]);
  assert.deepEqual(told(await preview('not-made', '--search', 'owner_name=other')), [1, 1]);
  assert.match((await watch('end', 'two')).stdout, /^watch two ended at /);
  for (const words of [
    ['put', 'x', '--name', 'x'],
    ['put', 'x', '--name', 'x', '--search', 'owner_nam=a'],
    ['put', '-x', '--name', 'x', '--search', 'owner_name=a'],
    ['put', 'x', '--file', join(folder, 'none.json')],
    ['hits', 'acme', '--limit', '0'],
  ]) {
    const refused = await watch(...words);
    assert.deepEqual([refused.status, refused.stdout], [2, ''], words.join(' '));
    assert.equal(refused.stderr.trim().split('\n').length, 1);
  }
  assert.equal((await watch('end', 'none')).status, 1);
  server.kill('SIGTERM');
});
