/** The file in which a load keeps what it has read. */
import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { OperatorError } from '../../src/base/errors.ts';
import type { EncodedRows } from '../../src/load/encoded-rows.ts';
import { addKey } from '../../src/load/repeats.ts';
import { openSpool, type Spool } from '../../src/load/spool.ts';
import { makeFolder } from '../support/loads.ts';

function encodeTexts(
  rows: string,
  unchanged: string,
  uids: readonly string[],
): Pick<EncodedRows, 'rows' | 'unchanged' | 'keys'> {
  const keys: number[] = [];
  for (const uid of uids) addKey(keys, 'XA', uid);
  const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text));
  return { rows: bytesOf(rows), unchanged: bytesOf(unchanged), keys: new Uint32Array(keys) };
}

async function readAll(spool: Spool, from: { afterBatch: number; unchanged: boolean }): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of spool.readRows(from)) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

test('what was read comes back by batch, whole, whatever was in between', async (t) => {
  const folder = join(makeFolder(t), 'made');
  const spool = await openSpool([folder]);
  t.after(() => spool.close());
  assert.deepEqual(readdirSync(folder), [], 'a file without a name is gone with its process');
  const long = 'x'.repeat(3_000_000);
  await spool.add(1, encodeTexts('a', '', ['1']));
  await spool.add(2, encodeTexts(long, 'same', ['2', '3']));
  await spool.add(1, encodeTexts('b', '', ['4']));
  await spool.add(2, encodeTexts('c', 'again', ['5', '6']));
  assert.equal((await spool.readBatch(1)).toString(), 'ab');
  assert.equal((await spool.readBatch(2)).toString(), `${long}c`);
  assert.equal((await spool.readBatch(3)).length, 0);
  assert.equal(await readAll(spool, { afterBatch: 0, unchanged: true }), `sameagainab${long}c`);
  assert.equal(await readAll(spool, { afterBatch: 1, unchanged: false }), `${long}c`);
  assert.equal(await spool.mayRepeat(), false);
  await spool.add(3, encodeTexts('d', '', ['2']));
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
