/**
 * Several `tmds sync` on one database. The one at work is killed or paused in the middle of a file: another takes over
 * within seconds, goes on with what was fetched, and nothing is loaded twice.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { type Statement, sql } from '../../src/database/driver/sql.ts';
import { createTestDatabase } from '../support/database.ts';
import { makeFolder } from '../support/folder.ts';
import { renderLines } from '../support/loads.ts';
import { etagOf, type HttpOffice, openHttpOffice } from '../support/office-http.ts';
import { createDataFolder, type Running, startTmds, waitFor } from '../support/process.ts';
import { listStates } from '../support/sources-declared.ts';
import { buildRandom } from '../torture/random.ts';

const RECORDS = 400;
const FILES = 4;
/** The arguments of a process that loads. */
const LOAD_KILLS = 3;

function nameOf(number: number): string {
  return `day-2026-11-${String(number).padStart(2, '0')}.ndjson`;
}

/** Each states every record again. */
function contentOf(number: number): Buffer {
  const records = Array.from({ length: RECORDS }, (_, place) => ({
    ...{ jurisdiction_code: 'XA', uid: `R${place}`, status: 'Pending', mark_name: `of day ${number}` },
  }));
  return Buffer.from(renderLines(records));
}

/** The beginning of a file in transit; nobody gets the rest until it is released. */
interface Held {
  /** The key of the process that asked. */
  readonly by: string;
  /** Where in the file the answer begins. */
  readonly from: number;
  readonly name: string;
  /** Sends the rest. */
  release(): void;
}

/** Holds the next answers at the share of the rest that `shareOf` returns, null = not at all. */
function holdFiles(office: HttpOffice, shareOf: (name: string) => number | null): Held[] {
  const held: Held[] = [];
  office.answer = (request: IncomingMessage, response: ServerResponse): boolean => {
    const name = /^\/files\/(day-.*)$/.exec(request.url ?? '')?.[1];
    const share = name === undefined ? null : shareOf(name);
    if (name === undefined || share === null) return false;
    const content = office.files.get(name)!;
    const [, first = '0'] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? [];
    const from = request.headers['if-range'] === etagOf(content) ? Number(first) : 0;
    const rest = content.subarray(from);
    const range = from === 0 ? {} : { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` };
    response.writeHead(from === 0 ? 200 : 206, { etag: etagOf(content), 'content-length': rest.length, ...range });
    const part = Math.floor(rest.length * share);
    response.write(rest.subarray(0, part));
    held.push({
      by: String(request.headers['x-api-key']),
      from,
      name,
      release: () => response.end(rest.subarray(part)),
    });
    return true;
  };
  return held;
}

async function openWorld(t: TestContext) {
  const { db, url } = await createTestDatabase(t);
  const office = await openHttpOffice(t);
  for (let number = 1; number <= FILES; number += 1) office.files.set(nameOf(number), contentOf(number));
  const toml = join(makeFolder(t), 'sources.toml');
  writeFileSync(
    toml,
    `[source.office]\nkind = "http"\nurl = "${office.url}/files/"\ncatalogue = "page"\nkey = "env:OFFICE_KEY"
    format = "ndjson"\nregister = "XA"\nfiles = "day-{YYYY}-{MM}-{DD}.ndjson"\nevery = "1m"\n`,
  );
  let started = 0;
  const start = (dataDir: string): { readonly key: string; readonly process: Running } => {
    started += 1;
    const key = `process-${started}`;
    const environment = { DATABASE_URL: url, TMDS_SOURCES: toml, TMDS_DATA_DIR: dataDir, OFFICE_KEY: key };
    return { key, process: startTmds(t, ['sync'], { ...environment, TMDS_LOG_LEVEL: 'info' }) };
  };
  return { db, office, start, shared: await createDataFolder(t), apart: await createDataFolder(t) };
}

/** Each file made one publish, and each record has the version of every file once. */
async function checkLoadedOnce(db: Database): Promise<void> {
  assert.deepEqual(
    await listStates(db, 'office'),
    Array.from({ length: FILES }, (_, place) => `${nameOf(place + 1)} loaded`),
  );
  const count = async (rows: Statement): Promise<number | undefined> => {
    const [counted] = await db.query<{ n: number }>(sql`select count(*)::int4 as n from ${rows}`);
    return counted?.n;
  };
  assert.deepEqual(
    {
      publishes: await count(sql`publish`),
      versions: await count(sql`record_version`),
      records: await count(sql`record`),
      last: await count(sql`record where detail like ${`%of day ${FILES}%`}`),
    },
    { publishes: FILES, versions: (FILES - 1) * RECORDS, records: RECORDS, last: RECORDS },
  );
}

test('a sync that is killed at random moments is followed within seconds, and nothing is lost or loaded twice', {
  timeout: 600_000,
}, async (t) => {
  const { db, office, start, shared, apart } = await openWorld(t);
  const random = buildRandom(Number(process.env.TMDS_SYNC_SEED ?? 125));
  const kills = new Map<string, number>();
  // Each file is held twice, at random places, so that the process that fetches it dies there.
  const held = holdFiles(office, (name) => {
    const seen = kills.get(name) ?? 0;
    return seen < 2 ? 0.1 + 0.8 * random.next() : null;
  });
  const running = new Map<string, { readonly folder: string; readonly process: Running }>();
  const add = (folder: string): void => {
    const { key, process } = start(folder);
    running.set(key, { folder, process });
  };
  for (const folder of [shared, shared, apart]) add(folder);
  const isOver = async (): Promise<boolean> =>
    (await listStates(db, 'office')).filter((state) => state.endsWith('loaded')).length === FILES;
  const kill = async (key: string): Promise<void> => {
    const { folder, process } = running.get(key)!;
    running.delete(key);
    process.kill('SIGKILL');
    await process.ended;
    add(folder);
  };
  const waits: number[] = [];
  let resumed = 0;
  for (let seen = 0; seen < 2 * FILES; seen += 1) {
    const sinceMs = systemClock.monotonicMs();
    await waitFor(async () => held.length > seen);
    if (seen > 0) waits.push(Math.round(systemClock.monotonicMs() - sinceMs));
    const next = held[seen]!;
    if (next.from > 0) resumed += 1;
    kills.set(next.name, (kills.get(next.name) ?? 0) + 1);
    const part = join(running.get(next.by)!.folder, 'sources', 'office', `${next.name}.part`);
    await waitFor(async () => existsSync(part) && readFileSync(part).length > next.from);
    await kill(next.by);
  }
  const countRows = async (table: 'load' | 'publish'): Promise<number> => {
    const rows = table === 'load' ? sql`select from load` : sql`select from publish`;
    return (await db.query(rows)).length;
  };
  for (let killed = 0; killed < LOAD_KILLS && !(await isOver()); killed += 1) {
    const step = random.pick(['load', 'publish'] as const);
    const before = await countRows(step);
    await waitFor(async () => (await countRows(step)) > before || (await isOver()));
    // The process that asked last is at work.
    await kill(String(office.headers.at(-1)!['x-api-key']));
  }
  await waitFor(isOver);
  t.diagnostic(`gone on with ${resumed} of ${held.length} files, followed after ${waits.join(', ')} ms`);
  await checkLoadedOnce(db);
});

test('a sync that is paused in the middle of a file is followed, and spoils nothing when it goes on', {
  timeout: 600_000,
}, async (t) => {
  const { db, office, start, shared } = await openWorld(t);
  let holds = 1;
  const held = holdFiles(office, (name) => (name === nameOf(2) && holds-- > 0 ? 0.5 : null));
  const first = start(shared);
  await waitFor(async () => held.length === 1);
  const part = join(shared, 'sources', 'office', `${nameOf(2)}.part`);
  await waitFor(async () => existsSync(part) && readFileSync(part).length > 0);
  first.process.kill('SIGSTOP');
  const second = start(shared);
  await waitFor(async () => (await listStates(db, 'office')).at(-1) === `${nameOf(FILES)} loaded`);
  assert.ok(
    office.asked.some((asked) => asked.startsWith(`GET /files/${nameOf(2)} bytes=`)),
    'it was gone on with',
  );
  held[0]!.release();
  first.process.kill('SIGCONT');
  await waitFor(async () => /another process has taken over/.test(first.process.stderr()));
  await checkLoadedOnce(db);
  assert.deepEqual(readFileSync(join(shared, 'sources', 'office', nameOf(2))), contentOf(2));
  for (const { process } of [first, second]) process.kill('SIGTERM');
  for (const { process } of [first, second]) assert.equal((await process.ended).status, 0);
});
