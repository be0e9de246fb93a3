import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { PAYLOAD_BYTES_MAX } from '@tmds/contract/limits';
import fc from 'fast-check';
import {
  composeDictionary,
  DICTIONARY_BYTES_MAX,
  DICTIONARY_DOCUMENTS_MIN,
  identifyDictionary,
  neededDictionary,
  packDocument,
  unpackDocument,
} from '../../src/store/documents/packing.ts';

const documents = Array.from({ length: 200 }, (_, at) =>
  Buffer.from(JSON.stringify({ parties: [{ role: 'owner', names: [{ text: `Owner ${at * 7919}` }] }], goods: [at] })),
);

test('whatever is packed comes back, with a dictionary or without', async () => {
  const dictionary = composeDictionary(documents)!;
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 5_000 }), fc.boolean(), async (bytes, isAided) => {
      const used = isAided ? dictionary : null;
      const packed = await packDocument(Buffer.from(bytes), used);
      assert.deepEqual(neededDictionary(packed), used?.id ?? null);
      assert.deepEqual(unpackDocument(packed, used), Buffer.from(bytes));
    }),
  );
});

test('a dictionary is made of enough documents, is bounded, the same for the same ones, and pays', async () => {
  assert.equal(composeDictionary(documents.slice(0, DICTIONARY_DOCUMENTS_MIN - 1)), null);
  const dictionary = composeDictionary(documents)!;
  assert.ok(dictionary.content.length <= DICTIONARY_BYTES_MAX);
  assert.deepEqual(composeDictionary([...documents]), dictionary);
  assert.deepEqual(identifyDictionary(dictionary.content).id, dictionary.id);
  const large = Array.from({ length: 60 }, () => randomBytes(100_000));
  assert.equal(composeDictionary(large)!.content.length, DICTIONARY_BYTES_MAX);
  const sizeOf = async (used: typeof dictionary | null): Promise<number> =>
    (await packDocument(documents[77]!, used)).length;
  assert.ok((await sizeOf(dictionary)) * 2 < (await sizeOf(null)));
});

test('damaged bytes, and those that hold more than a payload may, are refused', async () => {
  const packed = await packDocument(documents[0]!, null);
  assert.throws(() => neededDictionary(packed.subarray(0, 8)), /not a packed document/);
  assert.throws(() => neededDictionary(Buffer.from('{"parties":[]}')), /not a packed document/);
  assert.throws(() => unpackDocument(packed.subarray(0, 20), null));
  const bomb = Buffer.concat([Buffer.from([1]), Buffer.alloc(8), deflateRawSync(Buffer.alloc(PAYLOAD_BYTES_MAX + 1))]);
  assert.throws(() => unpackDocument(bomb, null), /larger than/);
});
