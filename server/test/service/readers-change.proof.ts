/** Standbys that stop, are promoted, or follow another primary: nothing older than the primary is read. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { waitFor } from '../support/process.ts';
import {
  collectStandbyLog,
  faultsOf,
  findMark,
  findServer,
  listServers,
  openTestReaders,
  portOf,
} from '../support/reader-servers.ts';
import { buildRecords, publishRecords } from '../torture/publish.ts';
import { startPrimary } from '../torture/standby.ts';

test('a standby that stops is left and taken back automatically; one that is promoted or another database never', async (t) => {
  const primary = await startPrimary(t);
  await publishRecords(primary.db, buildRecords(1, { mark_name: 'first' }));
  const stranger = await startPrimary(t);
  const standby = await primary.addStandby();
  await standby.catchUp();
  const { log, lines } = collectStandbyLog();
  const readers = await openTestReaders(t, primary, [standby, stranger], { log });
  const followed: (string | null)[] = [readers.followed()];
  readers.onFollowed((url) => followed.push(url));
  const [port, other, own] = [standby, stranger, primary].map(({ url }) => portOf(url));
  assert.deepEqual(faultsOf(readers), [null, 'is not a standby']);

  await standby.stop();
  assert.equal(await findServer(readers.database), own);
  await waitFor(async () => readers.followed() === null);
  await standby.start();
  await waitFor(async () => readers.followed() === standby.url);
  assert.equal(await findServer(readers.database), port);

  await standby.promote();
  await publishRecords(standby.db, [{ uid: 'R1', mark_name: 'of another history' }]);
  assert.equal(await findMark(readers.database, 'R1'), 'first');
  await publishRecords(primary.db, [{ uid: 'R1', mark_name: 'second' }]);
  assert.equal(await findMark(readers.database, 'R1'), 'second');
  await waitFor(async () => readers.followed() === null);
  assert.deepEqual(await listServers(readers), [own]);
  assert.deepEqual(followed, [standby.url, null, standby.url, null]);
  const left = 'a standby is not read from until it is right again';
  const told = lines().map((line) => line.replace(/(does not answer): .*$/, '$1'));
  assert.deepEqual(told.slice(0, 4), [
    `${port}: records are read from a standby`,
    `${other}: ${left}: is not a standby`,
    `${port}: ${left}: does not answer`,
    `${port}: records are read from a standby`,
  ]);
  assert.match(told.slice(4).join('\n'), new RegExp(`^${port}: ${left}: is not a standby( any more)?`));
});

test('after a fail-over nothing is read from a standby before it has been compared with the new primary [I-19]', async (t) => {
  const old = await startPrimary(t);
  await publishRecords(old.db, buildRecords(1, { mark_name: 'kept' }));
  const [promoted, ahead] = [await old.addStandby(), await old.addStandby()];
  await promoted.catchUp();
  await promoted.stop();
  await publishRecords(old.db, [{ uid: 'R1', mark_name: 'lost' }]);
  await ahead.catchUp();
  let isHeld = false;
  const primary: { url: string; readonly db: Database } = { url: old.url, db: promoted.db };
  // Once held, nobody checks the standbys any more.
  const looking = { ...systemClock, sleep: holdLooks(() => isHeld) };
  const readers = await openTestReaders(t, primary, [ahead], { clock: looking });
  assert.equal(await findMark(readers.database, 'R1'), 'lost');
  isHeld = true;
  await old.kill();
  await promoted.start();
  await promoted.promote();
  primary.url = promoted.url;
  assert.equal(await findMark(readers.database, 'R1'), 'kept');
});

/** Pauses of a tenth of a second and more last until they are abandoned. */
function holdLooks(isHeld: () => boolean): Clock['sleep'] {
  return async (ms, signal) => {
    await systemClock.sleep(isHeld() && ms >= 100 ? 600_000 : ms, signal);
  };
}
