/** The file in which a load keeps what it may need after reading. */
import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { OperatorError } from '../../src/base/errors.ts';
import { addKey, type EncodedRows } from '../../src/load/rows/encode.ts';
import { openSpool, type Spool } from '../../src/load/staging/stage.ts';
import { makeFolder } from '../support/folder.ts';

function encodeTexts(unchanged: string, uids: readonly string[]): Pick<EncodedRows, 'unchanged' | 'keys'> {
  const keys: number[] = [];
  for (const uid of uids) addKey(keys, 'XA', uid);
  return { unchanged: new Uint8Array(Buffer.from(unchanged)), keys: new Uint32Array(keys) };
}

async function readAll(spool: Spool): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of spool.readUnchanged()) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

test('rows of unchanged records come back whole and in order, and a record that comes twice is noticed', async (t) => {
  const folder = join(makeFolder(t), 'made');
  const spool = await openSpool([folder]);
  t.after(() => spool.close());
  assert.deepEqual(readdirSync(folder), [], 'a file without a name is gone with its process');
  const long = 'x'.repeat(3_000_000);
  await spool.add(encodeTexts('a', ['1']));
  await spool.add(encodeTexts('', ['2', '3']));
  await spool.add(encodeTexts(long, ['4']));
  assert.equal(await spool.mayRepeat(), false);
  await spool.add(encodeTexts('b', ['5', '6']));
  assert.equal(await readAll(spool), `a${long}b`);
  await spool.add(encodeTexts('', ['2']));
  assert.equal(await spool.mayRepeat(), true);
});

test('a folder that cannot be written is skipped, and named when there is no other', async (t) => {
  const folder = makeFolder(t);
  writeFileSync(join(folder, 'file'), '');
  const spool = await openSpool([join(folder, 'file', 'below'), folder]);
  await spool.close();
  await assert.rejects(openSpool([join(folder, 'file', 'below')]), (error) => {
    assert.ok(error instanceof OperatorError && error.exitStatus === 1);
    assert.ok(error.message.startsWith(`cannot write a temporary file in ${join(folder, 'file', 'below')}: `));
    return true;
  });
});
