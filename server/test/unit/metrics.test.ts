/** The figures of the database never delay the metrics, and a figure says when they are missing. */
import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { NOT_STARTED } from '../../src/follow/messages.ts';
import { buildMetrics } from '../../src/monitor/metrics.ts';
import { ALARMS, type OpenAlarms } from '../../src/upkeep/health/alarms.ts';
import type { DatabaseFigures } from '../../src/upkeep/health/figures.ts';
import { makeFolder } from '../support/folder.ts';

const FIGURES: DatabaseFigures = {
  unmatched_seconds: 0,
  last_stamp_seconds: 2_000,
  horizon_seconds: 1_700,
  bytes: 5,
  backup_age_seconds: 90_000,
  xid_age: 6,
  transaction_seconds: 0,
  tables: [],
  registers: [{ code: 'XA', records: 7, current_through_seconds: null }],
  loads: [],
  webhooks: { live: 0, off: 0, failed: 0, waiting: 0, waiting_seconds: 0 },
  sources: [],
};

/** A database that answers when the test says so, and a clock that the test sets; waits end at once. */
function buildWatched(alarms: OpenAlarms = new Set(), snapshotsFolder = '/none') {
  const asked: { resolve: (figures: DatabaseFigures) => void; reject: (error: Error) => void }[] = [];
  let nowMs = 0;
  const clock: Clock = { ...systemClock, monotonicMs: () => nowMs, sleep: async () => undefined };
  const metrics = buildMetrics({
    version: '1',
    index: { stamp: 1_990_000_000, status: NOT_STARTED, restedSeconds: 0 },
    pools: {},
    readReaders: () => ({ standbys: [], primaryReads: 0 }),
    readDatabase: () => new Promise((resolve, reject) => asked.push({ resolve, reject })),
    clock,
    alarms,
    dataDir: tmpdir(),
    snapshotsFolder,
  });
  const read = async (): Promise<Map<string, string>> => {
    const { text } = await metrics.read('text');
    return new Map(text.split('\n').map((line) => line.split(' ') as [string, string]));
  };
  const pass = (ms: number): void => {
    nowMs += ms;
  };
  return { asked, read, pass };
}

test('a database that does not answer leaves its figures out and holds nothing up', async () => {
  const { asked, read } = buildWatched();
  const silent = await read();
  assert.deepEqual([silent.get('tmds_database_read'), silent.get('tmds_database_bytes')], ['0', undefined]);
  assert.equal(silent.get('tmds_index_ready'), '0');
  await read();
  assert.equal(asked.length, 1, 'it is not asked again while it has yet to answer');
  asked[0]!.resolve(FIGURES);
  const answered = await read();
  assert.deepEqual(
    ['tmds_database_read', 'tmds_database_bytes', 'tmds_index_lag_seconds', 'tmds_register_records{register="XA"}'].map(
      (name) => answered.get(name),
    ),
    ['1', '5', '10', '7'],
  );
  assert.equal(answered.has('tmds_register_current_through_timestamp_seconds{register="XA"}'), false);
});

test('figures are kept for ten seconds, and a failure is counted and not shown as a figure', async () => {
  const { asked, read, pass } = buildWatched();
  await read();
  asked[0]!.resolve(FIGURES);
  pass(9_999);
  assert.equal((await read()).get('tmds_database_bytes'), '5');
  assert.equal(asked.length, 1);
  pass(10_001);
  await read();
  assert.equal(asked.length, 2);
  asked[1]!.reject(new Error('away'));
  const failed = await read();
  assert.deepEqual(
    ['tmds_database_read', 'tmds_database_read_failures_total', 'tmds_database_bytes'].map((name) => failed.get(name)),
    ['0', '1', undefined],
  );
});

/** Whether a rule of `ops/alerts.yml` of the form `metric{label=~"…"} > number` holds for some line of the metrics. */
async function readRule(name: string): Promise<(lines: readonly string[]) => boolean> {
  const text = await readFile(new URL('../../../ops/alerts.yml', import.meta.url), 'utf8');
  const { groups } = parse(text) as { groups: { rules: { alert: string; expr: string }[] }[] };
  const { expr } = groups.flatMap(({ rules }) => rules).find(({ alert }) => alert === name) ?? assert.fail(name);
  const [, metric, label, not, values = '', sign, bound] =
    /^(\w+)(?:\{(\w+)(=~|!~)"([^"]*)"\})? ([<>]) (\S+)$/.exec(expr) ?? assert.fail(expr);
  return (lines) =>
    lines.some((line) => {
      const [, found, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      if (found !== metric) return false;
      const [, own = ''] = new RegExp(`${label}="([^"]*)"`).exec(labels) ?? [];
      if (label !== undefined && new RegExp(`^(?:${values})$`).test(own) !== (not === '=~')) return false;
      return sign === '>' ? Number(value) > Number(bound) : Number(value) < Number(bound);
    });
}

test('each alarm, a full disk, an old backup and an old snapshot make their rule fire', async (t) => {
  const folder = makeFolder(t);
  const open: OpenAlarms = new Set();
  const { asked, read, pass } = buildWatched(open, folder);
  const lines = async (changes: Partial<DatabaseFigures> = {}): Promise<string[]> => {
    pass(60_000);
    const reading = read();
    while (asked.length === 0) await new Promise(setImmediate);
    asked.pop()!.resolve({ ...FIGURES, ...changes });
    return [...(await reading)].map((each) => each.join(' '));
  };
  const rules = ['TmdsAlarm', 'TmdsDiskFull', 'TmdsDiskShort', 'TmdsBackupOld', 'TmdsSnapshotOld'];
  const holds = await Promise.all(rules.map(readRule));
  const firing = (found: readonly string[]): string[] => rules.filter((_, at) => holds[at]!(found));
  const fresh = await lines();
  assert.equal(fresh.filter((line) => /^tmds_alarm\{alarm="\w+"\} 0$/.test(line)).length, ALARMS.length);
  assert.ok(fresh.some((line) => line.startsWith('tmds_disk_free_bytes ')));
  assert.ok(!fresh.some((line) => line.startsWith('tmds_snapshot_age_seconds')), 'there is no snapshot yet');
  assert.deepEqual(firing(fresh), []);
  for (const alarm of ALARMS) {
    open.add(alarm);
    assert.deepEqual(firing(await lines()), [/disk/.test(alarm) ? 'TmdsDiskFull' : 'TmdsAlarm'], alarm);
    open.delete(alarm);
  }
  assert.deepEqual(firing(['tmds_disk_free_bytes 100000000']), ['TmdsDiskShort']);
  assert.deepEqual(firing(await lines({ backup_age_seconds: 3 * 86_400 })), ['TmdsBackupOld']);
  await mkdir(join(folder, '20260101T000000000Z'));
  assert.deepEqual(firing(await lines()), ['TmdsSnapshotOld']);
});
