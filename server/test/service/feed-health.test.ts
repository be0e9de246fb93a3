/** The alarms of the change feed: each fires for its cause and for nothing else. */
import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { buildLog } from '../../src/base/log.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { startJob } from '../../src/store/duties/jobs.ts';
import { PublishTooLate, publishBatch } from '../../src/store/publish/publish.ts';
import { checkFeed, type FeedFinding, pulseFeed } from '../../src/upkeep/health/feed-health.ts';
import { buildLook } from '../../src/upkeep/health/feed-watch.ts';
import { createTestDatabase } from '../support/database.ts';
import { allowLostVersions } from '../support/lost-versions.ts';
import { createSkewedDatabase } from '../torture/clock.ts';
import { buildRecords, publishRecords, stageRecords } from '../torture/publish.ts';
import { readPage } from '../torture/walk.ts';

const HEALTH = { horizonSeconds: 300 };

function name(findings: readonly FeedFinding[]): [string, string][] {
  return findings.map(({ check, level }) => [check, level]);
}

test('a healthy feed has no findings, empty or loaded [4.6.4]', async (t) => {
  const { db } = await createTestDatabase(t);
  assert.deepEqual(await checkFeed(db, HEALTH), []);
  await publishRecords(db, buildRecords(3));
  assert.deepEqual(await checkFeed(db, HEALTH), []);
});

test('a publish older than its deadline is named while it is open [4.6.4, I-21]', async (t) => {
  const { db } = await createTestDatabase(t);
  const loadId = await stageRecords(db, buildRecords(1));
  let during: FeedFinding[] = [];
  await publishBatch(db, loadId, 1, {
    onStep: async (step) => {
      if (step === 'written') during = await checkFeed(db, { ...HEALTH, deadlineMs: 0 });
    },
  });
  assert.deepEqual(name(during), [['publish_overdue', 'error']]);
  assert.match(during[0]!.seen, /a publish by process \d+ \(tmds test\) is older than its deadline of 0 s/);
  assert.deepEqual(await checkFeed(db, { ...HEALTH, deadlineMs: 0 }), []);
});

test('a clock behind the last stamp is named, and no longer once it has caught up [4.6.4, I-21]', async (t) => {
  const { db, step } = await createSkewedDatabase(t);
  await publishRecords(db, buildRecords(1));
  await step(-60);
  const [finding] = await checkFeed(db, HEALTH);
  assert.deepEqual([finding?.check, finding?.level], ['clock_behind', 'warning']);
  assert.match(finding!.seen, /clock is \d\d s behind the last stamp/);
  await step(60);
  assert.deepEqual(await checkFeed(db, HEALTH), []);
});

test('a writer that bypassed the protocol is detected by what it wrote [4.6.1]', async (t) => {
  const { db } = await createTestDatabase(t);
  await publishRecords(db, buildRecords(1));
  await allowLostVersions(db);
  await db.query(sql`update record set updated_at = now() + interval '1 second' where uid = 'R1'`);
  const [finding] = await checkFeed(db, HEALTH);
  assert.deepEqual([finding?.check, finding?.level], ['protocol_bypassed', 'error']);
  assert.match(finding!.seen, /record XA "R1" is stamped \S+Z, later than any publish/);
});

test('a pulse moves the horizon of an idle feed, never back and never past a publish under way [4.6.4, I-21]', async (t) => {
  const { db, step } = await createSkewedDatabase(t);
  await publishRecords(db, buildRecords(1));
  const stamp = async (): Promise<string> => (await readPage(db, { since: '2999-01-01' })).horizon;
  const published = await stamp();
  assert.equal(await pulseFeed(db), false, 'a young stamp is left alone');
  await step(10);
  assert.equal(await pulseFeed(db), true);
  const pulsed = await stamp();
  assert.ok(pulsed > published);
  await step(-20);
  assert.equal(await pulseFeed(db), false, 'a clock that stepped back moves nothing');
  await step(40);
  const loadId = await stageRecords(db, buildRecords(1, {}, 'new'));
  const seen: boolean[] = [];
  await publishBatch(db, loadId, 1, {
    onStep: async (name) => {
      if (name === 'locked' || name === 'written') seen.push(await pulseFeed(db));
    },
  });
  assert.deepEqual(seen, [false, false]);
});

test('an alarm is logged when it appears and when it ends, not at every check [4.6.4]', async (t) => {
  const { db, step } = await createSkewedDatabase(t);
  const lines: { level: number; alarm?: string; msg: string }[] = [];
  const destination = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(JSON.parse(chunk.toString()));
      done();
    },
  });
  let now = 0;
  const clock = { ...systemClock, monotonicMs: () => now };
  const log = buildLog({ level: 'info', destination });
  const look = buildLook({ database: db, clock, log, horizonSeconds: 300 });
  await publishRecords(db, buildRecords(1));
  await look();
  await step(-60);
  for (let round = 0; round < 3; round += 1) await look();
  now += 11 * 60 * 1000;
  await look();
  await step(60);
  await look();
  await look();
  assert.deepEqual(
    lines.map(({ level, alarm }) => [level, alarm]),
    [
      [40, 'clock_behind'],
      [40, 'clock_behind'],
      [30, 'clock_behind'],
    ],
  );
});

test('a database without room on its disk is named by the log, and no longer once it has some', async (t) => {
  const { db } = await createTestDatabase(t);
  const lines: { level: number; alarm?: string }[] = [];
  const destination = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(JSON.parse(chunk.toString()));
      done();
    },
  });
  const log = buildLog({ level: 'info', destination });
  const look = buildLook({ database: db, clock: systemClock, log, horizonSeconds: 300 });
  await db.session((session) =>
    session.runScript(`create function refuse() returns trigger language plpgsql
      as $$ begin raise 'could not extend file' using errcode = 'disk_full'; end $$;
      create trigger refuse before update on publish_clock for each row execute function refuse();`),
  );
  await look();
  await db.query(sql`drop trigger refuse on publish_clock`);
  await look();
  assert.deepEqual(
    lines.map(({ level, alarm }) => [level, alarm]),
    [
      [50, 'database_disk_full'],
      [30, 'database_disk_full'],
    ],
  );
});

test('the monitor stops when asked to, even while it waits [4.6.4]', async (t) => {
  const { db } = await createTestDatabase(t);
  const log = buildLog({ level: 'silent' });
  const look = buildLook({ database: db, clock: systemClock, log, horizonSeconds: 300 });
  await startJob(systemClock, 'feed', look).stop();
  const [clock] = await db.query<{ pulsed: boolean }>(sql`select last_stamp > 'epoch' as pulsed from publish_clock`);
  assert.equal(clock?.pulsed, true);
});

test('a publish that is too late fails as such, so that its load publishes the batch again [4.6.1]', async (t) => {
  const { db } = await createTestDatabase(t);
  const loadId = await stageRecords(db, buildRecords(2));
  await assert.rejects(publishBatch(db, loadId, 1, { deadlineMs: 0 }), PublishTooLate);
  assert.deepEqual((await publishBatch(db, loadId, 1)).newCount, 2);
});
