/** What `tmds serve` answers while its database is locked, paused, or of another version (rules I-35, I-39). */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { runHere } from '../support/command.ts';
import { createTestDatabase } from '../support/database.ts';
import { makeFolder } from '../support/folder.ts';
import { createDataFolder, readPostmasterPid, runTmds, startServing, waitFor } from '../support/process.ts';

interface Answer {
  status: number;
  code: string | undefined;
  hasRetryAfter: boolean;
}

const UNAVAILABLE: Answer = { status: 503, code: 'unavailable', hasRetryAfter: true };

async function call(address: string, path: string, key?: string): Promise<Answer> {
  const headers = key === undefined ? {} : { 'x-api-key': key };
  const response = await fetch(`${address}${path}`, { headers, signal: AbortSignal.timeout(20_000) });
  const body = (await response.json()) as { error?: { code: string } };
  return { status: response.status, code: body.error?.code, hasRetryAfter: response.headers.has('retry-after') };
}

async function issueKey(t: Parameters<typeof runTmds>[0], environment: Record<string, string>): Promise<string> {
  const { stdout } = await runTmds(t, ['key', 'issue', '--customer', 'Example', '--json'], environment);
  return (JSON.parse(stdout) as { key: string }).key;
}

async function startOnTestDatabase(
  t: Parameters<typeof startServing>[0],
  settings: Readonly<Record<string, string>> = {},
): Promise<{ address: string; key: string; db: Database; url: string; stderr: () => string }> {
  const { db, url } = await createTestDatabase(t);
  const environment = { DATABASE_URL: url, ...settings };
  const issued = await runHere(['key', 'issue', '--customer', 'Example', '--json'], environment);
  const { key } = JSON.parse(issued.stdout) as { key: string };
  const { address, stderr } = await startServing(t, environment);
  return { address, key, db, url, stderr };
}

const PATHS = [
  '/v1/XA/trademarks/none',
  '/v1/XA/trademarks/none?expand=payload',
  '/v1/changes?since=2026-01-01',
  '/v1/changes?since=2026-01-01&expand=payload',
  '/v1/usage',
  '/v1/jurisdictions',
  '/v1/trademarks?application_number=1',
];

test('a lock on any table is 503, never 422, and all is served again once it is gone [I-26, I-35, I-39]', async (t) => {
  const { address, key, db } = await startOnTestDatabase(t);
  const expectedUnder = {
    record: [PATHS[0], PATHS[1], PATHS[2], PATHS[3]],
    key_product: PATHS,
    key_secret: PATHS,
    register: [PATHS[5]],
  };
  assert.equal((await call(address, '/v1/jurisdictions', key)).status, 200);
  for (const [table, paths] of Object.entries(expectedUnder)) {
    await db.transaction(async (tx) => {
      await tx.runScript(`lock table ${table} in access exclusive mode`);
      const answers = await Promise.all(paths.map((path) => call(address, path!, key)));
      assert.deepEqual(
        new Set(answers.map((answer) => JSON.stringify(answer))),
        new Set([JSON.stringify(UNAVAILABLE)]),
      );
      assert.equal((await call(address, '/v1/health')).status, 200, table);
    });
  }
  for (const path of PATHS.slice(2)) assert.equal((await call(address, path, key)).status, 200, path);
});

test('a caller that goes away leaves nothing running [I-35]', async (t) => {
  const { address, key, db } = await startOnTestDatabase(t);
  assert.equal((await call(address, '/v1/jurisdictions', key)).status, 200);
  const waiting = sql`select pid from pg_stat_activity where datname = current_database()
    and wait_event_type = 'Lock' and application_name = 'tmds serve'`;
  await db.transaction(async (tx) => {
    await tx.runScript('lock table record in access exclusive mode');
    for (const path of PATHS.slice(0, 4)) {
      const leaving = new AbortController();
      const left = fetch(`${address}${path}`, { headers: { 'x-api-key': key }, signal: leaving.signal });
      while ((await db.query(waiting)).length === 0);
      leaving.abort();
      await assert.rejects(left);
      while ((await db.query(waiting)).length > 0);
    }
  });
});

test('health is answered while every connection for records waits and others wait for one [I-26, I-39]', async (t) => {
  const { address, key, db } = await startOnTestDatabase(t, { TMDS_POOL_MAX: '2' });
  assert.equal((await call(address, '/v1/jurisdictions', key)).status, 200);
  const held = sql`select pid from pg_stat_activity where datname = current_database()
    and wait_event_type = 'Lock' and application_name = 'tmds serve'`;
  await db.transaction(async (tx) => {
    await tx.runScript('lock table record in access exclusive mode');
    const waiting = Promise.all(Array.from({ length: 8 }, () => call(address, PATHS[1]!, key)));
    while ((await db.query(held)).length < 2);
    assert.equal((await call(address, '/v1/health')).status, 200);
    assert.ok((await waiting).every((answer) => isDeepStrictEqual(answer, UNAVAILABLE)));
  });
});

test('a server that meets another schema stops serving and says why, and serves again when it is back [I-39]', async (t) => {
  const { address, key, db, stderr } = await startOnTestDatabase(t);
  assert.equal((await call(address, '/v1/jurisdictions', key)).status, 200);
  await db.query(sql`insert into migration (number, name) select max(number) + 1, 'later' from migration`);
  await waitFor(async () => (await call(address, '/v1/jurisdictions', key)).status === 503);
  assert.deepEqual(await call(address, '/v1/health'), UNAVAILABLE);
  assert.match(stderr(), /run a newer tmds/);
  await db.query(sql`delete from migration where name = 'later'`);
  await waitFor(async () => (await call(address, '/v1/jurisdictions', key)).status === 200);
});

for (const who of ['postmaster', 'every process'] as const) {
  test(`a database whose ${who} is paused is detected, reported, and waited for [I-35, I-39]`, async (t) => {
    const dataDir = await createDataFolder(t);
    const environment = { TMDS_DATA_DIR: dataDir };
    const { address } = await startServing(t, environment);
    const key = await issueKey(t, environment);
    assert.equal((await call(address, '/v1/jurisdictions', key)).status, 200);
    const postmaster = (await readPostmasterPid(dataDir))!;
    const pids = who === 'postmaster' ? [postmaster] : [postmaster, ...(await listChildren(postmaster))];
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    try {
      // What was learned last is said until the next look.
      await waitFor(async () => isDeepStrictEqual(await call(address, '/v1/health'), UNAVAILABLE));
      if (who === 'every process') assert.deepEqual(await call(address, '/v1/jurisdictions', key), UNAVAILABLE);
    } finally {
      for (const pid of pids) process.kill(pid, 'SIGCONT');
    }
    await waitFor(async () => (await call(address, '/v1/health')).status === 200);
    await waitFor(async () => (await call(address, '/v1/jurisdictions', key)).status === 200);
  });
}

test('a server whose connections all hang serves everything over new ones, searches of later loads included [I-35, I-41]', async (t) => {
  const { address, key, db, url } = await startOnTestDatabase(t);
  const load = async (uid: string): Promise<void> => {
    const source = { jurisdiction_code: 'XA', uid, status: 'Registered', mark_name: uid };
    const file = join(makeFolder(t), 'marks.ndjson');
    writeFileSync(file, JSON.stringify(source));
    assert.equal((await runHere(['load', 'ndjson', file], { DATABASE_URL: url })).status, 0);
  };
  await load('first');
  for (const path of PATHS.slice(2)) assert.equal((await call(address, path, key)).status, 200, path);
  const hung = await db.query<{ pid: number }>(sql`select pid from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and application_name <> 'tmds test'`);
  for (const { pid } of hung) process.kill(pid, 'SIGSTOP');
  try {
    await waitFor(async () => (await call(address, PATHS[5]!, key)).status === 200);
    await load('second');
    // Nothing waits for a connection that hangs: each would for as long as it is stopped.
    const search = `${address}/v1/XA/trademarks?mark_name=second`;
    const response = await fetch(search, { headers: { 'x-api-key': key }, signal: AbortSignal.timeout(20_000) });
    assert.deepEqual([response.status, ((await response.json()) as { items: unknown[] }).items.length], [200, 1]);
    for (const path of [...PATHS.slice(2), ...PATHS.slice(2)]) {
      assert.equal((await call(address, path, key)).status, 200, path);
    }
    assert.equal((await call(address, '/v1/health')).status, 200);
  } finally {
    for (const { pid } of hung) process.kill(pid, 'SIGCONT');
  }
});

async function listChildren(pid: number): Promise<number[]> {
  return (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ').map(Number);
}
