/** `tmds payloads` as an operator runs it: where payloads are, moving them, and sweeping what nothing names. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runHere } from '../support/command.ts';
import { createTestDatabase } from '../support/database.ts';
import { makeFolder } from '../support/folder.ts';
import { startObjects } from '../support/objects.ts';

interface Status {
  payloads: string;
  objects: string | null;
  held: { of: string; place: string; documents: number; bytes: number }[];
}

test('payloads are loaded into a place, shown, moved and swept, and no output has the secret', async (t) => {
  const objects = await startObjects(t);
  const { url } = await createTestDatabase(t);
  const folder = makeFolder(t);
  const secretFile = join(folder, 'secret');
  writeFileSync(secretFile, objects.secret, { mode: 0o600 });
  const file = join(folder, 'records.ndjson');
  const line = (at: number): string =>
    JSON.stringify({
      jurisdiction_code: 'XA',
      uid: `R${at}`,
      status: 'Pending',
      payload: { remarks: [`number ${at}`] },
    });
  writeFileSync(file, Array.from({ length: 80 }, (_, at) => `${line(at)}\n`).join(''));
  const plain = { DATABASE_URL: url, TMDS_DATA_DIR: join(folder, 'data') };
  const stored = {
    ...plain,
    TMDS_S3_ENDPOINT: objects.endpoint,
    TMDS_S3_BUCKET: objects.bucket,
    TMDS_S3_REGION: objects.region,
    TMDS_S3_KEY_ID: objects.keyId,
    TMDS_S3_SECRET_FILE: secretFile,
  };
  const status = async (settings: Record<string, string>): Promise<Status> => {
    const { stdout } = await runHere(['payloads', 'status', '--json'], settings);
    return JSON.parse(stdout) as Status;
  };
  assert.equal((await runHere(['load', 'ndjson', file], { ...plain, TMDS_PAYLOADS: 'compressed' })).status, 0);
  const loaded = await status(plain);
  assert.deepEqual(
    [loaded.payloads, loaded.objects, loaded.held.map(({ of, place, documents }) => [of, place, documents])],
    ['database', null, [['records', 'compressed', 80]]],
  );

  const away = await runHere(['payloads', 'move', '--to', 's3'], plain);
  assert.equal(away.status, 1);
  assert.match(away.stderr, /there is no store of objects: set TMDS_S3_BUCKET/);
  const moved = await runHere(['payloads', 'move', '--to', 's3', '--json'], { ...stored, TMDS_PAYLOADS: 's3' });
  assert.equal(moved.status, 0, moved.stderr);
  assert.equal((JSON.parse(moved.stdout) as { documents: number }).documents, 80);
  const people = await runHere(['payloads'], { ...stored, TMDS_PAYLOADS: 's3' });
  assert.match(people.stdout, /records +s3 +80 /);
  assert.match(people.stdout, /loads put payloads here: s3; store of objects: s3:\/\/payloads\/tmds\//);
  assert.match(
    (await runHere(['doctor'], stored)).stdout,
    /payloads.*writes, reads and deletes at s3:\/\/payloads\/tmds\//,
  );
  assert.match((await runHere(['verify'], stored)).stdout, /80 packed payloads are what was written, by digest/);

  const back = await runHere(['payloads', 'move', '--to', 'database'], stored);
  assert.match(back.stdout, /^80 payloads moved, /);
  const counted = await runHere(['payloads', 'sweep', '--older-than-days', '1'], stored);
  assert.match(
    counted.stdout,
    /^80 objects, 0 of them \(0 bytes\) to be taken away with --delete\n80 more that nothing names/,
  );

  for (const words of [
    ['payloads', 'move'],
    ['payloads', 'move', '--to', 'elsewhere'],
    ['payloads', 'sweep', '--older-than-days', '0'],
  ]) {
    assert.equal((await runHere(words, stored)).status, 2, words.join(' '));
  }
  const incomplete = await runHere(['payloads'], { ...plain, TMDS_PAYLOADS: 's3' });
  assert.equal(incomplete.status, 2);
  assert.match(incomplete.stderr, /TMDS_PAYLOADS=s3 requires TMDS_S3_BUCKET/);

  // A refusal is reported at once; a fault that may pass is waited out, half a minute for each object.
  writeFileSync(secretFile, 'another');
  const failing = await runHere(['payloads', 'move', '--to', 's3'], stored);
  assert.equal(failing.status, 1);
  assert.match(failing.stderr, /403 .*correct TMDS_S3_SECRET.*the same command continues from there/);
});
