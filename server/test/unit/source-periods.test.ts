/** Periods from names of files, in the order of time; when each is expected and overdue. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { showPeriod } from '../../src/store/sync/source-files.ts';
import {
  dayOf,
  isoWeekOf,
  lastDayOfWeek,
  parseNamePattern,
  parsePeriod,
  toDate,
} from '../../src/sync/declared/file-names.ts';
import { listExpected, parseRhythm } from '../../src/sync/declared/rhythm.ts';
import { runSchedule } from '../../src/sync/schedule.ts';
import { buildStandingClock, declareSources } from '../support/sources-declared.ts';

test('names are read by their pattern, and what names no period of the calendar is not', () => {
  const cases: [pattern: string, name: string, label: string | null][] = [
    ['apc{YY}{MM}{DD}.zip', 'apc261120.zip', '2026-11-20'],
    ['apc{YY}{MM}{DD}.zip', 'apc991231.zip', '1999-12-31'],
    ['apc{YY}{MM}{DD}.zip', 'apc260230.zip', null],
    ['apc{YY}{MM}{DD}.zip', 'apc261120.zip.part', null],
    ['apc{YY}{MM}{DD}.zip', 'apcX61120.zip', null],
    ['a.{YYYY}-W{WW}.x', 'a.2026-W53.x', '2026-W53'],
    ['a.{YYYY}-W{WW}.x', 'a.2025-W53.x', null],
    ['a.{YYYY}-W{WW}.x', 'ab2026-W01.x', null],
    ['{YYYY}{MM}*.zip', '202611-full.zip', '2026-11'],
    ['{YYYY}{MM}*.zip', '202613-full.zip', null],
    ['r{YYYY}.zip', 'r2026.zip', '2026'],
    ['RM{N}.xml', 'RM2240.xml', '000002240'],
    ['{YYYY}{MM}{DD}-{YYYY}{MM}{DD}-{N}.zip', '18840407-20251231-03.zip', '2025-12-31/000003'],
  ];
  for (const [pattern, name, label] of cases) {
    assert.equal(parseNamePattern(pattern).read(name)?.label ?? null, label, `${pattern} ${name}`);
  }
  assert.deepEqual(['000002240', '2025-12-31/000003', '2026-W47'].map(showPeriod), [
    '2240',
    '2025-12-31 part 3',
    '2026-W47',
  ]);
  assert.throws(() => parseNamePattern('{MM}.zip'), /must state a period/);
  assert.throws(() => parseNamePattern('{N}-{N}.zip'), /more than once/);
  assert.throws(() => parseNamePattern('x/{N}.zip'), /without folders/);
  assert.throws(() => parseNamePattern('{year}.zip'), /unknown place \{year\}; known: YYYY, YY/);
  assert.equal(parsePeriod('week', '2025-W53'), null);
});

test('labels are in byte order what their periods are in time', () => {
  const day = fc.integer({ min: -30_000, max: 40_000 });
  fc.assert(
    fc.property(day, day, (one, other) => {
      const [first, second] = [Math.min(one, other), Math.max(one, other)];
      assert.ok(dayOf(first) <= dayOf(second));
      assert.ok(isoWeekOf(first) <= isoWeekOf(second));
      assert.equal(toDate(dayOf(one)), one);
      const last = lastDayOfWeek(isoWeekOf(one))!;
      assert.ok(last >= one && last - one < 7);
    }),
  );
});

test('a rhythm expects the periods that it names', () => {
  const list = (rhythm: string, unit: Parameters<typeof parseRhythm>[1], from: string, through: string): string[] => {
    const days = { fromDay: toDate(from)!, throughDay: toDate(through)! };
    return [...listExpected(parseRhythm(rhythm, unit), unit, days)].map(({ label }) => label);
  };
  assert.equal(list('daily', 'day', '2024-02-28', '2024-03-01').join(), '2024-02-28,2024-02-29,2024-03-01');
  assert.equal(list('weekdays', 'day', '2026-11-20', '2026-11-24').join(), '2026-11-20,2026-11-23,2026-11-24');
  assert.equal(list('weekly on thu', 'day', '2026-11-01', '2026-11-30').length, 4);
  assert.equal(list('weekly', 'week', '2026-12-21', '2027-01-10').join(), '2026-W52,2026-W53,2027-W01');
  assert.equal(list('monthly', 'month', '2026-01-31', '2026-03-30').join(), '2026-01,2026-02');
  assert.equal(list('monthly on 5', 'day', '2026-01-01', '2026-03-30').join(), '2026-01-05,2026-02-05,2026-03-05');
  assert.equal(list('yearly on 12-31', 'day', '2024-01-01', '2026-01-01').join(), '2024-12-31,2025-12-31');
  assert.equal(list('yearly', 'year', '2024-01-01', '2025-12-30').join(), '2024');
});

const TWO = ['one', 'two']
  .map(
    (name) => `[source.${name}]\nkind = "folder"\nfolder = "/in"\nformat = "ndjson"\nfiles = "{N}.ndjson"
    every = "${name === 'one' ? '1h' : '2h'}"\n`,
  )
  .join('');

test('each source is checked at its time, give or take a tenth, and a restart goes on where it was', async () => {
  const clock = buildStandingClock('2026-11-20T12:00:00Z');
  const startMs = clock.nowMs();
  const stop = new AbortController();
  const checks: string[] = [];
  let refusals = 1;
  await runSchedule({
    readSources: async () => declareSources(TWO),
    readChecked: async () => new Map([['two', startMs - 3_600_000]]),
    async check(due) {
      checks.push(`${Math.round((clock.nowMs() - startMs) / 60_000)} ${due.map(({ name }) => name).join(' ')}`);
      if (clock.nowMs() - startMs > 150 * 60_000) stop.abort();
      // Another process syncs the first time.
      return refusals-- <= 0;
    },
    onFailure: (error) => assert.fail(String(error)),
    random: () => 1,
    clock: {
      ...clock,
      sleep: async (ms) => clock.set(new Date(clock.nowMs() + ms).toISOString()),
    },
    signal: stop.signal,
  });
  assert.deepEqual(checks, ['0 one', '0 one', '60 two', '66 one', '132 one', '192 two']);
});

test('while another process syncs, it is asked again within seconds, and what that one has checked is not checked again', async () => {
  const clock = buildStandingClock('2026-11-20T12:00:00Z');
  const startMs = clock.nowMs();
  const seconds = (): number => (clock.nowMs() - startMs) / 1000;
  const stop = new AbortController();
  const checks: string[] = [];
  await runSchedule({
    readSources: async () => declareSources(TWO),
    // The other process has checked one of them after seven seconds, and was killed then.
    readChecked: async () => new Map(seconds() < 7 ? [] : [['one', startMs + 7_000]]),
    async check(due) {
      checks.push(`${seconds()} ${due.map(({ name }) => name).join(' ')}`);
      if (seconds() >= 10) stop.abort();
      return seconds() >= 10;
    },
    onFailure: (error) => assert.fail(String(error)),
    random: () => 0,
    clock: {
      ...clock,
      sleep: async (ms) => clock.set(new Date(clock.nowMs() + ms).toISOString()),
    },
    signal: stop.signal,
  });
  assert.deepEqual(checks, ['0 one two', '5 one two', '10 two']);
});

test('declarations that became wrong are reported, and checked again', async () => {
  const clock = buildStandingClock('2026-11-20T12:00:00Z');
  const stop = new AbortController();
  const failures: unknown[] = [];
  await runSchedule({
    readSources: async () => {
      throw new Error('wrong');
    },
    readChecked: async () => new Map(),
    check: async () => true,
    onFailure: (error) => {
      failures.push(error);
      if (failures.length === 2) stop.abort();
    },
    ...{ random: () => 0, clock, signal: stop.signal },
  });
  assert.equal(failures.length, 2);
});
