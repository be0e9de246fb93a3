import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CallTimes } from '../trials/soak/call-times.ts';
import { findFindings } from '../trials/soak/report.ts';
import type { SoakReport, SoakWindow } from '../trials/soak/soak.ts';

const MEGABYTE = 1024 * 1024;
const calm = {
  capacity: 1000,
  loads: { finished: 9, failures: [] },
  replicas: [0, 0],
  restart: { calls: 900, failed: 0 },
};

/** Windows as a run reports them, with what differs from one window to the next. */
function buildReport(change: (index: number) => { p99?: number; resident?: number; failed?: number }): SoakReport {
  const windows = Array.from({ length: 12 }, (_, index): SoakWindow => {
    const { p99 = 40, resident = 400, failed = 0 } = change(index);
    const held = {
      heapBytes: 40 * MEGABYTE,
      residentBytes: resident * MEGABYTE,
      descriptorsMin: 70,
      descriptorsMax: 80,
    };
    return { calls: 1000, failed, p99Ms: { search: p99 }, servers: [held, null] };
  });
  return { ...calm, windows };
}

test('a soak finds what grows, and not what only varies', () => {
  assert.deepEqual(
    findFindings(buildReport((index) => ({ p99: 40 + (index % 3) * 5, resident: 400 + (index % 3) * 20 }))),
    [],
  );
  // Caches fill in the first windows.
  assert.deepEqual(findFindings(buildReport((index) => (index < 2 ? { p99: 20, resident: 300 } : {}))), []);
  const slower = findFindings(buildReport((index) => ({ p99: 40 + index * 5 })));
  assert.deepEqual(slower, ['search: p99 rose from 55 to 90 ms']);
  const larger = findFindings(buildReport((index) => ({ resident: 400 + index * 4 })));
  assert.deepEqual(larger, ['server 1: residentBytes grew by 6.8 %']);
  assert.deepEqual(findFindings(buildReport((index) => (index === 4 ? { failed: 2 } : {}))), [
    '2 calls were not answered with 200',
  ]);
});

test('times of calls are reported by kind, in milliseconds', () => {
  const times = new CallTimes();
  const call = { port: 1, startedMs: 0, metered: true };
  for (let index = 1; index <= 200; index += 1) times.note({ ...call, kind: 'search', end: 200, durationMs: index });
  times.note({ ...call, kind: 'look-up', end: 503, durationMs: 0 });
  const { search, 'look-up': lookUp } = times.p99Ms();
  assert.ok(Math.abs(search! - 198) <= 0.2, `${search}`);
  assert.ok(lookUp! <= 0.001);
  assert.deepEqual([times.calls, times.failed], [201, 1]);
});
