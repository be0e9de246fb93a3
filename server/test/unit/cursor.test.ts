/** Cursors: bound to their query, readable by nobody else's code, safe against whatever comes back instead. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { ApiError } from '../../src/base/errors.ts';
import { type CursorBinding, type CursorKey, decodeCursor, encodeCursor } from '../../src/parse/cursor.ts';
import { runsOf } from '../support/depth.ts';

const BINDING: CursorBinding = { kind: 'search', query: 'one query' };
const KEY: CursorKey = { value: '2026-01-02T03:04:05.678901Z', jurisdiction_code: 'US', uid: 'US1/é 商' };
const CURSOR = encodeCursor(BINDING, KEY);

function codeOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    assert.equal(error.param, 'cursor');
    return error.code;
  }
  return 'accepted';
}

const readInstant = (text: string) => codeOf(() => decodeCursor(BINDING, text));

/** A cursor with a correct checksum and any other bytes. */
function forge(change: (body: Buffer) => Buffer): string {
  const body = change(Buffer.from(CURSOR, 'base64url').subarray(0, -8));
  return Buffer.concat([body, createHash('sha256').update(body).digest().subarray(0, 8)]).toString('base64url');
}

test('a cursor brings its key back and survives a URL unchanged [2.3, I-17]', () => {
  assert.deepEqual(decodeCursor(BINDING, CURSOR), KEY);
  assert.equal(encodeURIComponent(CURSOR), CURSOR);
  const dated = { ...KEY, value: '2024-02-29' };
  assert.deepEqual(decodeCursor({ ...BINDING, form: 'date' }, encodeCursor(BINDING, dated)), dated);
  const undated = { ...KEY, value: null };
  assert.deepEqual(decodeCursor({ ...BINDING, form: 'date' }, encodeCursor(BINDING, undated)), undated);
});

test('a cursor issued by the first version can always be read [I-19]', () => {
  assert.equal(
    encodeCursor(
      { kind: 'changes', query: 'q' },
      { value: '2026-01-01T00:00:00.000000Z', jurisdiction_code: 'EM', uid: '1' },
    ),
    'AWOONcLNO_ZkG9sOIFAAGzIwMjYtMDEtMDFUMDA6MDA6MDAuMDAwMDAwWgACRU0AATG4psiB455vsA',
  );
});

test('any key comes back unchanged [I-17]', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }).filter((value) => !value.includes('\0'));
  fc.assert(
    fc.property(text, text, fc.constantFrom('search', 'changes'), text, (jurisdiction_code, uid, kind, query) => {
      const key = { value: '0001-01-01T00:00:00.000001Z', jurisdiction_code, uid };
      const binding = { kind, query } as CursorBinding;
      assert.deepEqual(decodeCursor(binding, encodeCursor(binding, key)), key);
    }),
  );
});

test('a cursor of another query or endpoint is a mismatch, not an invalid cursor [4.3, I-17]', () => {
  assert.equal(
    codeOf(() => decodeCursor({ ...BINDING, query: 'other' }, CURSOR)),
    'cursor_query_mismatch',
  );
  assert.equal(
    codeOf(() => decodeCursor({ ...BINDING, kind: 'changes' }, CURSOR)),
    'cursor_query_mismatch',
  );
});

test('every changed, lost or added character makes a cursor invalid [7, I-17]', () => {
  for (let at = 0; at < CURSOR.length; at += 1) {
    for (const character of 'Aa0_-%=+/ é\0') {
      if (character === CURSOR[at]) continue;
      const changed = CURSOR.slice(0, at) + character + CURSOR.slice(at + 1);
      assert.equal(readInstant(changed), 'cursor_invalid', changed);
    }
    assert.equal(readInstant(CURSOR.slice(0, at) + CURSOR.slice(at + 1)), 'cursor_invalid');
    assert.equal(readInstant(CURSOR.slice(0, at)), 'cursor_invalid');
  }
  for (const added of ['=', '==', 'A', ' ', '\n', '.'])
    assert.equal(readInstant(CURSOR + added), 'cursor_invalid', added);
});

test('every flipped bit makes a cursor invalid [7, I-17]', () => {
  const bytes = Buffer.from(CURSOR, 'base64url');
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const flipped = Buffer.from(bytes);
    flipped[bit >> 3]! ^= 1 << (bit & 7);
    assert.equal(readInstant(flipped.toString('base64url')), 'cursor_invalid', `bit ${bit}`);
  }
});

test('a forged cursor with a correct checksum cannot bring in an invalid value [I-9]', () => {
  const withKey = (value: string | null, code: string, uid: string) =>
    encodeCursor(BINDING, { value, jurisdiction_code: code, uid });
  const forged = [
    withKey(null, 'US', '1'),
    withKey('2026-02-30T00:00:00.000000Z', 'US', '1'),
    withKey('2026-01-01', 'US', '1'),
    withKey('2026-01-01T00:00:00.000000+', 'US', '1'),
    withKey("';", 'US', '1'),
    withKey(KEY.value, '', '1'),
    withKey(KEY.value, 'US', ''),
    withKey(KEY.value, 'US', 'a\0b'),
    forge((body) => body.subarray(0, -1)),
    forge((body) => Buffer.concat([body, Buffer.from([0])])),
    forge((body) => Buffer.concat([body.subarray(0, -1), Buffer.from([0xff])])),
    forge((body) => Buffer.concat([Buffer.from([2]), body.subarray(1)])),
    forge((body) => body.subarray(0, 14)),
    forge((body) => Buffer.concat([body.subarray(0, 14), Buffer.from([0xff, 0xfe])])),
  ];
  for (const text of forged) assert.equal(readInstant(text), 'cursor_invalid', text);
  assert.equal(
    codeOf(() => decodeCursor({ ...BINDING, form: 'date' }, CURSOR)),
    'cursor_invalid',
  );
});

test('whatever text comes as a cursor ends in a cursor error [7, I-9]', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string(),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('base64url')),
    fc.constant('A'.repeat(100_000)),
  );
  fc.assert(
    fc.property(texts, (text) => assert.equal(readInstant(text), 'cursor_invalid')),
    { numRuns: runsOf(500) },
  );
});
