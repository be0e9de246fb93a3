/** Files are loaded in the order of their periods, whenever they come; what is odd is said; nothing is lost. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { OperatorError } from '../../src/base/errors.ts';
import { holdDuty } from '../../src/store/duties/duties.ts';
import { listLoads } from '../../src/store/publish/loads.ts';
import { mayComeInAnyOrder } from '../../src/store/records/source-series.ts';
import { listSourceChecks, listSourceFigures } from '../../src/store/sync/source-checks.ts';
import { retryFile, skipFile } from '../../src/sync/operator.ts';
import { describeSources } from '../../src/sync/overview.ts';
import { rehearse } from '../../src/sync/rehearsal.ts';
import { writeCase, writeDaily } from '../support/case-file.ts';
import { connectTestDatabase, createTestDatabase } from '../support/database.ts';
import { chooseCases, runsOf } from '../support/depth.ts';
import { makeFolder } from '../support/folder.ts';
import { dumpContent, UNLIMITED } from '../support/loads.ts';
import { openHttpOffice } from '../support/office-http.ts';
import {
  buildStandingClock,
  type Checked,
  type CheckOptions,
  checkSources,
  declareSources,
  listStates,
  statement,
} from '../support/sources-declared.ts';

const PROCESS = fileURLToPath(new URL('../support/sync-process.ts', import.meta.url));
const LONG_AGO = new Date('2026-01-01T00:00:00Z');

interface World {
  folder: string;
  dataDir: string;
  db: CheckOptions['db'];
  url: string;
  clock: ReturnType<typeof buildStandingClock>;
  put(name: string, content: Buffer, modified?: Date): void;
  declare(more?: string): string;
  check(more?: string, options?: Partial<CheckOptions>): Promise<Checked>;
}

async function openWorld(t: TestContext): Promise<World> {
  const { db, url } = await createTestDatabase(t, { ...UNLIMITED, poolMax: 10 });
  const [folder, dataDir] = [makeFolder(t), makeFolder(t)];
  const clock = buildStandingClock('2026-11-20T12:00:00Z');
  const declare = (more = ''): string =>
    `[source.office]\nkind = "folder"\nfolder = "${folder}"\nsettle = "1m"\nformat = "ndjson"\nregister = "XA"
    files = "day-{YYYY}-{MM}-{DD}.ndjson"\n${more}`;
  return {
    ...{ folder, dataDir, db, url, clock, declare },
    put(name, content, modified = LONG_AGO) {
      writeFileSync(join(folder, name), content);
      utimesSync(join(folder, name), modified, modified);
    },
    check: async (more = '', options = {}) =>
      await checkSources(declareSources(declare(more)), { db, dataDir, clock, ...options }),
  };
}

function day(number: number): string {
  return `day-2026-11-${String(number).padStart(2, '0')}.ndjson`;
}

const DAILY = 'rhythm = "daily"\nsince = 2026-11-01\ngrace = "2d"';

test('a later period waits for a missing one while its grace lasts, and then as declared', async (t) => {
  const { clock, db, put, check } = await openWorld(t);
  clock.set('2026-11-04T12:00:00Z');
  put(day(1), statement('XA1', 'first'));
  put(day(3), statement('XA1', 'third'));
  const waiting = await check(DAILY);
  assert.deepEqual(waiting.said, [`office: loaded ${day(1)}`, `office: waits ${day(3)}`]);
  assert.match(waiting.notes.at(-1)!.text, /waits for 2026-11-02, which is missing, until 2026-11-05T00:00:00/);
  clock.set('2026-11-05T00:00:01Z');
  const gap = await check(DAILY);
  assert.deepEqual(gap.said, ['office: gap', 'office: overdue']);
  assert.deepEqual(gap.results[0]!.gaps, ['2026-11-02']);
  assert.deepEqual((await check(DAILY)).said, [], 'a gap is said once');
  assert.deepEqual(await listSourceFigures(db).then((all) => all.map(({ gaps }) => gaps)), [1]);
  put(day(2), statement('XA1', 'second'));
  assert.deepEqual((await check(DAILY)).said, [`office: loaded ${day(2)}`, `office: loaded ${day(3)}`]);
  assert.match(await dumpContent(db), /third/);
});

test('every file that a check passes over is named, with the reason', async (t) => {
  const { clock, folder, put, check } = await openWorld(t);
  put(day(2), statement('XA1', 'second'));
  put('day-2026-10-31.ndjson', statement('XA1', 'before'));
  put('day-2026-11-03.ndjson.part', statement('XA1', 'on its way'));
  put(day(4), statement('XA1', 'just now'), new Date(clock.nowMs()));
  put('read-me.txt', Buffer.from('x'));
  mkdirSync(join(folder, 'older'));
  const { notes } = await check('since = 2026-11-01');
  assert.deepEqual(
    notes.filter(({ event }) => event === 'passed').map(({ text }) => text),
    [
      'skipped, because its name marks it as incomplete: day-2026-11-03.ndjson.part',
      `skipped, because it was written to a moment ago: ${day(4)}`,
      'skipped, because it is not a file: older',
      'skipped, because its period is before the first one wanted: day-2026-10-31.ndjson',
      'skipped, because its name does not match the pattern: read-me.txt',
    ],
  );
});

test('a gap is skipped where that is declared, and the late file is reported, not loaded', async (t) => {
  const { clock, db, put, check, dataDir, declare } = await openWorld(t);
  clock.set('2026-11-06T12:00:00Z');
  put(day(1), statement('XA1', 'first'));
  put(day(3), statement('XA1', 'third'));
  const passing = `${DAILY}\ngaps = "pass"`;
  assert.deepEqual((await check(passing)).said, [
    `office: loaded ${day(1)}`,
    `office: loaded ${day(3)}`,
    'office: gap',
  ]);
  put(day(2), statement('XA1', 'second'));
  const late = await check(passing);
  assert.deepEqual(late.said, [`office: late ${day(2)}`]);
  assert.match(late.notes.at(-1)!.text, /it is of 2026-11-02, and 2026-11-03 is loaded already; --retry day-/);
  assert.deepEqual(await listStates(db, 'office'), [`${day(1)} loaded`, `${day(2)} late`, `${day(3)} loaded`]);
  assert.match(await dumpContent(db), /third/);
  const sources = declareSources(declare(passing));
  await retryFile(day(2), { db, clock, dataDir, sources });
  assert.deepEqual((await check(passing, { accepted: new Set([day(2)]) })).said, [
    `office: late ${day(2)}`,
    `office: loaded ${day(2)}`,
  ]);
  assert.match(await dumpContent(db), /second/);
});

test('a great many gaps are reported in one sentence', async (t) => {
  const { put, check } = await openWorld(t);
  for (const number of [1, 15]) put(day(number), statement('XA1', `day ${number}`));
  const { notes, results } = await check(`${DAILY}\ngaps = "pass"`);
  const gaps = notes.filter(({ event }) => event === 'gap').map(({ text }) => text);
  assert.deepEqual(gaps, ['13 files are missing, from 2026-11-02 to 2026-11-14; later files are loaded']);
  assert.equal(results[0]!.gaps.length, 13);
});

test('a period that is excepted is not missed', async (t) => {
  const { clock, put, check } = await openWorld(t);
  clock.set('2026-11-06T12:00:00Z');
  for (const number of [1, 3, 4]) put(day(number), statement('XA1', `day ${number}`));
  const { said, results } = await check(`${DAILY}\nexcept = [2026-11-02]`);
  assert.deepEqual(said, [`office: loaded ${day(1)}`, `office: loaded ${day(3)}`, `office: loaded ${day(4)}`]);
  assert.deepEqual([results[0]!.gaps, results[0]!.next_period], [[], '2026-11-05']);
});

test('the same content again is a double, and other content under a known name is loaded again', async (t) => {
  const { clock, dataDir, declare, db, put, check } = await openWorld(t);
  put(day(1), statement('XA1', 'first'));
  put(day(2), statement('XA1', 'second'));
  await check();
  put(day(3), statement('XA1', 'second'));
  put(day(2), statement('XA1', 'second'), new Date('2026-02-02T00:00:00Z'));
  const again = await check();
  assert.deepEqual(again.said, [`office: revised ${day(2)}`, `office: double ${day(2)}`, `office: double ${day(3)}`]);
  assert.match(again.notes.at(-1)!.text, /has the same content as day-2026-11-02.ndjson/);
  assert.equal((await listLoads(db, { limitMax: 9 })).length, 2);
  await retryFile(day(3), { db, clock, dataDir, sources: declareSources(declare()) });
  const wanted = await check('', { accepted: new Set([day(3)]) });
  assert.deepEqual(wanted.said, [`office: loaded ${day(3)}`], 'the operator wants it loaded');
  put(day(4), statement('XA1', 'fourth'));
  put(day(4), statement('XA1', 'fourth corrected'), new Date('2026-02-02T00:00:00Z'));
  assert.deepEqual((await check()).said, [`office: loaded ${day(4)}`]);
  put(day(4), statement('XA1', 'fourth corrected twice'), new Date('2026-02-03T00:00:00Z'));
  assert.deepEqual((await check()).said, [`office: revised ${day(4)}`, `office: loaded ${day(4)}`]);
  assert.match(await dumpContent(db), /corrected twice/);
});

test('a bad file stops its register and no other, until it is skipped, mended or replaced', async (t) => {
  const { db, clock, dataDir, folder, put, check, declare } = await openWorld(t);
  const others = ['peer', 'other'].map((name) => join(folder, name));
  for (const path of others) mkdirSync(path);
  const [peer, other] = others as [string, string];
  const more = `[source.peer]\nkind = "folder"\nfolder = "${peer}"\nsettle = "0s"\nformat = "ndjson"\nregister = "XA"
    files = "peer{N}.ndjson"
    [source.other]\nkind = "folder"\nfolder = "${other}"\nsettle = "0s"\nformat = "ndjson"\nregister = "XB"
    files = "other{N}.ndjson"`;
  put(day(1), Buffer.from('<html>not found</html>'));
  put(day(2), statement('XA1', 'second'));
  writeFileSync(join(peer, 'peer1.ndjson'), statement('XA2', 'peer'));
  writeFileSync(join(other, 'other1.ndjson'), statement('XB1', 'other', 'XB'));
  clock.set('2036-01-01T00:00:00Z');
  const first = await check(more);
  assert.deepEqual(first.said, [
    `office: failed ${day(1)}`,
    'office: stopped',
    'peer: stopped',
    'other: loaded other1.ndjson',
  ]);
  assert.deepEqual(
    first.results.map(({ stopped }) => stopped),
    [true, true, false],
  );
  assert.match(
    first.notes.find(({ source, event }) => source === 'peer' && event === 'stopped')!.text,
    /office day-2026-11-01/,
  );
  assert.deepEqual(
    (await listSourceFigures(db)).map(({ stopped }) => stopped),
    [true, false, true],
    'by name',
  );

  const sources = declareSources(declare(more));
  const decision = { db, clock, dataDir, sources };
  await assert.rejects(skipFile('absent.ndjson', decision), { message: /no source has a file absent.ndjson/ });
  await assert.rejects(retryFile(day(2), decision), { message: /is fetched; this is for files that are failed/ });
  await retryFile(day(1), decision);
  assert.deepEqual((await check(more)).said.slice(0, 2), [`office: failed ${day(1)}`, 'office: stopped']);
  await skipFile(day(1), decision);
  assert.deepEqual((await check(more)).said, [`office: loaded ${day(2)}`, 'peer: loaded peer1.ndjson']);

  put(day(3), Buffer.from('<html>again</html>'));
  await check(more);
  put(day(3), statement('XA1', 'third'), new Date('2026-02-02T00:00:00Z'));
  assert.deepEqual((await check(more)).said, [`office: revised ${day(3)}`, `office: loaded ${day(3)}`]);
});

test('a file of another format than declared fails without a load; rejects do not stop a load and are reported', async (t) => {
  const { db, put, check } = await openWorld(t);
  put(day(1), Buffer.from('<?xml version="1.0"?><revista numero="1" data="01/11/2026"></revista>'));
  const wrong = await check();
  assert.match(
    wrong.notes.find(({ event }) => event === 'failed')!.text,
    /which inpi-br reads; the source declares ndjson/,
  );
  assert.deepEqual(await listLoads(db, { limitMax: 9 }), []);
  put(
    day(1),
    Buffer.concat([statement('XA1', 'one'), Buffer.from('{"jurisdiction_code":"XA"}\n')]),
    new Date('2026-02-02'),
  );
  put(day(2), statement('XA1', 'second'));
  assert.deepEqual((await check()).said, [
    `office: revised ${day(1)}`,
    `office: loaded ${day(1)}`,
    `office: rejects ${day(1)}`,
    `office: loaded ${day(2)}`,
  ]);
});

test('a file that is being written waits, and one that vanishes does no harm', async (t) => {
  const { clock, db, folder, put, check } = await openWorld(t);
  put(day(1), statement('XA1', 'first'), new Date(clock.nowMs() - 30_000));
  put(`${day(2)}.part`, statement('XA1', 'second'));
  assert.deepEqual((await check()).said, []);
  clock.set('2026-11-20T12:01:00Z');
  assert.deepEqual((await check()).said, [`office: loaded ${day(1)}`]);
  const waiting = `${DAILY}\nexcept = [2026-11-02]\ngrace = "60d"`.replace('grace = "2d"\n', '');
  put(day(4), statement('XA1', 'fourth'));
  assert.deepEqual((await check(waiting)).said, [`office: waits ${day(4)}`]);
  rmSync(join(folder, day(4)));
  assert.deepEqual((await check(waiting)).said, [`office: withdrawn ${day(4)}`]);
  put(day(4), statement('XA1', 'fourth'));
  assert.deepEqual((await check()).said, [`office: loaded ${day(4)}`]);
  assert.deepEqual(await listStates(db, 'office'), [`${day(1)} loaded`, `${day(4)} loaded`]);
});

test('numbers without a date are missed once a higher one is there for the time of grace', async (t) => {
  const { clock, db, dataDir, put, declare } = await openWorld(t);
  const toml = declare('rhythm = "weekly"\ngrace = "1d"').replace('day-{YYYY}-{MM}-{DD}', 'RM{N}');
  const checkNumbers = async (): Promise<Checked> => await checkSources(declareSources(toml), { db, dataDir, clock });
  put('RM2240.ndjson', statement('XA1', 'one'));
  put('RM2242.ndjson', statement('XA1', 'three'));
  assert.deepEqual((await checkNumbers()).said, ['office: loaded RM2240.ndjson', 'office: waits RM2242.ndjson']);
  clock.set('2026-11-21T12:00:01Z');
  const { results } = await checkNumbers();
  assert.deepEqual(results[0]!.gaps.map(Number), [2241]);
  put('RM2241.ndjson', statement('XA1', 'two'));
  assert.deepEqual((await checkNumbers()).said, ['office: loaded RM2241.ndjson', 'office: loaded RM2242.ndjson']);
  clock.set('2026-11-28T12:00:00Z');
  assert.deepEqual((await checkNumbers()).said, [], 'a week and a day after the last one was seen');
  clock.set('2026-11-29T12:00:00Z');
  assert.deepEqual((await checkNumbers()).said, ['office: overdue']);
});

test('files are kept as declared, and only what has been dealt with is deleted', async (t) => {
  for (const [keep, left] of [
    ['all', [1, 2, 3, 4]],
    ['last 1 files', [3, 4]],
    ['10 days', [1, 2, 3, 4]],
    ['none', [4]],
  ] as const) {
    const { clock, folder, put, check } = await openWorld(t);
    clock.set('2026-11-04T12:00:00Z');
    for (const number of [1, 2, 3]) put(day(number), statement('XA1', `day ${number}`));
    put(day(4), Buffer.from('<html>bad</html>'));
    await check(`keep = "${keep}"`);
    assert.deepEqual(readdirSync(folder).sort(), left.map(day), keep);
    clock.set('2026-11-15T12:00:00Z');
    await check(`keep = "${keep}"`);
    assert.deepEqual(readdirSync(folder).sort(), keep === '10 days' ? [day(4)] : left.map(day), keep);
  }
});

test('a register is complete through a period only if none before it is missing', async (t) => {
  const { clock, db, put, check } = await openWorld(t);
  const more = `${DAILY}\ngaps = "pass"\nfrontier = "period"`;
  clock.set('2026-11-08T12:00:00Z');
  put(day(1), statement('XA1', 'first'));
  put(day(3), statement('XA1', 'third'));
  await check(more);
  const frontiers = (await listLoads(db, { limitMax: 9 })).map((load) => load.data_current_through);
  assert.deepEqual(frontiers, [null, '2026-11-02T00:00:00.000000Z']);
});

test('only one process syncs at a time', async (t) => {
  const { db, url } = await openWorld(t);
  const other = await connectTestDatabase(url);
  t.after(() => other.close());
  const outcome = await holdDuty(db, 'sync', async ({ isHeld }) => {
    assert.equal(await isHeld(), true);
    return await holdDuty(other, 'sync', async () => assert.fail('two at once'));
  });
  assert.deepEqual(outcome, { held: true, result: { held: false } });
  assert.deepEqual(await holdDuty(other, 'sync', async () => 'later'), { held: true, result: 'later' });
});

test('a sync whose turn is lost loads nothing more', async (t) => {
  const { db, put, check } = await openWorld(t);
  for (const number of [1, 2]) put(day(number), statement('XA1', `day ${number}`));
  let asked = 0;
  const { results } = await check('', { isHeld: async () => ++asked === 1 });
  assert.match(results[0]!.failure ?? '', /the connection that holds the turn of this sync was lost/);
  assert.deepEqual(await listStates(db, 'office'), [`${day(1)} loaded`, `${day(2)} fetched`]);
});

test('a failure that is not the fault of the file leaves it to the next check', async (t) => {
  const { db, dataDir, put, check } = await openWorld(t);
  put(day(1), Buffer.concat([statement('XA1', 'one'), Buffer.from('{}\n')]));
  writeFileSync(join(dataDir, 'rejects'), 'a file where the folder for rejects should be');
  const { results } = await check();
  assert.match(results[0]!.failure ?? '', /cannot write/);
  assert.deepEqual([results[0]!.stopped, await listStates(db, 'office')], [false, [`${day(1)} fetched`]]);
  rmSync(join(dataDir, 'rejects'));
  assert.deepEqual((await check()).said, [`office: loaded ${day(1)}`, `office: rejects ${day(1)}`]);
});

test('a rehearsal says what a check would do and does nothing', async (t) => {
  const { clock, db, put, check, declare } = await openWorld(t);
  clock.set('2026-11-05T12:00:00Z');
  put(day(1), statement('XA1', 'first'));
  await check(DAILY);
  for (const number of [2, 4]) put(day(number), statement('XA1', `day ${number}`));
  const [source] = declareSources(declare(DAILY));
  const signal = new AbortController().signal;
  const found = await rehearse(source!, { db, clock, signal, note: ({ text }) => assert.fail(text) });
  assert.deepEqual(found, {
    ...{ source: 'office', fetch: [], load: [day(2)], late: [] },
    waits: `${day(4)} waits for 2026-11-03`,
  });
  assert.deepEqual(await listStates(db, 'office'), [`${day(1)} loaded`]);
});

test('the overview shows the last file, what is next, what is overdue, missing, late or wrong', async (t) => {
  const { clock, db, put, check, declare } = await openWorld(t);
  clock.set('2026-11-03T12:00:00Z');
  const sources = declareSources(declare(DAILY));
  const see = async () => (await describeSources(db, sources, clock.nowMs()))[0]!;
  assert.deepEqual([(await see()).condition, (await see()).last_file], ['never checked', null]);
  put(day(1), statement('XA1', 'first'));
  put(day(2), statement('XA1', 'second'));
  await check(DAILY);
  const current = await see();
  assert.deepEqual(
    [current.condition, current.last_file, current.last_period, current.next_period, current.overdue_at],
    ['current', day(2), '2026-11-02', '2026-11-03', '2026-11-06T00:00:00.000Z'],
  );
  clock.set('2026-11-06T00:00:01Z');
  assert.equal((await see()).condition, 'overdue', 'also when nobody checks');
  put(day(5), statement('XA1', 'fifth'));
  await check(DAILY);
  assert.deepEqual((await see()).gaps, ['2026-11-03']);
  put(day(3), Buffer.from('<html>'));
  await check(DAILY);
  const stopped = await see();
  assert.deepEqual([stopped.condition, stopped.register, stopped.waiting], ['stopped', 'XA', 1]);
  assert.match(stopped.problem ?? '', /^day-2026-11-03.ndjson failed: /);
  const other = { ...sources[0]!, name: 'other' };
  const [, blocked] = await describeSources(db, [...sources, other], clock.nowMs());
  assert.match(blocked!.problem ?? '', /^a file of office, day-2026-11-03.ndjson, failed: /);
  const [check1] = await listSourceChecks(db);
  assert.equal(check1!.succeeded_ms, Date.parse('2026-11-06T00:00:01Z'));
});

const KILLS = [
  'listed',
  'noted',
  'opened',
  'partly',
  'written',
  'checked',
  'renamed',
  'fetched',
  'load staged',
  'load written',
  'load committed',
  'load finished',
  'loaded',
  'marked',
  'pruned',
];

test('killed at any step and checked again, a source ends as if never killed', { timeout: 600_000 }, async (t) => {
  const office = await openHttpOffice(t);
  for (const number of [1, 2]) office.files.set(day(number), statement('XA1', `day ${number}`));
  const toml = join(makeFolder(t), 'sources.toml');
  writeFileSync(
    toml,
    `[source.office]\nkind = "http"\nurl = "${office.url}/files/"\ncatalogue = "page"\nformat = "ndjson"
    files = "day-{YYYY}-{MM}-{DD}.ndjson"\nkeep = "last 1 files"\nregister = "XA"`,
  );
  const sources = declareSources(readFileSync(toml, 'utf8'));
  let expected: string | null = null;
  for (const step of ['', ...chooseCases(KILLS)]) {
    const { db, url } = await createTestDatabase(t, { ...UNLIMITED, poolMax: 10 });
    const dataDir = makeFolder(t);
    if (step !== '') {
      const words = ['--conditions=tmds-source', '--import', 'tsx', PROCESS, url, dataDir, toml, step, '1'];
      const child = spawn(process.execPath, words, { stdio: ['ignore', 'inherit', 'inherit'] });
      const [, signal] = await once(child, 'exit');
      assert.equal(signal, 'SIGKILL', `died at ${step}`);
    }
    const clock = buildStandingClock('2026-11-20T12:00:00Z');
    const { results } = await checkSources(sources, { db, dataDir, clock });
    assert.equal(results[0]!.failure, null, step);
    expected ??= await dumpContent(db);
    assert.equal(await dumpContent(db), expected, `after ${step}`);
    assert.deepEqual(await listStates(db, 'office'), [`${day(1)} loaded`, `${day(2)} loaded`], `after ${step}`);
    assert.deepEqual(readdirSync(join(dataDir, 'sources', 'office')), [day(2)], `what is kept after ${step}`);
    assert.equal(existsSync(join(dataDir, 'sources', 'office', `${day(2)}.part`)), false);
  }
});

test('any order of arrival ends in the same register as the order of periods', { timeout: 600_000 }, async (t) => {
  const DAYS = 5;
  // Each day states some records again, so that every order but the right one ends differently.
  const contentOf = (number: number): Buffer =>
    Buffer.concat(['XA1', `XA${(number % 3) + 2}`].map((uid) => statement(uid, `day ${number}`)));
  const load = async (rounds: readonly (readonly number[])[]): Promise<string> => {
    const { clock, db, put, check } = await openWorld(t);
    for (const [index, arrivals] of rounds.entries()) {
      clock.set(`2026-11-${10 + index}T12:00:00Z`);
      for (const number of arrivals) put(day(number), contentOf(number));
      await check(DAILY);
    }
    assert.equal((await listStates(db, 'office')).filter((line) => line.endsWith('loaded')).length, DAYS);
    return await dumpContent(db);
  };
  const numbers = Array.from({ length: DAYS }, (_, at) => at + 1);
  const expected = await load(numbers.map((number) => [number]));
  const orders = fc.tuple(
    fc.shuffledSubarray(numbers, { minLength: DAYS, maxLength: DAYS }),
    fc.array(fc.integer({ min: 1, max: DAYS }), { minLength: 1, maxLength: DAYS }),
  );
  await fc.assert(
    fc.asyncProperty(orders, async ([order, sizes]) => {
      const rest = [...order];
      const rounds = [...sizes.map((size) => rest.splice(0, size)), rest.splice(0)];
      assert.equal(await load(rounds), expected, JSON.stringify(rounds));
    }),
    { numRuns: runsOf(3) },
  );
});

test('files of a format whose statements say how old they are end in one register in any order, late ones too', async (t) => {
  assert.ok(mayComeInAnyOrder('uspto-apc'));
  const DAYS = [1, 2, 3, 4];
  const contentOf = (number: number): Buffer => {
    const cases = ['97000001', `9700000${(number % 3) + 2}`].map((serial) =>
      writeCase({ serial, header: [['mark-identification', `MARK OF DAY ${number}`]] }),
    );
    return Buffer.from(writeDaily(cases.join('')).replaceAll('20260102', `2026110${number}`));
  };
  const load = async (order: readonly number[]): Promise<string> => {
    const { folder, dataDir, db, clock, put } = await openWorld(t);
    const [source] = declareSources(`[source.us]\nkind = "folder"\nfolder = "${folder}"\nformat = "uspto-apc"
      files = "apc{YY}{MM}{DD}.xml"\nrhythm = "daily"\nsince = 2026-11-01`);
    for (const [index, number] of order.entries()) {
      clock.set(`2026-11-${20 + index}T12:00:00Z`);
      put(`apc26110${number}.xml`, contentOf(number));
      const { results } = await checkSources([source!], { db, dataDir, clock });
      assert.equal(results[0]!.loaded.length, 1, 'each when it comes, since every grace has passed');
    }
    return await dumpContent(db);
  };
  const expected = await load(DAYS);
  assert.match(expected, /mark of day 4/i);
  const orders = fc.shuffledSubarray(DAYS, { minLength: DAYS.length, maxLength: DAYS.length });
  await fc.assert(
    fc.asyncProperty(orders, async (order) => assert.equal(await load(order), expected, order.join())),
    { numRuns: runsOf(2) },
  );
});

test('two files of the same content that come together count as one', async (t) => {
  const { put, check } = await openWorld(t);
  for (const number of [1, 2]) put(day(number), statement('XA1', 'the same'));
  assert.deepEqual((await check()).said, [`office: loaded ${day(1)}`, `office: double ${day(2)}`]);
});

test('another process that changed a file in the meantime is not overruled', async (t) => {
  const { clock, db, dataDir, put, check, declare } = await openWorld(t);
  put(day(1), Buffer.from('<html>bad</html>'));
  await check();
  const sources = declareSources(declare());
  await skipFile(day(1), { db, clock, dataDir, sources });
  await assert.rejects(skipFile(day(1), { db, clock, dataDir, sources }), OperatorError);
});
