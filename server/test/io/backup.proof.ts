/** `tmds backup`, `restore`, `verify` and `prune` as an operator runs them, on the embedded database. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createDataFolder, runTmds, startServing, startTmds, waitFor } from '../support/process.ts';

type Context = Parameters<typeof runTmds>[0];
type Environment = Readonly<Record<string, string>>;

async function loadSample(t: Context, environment: Environment, records: number): Promise<void> {
  const file = join(environment.TMDS_DATA_DIR!, `sample-${records}.ndjson`);
  const words = ['sample', '--records', String(records), '--seed', 'backup', '--payload', 'none', '--out', file];
  assert.equal((await runTmds(t, [...words, '--quiet'], environment)).status, 0);
  const loaded = await runTmds(t, ['load', 'ndjson', file], environment);
  assert.equal(loaded.status, 0, loaded.stderr);
  rmSync(file);
}

async function countRecords(t: Context, environment: Environment): Promise<number> {
  const { status, stdout, stderr } = await runTmds(t, ['registers', '--json'], environment);
  assert.equal(status, 0, stderr);
  const { registers } = JSON.parse(stdout) as { registers: { record_count: number }[] };
  return registers.reduce((sum, { record_count }) => sum + record_count, 0);
}

async function issueKey(t: Context, environment: Environment): Promise<string> {
  const { stdout } = await runTmds(t, ['key', 'issue', '--customer', 'Example', '--json'], environment);
  return (JSON.parse(stdout) as { key: string }).key;
}

/** Whatever the registers hold, upkeep needs no more. */
const LITTLE_MEMORY = { NODE_OPTIONS: '--max-old-space-size=64' };

test('from one machine to another, with little memory: backup next to a server, restore, verify, serve with the same keys', {
  timeout: 300_000,
}, async (t) => {
  const old = { TMDS_DATA_DIR: await createDataFolder(t) };
  await loadSample(t, old, 500);
  const key = await issueKey(t, old);
  const server = await startServing(t, old);
  const taken = await runTmds(t, ['backup', '--json'], { ...old, ...LITTLE_MEMORY });
  assert.equal(taken.status, 0, taken.stderr);
  const { to, rows } = JSON.parse(taken.stdout) as { to: string; rows: number };
  assert.ok(to.startsWith(join(old.TMDS_DATA_DIR, 'backups')) && rows > 500);
  server.kill('SIGTERM');
  await server.ended;

  const fresh = { TMDS_DATA_DIR: await createDataFolder(t) };
  const restored = await runTmds(t, ['restore', to], { ...fresh, ...LITTLE_MEMORY });
  assert.equal(restored.status, 0, restored.stderr);
  assert.match(restored.stdout, /^restored the database as of 2\S+: 500 records, /);
  const again = await runTmds(t, ['restore', to], fresh);
  assert.deepEqual([again.status, again.stdout], [1, '']);
  assert.match(again.stderr, /^tmds: the database is not empty: .*--replace/);
  const verified = await runTmds(t, ['verify', '--json'], { ...fresh, ...LITTLE_MEMORY });
  assert.equal(verified.status, 0, verified.stdout);
  const second = await startServing(t, fresh);
  const answer = await fetch(`${second.address}/records/v1/trademarks?status=Registered&limit=1`, {
    headers: { 'X-API-Key': key },
  });
  assert.equal(answer.status, 200);
  second.kill('SIGTERM');
  await second.ended;
});

test('a server that runs while its database is replaced answers from the restored records without a restart', {
  timeout: 300_000,
}, async (t) => {
  const environment = { TMDS_DATA_DIR: await createDataFolder(t) };
  await loadSample(t, environment, 300);
  const key = await issueKey(t, environment);
  const folder = join(environment.TMDS_DATA_DIR, 'kept');
  assert.equal((await runTmds(t, ['backup', folder], environment)).status, 0);
  await loadSample(t, environment, 700);
  const server = await startServing(t, environment);
  const count = async (): Promise<number | null> => {
    const path = `${server.address}/records/v1/trademarks?status=Registered&count=capped&limit=1`;
    const answer = await fetch(path, { headers: { 'X-API-Key': key } }).catch(() => null);
    return answer?.status === 200 ? ((await answer.json()) as { matched_count: number }).matched_count : null;
  };
  await waitFor(async () => (await count()) !== null);
  const before = await count();
  const restored = await runTmds(t, ['restore', folder, '--replace'], environment);
  assert.equal(restored.status, 0, restored.stderr);
  await waitFor(async () => ![null, before].includes(await count()));
  assert.equal(await countRecords(t, environment), 300);
  server.kill('SIGTERM');
  assert.equal((await server.ended).status, 0);
});

test('as a stream: standard output holds the archive, standard error the report', { timeout: 300_000 }, async (t) => {
  const old = { TMDS_DATA_DIR: await createDataFolder(t) };
  await loadSample(t, old, 200);
  const file = join(old.TMDS_DATA_DIR, 'backup.tar');
  const backup = startTmds(t, ['backup', '-', '--json'], old);
  backup.child.stdout!.removeAllListeners('data').setEncoding('latin1');
  const archive = createWriteStream(file, { encoding: 'latin1' });
  const written = once(archive, 'close');
  backup.child.stdout!.pipe(archive);
  const { status, stderr } = await backup.ended;
  await written;
  assert.equal(status, 0, stderr);
  assert.equal((JSON.parse(stderr) as { to: null }).to, null);
  const fresh = { TMDS_DATA_DIR: await createDataFolder(t) };
  const restored = await runTmds(t, ['restore', file, '--json'], fresh);
  assert.equal(restored.status, 0, restored.stderr);
  assert.equal(await countRecords(t, fresh), 200);
  const listed = spawn('tar', ['-tf', file]);
  let names = '';
  listed.stdout.setEncoding('utf8').on('data', (text: string) => {
    names += text;
  });
  await once(listed, 'close');
  const members = names.trimEnd().split('\n');
  assert.deepEqual([members[0], members.at(-1)], ['head.json', 'SHA256SUMS'], 'tar itself can read it');
});

test('killed while it writes, a backup leaves no folder of its name', { timeout: 300_000 }, async (t) => {
  const environment = { TMDS_DATA_DIR: await createDataFolder(t) };
  await loadSample(t, environment, 3000);
  const above = join(environment.TMDS_DATA_DIR, 'backups');
  const backup = startTmds(t, ['backup', join(above, 'one')], environment);
  await waitFor(async () => existsSync(above) && readdirSync(above).length > 0);
  backup.kill('SIGKILL');
  const { status } = await backup.ended;
  const names = readdirSync(above);
  // If the kill came too late, the folder is whole; a folder with a final name is never anything else.
  if (status === null)
    assert.ok(
      names.every((name) => name.startsWith('one.unfinished-')),
      names.join(),
    );
  const second = await runTmds(t, ['backup', join(above, status === null ? 'one' : 'two')], environment);
  assert.equal(second.status, 0, second.stderr);
  assert.ok(readdirSync(above).every((name) => !name.includes('unfinished')));
});

test('killed while it runs, a restore leaves a database that serve refuses with a sentence, until one completes', {
  timeout: 300_000,
}, async (t) => {
  const old = { TMDS_DATA_DIR: await createDataFolder(t) };
  await loadSample(t, old, 3000);
  const folder = join(old.TMDS_DATA_DIR, 'kept');
  assert.equal((await runTmds(t, ['backup', folder], old)).status, 0);
  const fresh = { TMDS_DATA_DIR: await createDataFolder(t) };
  assert.equal((await runTmds(t, ['migrate'], fresh)).status, 0);
  // Standard input stays open after the first member, so that the restore waits for more.
  const packed = execFileSync('tar', ['-cf', '-', '-C', folder, 'head.json']);
  const restore = startTmds(t, ['restore', '-'], fresh, { isInputOpen: true });
  restore.child.stdin!.write(packed.subarray(0, 512 + Math.ceil(statSync(join(folder, 'head.json')).size / 512) * 512));
  const probe = async (): Promise<string> => (await runTmds(t, ['registers'], fresh)).stderr;
  await waitFor(async () => (await probe()).includes('has begun and not ended'));
  restore.kill('SIGKILL');
  await restore.ended;
  const refused = await runTmds(t, ['serve'], { ...fresh, PORT: '0' });
  assert.deepEqual([refused.status, refused.stdout], [1, '']);
  assert.match(
    refused.stderr,
    /tmds: a restore into the data folder \S+ has begun and not ended: .*tmds restore again/,
  );
  const second = await runTmds(t, ['restore', folder], fresh);
  assert.equal(second.status, 0, second.stderr);
  assert.equal(await countRecords(t, fresh), 3000);
});

test('restore is called with a backup or with --abandon; prune says what each rule removes', {
  timeout: 120_000,
}, async (t) => {
  const environment = { TMDS_DATA_DIR: await createDataFolder(t) };
  for (const words of [['restore'], ['restore', 'x', '--abandon'], ['restore', 'x', '--after', 'soon']]) {
    assert.equal((await runTmds(t, words, environment)).status, 2, words.join(' '));
  }
  const missing = await runTmds(t, ['restore', '/nowhere'], environment);
  assert.deepEqual(missing, { status: 1, stdout: '', stderr: 'tmds: there is no backup at /nowhere\n' });
  assert.deepEqual(readdirSync(environment.TMDS_DATA_DIR), [], 'nothing was made');
  const nothing = await runTmds(t, ['backup'], environment);
  assert.match(nothing.stderr, /^tmds: there is no database below /);
  assert.equal((await runTmds(t, ['migrate'], environment)).status, 0);
  const pruned = await runTmds(t, ['prune', '--dry-run', '--json'], { ...environment, TMDS_KEEP_AUDIT_DAYS: '7' });
  const { rules } = JSON.parse(pruned.stdout) as { rules: { rule: string; days: number | null; removed: number }[] };
  // Which rules there are, service/retention holds every day.
  const daysOf = new Map(rules.map(({ rule, days }) => [rule, days]));
  assert.deepEqual(
    ['calls', 'usage', 'audit', 'rejects files'].map((rule) => daysOf.get(rule)),
    [30, null, 7, 365],
  );
  assert.ok(rules.every(({ removed }) => removed === 0));
});
