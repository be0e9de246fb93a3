import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeOf, versionPath } from '../../src/portal/history/places.ts';

test('links about a record keep the fields of its address, unless they are longer than this portal writes them', () => {
  const record = { register: 'XA', uid: '1' };
  const query = new URLSearchParams({ key: 'k'.repeat(12), from: 'mark_name=acme', asked: '1', other: 'x' });
  assert.deepEqual(placeOf(record, query, null).kept, [
    ['key', 'k'.repeat(12)],
    ['from', 'mark_name=acme'],
    ['asked', '1'],
  ]);
  const hostile = new URLSearchParams({ key: '('.repeat(15_000), from: '('.repeat(15_000), asked: '('.repeat(65) });
  assert.equal(versionPath(placeOf(record, hostile, null), null), '/portal/explorer/records/XA/1');
  assert.equal(versionPath(placeOf(record, hostile, 'mine'), null), '/portal/explorer/records/XA/1?key=mine');
});
