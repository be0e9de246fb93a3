/** What can be concluded when a register says nothing: by the periods of its files, whenever they came. */
import assert from 'node:assert/strict';
import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { CoverageReport, CoverageSeries } from '@tmds/contract/coverage';
import fc from 'fast-check';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { inpiBrFormat } from '../../src/load/formats/inpi-br/adapter.ts';
import { usptoAssignmentsFormat } from '../../src/load/formats/uspto-events/assignments.ts';
import { openSource } from '../../src/load/sources/source.ts';
import { describeCoverage } from '../../src/render/coverage.ts';
import { listRegisterFacts } from '../../src/store/records/registers.ts';
import { retryFile, skipFile } from '../../src/sync/operator.ts';
import { createTestDatabase } from '../support/database.ts';
import { runsOf } from '../support/depth.ts';
import { makeFolder } from '../support/folder.ts';
import { NUMBER, PROCESS, writeJournal } from '../support/inpi-br.ts';
import { loadRecords, loadSources, UNLIMITED } from '../support/loads.ts';
import { refusalOf, startWithKey } from '../support/service.ts';
import { buildStandingClock, checkSources, declareSources, statement } from '../support/sources-declared.ts';
import { openText } from '../support/texts.ts';
import { buildZip } from '../support/zip.ts';

const LONG_AGO = new Date('2026-01-01T00:00:00Z');

interface World {
  db: Database;
  clock: ReturnType<typeof buildStandingClock>;
  put(period: string, uid?: string): void;
  check(more: string, accepted?: readonly string[]): Promise<void>;
  retry(period: string, more: string): Promise<void>;
  skip(period: string, more: string): Promise<void>;
  read(register?: string): Promise<CoverageReport>;
}

/** A source whose files are `day-2026-11-20.ndjson`, or whatever `names` says. */
async function openWorld(t: TestContext, names = 'day-{YYYY}-{MM}-{DD}.ndjson'): Promise<World> {
  const { db } = await createTestDatabase(t, { ...UNLIMITED, poolMax: 10 });
  const [folder, dataDir] = [makeFolder(t), makeFolder(t)];
  const clock = buildStandingClock('2026-11-06T12:00:00Z');
  const nameOf = (period: string): string => names.replace(/\{.*\}/, period);
  const declare = (more: string) =>
    declareSources(`[source.office]\nkind = "folder"\nfolder = "${folder}"\nsettle = "1m"\nformat = "ndjson"
      register = "XA"\nfiles = "${names}"\n${more}`);
  return {
    db,
    clock,
    put(period, uid = 'XA1') {
      const path = join(folder, nameOf(period));
      const again = existsSync(path);
      writeFileSync(path, statement(uid, `of ${period}${again ? ' again' : ''}`));
      utimesSync(path, LONG_AGO, again ? new Date('2026-01-02T00:00:00Z') : LONG_AGO);
    },
    async check(more, accepted = []) {
      await checkSources(declare(more), { db, dataDir, clock, accepted: new Set(accepted.map(nameOf)) });
    },
    async retry(period, more) {
      await retryFile(nameOf(period), { db, clock, dataDir, sources: declare(more) });
      await checkSources(declare(more), { db, dataDir, clock, accepted: new Set([nameOf(period)]) });
    },
    async skip(period, more) {
      await skipFile(nameOf(period), { db, clock, dataDir, sources: declare(more) });
    },
    async read(register = 'XA') {
      const [facts] = await listRegisterFacts(db, { register, nowMs: clock.nowMs() });
      assert.ok(facts !== undefined);
      return describeCoverage(facts, clock.nowMs());
    },
  };
}

const DAILY = 'rhythm = "daily"\nsince = 2026-11-01\ngrace = "2d"\ngaps = "pass"';

test('a register is complete through a period but for those that are missing, which are named', async (t) => {
  const { put, check, read, clock } = await openWorld(t);
  clock.set('2026-11-05T12:00:00Z');
  for (const day of ['2026-11-01', '2026-11-02', '2026-11-03']) put(day);
  await check(DAILY);
  const whole = await read();
  assert.equal(whole.conclusion, 'A change published by the office from 2026-11-01 through 2026-11-03 is here.');
  const [series] = whole.series;
  assert.deepEqual(
    [series?.source, series?.format, series?.condition, series?.expected, series?.complete_through],
    ['office', 'ndjson', 'current', true, '2026-11-03'],
  );
  clock.set('2026-11-09T12:00:00Z');
  put('2026-11-06');
  await check(DAILY);
  const holed = await read();
  assert.deepEqual(holed.series[0]?.missing, [
    { period: '2026-11-04', reason: 'absent' },
    { period: '2026-11-05', reason: 'absent' },
  ]);
  assert.deepEqual([holed.series[0]?.complete_through, holed.series[0]?.last_period], ['2026-11-03', '2026-11-06']);
  assert.equal(
    holed.conclusion,
    'A change published by the office from 2026-11-01 through 2026-11-06 is here, except for 2026-11-04 and 2026-11-05, which are missing.',
  );
  clock.set('2026-11-12T12:00:00Z');
  assert.match((await read()).conclusion, /; 2026-11-07 is overdue\.$/);
});

test('a period that was loaded after a later one is reported with the period it came after', async (t) => {
  const { put, check, retry, read, clock } = await openWorld(t);
  put('2026-11-01');
  put('2026-11-03');
  await check(DAILY);
  put('2026-11-02');
  await check(DAILY);
  const late = await read();
  assert.deepEqual(late.series[0]?.missing, [{ period: '2026-11-02', reason: 'late' }]);
  assert.equal(late.series[0]?.complete_through, '2026-11-01');
  clock.set('2026-11-06T13:00:00Z');
  await retry('2026-11-02', DAILY);
  const loaded = await read();
  assert.deepEqual([loaded.series[0]?.missing_count, loaded.series[0]?.complete_through], [0, '2026-11-03']);
  const [step] = loaded.series[0]?.out_of_order ?? [];
  assert.deepEqual([step?.period, step?.after], ['2026-11-02', '2026-11-03']);
  assert.match(step?.loaded_at ?? '', /^2026-11-06T13:00:00/);
  assert.equal(loaded.series[0]?.order_matters, true);
  assert.match(
    loaded.conclusion,
    /; 2026-11-02 came after later ones, so that what it states may have replaced something newer/,
  );
});

test('a file that was left out, failed or waits is listed as missing with that reason', async (t) => {
  const { put, check, skip, read, clock } = await openWorld(t);
  clock.set('2026-11-03T12:00:00Z');
  put('2026-11-01');
  await check(DAILY);
  put('2026-11-03');
  await check(DAILY);
  await skip('2026-11-03', DAILY);
  assert.deepEqual((await read()).series[0]?.missing, [{ period: '2026-11-03', reason: 'skipped' }]);
});

test('a file that a source brought and somebody loaded by hand too is of the source alone', async (t) => {
  const { db, put, check, read } = await openWorld(t);
  put('2026-11-01');
  await loadSources(db, { sources: [openText('x.ndjson', [statement('XA1', 'of 2026-11-01').toString()])] });
  assert.deepEqual(
    (await read()).series.map(({ source }) => source),
    [null],
  );
  await check(DAILY);
  assert.deepEqual(
    (await read()).series.map(({ source }) => source),
    ['office'],
  );
});

test('a load that a source brought is of the source, whatever became of its file', async (t) => {
  const { db, put, check, read } = await openWorld(t);
  put('2026-11-01');
  await check(DAILY);
  put('2026-11-02');
  await check(DAILY);
  // As if the process had been killed before the file was marked, and the content had changed since.
  await db.query(sql`update source_file set state = 'seen', load_id = null, digest = null where period = '2026-11-02'`);
  const { series } = await read();
  assert.deepEqual(
    series.map(({ source, last_period }) => [source, last_period]),
    [['office', '2026-11-01']],
  );
});

test('numbers are missed where they are not consecutive', async (t) => {
  const { put, check, read, clock } = await openWorld(t, 'RM{N}.ndjson');
  for (const number of ['2238', '2239', '2242']) put(number);
  clock.set('2026-11-20T12:00:00Z');
  await check('grace = "0s"\ngaps = "pass"');
  clock.set('2026-11-20T13:00:00Z');
  await check('grace = "0s"\ngaps = "pass"');
  const { conclusion, series } = await read();
  assert.deepEqual([series[0]?.complete_through, series[0]?.missing_count], ['2239', 2]);
  assert.equal(
    conclusion,
    'A change published by the office from number 2238 through number 2242 is here, except for number 2240 and number 2241, which are missing.',
  );
});

test('without a rhythm it is unknown whether a period is missing, and the report says so', async (t) => {
  const { put, check, read } = await openWorld(t);
  put('2026-11-01');
  put('2026-11-05');
  await check('');
  const { conclusion, series } = await read();
  assert.deepEqual([series[0]?.expected, series[0]?.complete_through, series[0]?.missing_count], [false, null, 0]);
  assert.equal(
    conclusion,
    'Files from 2026-11-01 through 2026-11-05 are loaded, and it is not known whether one between them is missing.',
  );
});

test('nothing is concluded from files loaded by hand that name no period', async (t) => {
  const { db, read } = await openWorld(t);
  await loadRecords(db, [{ jurisdiction_code: 'XA', uid: '1', status: 'Pending' }]);
  const { conclusion, series } = await read();
  assert.deepEqual(
    [series.length, series[0]?.source, series[0]?.last_period, series[0]?.complete_through, series[0]?.expected],
    [1, null, null, null, false],
  );
  assert.equal(
    conclusion,
    'Nothing can be concluded from silence, because it is not known which periods the loaded files cover.',
  );
  await loadRecords(db, [{ jurisdiction_code: 'XA', uid: '2', status: 'Pending' }], {
    currentThrough: '2026-11-01T00:00:00.000000Z',
  });
  assert.match(
    (await read()).conclusion,
    /^According to the files, .* every change that the office published before 2026-11-01 is here/,
  );
});

/** The periods of files, in the order in which they were loaded. */
async function listPeriods(db: Database): Promise<(string | null)[]> {
  const rows = await db.query<{ period: string | null }>(sql`
    select period from load_file join load using (load_id) order by load.started_at, number`);
  return rows.map(({ period }) => period);
}

test('a file loaded by hand is of the period that it names itself, and numbers show what is missing', async (t) => {
  const { db, read } = await openWorld(t);
  const load = async (...numbers: string[]): Promise<void> => {
    const sources = numbers.map((number) =>
      openText(`RM${number}.xml`, [writeJournal(number, '02/03/2021', PROCESS.replaceAll(NUMBER, `9000${number}1`))]),
    );
    await loadSources(db, { sources, format: inpiBrFormat });
  };
  await load('2241', '2244');
  await load('2242');
  assert.deepEqual(await listPeriods(db), ['000002241', '000002244', '000002242']);
  const { conclusion, series } = await read('BR');
  const [{ source, last_period, complete_through, missing, out_of_order, order_matters }] = series as [CoverageSeries];
  assert.deepEqual([source, last_period, complete_through, order_matters], [null, '2244', '2242', false]);
  assert.deepEqual(missing, [{ period: '2243', reason: 'absent' }]);
  assert.deepEqual(
    out_of_order.map(({ period, after }) => [period, after]),
    [['2242', '2244']],
  );
  assert.equal(
    conclusion,
    'A change published by the office from number 2241 through number 2244 is here, except for number 2243, which is missing.',
  );
  await load('2244');
  assert.deepEqual((await read('BR')).series[0]?.out_of_order, [], 'the newest one is loaded again after all others');
});

test('a period that is declared counts for every file of a load, and what a file says of several periods does not', async (t) => {
  const { db, put, check, read } = await openWorld(t);
  put('2026-11-01');
  await check(DAILY);
  assert.deepEqual(await listPeriods(db), ['2026-11-01']);
  const statements = (day: string): string =>
    `<?xml version="1.0"?><trademark-assignments><transaction-date>${day}</transaction-date><data-available-code>N</data-available-code></trademark-assignments>`;
  const load = async (name: string, texts: readonly string[], period: string | null = null): Promise<void> => {
    const folder = makeFolder(t);
    const path = join(folder, name);
    writeFileSync(path, buildZip(texts.map((text, at) => ({ name: `${at}.xml`, text }))));
    await loadSources(db, { sources: [await openSource(path)], format: usptoAssignmentsFormat, period });
  };
  await load('one.zip', [statements('20261101'), statements('20261101')]);
  await load('two.zip', [statements('20261102'), statements('20261103')]);
  await load('named.zip', [statements('20261102'), statements('20261103')], '2026-11');
  assert.deepEqual((await listPeriods(db)).slice(1), ['2026-11-01', null, '2026-11']);
  await loadRecords(db, [good('1', 'US')], { period: '2026-W44' });
  assert.equal(
    (await read('US')).conclusion,
    'ndjson by hand: files of week 2026-W44 are loaded, and it is not known which others there should be; ' +
      'uspto-assignments by hand: files of 2026-11 are loaded, and it is not known which others there should be; ' +
      'uspto-assignments by hand: files of 2026-11-01 are loaded, and it is not known which others there should be; of other files of uspto-assignments by hand it is not known which periods were loaded.',
  );
});

test('any order of arrival gives the coverage of the order of periods', { timeout: 600_000 }, async (t) => {
  const days = ['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04'];
  const outcomes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(days, { minLength: 4 }), fc.integer({ min: 1, max: 4 }), async (order, at) => {
      const { put, check, read, clock } = await openWorld(t);
      clock.set('2026-11-04T12:00:00Z');
      for (const day of order.slice(0, at)) put(day);
      await check(DAILY.replace('pass', 'wait'));
      for (const day of order.slice(at)) put(day);
      await check(DAILY.replace('pass', 'wait'));
      clock.set('2026-11-06T12:00:00Z');
      await check(DAILY.replace('pass', 'wait'));
      const { conclusion, series } = await read();
      const [{ complete_through, missing, out_of_order } = {}] = series as Partial<CoverageReport['series'][number]>[];
      outcomes.add(JSON.stringify({ conclusion, complete_through, missing, out_of_order }));
    }),
    { numRuns: runsOf(3) },
  );
  assert.deepEqual(
    [...outcomes].map((each) => JSON.parse(each)),
    [
      {
        conclusion: 'A change published by the office from 2026-11-01 through 2026-11-04 is here.',
        complete_through: '2026-11-04',
        missing: [],
        out_of_order: [],
      },
    ],
  );
});

const ODD = { jurisdiction_code: 'XA', uid: '1', status: 'Registered', vienna_codes: ['1-2'] };
const good = (uid: string, register = 'XA') => ({ jurisdiction_code: register, uid, status: 'Registered' });

test('the share of records with issues counts each record once, by register, in a load of at least half of it', async (t) => {
  const { db, read } = await openWorld(t);
  const twice = { ...ODD, vienna_codes: ['1-2', '3-4'] };
  await loadRecords(db, [twice, good('2'), good('3'), good('4'), good('1', 'XB')]);
  const first = await read();
  assert.deepEqual([first.issues?.read, first.issues?.flagged, first.issues?.share], [4, 1, 0.25]);
  assert.equal((await read('XB')).issues?.flagged, 0);
  await loadRecords(db, [good('5')]);
  const later = await read();
  assert.deepEqual(later.issues, first.issues, 'a load of a fifth of the register says nothing of it');
  assert.deepEqual([later.last_load?.read, later.last_load?.new], [1, 1]);
  await loadRecords(db, [ODD, good('2'), good('3')]);
  assert.deepEqual([(await read()).issues?.read, (await read()).issues?.flagged], [3, 1], 'read again, raised again');
});

test('the endpoint answers as described, costs a unit, and knows no register that is not served', async (t) => {
  const { key, ...service } = await startWithKey(t);
  await loadRecords(service.db, [ODD, good('2'), { jurisdiction_code: 'XA', uid: '3' }]);
  const answer = await service.call('/v1/jurisdictions/XA/coverage', { key });
  assert.equal(answer.status, 200);
  const body = answer.body as CoverageReport;
  assert.equal(body.jurisdiction_code, 'XA');
  assert.equal(body.last_load?.format, 'ndjson');
  const again = await service.call('/records/v1/jurisdictions/xa/coverage', {
    key,
    headers: { 'if-none-match': answer.headers.etag ?? '' },
  });
  assert.equal(again.status, 304);
  const unknown = await service.call('/v1/jurisdictions/ZZ/coverage', { key });
  assert.deepEqual(refusalOf(unknown), { status: 404, code: 'not_found', param: 'jurisdiction_code' });
  const asked = await service.call('/v1/jurisdictions/XA/coverage?since=2026-01-01', { key });
  assert.deepEqual(refusalOf(asked), { status: 400, code: 'unknown_parameter', param: 'since' });
  assert.equal(refusalOf(await service.call('/v1/jurisdictions/XA/coverage')).status, 401);
  const usage = (await service.call('/v1/usage', { key })).body as { products: { calls: number }[] };
  assert.equal(usage.products[0]?.calls, 4);
});
