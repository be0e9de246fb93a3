/** The lock file of a replica as NDJSON: whose it is, and when it is taken over. */
import assert from 'node:assert/strict';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { makeFolder } from '../../server/test/support/folder.ts';
import { withLock } from '../src/replica/ndjson-log.ts';

async function makePath(t: TestContext): Promise<string> {
  const folder = makeFolder(t);
  return join(folder, 'writer.lock');
}

const isHeld = { name: 'ReplicaError', retryable: true, message: /another process is writing/ };

test('a lock that its writer left empty is held for two seconds, then taken over', async (t) => {
  const path = await makePath(t);
  await writeFile(path, '');
  const { mtimeMs } = await stat(path);
  await assert.rejects(
    withLock(path, mtimeMs + 2_000, async () => undefined),
    isHeld,
  );
  const own = await withLock(path, mtimeMs + 2_001, () => readFile(path, 'utf8'));
  assert.equal(JSON.parse(own).pid, process.pid);
  await assert.rejects(stat(path), { code: 'ENOENT' });
});

test('a lock of another machine is held for two minutes', async (t) => {
  const path = await makePath(t);
  await writeFile(path, JSON.stringify({ pid: 1, host: 'elsewhere.example' }));
  const { mtimeMs } = await stat(path);
  await assert.rejects(
    withLock(path, mtimeMs + 120_000, async () => undefined),
    isHeld,
  );
  assert.equal(await withLock(path, mtimeMs + 120_001, async () => 'taken'), 'taken');
});
