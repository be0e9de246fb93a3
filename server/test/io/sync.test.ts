/** `tmds sync`, `tmds sources` and `tmds serve --sync` as an operator runs them. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { holdDuty } from '../../src/store/duties/duties.ts';
import { runHere } from '../support/command.ts';
import { startTmds, waitFor } from '../support/process.ts';
import { statement } from '../support/sources-declared.ts';
import { openSyncWorld } from '../support/sync-world.ts';

test('an operator checks declarations, rehearses, syncs, sees the sources, and repairs a bad file', async (t) => {
  const { office, toml, run } = await openSyncWorld(t, { secretIn: 'file' });
  const checked = await run('sources', 'check');
  assert.deepEqual([checked.status, checked.stdout], [0, `${toml} declares one source: office\n`]);
  office.files.set('day-2026-11-02.ndjson', statement('XA1', 'second'));
  office.files.set('day-2026-11-01.ndjson', statement('XA1', 'first'));
  const rehearsed = await run('sync', '--dry-run');
  assert.deepEqual(
    [rehearsed.status, rehearsed.stdout.split('\n').slice(0, 4)],
    [
      0,
      ['fetch day-2026-11-01', 'fetch day-2026-11-02', 'load day-2026-11-01', 'load day-2026-11-02'].map(
        (what) => `office: would ${what}.ndjson`,
      ),
    ],
  );
  const synced = await run('sync', '--once');
  assert.equal(synced.status, 0, synced.stderr);
  assert.match(synced.stdout, /day-2026-11-01.ndjson of 2026-11-01 is loaded: 1 records, 1 new, 0 changed/);
  assert.match(synced.stdout, /day-2026-11-02.ndjson of 2026-11-02 is loaded: 1 records, 0 new, 1 changed/);
  assert.equal((await run('sync', '--once')).stdout, 'nothing new\n');
  const { sources } = JSON.parse((await run('sources', '--json')).stdout) as { sources: Record<string, unknown>[] };
  assert.deepEqual(
    [sources[0]!.condition, sources[0]!.last_file, sources[0]!.register],
    ['current', 'day-2026-11-02.ndjson', 'XA'],
  );

  office.files.set('day-2026-11-03.ndjson', Buffer.from('<html>not found</html>'));
  office.files.set('day-2026-11-04.ndjson', Buffer.concat([statement('XA1', 'fourth'), Buffer.from('{}\n')]));
  const failed = await run('sync', '--once');
  assert.equal(failed.status, 1);
  assert.match(failed.stderr, /^tmds: not brought up to date: office\n$/);
  const seen = await run('sources');
  assert.match(seen.stdout, /^office +XA +stopped +day-2026-11-02.ndjson/m);
  assert.match(seen.stdout, /^office: day-2026-11-03.ndjson failed: /m);
  const skipped = await run('sync', '--skip', 'day-2026-11-03.ndjson', '--json');
  assert.equal(skipped.status, 3, 'a record was rejected');
  const report = JSON.parse(skipped.stdout) as { sources: { loaded: { file: string; rejected: number }[] }[] };
  assert.deepEqual(
    report.sources[0]!.loaded.map(({ file, rejected }) => [file, rejected]),
    [['day-2026-11-04.ndjson', 1]],
  );
  for (const { stdout, stderr } of [synced, failed, skipped, seen]) assert.doesNotMatch(stdout + stderr, /kEy-0f/);
  assert.ok(office.headers.every((headers) => headers['x-api-key'] === 'kEy-0f-the-office'));
});

test('wrong declarations and unknown sources end with status 2, and a missing secret is named', async (t) => {
  const { toml, run } = await openSyncWorld(t, { secretIn: 'variable' });
  const unknown = await run('sync', 'elsewhere', '--once');
  assert.deepEqual([unknown.status, unknown.stderr], [2, 'tmds: there is no source elsewhere; declared: office\n']);
  const lost = await run('sync', '--once');
  assert.equal(lost.status, 1);
  assert.match(lost.stdout, /a secret of the source is missing: the variable OFFICE_KEY is not set/);
  writeFileSync(toml, '[source.office]\nkind = "ftp"\nformat = "x"\n');
  for (const words of [['sources', 'check'], ['sync'], ['serve', '--sync']]) {
    const { status, stderr, stdout } = await run(...words);
    assert.deepEqual([status, stdout], [2, ''], words.join(' '));
    assert.match(stderr, /sources.toml:2: source.office: kind must be folder or http or sftp, not "ftp"\n.*:3: /);
  }
  const absent = await runHere(['sources', 'check'], { TMDS_SOURCES: '/nowhere/sources.toml' });
  assert.equal(absent.status, 2);
  assert.match(
    absent.stderr,
    /declared in \/nowhere\/sources.toml, but there is no such file; ops\/sources.example.toml/,
  );
});

test('a second sync next to a running one does nothing and says so', async (t) => {
  const { db, office, run } = await openSyncWorld(t, { secretIn: 'file' });
  office.files.set('day-2026-11-01.ndjson', statement('XA1', 'first'));
  const { result } = (await holdDuty(db, 'sync', async () => await run('sync', '--once'))) as {
    result: Awaited<ReturnType<typeof run>>;
  };
  assert.equal(result.status, 1);
  assert.match(result.stderr, /^tmds: another sync is running/);
  assert.deepEqual(office.asked, []);
  const both = await Promise.all([run('sync', '--once', '--json'), run('sync', '--once', '--json')]);
  const loaded = both.flatMap(({ status, stdout }) =>
    status === 1 ? [] : (JSON.parse(stdout) as { sources: { loaded: unknown[] }[] }).sources[0]!.loaded,
  );
  assert.equal(loaded.length, 1, 'once, whichever of them it was');
});

test('a continuous sync logs what it does, and ends with status 0 when it is stopped', async (t) => {
  const { office, environment } = await openSyncWorld(t, { secretIn: 'variable' });
  office.files.set('day-2026-11-01.ndjson', statement('XA1', 'first'));
  const running = startTmds(t, ['sync'], { ...environment, TMDS_LOG_LEVEL: 'info' });
  await waitFor(async () => /"event":"loaded"/.test(running.stderr()));
  running.kill('SIGTERM');
  const { status, stdout } = await running.ended;
  assert.deepEqual([status, stdout], [0, '']);
});
