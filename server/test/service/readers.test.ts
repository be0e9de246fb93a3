/** Records read from two real streaming standbys: as new as the primary, whatever becomes of the standbys. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { withLimits } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { followPrimary } from '../../src/database/readers/primary.ts';
import { buildRecordReader } from '../../src/store/records/records.ts';
import { createTestDatabase, testLog } from '../support/database.ts';
import { startGate } from '../support/gate.ts';
import { waitFor } from '../support/process.ts';
import { faultsOf, findMark, listServers, openTestReaders, portOf } from '../support/reader-servers.ts';
import { buildRecords, publishRecords } from '../torture/publish.ts';
import { startPrimary } from '../torture/standby.ts';
import { identify, readPage, walkChanges } from '../torture/walk.ts';

test('records are read from every standby, and what a standby has not replayed is never answered by it [4.6.1, I-19, I-41]', async (t) => {
  const primary = await startPrimary(t);
  await publishRecords(primary.db, buildRecords(3, { mark_name: 'first' }));
  const one = await primary.addStandby();
  const other = await primary.addStandby();
  await one.catchUp();
  await other.catchUp();
  const readers = await openTestReaders(t, primary, [one, other]);
  const ports = [one, other].map(({ url }) => portOf(url)).sort();
  assert.deepEqual(await listServers(readers), ports);

  const { cursor } = await walkChanges(readers.database, {}, { limit: () => 1 });
  await one.pauseReplay();
  await publishRecords(primary.db, [{ uid: 'R1', mark_name: 'second' }]);
  for (let tries = 0; tries < 12; tries += 1) {
    assert.equal(await findMark(readers.database, 'R1'), 'second', 'one is paused');
  }
  await other.pauseReplay();
  await publishRecords(primary.db, [{ uid: 'R1', mark_name: 'third' }, { uid: 'R9' }]);
  for (let tries = 0; tries < 12; tries += 1) {
    assert.equal(await findMark(readers.database, 'R1'), 'third', 'both are paused');
  }
  assert.deepEqual(await listServers(readers), [portOf(primary.url)]);
  const page = await readPage(readers.database, { cursor: cursor! });
  assert.deepEqual(identify(page.items), ['R1', 'R9']);

  await one.resumeReplay();
  await other.resumeReplay();
  await waitFor(async () => (await listServers(readers)).join() === ports.join());
  assert.equal(await findMark(readers.database, 'R1'), 'third');
  const rest = await walkChanges(readers.database, { cursor: cursor! }, { limit: () => 1 });
  assert.deepEqual([identify(rest.items), rest.cursor], [['R1', 'R9'], page.next_cursor]);
  assert.deepEqual(faultsOf(readers), [null, null]);
});

test('a lone look-up is answered by the primary, which is asked nothing else; several at once by a standby', async (t) => {
  const primary = await startPrimary(t);
  await publishRecords(primary.db, buildRecords(3));
  const standby = await primary.addStandby();
  await standby.catchUp();
  const readers = await openTestReaders(t, primary, [standby]);
  const { find } = buildRecordReader(readers.database, readers.primary, systemClock);
  const countAll = (): number[] => {
    const { primaryReads, standbys } = readers.figures();
    return [primaryReads, ...standbys.map(({ reads }) => reads)];
  };
  for (const uid of ['R1', 'R2', 'R3']) assert.ok((await find('XA', uid, false)) !== null);
  assert.deepEqual(countAll(), [3, 0]);
  await Promise.all(['R1', 'R2', 'R3'].map((uid) => find('XA', uid, false)));
  assert.deepEqual(countAll(), [3, 1]);
});

test('what a standby cancels for its replay is read from the primary, without counting against the standby', async (t) => {
  const primary = await startPrimary(t);
  const standby = await primary.addStandby();
  await primary.db.query(sql`create table in_the_way (n int)`);
  await primary.db.query(sql`insert into in_the_way values (1)`);
  await standby.catchUp();
  const readers = await openTestReaders(t, primary, [standby]);
  const read = () =>
    readers.database.query<{ port: string }>(
      sql`select current_setting('port') as port, case when pg_is_in_recovery() then pg_sleep(60) end from in_the_way`,
    );
  const isRunning = async (): Promise<boolean> => {
    const running = sql`select from pg_stat_activity where application_name = 'tmds serve reads' and state = 'active'`;
    return (await standby.db.query(running)).length > 0;
  };
  const conflicting = read();
  await waitFor(isRunning);
  await primary.db.transaction(
    async (tx) => void (await tx.runScript('lock table in_the_way in access exclusive mode')),
  );
  assert.deepEqual(
    (await conflicting).map(({ port }) => port),
    [portOf(primary.url)],
  );
  const cancelled = read();
  await waitFor(isRunning);
  await standby.db.query(
    sql`select pg_cancel_backend(pid) from pg_stat_activity where application_name = 'tmds serve reads'`,
  );
  assert.deepEqual(
    (await cancelled).map(({ port }) => port),
    [portOf(primary.url)],
  );
  assert.deepEqual(faultsOf(readers), [null]);

  const leaving = new AbortController();
  const left = withLimits(readers.database, { signal: leaving.signal }).query(sql`select pg_sleep(60)`);
  await waitFor(isRunning);
  leaving.abort(new Error('the caller has gone'));
  await assert.rejects(left, /the caller has gone/);
  assert.deepEqual(faultsOf(readers), [null]);
});

test('a start waits for a primary that opens its first connection slowly', async (t) => {
  const { url } = await createTestDatabase(t, { isSingle: true });
  const gate = await startGate(t, url, (place) => (place === 1 ? 'silent' : 'passed'));
  const away = { url: 'postgresql://nobody:x@127.0.0.1:1/none', place: 'away' };
  const options = { applicationName: 'tmds test', clock: systemClock, log: testLog };
  const primary = await followPrimary([{ url: gate.url, place: 'slow' }, away], options);
  assert.equal(primary.url, gate.url);
  await primary.close();
});
