/** The store of objects, against a real server with the S3 protocol, and everything that such a server may do wrong. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { ObjectStoreAway, type StoredObject } from '../../src/store/objects/object-store.ts';
import { startObjects } from '../support/objects.ts';

async function listAll(pages: AsyncIterable<readonly StoredObject[]>): Promise<StoredObject[]> {
  const all: StoredObject[] = [];
  for await (const page of pages) all.push(...page);
  return all;
}

async function failureOf(work: Promise<unknown>): Promise<ObjectStoreAway> {
  try {
    await work;
  } catch (error) {
    assert.ok(error instanceof ObjectStoreAway, String(error));
    return error;
  }
  assert.fail('it did not fail');
}

test('objects are written, read, listed by what their names begin with, and deleted', async (t) => {
  const { store } = await startObjects(t);
  const bytes = randomBytes(3_000_000);
  await store.put('documents/aa/1', bytes);
  await store.put('documents/aa/1', bytes);
  await store.put('documents/bb/2', Buffer.from('two'));
  await store.put('other/3', Buffer.from(''));
  assert.ok((await store.get('documents/aa/1', 3_000_000))?.equals(bytes));
  assert.equal((await store.get('other/3', 10))?.length, 0);
  assert.equal(await store.get('documents/cc/3', 10), null);
  const listed = await listAll(store.list('documents/'));
  assert.deepEqual(
    listed.map(({ name, bytes: size }) => [name, size]),
    [
      ['documents/aa/1', 3_000_000],
      ['documents/bb/2', 3],
    ],
  );
  assert.ok(listed.every(({ writtenMs }) => Number.isFinite(writtenMs)));
  await store.delete(['documents/aa/1', 'documents/zz/9']);
  assert.equal(await store.get('documents/aa/1', 10), null);
  assert.equal((await listAll(store.list(''))).length, 2);
});

test('an object that is larger than it may be is not read', async (t) => {
  const { store } = await startObjects(t);
  await store.put('large', randomBytes(2_000));
  assert.match((await failureOf(store.get('large', 1_999))).seen, /more than 1999 bytes/);
});

for (const [fault, seen] of [
  ['cut', /aborted|of \d+ bytes came|terminated|hang up/],
  ['hang', /no answer in \d+ ms/],
  ['error', /500/],
  ['gone', /hang up|ECONNRESET/],
] as const) {
  test(`a server that answers with ${fault} is told after a bounded number of tries, without the secret`, async (t) => {
    const objects = await startObjects(t);
    await objects.store.put('one', Buffer.from('one'));
    const { store } = objects;
    const before = objects.calls.GET ?? 0;
    objects.fault = fault;
    const failure = await failureOf(store.get('one', 10));
    assert.equal(failure.code, 'unavailable');
    assert.match(failure.seen, seen);
    assert.equal((objects.calls.GET ?? 0) - before, 2);
    objects.fault = 'none';
    assert.equal((await store.get('one', 10))?.toString(), 'one');
  });
}

test('a refusal is not tried again, and says which', async (t) => {
  const objects = await startObjects(t);
  const store = await objects.open({ keyId: 'NOBODY', secret: 'a secret of nobody' });
  t.after(() => store.close());
  const failure = await failureOf(store.put('one', Buffer.from('one')));
  assert.match(failure.seen, /^writing to s3:\/\/payloads\/test\/: 403 /);
  assert.equal(objects.calls.PUT, 1);
  assert.doesNotMatch(JSON.stringify([failure.seen, failure.message, String(failure.cause)]), /a secret of nobody/);
});

test('whoever reads and has gone leaves no try behind', async (t) => {
  const objects = await startObjects(t);
  objects.fault = 'hang';
  const gone = new AbortController();
  const reading = objects.store.get('one', 10, gone.signal);
  gone.abort(new Error('gone'));
  await assert.rejects(reading, /gone/);
});
