/**
 * `tmds payloads move` killed as a power cut would, at each of its steps and anywhere: every payload stays what it was,
 * the same command goes on, and what is left in the store is found and can be taken away.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { PAYLOAD_PLACES, type PayloadPlace } from '../../src/base/payload-places.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { checkDocuments, countDocuments } from '../../src/store/documents/check.ts';
import { readDocuments } from '../../src/store/documents/read.ts';
import { DOCUMENT_TABLES, walkDocuments } from '../../src/store/documents/tables.ts';
import { lockPublishing } from '../../src/store/publish/feed-clock.ts';
import { sweepObjects } from '../../src/upkeep/retention/sweep-objects.ts';
import { runHere } from '../support/command.ts';
import { createTestDatabase } from '../support/database.ts';
import { makeFolder } from '../support/folder.ts';
import { UNLIMITED } from '../support/loads.ts';
import { startObjects, type TestObjects } from '../support/objects.ts';
import { type Running, runTmds, startTmds } from '../support/process.ts';
import { buildRecords, publishRecords } from '../torture/publish.ts';
import { buildRandom } from '../torture/random.ts';

/** Two pages of a move by their bytes, and one of past versions. */
const RECORDS = 24;
const VERSIONS = 6;
const LINES = 14_000;

/** Every document by its key, read from where it is. */
async function readAll(db: Database): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const table of DOCUMENT_TABLES) {
    for await (const rows of walkDocuments(db, table, { places: ['database', 'compressed', 's3'] })) {
      const documents = await readDocuments(
        db,
        rows.map(({ held }) => Buffer.from(held)),
      );
      for (const [at, { key }] of rows.entries()) texts.set(`${table} ${key.join(' ')}`, String(documents[at]));
    }
  }
  return texts;
}

interface World {
  readonly db: Database;
  readonly objects: TestObjects;
  /** Starts the command and resolves when it is where it is to be killed. */
  readonly reach: (to: PayloadPlace, when: (running: Running) => Promise<void>) => Promise<Running>;
}

/** At the n-th call of this method to the store. */
function atCall({ objects }: World, method: string, wanted: number): (running: Running) => Promise<void> {
  return async ({ ended }) => {
    let seen = 0;
    const reached = new Promise<void>((resolve) => {
      objects.onCall = (each) => {
        if (each === method) seen += 1;
        if (seen === wanted) resolve();
      };
    });
    await Promise.race([reached, ended]);
  };
}

/** When something of the move waits for what `hold` holds. */
function atLock({ db }: World, hold: (tx: Parameters<typeof lockPublishing>[0]) => Promise<unknown>) {
  return async (running: Running): Promise<void> =>
    await db.transaction(async (tx) => {
      await hold(tx);
      let hasEnded = false;
      void running.ended.then(() => {
        hasEnded = true;
      });
      for (let isWaiting = false; !isWaiting && !hasEnded; ) {
        const waiting = await db.query(sql`
          select from pg_stat_activity where application_name = 'tmds payloads move' and wait_event_type = 'Lock'
            and datname = current_database()`);
        isWaiting = waiting.length > 0;
        await systemClock.sleep(10);
      }
      running.kill('SIGKILL');
      await running.ended;
    });
}

test('a move that is killed with -9 at each step and anywhere loses nothing, and goes on when it is run again', {
  timeout: 600_000,
}, async (t) => {
  const objects = await startObjects(t);
  const { db, url } = await createTestDatabase(t, { ...UNLIMITED, objects: objects.store });
  const records = buildRecords(RECORDS).map((record, at) => ({
    ...record,
    payload: {
      remarks: Array.from({ length: LINES }, (_, line) => `goods and services of ${at}, no. ${line}, as filed`),
    },
  }));
  await publishRecords(db, records);
  const changes = records.slice(0, VERSIONS).map((record, at) => ({ ...record, payload: { remarks: [`new ${at}`] } }));
  await publishRecords(db, changes);
  const environment = {
    DATABASE_URL: url,
    TMDS_DATA_DIR: join(makeFolder(t), 'data'),
    TMDS_S3_ENDPOINT: objects.endpoint,
    TMDS_S3_BUCKET: objects.bucket,
    TMDS_S3_REGION: objects.region,
    TMDS_S3_PREFIX: 'test/',
    TMDS_S3_KEY_ID: objects.keyId,
    TMDS_S3_SECRET: objects.secret,
  };
  const moveTo = (to: PayloadPlace): string[] => ['payloads', 'move', '--to', to, '--json'];
  const world: World = {
    db,
    objects,
    reach: async (to, when) => {
      const running = startTmds(t, moveTo(to), environment);
      await when(running);
      running.kill('SIGKILL');
      const { status } = await running.ended;
      objects.onCall = () => undefined;
      assert.equal(status, null, `the move to ${to} had ended before it was killed: ${running.stderr()}`);
      return running;
    },
  };
  const before = await readAll(db);
  assert.equal(before.size, RECORDS + VERSIONS);
  const seed = Number(process.env.TMDS_TEST_SEED ?? 30);
  const random = buildRandom(seed);
  const held = async (to: PayloadPlace): Promise<number> =>
    (await countDocuments(db)).held
      .filter(({ place }) => place === to)
      .reduce((sum, { documents }) => sum + documents, 0);
  // A move passes rows whose document is already in its place.
  const lastRowFor = (to: PayloadPlace) => async (tx: Parameters<typeof lockPublishing>[0]) => {
    const places = PAYLOAD_PLACES.filter((place) => place !== to);
    let uid = '';
    for await (const rows of walkDocuments(tx, 'payload', { places })) uid = rows.at(-1)!.key[1]!;
    await tx.query(sql`select from payload where uid = ${uid} for update`);
  };

  const kills: [string, PayloadPlace, (running: Running) => Promise<void>][] = [
    ['while it brings the first objects', 's3', atCall(world, 'PUT', 1)],
    ['somewhere', 's3', atCall(world, 'PUT', random.integer(2, 12))],
    ['while it reads back', 's3', atCall(world, 'GET', random.integer(1, 12))],
    ['when a page is brought', 's3', atLock(world, lockPublishing)],
    ['when pages are moved, and rows of another are half written', 's3', atLock(world, lastRowFor('s3'))],
    ['while it reads objects', 'database', atCall(world, 'GET', random.integer(1, 12))],
    ['somewhere', 's3', atCall(world, 'PUT', random.integer(1, 12))],
    ['when a page is packed', 'compressed', atLock(world, lockPublishing)],
    [
      'when pages are moved, and rows of another are half written',
      'compressed',
      atLock(world, lastRowFor('compressed')),
    ],
    ['when a page is read', 'database', atLock(world, lockPublishing)],
    ['when rows are half written', 'database', atLock(world, lastRowFor('database'))],
  ];
  for (const [step, to, when] of kills) {
    await world.reach(to, when);
    assert.deepEqual(await readAll(db), before, `killed ${step} of the move to ${to}, seed ${seed}`);
  }
  assert.ok((await held('s3')) + (await held('compressed')) > 0, 'what was moved stayed moved');

  for (const to of ['s3', 'compressed', 'database'] as const) {
    const ended = await runTmds(t, moveTo(to), environment);
    assert.equal(ended.status, 0, ended.stderr);
    assert.deepEqual(await readAll(db), before, to);
    assert.equal(await held(to), before.size);
    assert.deepEqual((await checkDocuments(db)).lost, []);
    if (to !== 's3') continue;
    const all = await sweepObjects({ db, beforeMs: Number.MAX_SAFE_INTEGER, dryRun: true });
    assert.deepEqual([all.objects, all.unnamed], [before.size, 0], 'no kill left an object that nothing names');
  }

  await world.reach('s3', atCall(world, 'PUT', random.integer(2, 24)));
  const found = await runHere(['payloads', 'sweep', '--older-than-days', '1'], environment);
  assert.match(
    found.stdout,
    /^30 objects, 0 of them.*\n30 more that nothing names are too young for --older-than-days 1/,
  );
  const swept = await sweepObjects({ db, beforeMs: Number.MAX_SAFE_INTEGER, dryRun: false });
  assert.equal(swept.unnamed, before.size);
  assert.deepEqual(await readAll(db), before);
});
