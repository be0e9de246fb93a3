/** Matches on their way from a search thread, as one text. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMatches, packMatches } from '../../src/follow/messages.ts';

const REST = { stamp: 1_790_000_000_000_000, last: { value: null, jurisdiction_code: 'XA', uid: 'A1' }, count: 7 };
const recordOf = (jurisdiction_code: string, uid: string) => ({
  jurisdiction_code,
  uid,
  updated_at: '2026-01-01T00:00:01.000001Z',
});

test('matches come from a search thread as they were found, whatever is in their keys', () => {
  const records = [recordOf('XA', 'A1'), recordOf('XB', 'a b\n\u0001,"商標\u{1F600}'), recordOf('XB', ' ')];
  const found = { ...REST, records: records.map((record) => ({ ...record, value: null })) };
  assert.deepEqual(openMatches(packMatches(found)), { ...REST, records });
  assert.deepEqual(openMatches(packMatches({ ...found, records: [] })), { ...REST, records: [] });
});
