/** A load that dies at any moment, run again, ends where one that never died ends. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { OperatorError } from '../../src/base/errors.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { identifier, sql } from '../../src/database/driver/sql.ts';
import { generateLines } from '../../src/generator/generate.ts';
import { openSource } from '../../src/load/sources/source.ts';
import { BATCH_ROWS_MAX } from '../../src/load/staging/stage.ts';
import { listLoads } from '../../src/store/publish/loads.ts';
import { createTestDatabase } from '../support/database.ts';
import { makeFolder } from '../support/folder.ts';
import { countsOf, dumpContent, listStages, loadRecords, loadSources, loadText, UNLIMITED } from '../support/loads.ts';
import { runOnParts } from '../support/nodes.ts';

const PROCESS = fileURLToPath(new URL('../support/load-process.ts', import.meta.url));
/** Three batches. */
const RECORDS = 2 * BATCH_ROWS_MAX + 100;
const LINES = [...generateLines({ records: RECORDS, seed: 'crash', payload: 'none' })];

async function killAt(url: string, path: string, step: string, times: number): Promise<void> {
  const words = [url, path, step, String(times)];
  const child = spawn(process.execPath, ['--conditions=tmds-source', '--import', 'tsx', PROCESS, ...words], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [, signal] = await once(child, 'exit');
  assert.equal(signal, 'SIGKILL', `died at ${step}`);
}

/** The database has noticed that the process is gone once nobody holds a lock of its load. */
async function waitForEnd(db: Database): Promise<void> {
  for (;;) {
    const [load] = await listLoads(db, { limitMax: 1 });
    if (load === undefined || load.state === 'interrupted' || load.state === 'finished') return;
  }
}

async function listIndexes(db: Database): Promise<string[]> {
  const rows = await db.query<{ name: string }>(sql`
    select indexname as name from pg_indexes where tablename = 'record' and indexname <> 'record_pkey' order by 1`);
  return rows.map(({ name }) => name);
}

const KILLS: [step: string, times: number][] = [
  ['opened', 1],
  ['staged', 1],
  ['settled', 1],
  ['stamped', 1],
  ['written', 1],
  ['counted', 2],
  ['committed', 1],
  ['published', 1],
  ['finished', 1],
];

const READING = (records: number): RegExp =>
  new RegExp(
    `^its process ended while it read: ${records} records were read, nothing was published; load the file again$`,
  );
/** A batch is bounded by bytes too, so how many records the first has depends on them. */
const PUBLISHING = (records: string): RegExp =>
  new RegExp(
    `^its process ended while it published: ${records} new and 0 changed records are stored; load the file again$`,
  );
const FIRST_BATCH = '[1-9]\\d{2,3}';
/** How far each had come, as the history says it; one that has finished says nothing. */
const FAILURES: Readonly<Record<string, RegExp>> = {
  opened: READING(0),
  staged: READING(0),
  settled: READING(RECORDS),
  stamped: PUBLISHING('0'),
  written: PUBLISHING('0'),
  counted: PUBLISHING(FIRST_BATCH),
  committed: PUBLISHING(FIRST_BATCH),
  published: PUBLISHING(String(RECORDS)),
  finished: /^$/,
};

test('killed at any step and run again, a load ends as if never killed [I-27]', { timeout: 600_000 }, async (t) => {
  const path = join(makeFolder(t), 'records.ndjson');
  writeFileSync(path, LINES.join(''));
  const { db: spared } = await createTestDatabase(t, UNLIMITED);
  await loadText(spared, LINES.join(''));
  const expected = await dumpContent(spared);
  for (const [step, times] of KILLS) {
    const { db, url } = await createTestDatabase(t, UNLIMITED);
    await killAt(url, path, step, times);
    await waitForEnd(db);
    const report = await loadSources(db, { sources: [await openSource(path)] });
    assert.equal(await dumpContent(db), expected, `after ${step}`);
    assert.deepEqual([report.read, report.rejected], [RECORDS, 0]);
    assert.deepEqual(await listStages(db), [], `nothing stays behind after ${step}`);
    const states = (await listLoads(db, { limitMax: 10 })).map((load) => load.state);
    assert.deepEqual(states, ['finished', step === 'finished' ? 'finished' : 'interrupted'], `history after ${step}`);
    const [, first] = await listLoads(db, { limitMax: 10 });
    const hasRead = step === 'opened' || step === 'staged' ? 0 : RECORDS;
    assert.equal(first?.read, hasRead, step);
    assert.match(first.failure ?? '', FAILURES[step]!);
  }
});

test('a load that a signal interrupts says so in the history, with how far it came', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  let interrupt: (reason: string) => Promise<void> = () => assert.fail('nothing is to be done');
  const reasons: (string | null)[] = [];
  await loadText(db, LINES.slice(0, 10).join(''), {
    whenInterrupted: (act) => {
      interrupt = act;
    },
    onStep: async (step) => {
      if (step !== 'settled') return;
      await interrupt('it was interrupted by SIGTERM');
      const rows = await db.query<{ failure: string | null }>(sql`select failure from load where state = 'staging'`);
      reasons.push(...rows.map(({ failure }) => failure));
    },
  });
  assert.deepEqual(reasons, ['it was interrupted by SIGTERM']);
});

test('a first load never leaves the database without an index, wherever it is killed', async (t) => {
  const path = join(makeFolder(t), 'records.ndjson');
  writeFileSync(path, LINES.join(''));
  const { db, url } = await createTestDatabase(t, UNLIMITED);
  const complete = await listIndexes(db);
  assert.ok(complete.length > 0);
  await killAt(url, path, 'committed', 1);
  await waitForEnd(db);
  assert.deepEqual(await listIndexes(db), complete);
});

test('a first load leaves a table that is analyzed', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  await loadText(db, [...generateLines({ records: 10_000, seed: 'many', payload: 'none' })].join(''));
  const visits = await db.query(sql`select analyze_count::int4 as analyzed
    from pg_stat_user_tables where relid = 'record'::regclass`);
  assert.deepEqual(visits, [{ analyzed: 1 }]);
});

test('first loads side by side take turns and lose nothing', async (t) => {
  const { db } = await createTestDatabase(t, { ...UNLIMITED, poolMax: 24 });
  const lines = [...generateLines({ records: 4000, seed: 'side by side', payload: 'none' })];
  const parts = [0, 1, 2].map((at) => lines.slice(at * 1000, at * 1000 + 2000).join(''));
  const reports = await Promise.all(parts.map((part) => loadText(db, part)));
  assert.equal(
    reports.reduce((sum, report) => sum + report.new, 0),
    4000,
  );
  const { db: calm } = await createTestDatabase(t, UNLIMITED);
  await loadText(calm, lines.join(''));
  assert.equal(await dumpContent(db), await dumpContent(calm));
});

test('a load that another one would clean up is left alone while it lives', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const record = { jurisdiction_code: 'XA', uid: '1', status: 'Pending' };
  await loadRecords(db, [{ ...record, uid: '0' }]);
  const inner: number[] = [];
  const report = await loadRecords(db, [record], {
    onStep: async (step) => {
      if (step !== 'publishing') return;
      inner.push((await loadRecords(db, [{ ...record, uid: '2' }])).new);
      assert.equal((await listStages(db)).length, 1, 'its staging table is still there');
    },
  });
  assert.deepEqual([report.new, inner], [1, [1]]);
  assert.deepEqual(await listStages(db), []);
});

test('a crash of the database that empties what was staged fails the load instead of being skipped', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const record = { jurisdiction_code: 'XA', uid: 'XA-0', status: 'Pending' };
  await loadRecords(db, [record]);
  const before = await dumpContent(db);
  const line = `${JSON.stringify({ ...record, uid: 'XA-1' })}\n`;
  const emptyStages = async (step: string): Promise<void> => {
    if (step !== 'publishing') return;
    // What crash recovery does to every unlogged table.
    for (const stage of await listStages(db)) await db.query(sql`truncate ${identifier(stage)}`);
  };
  await assert.rejects(
    loadText(db, line, { onStep: emptyStages }),
    (error) => error instanceof OperatorError && /run the load again/.test(error.message),
  );
  assert.equal(await dumpContent(db), before);
  assert.deepEqual(countsOf(await loadText(db, line)), [1, 1, 0, 0, 0]);
});

test('a load that meets a full disk says so, and run again with room it ends as ever', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const text = LINES.slice(0, 10).join('');
  await db.session((session) =>
    session.runScript(`create function refuse() returns trigger language plpgsql
      as $$ begin
        raise 'could not extend file "base/1/2": No space left on device' using errcode = 'disk_full';
      end $$`),
  );
  await runOnParts(
    db,
    'record',
    (part) => sql`create trigger refuse before insert on ${part} for each row execute function refuse()`,
  );
  await assert.rejects(loadText(db, text), {
    name: 'OperatorError',
    message: 'the disk of the database is full; make room, then load the same files again; published records stay',
  });
  await runOnParts(db, 'record', (part) => sql`drop trigger refuse on ${part}`);
  assert.deepEqual(countsOf(await loadText(db, text)), [10, 10, 0, 0, 0]);
});
