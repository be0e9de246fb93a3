import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { findFreePort } from '../../src/database/embedded/postmaster.ts';
import {
  createDataFolder,
  isAlive,
  readPostmasterPid,
  runTmds,
  startServing,
  startTmds,
  waitFor,
} from '../support/process.ts';

async function isHealthy(address: string): Promise<boolean> {
  return await fetch(`${address}/v1/health`).then(
    (response) => response.ok,
    () => false,
  );
}

async function issueKey(t: Parameters<typeof runTmds>[0], environment: Record<string, string>): Promise<string> {
  const { status, stdout } = await runTmds(t, ['key', 'issue', '--customer', 'Example', '--json'], environment);
  assert.equal(status, 0);
  return (JSON.parse(stdout) as { key: string }).key;
}

test('serves on the embedded database, shares it with other commands, and the last one out stops it', async (t) => {
  const dataDir = await createDataFolder(t);
  const environment = { TMDS_DATA_DIR: dataDir };
  const server = await startServing(t, environment);
  const postmaster = await readPostmasterPid(dataDir);
  const registers = await runTmds(t, ['registers'], environment);
  const stillRuns = (await readPostmasterPid(dataDir)) === postmaster;
  const health = await fetch(`${server.address}/v1/health`).then((response) => response.json());
  server.kill('SIGTERM');
  const ended = await server.ended;
  assert.deepEqual(
    { stillRuns, registers, health, ended, left: await readPostmasterPid(dataDir) },
    {
      stillRuns: true,
      registers: { status: 0, stdout: 'no register is loaded yet\n', stderr: '' },
      health: { status: 'ok', version: '0.1.0' },
      ended: { status: 0, stdout: `listening on ${server.address}\n`, stderr: '' },
      left: null,
    },
  );
});

test('keeps PostgreSQL to this machine and its owner: a socket, a password, an unprivileged account', async (t) => {
  const dataDir = await createDataFolder(t);
  const before = (await stat(dataDir)).mode;
  const server = await startServing(t, { TMDS_DATA_DIR: dataDir });
  const note = (await readFile(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8')).split('\n');
  const rules = await readFile(join(dataDir, 'postgres', 'cluster', 'pg_hba.conf'), 'utf8');
  const { uid } = await stat(join(dataDir, 'postgres', 'cluster'));
  const modes = await Promise.all(
    ['', 'password', 'cluster', 'log'].map(async (name) => (await stat(join(dataDir, 'postgres', name))).mode & 0o777),
  );
  server.kill('SIGTERM');
  await server.ended;
  assert.deepEqual(
    {
      socketFolder: note[4],
      listens: note[5],
      isRoot: uid === 0,
      modes,
      loosened: (await stat(dataDir)).mode !== before,
    },
    { socketFolder: '.', listens: '', isRoot: false, modes: [0o700, 0o600, 0o700, 0o600], loosened: false },
  );
  assert.doesNotMatch(rules, /trust|peer/);
});

test('a second server on the same data folder is refused, with the process that serves it and its address', async (t) => {
  const dataDir = await createDataFolder(t);
  const server = await startServing(t, { TMDS_DATA_DIR: dataDir });
  const second = await runTmds(t, ['serve'], { TMDS_DATA_DIR: dataDir, PORT: '0' });
  assert.deepEqual(second, {
    status: 1,
    stdout: '',
    stderr: `tmds: another tmds serve (process ${server.pid}, ${server.address}) already serves the data folder ${dataDir}; stop it, or set another TMDS_DATA_DIR\n`,
  });
  assert.equal(await isHealthy(server.address), true);
});

test('when two first starts happen at the same instant, one wins and the other says so', async (t) => {
  const dataDir = await createDataFolder(t);
  const environment = { TMDS_DATA_DIR: dataDir, PORT: '0' };
  const starts = [startTmds(t, ['serve'], environment), startTmds(t, ['serve'], environment)];
  const loser = await Promise.race(starts.map(async (start) => ({ start, ended: await start.ended })));
  const winner = starts.find((start) => start !== loser.start)!;
  await waitFor(async () => winner.stdout() !== '');
  assert.match(
    loser.ended.stderr,
    new RegExp(`^tmds: another tmds serve \\(process ${winner.pid}, .*\\) already serves`),
  );
  assert.match(winner.stdout(), /^listening on http:\S+\n$/);
  assert.deepEqual(
    (await readdir(dataDir)).filter((name) => name.startsWith('postgres')),
    ['postgres'],
  );
});

test('a port in use is one sentence, and no database is made for it', async (t) => {
  const server = await startServing(t, { TMDS_DATA_DIR: await createDataFolder(t) });
  const port = new URL(server.address).port;
  const dataDir = await createDataFolder(t);
  const ended = await runTmds(t, ['serve'], { TMDS_DATA_DIR: dataDir, PORT: port });
  assert.deepEqual(
    { ended, left: await readPostmasterPid(dataDir), made: await readdir(dataDir) },
    {
      ended: {
        status: 1,
        stdout: '',
        stderr: `tmds: port ${port} on 127.0.0.1 is already in use; stop the program that uses it, or set PORT to another port\n`,
      },
      left: null,
      made: [],
    },
  );
});

test('kill -9 of the server loses nothing: the next start takes over the database that was left running', async (t) => {
  const environment = { TMDS_DATA_DIR: await createDataFolder(t) };
  const first = await startServing(t, environment);
  const key = await issueKey(t, environment);
  const postmaster = await readPostmasterPid(environment.TMDS_DATA_DIR);
  first.kill('SIGKILL');
  await first.ended;
  const second = await startServing(t, environment);
  const answer = await fetch(`${second.address}/v1/usage`, { headers: { 'x-api-key': key } });
  assert.deepEqual(
    { status: answer.status, postmaster: await readPostmasterPid(environment.TMDS_DATA_DIR) },
    { status: 200, postmaster },
  );
});

test('a server recovers from kill -9 of its database without a restart', async (t) => {
  const environment = { TMDS_DATA_DIR: await createDataFolder(t), TMDS_LOG_LEVEL: 'silent' };
  const server = await startServing(t, environment);
  const key = await issueKey(t, environment);
  const postmaster = (await readPostmasterPid(environment.TMDS_DATA_DIR))!;
  process.kill(postmaster, 'SIGKILL');
  await waitFor(async () => !isAlive(postmaster));
  const statuses = new Set<number>();
  await waitFor(async () => {
    const { status } = await fetch(`${server.address}/v1/usage`, { headers: { 'x-api-key': key } });
    statuses.add(status);
    return status === 200;
  });
  statuses.delete(200);
  statuses.delete(503);
  const second = await runTmds(t, ['serve'], { ...environment, PORT: '0' });
  assert.deepEqual([...statuses], []);
  assert.match(second.stderr, new RegExp(`^tmds: another tmds serve \\(process ${server.pid}, ${server.address}\\)`));
});

test('kill -9 of a database that comes back at another port: calls and searches continue, with what is loaded then [I-41]', async (t) => {
  const environment = { TMDS_DATA_DIR: join(await createDataFolder(t), 'a'.repeat(100)), TMDS_LOG_LEVEL: 'silent' };
  const server = await startServing(t, environment);
  const key = await issueKey(t, environment);
  await writeFile(join(environment.TMDS_DATA_DIR, 'postgres', 'port'), `${await findFreePort()}\n`);
  process.kill((await readPostmasterPid(environment.TMDS_DATA_DIR))!, 'SIGKILL');
  const ask = (path: string): Promise<Response> =>
    fetch(`${server.address}/v1/${path}`, { headers: { 'x-api-key': key } });
  await waitFor(async () => (await ask('usage')).status === 200);
  const record = { jurisdiction_code: 'XA', uid: 'R1', status: 'Registered', application_number: '4711' };
  const load = startTmds(t, ['load', 'ndjson', '-'], environment, { input: `${JSON.stringify(record)}\n` });
  const loaded = await load.ended;
  await waitFor(async () => (await ask('trademarks?application_number=4711')).status === 200);
  const page = (await (await ask('trademarks?application_number=4711')).json()) as { items: { uid: string }[] };
  server.kill('SIGTERM');
  await server.ended;
  assert.deepEqual({ status: loaded.status, uids: page.items.map(({ uid }) => uid) }, { status: 0, uids: ['R1'] });
});

test('kill -9 of server and database together: the next start is clean', async (t) => {
  const environment = { TMDS_DATA_DIR: await createDataFolder(t) };
  const first = await startServing(t, environment);
  const key = await issueKey(t, environment);
  process.kill((await readPostmasterPid(environment.TMDS_DATA_DIR))!, 'SIGKILL');
  first.kill('SIGKILL');
  await first.ended;
  const second = await startServing(t, environment);
  const answer = await fetch(`${second.address}/v1/usage`, { headers: { 'x-api-key': key } });
  assert.equal(answer.status, 200);
});

test('a first start killed while it makes the database leaves nothing that hinders the next', async (t) => {
  const environment = { TMDS_DATA_DIR: await createDataFolder(t) };
  const first = startTmds(t, ['migrate'], environment);
  const folderNames = (): Promise<string[]> => readdir(environment.TMDS_DATA_DIR);
  await waitFor(async () => (await folderNames()).some((name) => name.startsWith('postgres.new-')));
  first.kill('SIGKILL');
  await first.ended;
  const second = await runTmds(t, ['migrate'], environment);
  const third = await runTmds(t, ['migrate'], environment);
  assert.deepEqual(
    { second: second.status, third },
    { second: 0, third: { ...third, stdout: 'the schema is up to date\n' } },
  );
});

test('a note left by a database whose process number another process has now does not hinder the start', async (t) => {
  const environment = { TMDS_DATA_DIR: await createDataFolder(t) };
  await runTmds(t, ['migrate'], environment);
  const data = join(environment.TMDS_DATA_DIR, 'postgres', 'cluster');
  const { uid, gid } = await stat(data);
  // A live process of the account that PostgreSQL runs as: itself, as it would have found it after a restart.
  const holder = startTmds(t, ['serve'], { TMDS_DATA_DIR: await createDataFolder(t), PORT: '0' });
  await writeFile(join(data, 'postmaster.pid'), `${holder.pid}\n${data}\n1\n5432\n.\n\n  1 1\nready   \n`);
  if (process.getuid?.() === 0) await (await import('node:fs/promises')).chown(join(data, 'postmaster.pid'), uid, gid);
  const ended = await runTmds(t, ['migrate'], environment);
  assert.deepEqual({ status: ended.status, stdout: ended.stdout }, { status: 0, stdout: 'the schema is up to date\n' });
});

test('a folder called postgres that is not ours is left alone', async (t) => {
  const dataDir = await createDataFolder(t);
  await mkdir(join(dataDir, 'postgres'));
  await writeFile(join(dataDir, 'postgres', 'thesis.txt'), 'irreplaceable');
  const ended = await runTmds(t, ['migrate'], { TMDS_DATA_DIR: dataDir });
  assert.deepEqual(
    { ended, kept: await readdir(join(dataDir, 'postgres')) },
    {
      ended: {
        status: 1,
        stdout: '',
        stderr: `tmds: ${dataDir}/postgres is not a tmds database; move it away, or choose another TMDS_DATA_DIR\n`,
      },
      kept: ['thesis.txt'],
    },
  );
  await rm(join(dataDir, 'postgres'), { recursive: true });
});

test('a load lets everything else go first, and the database that it started does not', {
  skip: process.platform === 'linux' ? false : 'only Linux has priorities of threads',
}, async (t) => {
  const dataDir = await createDataFolder(t);
  const words = ['load', 'ndjson', '-', '--register', 'XA'];
  const load = startTmds(t, words, { TMDS_DATA_DIR: dataDir }, { isInputOpen: true });
  load.child.stdin!.write('{"jurisdiction_code":"XA","uid":"1","status":"Registered"}\n');
  const usual = getPriority();
  await waitFor(async () => getPriority(load.pid) > usual);
  assert.equal(getPriority((await readPostmasterPid(dataDir))!), usual);
  load.child.stdin!.end();
  assert.equal((await load.ended).status, 0);
});
