/** Through how many files of the program a call runs, from the socket to its answer, and a load of one file. */
import assert from 'node:assert/strict';
import { get } from 'node:http';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { openLiveIndex } from '../../src/follow/live-index.ts';
import { silentProgress } from '../../src/load/findings/progress.ts';
import { runLoad } from '../../src/load/run.ts';
import { createTestDatabase, testLog } from '../support/database.ts';
import { UNLIMITED } from '../support/loads.ts';
import { REGISTER_FIXTURES } from '../support/register-fixtures.ts';
import { startService, type TestService } from '../support/service.ts';
import { buildSource } from '../support/source.ts';
import { buildStored, storeRecords } from '../support/stored.ts';
import { openText } from '../support/texts.ts';

/** As ARCHITECTURE states them. */
const LOOKUP_FILES = 26;
const SEARCH_FILES = 40;
const LOAD_FILES = 70;
const ROUNDS = 15;

const session = new Session();
const closers: (() => Promise<void>)[] = [];
let service: TestService;
let key = '';

before(async () => {
  const { db, url } = await createTestDatabase();
  const stored = buildStored(buildSource({ uid: 'A1', application_number: 'A1' }), '2026-01-01T00:00:00.000000Z');
  await storeRecords(db, [stored]);
  const index = openLiveIndex({ url, folder: null, searchers: 1, clock: systemClock, log: testLog });
  closers.push(() => index.close());
  await index.ready;
  service = await startService({ after: (work) => void closers.push(work) }, { database: { db, url }, index });
  key = (await service.issue()).key;
  session.connect();
  await session.post('Profiler.enable');
});

after(async () => {
  session.disconnect();
  for (const close of closers.reverse()) await close();
});

/** Files of the program with a function that ran in between. */
async function listFilesRun(work: () => Promise<unknown>): Promise<string[]> {
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  // What had run before is counted once when the coverage starts.
  await session.post('Profiler.takePreciseCoverage');
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  return result
    .filter(({ functions }) => functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)))
    .flatMap(({ url }) => sourceOf(url) ?? [])
    .sort();
}

/** Whole runs of the tests import the built program. */
function sourceOf(url: string): string | undefined {
  const [, workspace, file] = /\/(server|contract)\/(?:src|dist)\/(.*)\.[jt]s$/.exec(url) ?? [];
  return workspace === undefined ? undefined : `${workspace}/src/${file}.ts`;
}

/** As a caller that accepts no compression. */
function call(path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-api-key': key };
    get(service.url + path, { headers }, (answer) => answer.resume().on('end', () => resolve(answer.statusCode))).on(
      'error',
      reject,
    );
  });
}

/** The least of some rounds, because work that is due from time to time may fall into one. */
async function leastOf(run: (round: number) => Promise<string[]>): Promise<string[]> {
  const rounds: string[][] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await run(round));
  return rounds.reduce((least, files) => (files.length < least.length ? files : least));
}

/** After a warm start. */
async function findPath(path: string): Promise<string[]> {
  for (let warm = 0; warm < 20; warm += 1) assert.equal(await call(path), 200);
  return await leastOf(() => listFilesRun(() => call(path)));
}

test('a look-up runs through few files, and none that only searches need', async () => {
  const files = await findPath('/v1/XA/trademarks/A1');
  assert.ok(files.length <= LOOKUP_FILES, files.join('\n'));
  const ofSearches = files.filter((file) => /\/(plan|index)\/|search-(turns|pool)|live-index|http\/search/.test(file));
  assert.deepEqual(ofSearches, []);
});

test('a search runs through as many files as are written down, its index included', async () => {
  const files = await findPath('/v1/trademarks?application_number=A1');
  assert.ok(
    files.some((file) => file.startsWith('server/src/index/')),
    'it is matched in the thread of the call',
  );
  assert.ok(files.length <= SEARCH_FILES, files.join('\n'));
});

test('a load of an EUIPO file runs through as many files as are written down', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const fixture = REGISTER_FIXTURES.find(({ format }) => format.name === 'euipo');
  assert.ok(fixture !== undefined);
  const load = async (number: number): Promise<void> => {
    const text = fixture.file.replace(/<ApplicationNumber>\w+/, `<ApplicationNumber>${number}`);
    const sources = [openText('mark.xml', [text])];
    const report = await runLoad({
      ...{ db, sources, clock: systemClock, log: testLog, format: fixture.format, progress: silentProgress },
      ...{ register: null, currentThrough: null, spoolFolders: [tmpdir()], keepRejectsFile: false },
      rejectsPath: join(tmpdir(), 'tmds-test-{load}.txt'),
    });
    assert.equal(report.new, 1);
  };
  // What a process or a first load makes once is not counted.
  await load(18_000_000);
  const files = await leastOf((round) => listFilesRun(() => load(18_000_001 + round)));
  assert.ok(files.includes('server/src/load/formats/st66/record.ts'), 'the mark is read');
  assert.ok(files.length <= LOAD_FILES, `${files.length}\n${files.join('\n')}`);
});
