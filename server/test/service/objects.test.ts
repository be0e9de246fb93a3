/** The store of objects, against a real server with the S3 protocol, and everything that such a server may do wrong. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { ObjectStoreAway, type StoredObject } from '../../src/objects/object-store.ts';
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
  const { store, calls } = await startObjects(t);
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
  assert.equal(calls.POST, undefined, 'names are deleted one by one: not every server takes a list in this form');
});

test('an object that is larger than it may be is not read', async (t) => {
  const { store } = await startObjects(t);
  await store.put('large', randomBytes(2_000));
  assert.match((await failureOf(store.get('large', 1_999))).seen, /more than 1999 bytes/);
});

/** Rule I-35. */
const TOLD_MS_MAX = 3_000;

for (const [fault, seen] of [
  ['gone', /hang up|ECONNRESET/],
  ['error', /500/],
  ['busy', /503.*reduce your request rate/],
  ['hang', /no answer in \d+ ms/],
  ['cut', /aborted|of \d+ bytes came|terminated|hang up/],
  ['stall', /no answer in \d+ ms/],
  ['trickle', /no answer in \d+ ms/],
] as const) {
  test(`a server that answers with ${fault} is reported in time, without the secret, and a fault that passes is not reported [I-35]`, async (t) => {
    const objects = await startObjects(t);
    await objects.store.put('one', Buffer.from('one, and some more, and then a few bytes'));
    objects.fault = fault;
    const beganMs = objects.waitedMs();
    const failure = await failureOf(objects.store.forCall().get('one', 40));
    assert.equal(failure.code, 'payloads_away');
    assert.match(failure.seen, seen);
    assert.doesNotMatch(JSON.stringify([failure.seen, failure.message, String(failure.cause)]), /secret/);
    assert.ok(objects.waitedMs() - beganMs <= TOLD_MS_MAX, `reported after ${objects.waitedMs() - beganMs} ms`);
    assert.ok(objects.calls.GET! > 1 || fault === 'trickle', 'it was tried again');

    if (fault === 'trickle') return;

    const workMs = objects.waitedMs();
    assert.match((await failureOf(objects.store.get('one', 40))).seen, seen);
    assert.ok(objects.waitedMs() - workMs <= 32_000, `a load fails after ${objects.waitedMs() - workMs} ms`);
    for (const store of [objects.store, objects.store.forCall()]) {
      objects.fault = fault;
      objects.faultsLeft = 1;
      assert.equal((await store.get('one', 40))?.toString(), 'one, and some more, and then a few bytes');
      assert.equal(objects.fault, 'none');
    }
  });
}

test('a load outlasts a store that is away for twenty seconds', async (t) => {
  const objects = await startObjects(t);
  const { store } = objects;
  objects.fault = 'gone';
  objects.onCall = () => {
    if (objects.waitedMs() >= 20_000) objects.fault = 'none';
  };
  await store.put('one', Buffer.from('one'));
  assert.ok(objects.waitedMs() >= 20_000);
  assert.equal((await store.get('one', 3))?.toString(), 'one');
});

test('a large object that flows is read, however long it takes; objects of one call share its time [I-35]', async (t) => {
  const objects = await startObjects(t);
  const bytes = randomBytes(4_000_000);
  await objects.store.put('large', bytes);
  objects.fault = 'flow';
  assert.ok((await objects.store.forCall().get('large', bytes.length))?.equals(bytes));
  assert.ok(objects.waitedMs() > 5_000, 'it took longer than a call waits for a store that is silent');
  objects.fault = 'late';
  const call = objects.store.forCall();
  const beganMs = objects.waitedMs();
  const read = async (): Promise<void> => {
    for (let times = 0; times < 50; times += 1) await call.get('nothing', 1);
  };
  assert.match((await failureOf(read())).seen, /no answer in/);
  assert.ok(objects.waitedMs() - beganMs <= TOLD_MS_MAX, `reported after ${objects.waitedMs() - beganMs} ms`);
  assert.equal(await objects.store.forCall().get('nothing', 1), null);
});

test('every request is signed for its name, its bytes, its region and its time, whatever is in the name', async (t) => {
  const objects = await startObjects(t);
  const { store } = objects;
  const names = ['plain', "a b+c=d&e~f(g)'h!i*j$k@l,m:n;o", 'Öwner “株式会社” 100%', 'a/b.c/..d'];
  for (const name of names) {
    await store.put(name, Buffer.from(name));
    assert.equal((await store.get(name, 100))?.toString(), name, name);
  }
  const listed = await listAll(store.list(''));
  assert.deepEqual(listed.map(({ name }) => name).sort(), [...names].sort());
  await store.delete(names);
  assert.deepEqual(await listAll(store.list('')), []);
  assert.deepEqual(objects.refused, []);
});

for (const [wrong, seen] of [
  [{ secret: 'a secret of nobody' }, /403.*signature.*correct TMDS_S3_SECRET or/],
  [{ keyId: 'NOBODY' }, /403.*key id.*correct TMDS_S3_KEY_ID/],
  [{ region: 'us-east-1' }, /403.*expecting eu-test-1.*correct TMDS_S3_REGION/],
  [{ bucket: 'another' }, /404.*correct TMDS_S3_BUCKET/],
] as const) {
  test(`a refusal for ${Object.keys(wrong)[0]} is not tried again, and says what to change, without the secret`, async (t) => {
    const objects = await startObjects(t);
    const store = await objects.open(wrong);
    t.after(() => store.close());
    const failure = await failureOf(store.put('one', Buffer.from('one')));
    assert.match(failure.seen, /^writing to s3:\/\/\w+\/test\/: 40\d /);
    assert.match(failure.seen, seen);
    assert.equal(objects.calls.PUT, 1);
    const said = JSON.stringify([failure.seen, failure.message, String(failure.cause)]);
    assert.doesNotMatch(said, new RegExp(`a secret of nobody|${objects.secret.replaceAll(/[+]/g, '.')}`));
  });
}

test('a clock that is off by an hour costs one refusal', async (t) => {
  const objects = await startObjects(t);
  objects.aheadMs = 3_600_000;
  await objects.store.put('one', Buffer.from('one'));
  assert.equal((await objects.store.get('one', 3))?.toString(), 'one');
  assert.deepEqual(objects.refused, ['RequestTimeTooSkewed']);
});

test('a reader that has gone leaves no try behind', async (t) => {
  const objects = await startObjects(t);
  objects.fault = 'hang';
  const gone = new AbortController();
  const reading = objects.store.forCall(gone.signal).get('one', 10);
  gone.abort(new Error('gone'));
  await assert.rejects(reading, /gone/);
});
