/** Requests for the history: what is parsed, and the cursors that outlive every version of the code. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../src/base/errors.ts';
import { encodeCursor } from '../../src/parse/cursor.ts';
import { parseHistory, parseRecordHistory, parseVersion } from '../../src/parse/history.ts';
import { planHistory } from '../../src/plan/history.ts';

const FEED = { since: '2026-01-01', status: 'Pending', field: 'status' };
const FEED_CURSOR = 'AWiGK_KudWHex9A0SNYAGzIwMjYtMDEtMDJUMDM6MDQ6MDUuNjc4OTAxWgACWEEAATFtoGjC50lAHg';
const RECORD = { register: 'XA', uid: '1' };
const RECORD_CURSOR = 'AWh461YWgYrLJB3ER0kAGzIwMjYtMDEtMDJUMDM6MDQ6MDUuNjc4OTAxWgACWEEAATFpUOtczC5aAQ';
const STAMP = '2026-01-02T03:04:05.678901Z';
const KEY = { value: STAMP, jurisdiction_code: 'XA', uid: '1' };

function codeOf(work: () => unknown): string {
  try {
    work();
    return 'accepted';
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    return error.code;
  }
}

test('cursors issued by the first version can always be read [I-19]', () => {
  assert.deepEqual(parseHistory({ ...FEED, cursor: FEED_CURSOR }, 'xa').after, {
    updated_at: STAMP,
    jurisdiction_code: KEY.jurisdiction_code,
    uid: KEY.uid,
  });
  assert.equal(parseRecordHistory({ cause: 'office', cursor: RECORD_CURSOR }, RECORD).before, STAMP);
});

test('a cursor belongs to one query of one endpoint, whose register and record it names [I-17]', () => {
  const feed = (values: object, register: string | null) => () => parseHistory({ ...FEED, ...values }, register);
  assert.equal(codeOf(feed({ cursor: RECORD_CURSOR }, 'XA')), 'cursor_query_mismatch');
  assert.equal(codeOf(feed({ cursor: FEED_CURSOR }, null)), 'cursor_query_mismatch');
  assert.equal(codeOf(feed({ cursor: FEED_CURSOR, limit: '7' }, 'XA')), 'accepted');
  const { binding } = parseHistory(FEED, 'XA');
  const forged = encodeCursor(binding, { ...KEY, jurisdiction_code: 'XB' });
  assert.equal(codeOf(feed({ cursor: forged }, 'XA')), 'cursor_invalid');
  const record = parseRecordHistory({}, RECORD);
  const other = encodeCursor(record.binding, { ...KEY, uid: '2' });
  assert.equal(
    codeOf(() => parseRecordHistory({ cursor: other }, RECORD)),
    'cursor_invalid',
  );
});

test('a forged cursor does not bring what since excludes', () => {
  const { binding } = parseHistory(FEED, 'XA');
  const early = encodeCursor(binding, { ...KEY, value: '2025-01-01T00:00:00.000000Z' });
  const { after } = planHistory(parseHistory({ ...FEED, cursor: early }, 'XA'));
  assert.deepEqual(after, { updated_at: '2026-01-01T00:00:00.000000Z', jurisdiction_code: '', uid: '' });
});

test('an instant in any form names one version [I-15]', () => {
  const version = (text: string) => parseVersion({}, { ...RECORD, version: text }).version;
  for (const text of [STAMP, '2026-01-02T04:04:05.678901+01:00', '2026-01-02T04:04:05,6789019+0100']) {
    assert.equal(version(text), STAMP, text);
  }
  assert.equal(
    codeOf(() => version('2026-01-02T03')),
    'invalid_parameter',
  );
});
