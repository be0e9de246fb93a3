/** What a load says to the person who ran it: when its records are served, and what to load next. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeReport } from '../../src/cli/load.ts';

type Report = Parameters<typeof describeReport>[0];

const REPORT = {
  registers: ['EM'],
  read: 586,
  new: 586,
  changed: 0,
  unchanged: 0,
  rejected: 0,
  seconds: 2,
  records_per_second: 293,
  supplements: { read: 0, new: 0, changed: 0 },
  current_through: '2026-11-20T00:00:00.000000Z',
  absent: null,
  issues: { waiting_party: 561, unknown_vienna_category: 1 },
  rejects_file: null,
} as unknown as Report;

test('an issue that one step mends says which, and the delay of the change feed does not read like a failure', () => {
  const lines = describeReport(REPORT, { horizonSeconds: 300, acceptRejects: false });
  const at = lines.indexOf('issue waiting_party: 561');
  assert.match(lines[at + 1] ?? '', /^ {2}The names of these parties are in separate files .* EM_APPLICANT/);
  assert.equal(lines[at + 2], 'issue unknown_vienna_category: 1');
  assert.ok(
    lines.includes('searches and look-ups show them now; the change feed follows 300 s behind, so that it misses none'),
  );
});
