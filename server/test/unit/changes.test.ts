/** What a call of the feed means, before any database is asked. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ApiError } from '../../src/base/errors.ts';
import { parseChanges } from '../../src/parse/changes.ts';
import { encodeCursor } from '../../src/parse/cursor.ts';
import { encodePosition, planChanges } from '../../src/plan/changes.ts';
import { runsOf } from '../support/depth.ts';

const position = { updated_at: '2026-03-01T10:00:00.000001Z', jurisdiction_code: 'US', uid: 'U 1/é商' };

function issueCursor(since: string, register: string | null): string {
  return encodePosition(planChanges(parseChanges({ since }, register)), position);
}

function refusal(work: () => unknown): { code: string; param: string | undefined } {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    return { code: error.code, param: error.param };
  }
  throw new Error('was not refused');
}

test('a request is read whole, with its defaults [4.6]', () => {
  assert.deepEqual(parseChanges({ since: '2026-01-01' }, null), {
    since: '2026-01-01T00:00:00.000000Z',
    register: null,
    after: null,
    limit: 500,
    expandPayload: false,
    binding: { kind: 'changes', query: 'changes since 2026-01-01T00:00:00.000000Z in *' },
  });
  const cursor = issueCursor('2026-01-01', 'US');
  assert.deepEqual(parseChanges({ since: '2026-01-01', cursor, limit: '5000' }, 'us'), {
    since: '2026-01-01T00:00:00.000000Z',
    register: 'US',
    after: position,
    limit: 5000,
    expandPayload: false,
    binding: { kind: 'changes', query: 'changes since 2026-01-01T00:00:00.000000Z in US' },
  });
});

test('payload pages default to 200 records and refuse more [4.6, I-8]', () => {
  assert.equal(parseChanges({ since: '2026-01-01', expand: 'payload' }, null).limit, 200);
  assert.equal(parseChanges({ since: '2026-01-01', expand: 'payload', limit: '200' }, null).limit, 200);
  assert.deepEqual(
    refusal(() => parseChanges({ since: '2026-01-01', expand: 'payload', limit: '201' }, null)),
    { code: 'invalid_parameter', param: 'limit' },
  );
});

test('equal instants are one since, whatever their spelling, and bind one cursor [I-17, I-19]', () => {
  const spellings = [
    '2026-01-01',
    '2026-01-01T00:00:00Z',
    '2026-01-01T00:00:00+00:00',
    '2026-01-01T00:00:00 00:00',
    '2026-01-01T01:00:00+01:00',
    '2026-01-01T00:00:00.000000Z',
    '2026-01-01T00:00:00z',
    '2026-01-01T00:00:00.000000999Z',
  ];
  const cursors = new Set(spellings.map((since) => issueCursor(since, null)));
  assert.equal(cursors.size, 1);
  for (const since of spellings) {
    assert.deepEqual(parseChanges({ since, cursor: [...cursors][0]! }, null).after, position, since);
  }
});

test('a cursor is bound to since and scope, not to limit and expand [4.6.1, I-17, I-19]', () => {
  const cursor = issueCursor('2026-01-01', 'US');
  const mismatch = { code: 'cursor_query_mismatch', param: 'cursor' };
  assert.deepEqual(parseChanges({ since: '2026-01-01', cursor, limit: '7', expand: 'payload' }, 'us').after, position);
  assert.deepEqual(
    refusal(() => parseChanges({ since: '2026-01-01T00:00:00.000001Z', cursor }, 'US')),
    mismatch,
  );
  for (const register of [null, 'EM', '*']) {
    assert.deepEqual(
      refusal(() => parseChanges({ since: '2026-01-01', cursor }, register)),
      mismatch,
    );
  }
  const search = encodeCursor(
    { kind: 'search', query: 'changes since 2026-01-01T00:00:00.000000Z in US' },
    {
      value: position.updated_at,
      jurisdiction_code: 'US',
      uid: 'U1',
    },
  );
  assert.deepEqual(
    refusal(() => parseChanges({ since: '2026-01-01', cursor: search }, 'US')),
    mismatch,
  );
});

test('cursors issued by the first version can always be read [4.6.1, I-19]', () => {
  const everywhere = 'AWMCa6RNsJs8WQ1x1FAAGzIwMjYtMDMtMDFUMTA6MDA6MDAuMDAwMDAxWgACVVMACVUgMS_DqeWVhlyTb9721EZe';
  const scoped = 'AWO_qwl4hkrjD6tHmysAGzIwMjYtMDMtMDFUMTA6MDA6MDAuMDAwMDAxWgACVVMACVUgMS_DqeWVhkBY7kT5m0A8';
  assert.deepEqual(parseChanges({ since: '2026-01-01', cursor: everywhere }, null).after, position);
  assert.deepEqual(parseChanges({ since: '2026-01-01', cursor: scoped }, 'US').after, position);
  assert.deepEqual([issueCursor('2026-01-01', null), issueCursor('2026-01-01', 'US')], [everywhere, scoped]);
});

test('a cursor with any byte changed is 400 cursor_invalid, and its text is URL-safe [4.6.1, I-17]', () => {
  const cursor = issueCursor('2026-01-01', null);
  assert.match(cursor, /^[A-Za-z0-9_-]+$/);
  for (let at = 0; at < cursor.length; at += 1) {
    for (const replacement of ['A', 'z', '_', '%', 'é', '']) {
      if (cursor[at] === replacement) continue;
      const changed = cursor.slice(0, at) + replacement + cursor.slice(at + 1);
      assert.deepEqual(
        refusal(() => parseChanges({ since: '2026-01-01', cursor: changed }, null)),
        { code: 'cursor_invalid', param: 'cursor' },
        `byte ${at} as ${replacement}`,
      );
    }
  }
});

test('no text is a cursor by accident, and none fails otherwise [4.6.7, I-17]', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.base64String(), fc.string({ unit: 'binary' })), (cursor) => {
      assert.equal(refusal(() => parseChanges({ since: '2026-01-01', cursor }, null)).code, 'cursor_invalid');
    }),
    { numRuns: runsOf(100) },
  );
});

test('a checksummed cursor that states an impossible position is refused, not run [I-17]', () => {
  const forge = (value: string | null, code: string, uid: string): string =>
    encodeCursor(
      { kind: 'changes', query: 'changes since 2026-01-01T00:00:00.000000Z in US' },
      {
        value,
        jurisdiction_code: code,
        uid,
      },
    );
  const forged = [
    forge(null, 'US', 'U1'),
    forge('2026-02-30T00:00:00.000000Z', 'US', 'U1'),
    forge('infinity', 'US', 'U1'),
    forge('2026-03-01T10:00:00.000001Z', 'EM', 'U1'),
    forge('2026-03-01T10:00:00.000001Z', 'US', ''),
    forge('2026-03-01T10:00:00.000001Z', 'US', 'a\0b'),
  ];
  for (const cursor of forged) {
    assert.deepEqual(
      refusal(() => parseChanges({ since: '2026-01-01', cursor }, 'US')),
      { code: 'cursor_invalid', param: 'cursor' },
    );
  }
});

test('a page never starts before since, whatever position a cursor claims [4.6]', () => {
  const cursor = encodeCursor(
    { kind: 'changes', query: 'changes since 2026-01-01T00:00:00.000000Z in *' },
    {
      value: '2025-12-31T23:59:59.999999Z',
      jurisdiction_code: 'ZZ',
      uid: 'U1',
    },
  );
  assert.deepEqual(planChanges(parseChanges({ since: '2026-01-01', cursor }, null)).after, {
    updated_at: '2026-01-01T00:00:00.000000Z',
    jurisdiction_code: '',
    uid: '',
  });
});

test('since takes ISO dates and date-times only [4.6.7, I-15]', () => {
  for (const since of ['yesterday', '2026-02-30', '2026-1-1', '2026-01-01T25:00', '1700000000', '0000-01-01', ' ']) {
    assert.deepEqual(
      refusal(() => parseChanges({ since }, null)),
      { code: 'invalid_parameter', param: 'since' },
      since,
    );
  }
});
