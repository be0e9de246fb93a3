import assert from 'node:assert/strict';
import { appendFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { openSession } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { type AttachedDatabase, type AttachOptions, attachDatabase } from '../../src/database/embedded/attach.ts';
import { findCluster, findRunning } from '../../src/database/embedded/cluster.ts';
import { findFolder, TEST_SERVER_SETTINGS } from '../support/cluster.ts';
import { testLog } from '../support/database.ts';
import { isFull } from '../support/depth.ts';
import { makeFolder } from '../support/folder.ts';

function attachOptions(dataDir: string, steps: string[] = []): AttachOptions {
  return {
    dataDir,
    databaseUrl: null,
    applicationName: 'tmds test',
    clock: systemClock,
    log: testLog,
    onProgress: (step) => steps.push(step),
    serverSettings: TEST_SERVER_SETTINGS,
  };
}

function attach(dataDir: string, steps: string[] = []): Promise<AttachedDatabase> {
  return attachDatabase(attachOptions(dataDir, steps));
}

const limits = { statementTimeoutMs: 0, applicationName: 'tmds test', acquireTimeoutMs: 10_000 };

async function query(url: string, statement: ReturnType<typeof sql>): Promise<unknown[]> {
  const session = await openSession({ url, ...limits });
  return await session.query(statement).finally(() => session.close());
}

async function isRunning(dataDir: string): Promise<boolean> {
  return (await findRunning((await findCluster(dataDir))!)) !== null;
}

test('the embedded database has checksums, UTF8, and the built-in C.UTF-8 provider, which knows letters of every script', async (t) => {
  const folder = makeFolder(t, findFolder());
  const steps: string[] = [];
  const attached = await attach(folder, steps);
  const [settings] = await query(
    attached.url,
    sql`select current_setting('data_checksums') as checksums, current_setting('server_encoding') as encoding,
      current_setting('jit') as jit, datlocprovider::text as provider, datlocale as locale,
      current_setting('server_version_num')::int / 10000 as version
    from pg_database where datname = current_database()`,
  );
  const [letters] = await query(attached.url, sql`select lower('ЗНАК É') as lower`);
  await attached.release();
  assert.deepEqual(
    { settings, letters, steps, left: await isRunning(folder) },
    {
      settings: { checksums: 'on', encoding: 'UTF8', jit: 'off', provider: 'b', locale: 'C.UTF-8', version: 18 },
      letters: { lower: 'знак é' },
      steps: ['creating the embedded database'],
      left: false,
    },
  );
});

test('nobody gets in without the password', async (t) => {
  const folder = makeFolder(t, findFolder());
  const attached = await attach(folder);
  const wrong = new URL(attached.url);
  wrong.password = 'guess';
  const refusal = await query(wrong.href, sql`select 1 as one`).catch((error: Error) => error);
  await attached.release();
  assert.equal((refusal as { cause?: { code?: string } }).cause?.code, '28P01');
});

test('a password file that no longer fits is one sentence, not an endless wait', async (t) => {
  const folder = makeFolder(t, findFolder());
  const attached = await attach(folder);
  await writeFile(join(folder, 'postgres', 'password'), 'guess\n');
  await assert.rejects(attach(folder), {
    name: 'OperatorError',
    message: `the embedded database does not accept the password in ${folder}/postgres/password: password authentication failed for user "tmds"; restore that file, or the whole data folder, from a backup`,
  });
  await attached.release();
});

test('a PostgreSQL that refuses to start is one sentence with its own reason', async (t) => {
  const folder = makeFolder(t, findFolder());
  await (await attach(folder)).release();
  await appendFile(join(folder, 'postgres', 'cluster', 'postgresql.conf'), '\nno_such_setting = 1\n');
  await assert.rejects(
    attachDatabase({ ...attachOptions(folder), serverSettings: {} }),
    (error: Error) =>
      error.name === 'OperatorError' && /^the embedded database does not start: .*\(see .*\/log\)$/.test(error.message),
  );
});

test('a folder whose path is too long for a socket is served on loopback', async (t) => {
  const folder = join(makeFolder(t, findFolder()), 'a'.repeat(100));
  await mkdir(folder);
  const first = await attach(folder);
  const second = await attach(folder);
  const { hostname } = new URL(first.url);
  const answers = await Promise.all([first, second].map(({ url }) => query(url, sql`select 1 as one`)));
  await Promise.all([first.release(), second.release()]);
  assert.deepEqual(
    { hostname, answers, left: await isRunning(folder) },
    { hostname: '127.0.0.1', answers: [[{ one: 1 }], [{ one: 1 }]], left: false },
  );
});

test('it runs while anybody uses it, and stops with the last one', async (t) => {
  const folder = makeFolder(t, findFolder());
  const users = await Promise.all([attach(folder), attach(folder), attach(folder)]);
  const running: boolean[] = [];
  for (const user of users) {
    running.push(await isRunning(folder));
    await user.release();
  }
  running.push(await isRunning(folder));
  assert.deepEqual(running, [true, true, true, false]);
});

const ROUNDS = isFull ? 6 : 2;

test('arriving while the last one leaves is harmless: every arrival gets a database that stays until it leaves', async (t) => {
  const folder = makeFolder(t, findFolder());
  const visit = async (rounds: number): Promise<number> => {
    let served = 0;
    for (let round = 0; round < rounds; round += 1) {
      const attached = await attach(folder);
      served += (await query(attached.url, sql`select 1 as one`)).length;
      await attached.release();
    }
    return served;
  };
  const served = await Promise.all([visit(ROUNDS), visit(ROUNDS), visit(ROUNDS)]);
  assert.deepEqual({ served, left: await isRunning(folder) }, { served: [ROUNDS, ROUNDS, ROUNDS], left: false });
});

test('as root it belongs to another account, and no folder above it is opened for that account', {
  skip: process.getuid?.() !== 0 && 'only root lends an account',
}, async (t) => {
  const folder = makeFolder(t, findFolder());
  const dataDir = join(folder, 'closed', 'data');
  await mkdir(join(folder, 'closed'), { mode: 0o700 });
  const attached = await attach(dataDir);
  const { pid } = (await findRunning((await findCluster(dataDir))!))!;
  const process_ = await stat(`/proc/${pid}`);
  const places = [folder, join(folder, 'closed'), dataDir, join(dataDir, 'postgres')];
  const seen = await Promise.all(places.map(async (place) => stat(place)));
  await attached.release();
  assert.deepEqual(
    { isRoot: process_.uid === 0, folders: seen.map(({ uid, mode }) => ({ uid, mode: mode & 0o777 })) },
    { isRoot: false, folders: places.map(() => ({ uid: 0, mode: 0o700 })) },
  );
});

test('a database on loopback that crashed is found again, at its port, by its users', async (t) => {
  const folder = join(makeFolder(t, findFolder()), 'a'.repeat(100));
  await mkdir(folder);
  const attached = await attach(folder);
  const before = new URL(attached.url).port;
  const note = join(folder, 'postgres', 'cluster', 'postmaster.pid');
  const pid = Number.parseInt(await readFile(note, 'utf8'), 10);
  process.kill(pid, 'SIGKILL');
  let answer: unknown;
  while (answer === undefined) answer = await query(attached.url, sql`select 1 as one`).catch(() => undefined);
  const after = new URL(attached.url).port;
  await attached.release();
  // The process may have been attaching again when it released it; it stops the database as soon as it has.
  while (await isRunning(folder));
  assert.deepEqual({ answer, after }, { answer: [{ one: 1 }], after: before });
});

test('a command that only reads makes no database where there is none', async (t) => {
  const folder = makeFolder(t, findFolder());
  await assert.rejects(attachDatabase({ ...attachOptions(folder), mayCreate: false }), /there is no database below/);
  assert.deepEqual(await readdir(folder), []);
});
