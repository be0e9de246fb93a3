/**
 * A disk that is full, and freed again, as far as a small file system in memory can show it: what was stored stays,
 * what cannot be written is refused by a sentence, and everything can be done again. Mounting needs root and Linux.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readdirSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createDataFolder, readPostmasterPid, runTmds, startServing, waitFor } from '../support/process.ts';

type Context = Parameters<typeof runTmds>[0];

const DISK = '420m';
const RECORDS = 4000;

/** Null where no file system can be mounted. */
async function mountDisk(t: Context): Promise<string | null> {
  const disk = mkdtempSync(join(tmpdir(), 'tmds-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK},mode=755`, 'tmpfs', disk], { stdio: 'ignore' });
  } catch {
    rmdirSync(disk);
    return null;
  }
  t.after(async () => {
    const pid = await readPostmasterPid(join(disk, 'data'));
    if (pid !== null) process.kill(pid, 'SIGKILL');
    // Lazily, because what a failed test started may still be ending.
    execFileSync('umount', ['-l', disk]);
    rmdirSync(disk);
  });
  return disk;
}

/** Takes all of the room that is left, but for what a started transaction may need to end. */
function fillDisk(path: string): void {
  const file = openSync(path, 'w');
  try {
    for (const bytes of [1024 * 1024, 4096]) {
      const part = Buffer.alloc(bytes, 1);
      try {
        for (;;) if (writeSync(file, part) < bytes) break;
      } catch (error) {
        assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
      }
    }
  } finally {
    closeSync(file);
  }
}

test('a full disk loses nothing: loads and backups end with a sentence, look-ups recover, and everything can be repeated', {
  timeout: 500_000,
}, async (t) => {
  const disk = await mountDisk(t);
  if (disk === null) return t.skip('no file system can be mounted here');
  const dataDir = join(disk, 'data');
  const environment = { TMDS_DATA_DIR: dataDir };
  const outside = await createDataFolder(t);
  const make = async (records: number, name: string): Promise<string> => {
    const file = join(outside, name);
    const words = ['sample', '--records', String(records), '--seed', name, '--payload', 'none', '--out', file];
    assert.equal((await runTmds(t, [...words, '--quiet'], environment)).status, 0);
    return file;
  };
  const [small, large] = [await make(50, 'small.ndjson'), await make(RECORDS, 'large.ndjson')];
  assert.equal((await runTmds(t, ['load', 'ndjson', small], environment)).status, 0);
  const issued = await runTmds(t, ['key', 'issue', '--customer', 'Example', '--json'], environment);
  const { key } = JSON.parse(issued.stdout) as { key: string };
  const server = await startServing(t, environment);
  const ask = async (): Promise<number | null> => {
    const answer = await fetch(`${server.address}/records/v1/jurisdictions`, { headers: { 'X-API-Key': key } });
    await answer.text();
    return answer.status;
  };
  assert.equal(await ask(), 200);

  const filler = join(disk, 'filler');
  fillDisk(filler);
  const doctor = await runTmds(t, ['doctor'], environment);
  assert.match(doctor.stdout, /^WRONG {2}disk .* it is full, nothing can be written; make room/m);
  // The server has continued, and cannot say so.
  assert.doesNotMatch(doctor.stdout, /does not follow the database/);
  await waitFor(async () => /alarm.{0,4}disk_room/.test(server.stderr()));
  const failed = await runTmds(t, ['load', 'ndjson', large], environment);
  assert.equal(failed.status, 1, failed.stdout);
  assert.match(failed.stderr, /^tmds: .*(disk|room|ENOSPC|database).*$/m);
  assert.doesNotMatch(failed.stderr, /^\s+at /m, 'no stack trace');
  const backup = await runTmds(t, ['backup', join(disk, 'kept')], environment);
  assert.equal(backup.status, 1);
  assert.deepEqual(readdirSync(disk).sort(), ['data', 'filler'], 'nothing is left of the backup');
  for (let calls = 0; calls < 10; calls += 1) assert.ok([200, 503].includes((await ask()) ?? 0));

  rmSync(filler);
  await waitFor(async () => (await ask()) === 200);
  const again = await runTmds(t, ['load', 'ndjson', large, '--json'], environment);
  assert.equal(again.status, 0, again.stderr);
  const { read, rejected } = JSON.parse(again.stdout) as { read: number; rejected: number };
  assert.deepEqual([read, rejected], [RECORDS, 0]);
  const verified = await runTmds(t, ['verify'], environment);
  const wrong = verified.stdout.split('\n').filter((line) => line.startsWith('WRONG'));
  assert.deepEqual(wrong, []);
  server.kill('SIGTERM');
  await server.ended;
});
