/** Keys by which a load knows that it holds no record twice. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addKey, findRepeat } from '../../src/load/rows/encode.ts';

function writeKeys(identities: Iterable<readonly [register: string, uid: string]>): Buffer {
  const keys: number[] = [];
  for (const [register, uid] of identities) addKey(keys, register, uid);
  return Buffer.from(new Uint32Array(keys).buffer);
}

function* listUids(count: number): Generator<[string, string]> {
  for (let at = 0; at < count; at += 1) yield [at % 2 === 0 ? 'US' : 'EM', `US5000000${at >> 1}`];
}

/** Pieces that end within a key. */
function cut(bytes: Buffer): () => AsyncGenerator<Buffer> {
  return async function* () {
    for (let at = 0; at < bytes.length; at += 1_001) yield bytes.subarray(at, at + 1_001);
  };
}

test('records that differ have keys that differ, each of a hundred thousand', async () => {
  assert.equal(await findRepeat(0, cut(Buffer.alloc(0))), false);
  assert.equal(await findRepeat(100_000, cut(writeKeys(listUids(100_000)))), false);
  const near = [
    ['XA', 'B1'],
    ['XAB', '1'],
    ['XA', 'b1'],
    ['XA', 'B1 '],
    ['XA', '1B'],
    ['XA', ''],
  ] as const;
  assert.equal(await findRepeat(near.length, cut(writeKeys(near))), false);
});

test('a record that was read twice is found wherever both are, in one part or over several', async () => {
  for (const atOnceMax of [undefined, 700]) {
    assert.equal(await findRepeat(5_000, cut(writeKeys(listUids(5_000))), atOnceMax), false);
    for (const again of [0, 1, 2_500, 4_998]) {
      const identities = [...listUids(5_000)];
      identities.push(identities[again] as [string, string]);
      assert.equal(await findRepeat(5_001, cut(writeKeys(identities)), atOnceMax), true, `line ${again} again`);
    }
  }
});
