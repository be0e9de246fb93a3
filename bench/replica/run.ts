/**
 * `npm run bench -- replica`: the speed and memory of the real command making a SQLite replica of generated records,
 * with service and database on the same machine, through the feed and from a snapshot that the real command made, and
 * the number of calls that prove the replica equal or find a record with one changed byte. Writes `replica-RECORDS.md`.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Snapshot } from '@tmds/contract/snapshots';
import type { Command } from 'commander';
import { openSqlite } from '../../client/src/replica/sqlite-driver.ts';
import type { Verification } from '../../client/src/replica/verify.ts';
import { issueKey } from '../../server/src/access/keys.ts';
import { sql } from '../../server/src/database/driver/sql.ts';
import { digestOf } from '../../server/src/store/publish/verification.ts';

import {
  type DataOptions,
  dataOption,
  keepResult,
  type ResultsOptions,
  recordsOption,
  resultsOption,
} from '../options.ts';
import { type Ended, ROOT, readProcess, runClient, runProgram } from '../program.ts';
import { connectBench } from '../search/data.ts';
import { useBench } from '../search/load.ts';
import { startServer } from '../server-process.ts';

const runFile = promisify(execFile);

interface Place {
  readonly to: string;
  readonly port: number;
  readonly key: string;
}

function runReplica({ to, ...service }: Place, words: readonly string[]): Promise<Ended> {
  return runClient('tmds-replica', [...words, '--to', to], service);
}

/** Fills in what publishing the records would have left. */
async function fillDigests(url: string): Promise<void> {
  const db = await connectBench(url, 1);
  const present = await db.query(sql`select from publish_digest limit 1`);
  if (present.length === 0) {
    await db.query(sql`
      insert into publish_digest (jurisdiction_code, updated_at, record_count, digest)
      select jurisdiction_code, updated_at, count(*), bit_xor(${digestOf(sql`detail`)})
      from record group by jurisdiction_code, updated_at`);
  }
  await db.close();
}

async function prepare(url: string): Promise<string> {
  await fillDigests(url);
  const db = await connectBench(url, 1);
  const order = { customer: 'bench', name: null, products: ['records'] as const, actor: 'bench' };
  const { key } = await issueKey(db, { ...order, rateLimitPerMinute: 100_000_000, quota: null });
  await db.close();
  return key;
}

/** Changes one byte of a mark's name in the middle of the file, and returns the record's identity. */
async function plantByte(path: string, records: number): Promise<string> {
  const db = await openSqlite(path);
  const [row] = db
    .prepare(`select jurisdiction_code, uid, mark_name from trademarks
      where rowid > ? and mark_name glob '[A-Za-z]*' order by rowid limit 1`)
    .all(Math.floor(records / 2)) as { jurisdiction_code: string; uid: string; mark_name: string }[];
  const { jurisdiction_code, uid, mark_name } = row!;
  const changed = `${mark_name.startsWith('A') ? 'B' : 'A'}${mark_name.slice(1)}`;
  db.prepare('update trademarks set mark_name = ? where jurisdiction_code = ? and uid = ?').run(
    changed,
    jurisdiction_code,
    uid,
  );
  db.close();
  return `${jurisdiction_code} ${uid}`;
}

/** The units that the key has used, including this call. */
async function readUnits({ port, key }: Place): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/v1/usage`, { headers: { 'x-api-key': key } });
  const { products } = (await answer.json()) as { products: { calls: number }[] };
  return products[0]!.calls;
}

interface Proof {
  readonly run: Ended;
  readonly result: Verification;
  /** Metered calls, including the one that catches up. */
  readonly units: number;
}

async function prove(place: Place): Promise<Proof> {
  const before = await readUnits(place);
  const run = await runReplica(place, ['verify', '--json']);
  if (run.out === '') throw new Error(`verify exited with ${run.status} and printed nothing`);
  return { run, result: JSON.parse(run.out) as Verification, units: (await readUnits(place)) - before - 1 };
}

export function registerReplicaBench(program: Command): void {
  program
    .command('replica')
    .description('a SQLite replica, made through the feed and from a snapshot, and proven equal')
    .addOption(recordsOption(1_000_000))
    .addOption(dataOption())
    .addOption(resultsOption())
    .action((options: ReplicaOptions) => useBench(options, false, (url) => measureReplica(url, options)));
}

type ReplicaOptions = DataOptions & ResultsOptions;

async function measureReplica(url: string, { records, results }: ReplicaOptions): Promise<void> {
  await runFile(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-b', join(ROOT, 'client')]);
  await runFile(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-b', join(ROOT, 'server')]);
  const folder = await mkdtemp(join(tmpdir(), 'tmds-bench-replica-'));
  const path = join(folder, 'marks.db');
  const key = await prepare(url);
  const snapshots = join(folder, 'snapshots');
  const server = await startServer(url, 'metered', null, snapshots);
  try {
    const place: Place = { to: `sqlite:${path}`, port: server.port, key };
    const made = await makeReplica(server, place);
    const written = await writeSnapshots(url, snapshots);
    const started = await makeReplica(server, { ...place, to: `sqlite:${join(folder, 'started.db')}` });
    const bytes = (await stat(path)).size;
    const equal = await prove(place);
    const planted = await plantByte(path, records);
    await report(results, records, { made, written, started, bytes, equal, planted, found: await prove(place) });
  } finally {
    server.child.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

/** A new replica, with what it cost the service. */
interface Made extends Ended {
  readonly units: number;
  readonly service: { readonly peakMb: number; readonly processorSeconds: number };
}

type Server = Awaited<ReturnType<typeof startServer>>;

async function makeReplica(server: Server, place: Place): Promise<Made> {
  const before = readProcess(server.child.pid!);
  const unitsBefore = await readUnits(place);
  const made = await runReplica(place, ['sync', '--once']);
  if (made.status !== 0) throw new Error(`the replica ended with ${made.status}`);
  const { peakMb, processorSeconds } = readProcess(server.child.pid!);
  const units = (await readUnits(place)) - unitsBefore - 1;
  return { ...made, units, service: { peakMb, processorSeconds: processorSeconds - before.processorSeconds } };
}

interface Written extends Ended {
  readonly formats: string;
  readonly bytes: number;
}

/** A snapshot in each set of formats. The last one is what replicas start from. */
async function writeSnapshots(url: string, folder: string): Promise<Written[]> {
  const written: Written[] = [];
  for (const formats of ['parquet', 'jsonl']) {
    const environment = { DATABASE_URL: url, TMDS_SNAPSHOTS: folder, TMDS_DATA_DIR: folder };
    const ended = await runProgram('server/bin/tmds.js', ['snapshot', '--format', formats, '--json'], environment);
    if (ended.status !== 0) throw new Error(`tmds snapshot ended with ${ended.status}`);
    const { registers } = JSON.parse(ended.out) as Snapshot;
    const bytes = registers.flatMap(({ files }) => files).reduce((sum, file) => sum + file.bytes, 0);
    written.push({ ...ended, formats, bytes });
  }
  return written;
}

interface Figures {
  readonly made: Made;
  readonly written: readonly Written[];
  readonly started: Made;
  readonly bytes: number;
  readonly equal: Proof;
  readonly planted: string;
  readonly found: Proof;
}

async function report(
  folder: string,
  records: number,
  { made, written, started, bytes, equal, planted, found }: Figures,
): Promise<void> {
  const named = found.result.differences.map(({ jurisdiction_code, uid }) => `${jurisdiction_code} ${uid}`);
  const exact = named.length === 1 && named[0] === planted && found.result.unnamedBuckets === 0;
  const mb = (value: number): string => `${Math.round(value)} MB`;
  const madeRow = (name: string, { seconds, units, peakMb, processorSeconds, service }: Made): string =>
    `| ${name} | ${Math.round(records / seconds)} | ${seconds.toFixed(1)} | ${units} | ${mb(peakMb)} | ` +
    `${processorSeconds.toFixed(1)} s | ${mb(service.peakMb)} | ${service.processorSeconds.toFixed(1)} s | ` +
    `${mb(bytes / 1e6)} |`;
  const proofRow = (name: string, { run, result, units }: Proof): string =>
    `| ${name} | ${result.calls} | ${units} | ${run.seconds.toFixed(1)} | ${mb(run.peakMb)} |`;
  const text = [
    `# Replica: ${records} records into SQLite, ${cpus().length} processors`,
    '',
    '`tmds-replica --once` as it is installed, one process of the service, PostgreSQL and the replica on one machine.',
    '',
    '| made | records/s | seconds | units | replica, peak | its processor time | service, peak | its processor time | file |',
    '|---|---:|---:|---:|---:|---:|---:|---:|---:|',
    madeRow('through the feed', made),
    madeRow('from a snapshot', started),
    '',
    '| `tmds snapshot` | records/s | seconds | peak | processor time | files |',
    '|---|---:|---:|---:|---:|---:|',
    ...written.map(
      (each) =>
        `| ${each.formats} | ${Math.round(records / each.seconds)} | ${each.seconds.toFixed(1)} | ${mb(each.peakMb)} | ` +
        `${each.processorSeconds.toFixed(1)} s | ${mb(each.bytes / 1e6)} |`,
    ),
    '',
    '| `tmds-replica verify` | calls for the proof | metered, with catching up | seconds | peak |',
    '|---|---:|---:|---:|---:|',
    proofRow(equal.result.equal ? 'the replica as made: equal' : 'the replica as made: **different**', equal),
    proofRow(exact ? 'one byte changed: that record named, no other' : 'one byte changed: **not named alone**', found),
    '',
  ].join('\n');
  await keepResult(folder, `replica-${records}.md`, text);
  if (!equal.result.equal || equal.result.records !== records || !exact) process.exitCode = 1;
}
