/** The files through which a call runs, as ARCHITECTURE states their number. */
import assert from 'node:assert/strict';
import { get } from 'node:http';
import { Session } from 'node:inspector/promises';
import { test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { openLiveIndex } from '../../src/follow/live-index.ts';
import { createTestDatabase, testLog } from '../support/database.ts';
import { startService } from '../support/service.ts';
import { buildSource } from '../support/source.ts';
import { buildStored, storeRecords } from '../support/stored.ts';

/** Files of the program with a function that ran during the work. */
async function listFilesRun(session: Session, work: () => Promise<unknown>): Promise<string[]> {
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  // What ran before counts once more when the coverage starts.
  await session.post('Profiler.takePreciseCoverage');
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  return result
    .filter(({ functions }) => functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)))
    .map(({ url }) => /\/((?:server|contract)\/src\/.*)$/.exec(url)?.[1])
    .filter((path) => path !== undefined)
    .sort();
}

/** As a program that accepts no compression, over a connection of its own. */
function callOnce(url: string, key: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'x-api-key': key } }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode));
    }).on('error', reject);
  });
}

test('a look-up runs through at most 30 files, a search through at most 40', async (t) => {
  const { db, url } = await createTestDatabase(t);
  await storeRecords(db, [
    buildStored(buildSource({ uid: 'A1', application_number: 'A1' }), '2026-01-01T00:00:00.000000Z'),
  ]);
  const index = openLiveIndex({ url, folder: null, searchers: 1, clock: systemClock, log: testLog });
  t.after(() => index.close());
  await index.ready;
  const service = await startService(t, { database: { db, url }, index });
  const { key } = await service.issue();
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  for (const path of ['/v1/XA/trademarks/A1', '/v1/trademarks?application_number=A1']) {
    for (let warm = 0; warm < 50; warm += 1) assert.equal(await callOnce(service.url + path, key), 200);
    let best: string[] | null = null;
    for (let round = 0; round < 5; round += 1) {
      const files = await listFilesRun(session, () => callOnce(service.url + path, key));
      if (best === null || files.length < best.length) best = files;
    }
    console.log(path, best!.length);
    console.log(best!.join('\n'));
  }
});
