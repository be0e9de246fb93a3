/**
 * `npm run bench -- changes`: four crawlers read the whole feed and only count bytes, in turn from the service and from
 * a bare handler, next to `COPY (the rendered text) TO STDOUT`. Then eight clients read pages of 200 payloads of 1 MB.
 */

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { issueKey } from '../../server/src/access/keys.ts';
import type { Database } from '../../server/src/database/driver/db.ts';
import { instantText, sql } from '../../server/src/database/driver/sql.ts';
import { findFreePort } from '../../server/src/database/embedded/postmaster.ts';
import { connectTortured } from '../../server/test/torture/world.ts';
import { countOption, recordsOption } from '../options.ts';
import { useDatabase } from '../search/data.ts';

const CRAWLERS = 4;
const PAYLOAD_CLIENTS = 8;
const FILL_STEP = 50_000;
const NODE_OPTIONS = ['--conditions=tmds-source', '--import', 'tsx'];

async function fill(db: Database, records: number, payloads: number): Promise<void> {
  for (let from = 1; from <= records; from += FILL_STEP) {
    await db.query(sql`
    insert into record (jurisdiction_code, uid, updated_at, first_seen_at, content_digest, detail)
    select code, uid, stamp, stamp, ''::bytea,
      json_build_object('jurisdiction_code', code, 'uid', uid, 'application_number', n, 'mark_name', 'Mark ' || md5(n::text)
        || case when n % 3 = 0 then ' 商標' else '' end, 'status', 'Registered', 'tm5_status',
        'Application under examination by the office', 'owner_names', array[md5((n % 9999)::text) || ' gmbh & co. kg'],
        'representative_names', array[md5((n % 999)::text) || ' patentanwälte'], 'more', repeat('x', 550),
        'updated_at', ${instantText(sql`stamp`)})::text
    from (select n, 'X' || chr(65 + n % 4) as code, 'u' || n as uid,
        timestamptz '2026-01-01' + n / 5000 * interval '1 second' as stamp
      from generate_series(${from}::int, ${Math.min(from + FILL_STEP - 1, records)}::int) as n) as numbered`);
  }
  await db.query(sql`
    insert into payload (jurisdiction_code, uid, document)
    select 'X' || chr(65 + n % 4), 'u' || n, '{"text":"' || repeat(md5(n::text), 32768) || '"}'
    from generate_series(1, ${payloads}::int) as n`);
  await db.query(sql`insert into register (jurisdiction_code, record_count) select jurisdiction_code, count(*)
    from record group by jurisdiction_code`);
  await db.query(sql`vacuum analyze record, payload`, { prepare: false });
}

function start(script: string, argument: object): ChildProcess {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, [...NODE_OPTIONS, path, JSON.stringify(argument)], { stdio: 'inherit' });
  process.once('exit', () => child.kill());
  return child;
}

async function waitForPort(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/v1/health?limit=1`).catch(() => null);
    if (answer !== null) return;
    await delay(100);
  }
  throw new Error('a server did not start');
}

async function crawl(argument: object): Promise<{ seconds: number; bytes: number }> {
  const script = fileURLToPath(new URL('crawler.ts', import.meta.url));
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, [...NODE_OPTIONS, script, JSON.stringify(argument)]);
  return JSON.parse(stdout);
}

async function copyOut(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const startedMs = performance.now();
  let bytes = 0;
  for await (const chunk of client.query(copyTo('copy (select detail from record) to stdout'))) bytes += chunk.length;
  const seconds = (performance.now() - startedMs) / 1000;
  await client.end();
  return bytes === 0 ? Number.NaN : seconds;
}

/** The peak memory of a process, in MB. */
function peakMemory(child: ChildProcess): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024);
}

interface ChangesOptions {
  readonly records: number;
  readonly payloads: number;
  readonly rounds: number;
}

export function registerChangesBench(program: Command): void {
  program
    .command('changes')
    .description('crawls of the feed, next to a bare handler and COPY')
    .addOption(recordsOption(1_000_000))
    .addOption(countOption('--payloads <count>', 'payloads of 1 MB', 400))
    .addOption(countOption('--rounds <count>', 'crawls of each kind', 3))
    .action(runChangesBench);
}

async function runChangesBench(options: ChangesOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tmds-bench-'));
  try {
    await useDatabase(folder, (url) => measureCrawls(url, options));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureCrawls(url: string, { records, payloads, rounds }: ChangesOptions): Promise<void> {
  const db = await connectTortured(url, 2);
  await fill(db, records, payloads);
  const order = { customer: 'bench', name: null, products: ['records' as const], quota: null, actor: 'bench' };
  const { key } = await issueKey(db, { ...order, rateLimitPerMinute: 1_000_000_000 });

  const servicePort = await findFreePort();
  const service = start('../../server/test/torture/server.ts', {
    databaseUrl: url,
    horizonSeconds: 0,
    port: servicePort,
  });
  await waitForPort(servicePort);
  const barePort = await findFreePort();
  const bare = start('bare.ts', { url, port: barePort });
  await waitForPort(barePort);

  const rate = (seconds: number, count: number): string => `${Math.round(count / seconds)} records/s`;
  for (let round = 1; round <= rounds; round += 1) {
    const common = { key, crawlers: CRAWLERS, limit: 5000, expand: false };
    const ours = await crawl({ ...common, port: servicePort });
    const theirs = await crawl({ ...common, port: barePort });
    const copy = await copyOut(url);
    console.log(
      `round ${round}: service ${rate(ours.seconds, CRAWLERS * records)}, bare ${rate(theirs.seconds, CRAWLERS * records)}, ` +
        `copy ${rate(copy, records)}; service peak ${peakMemory(service)} MB, bare peak ${peakMemory(bare)} MB`,
    );
  }
  bare.kill();
  await db.query(sql`delete from record where not exists (select from payload where payload.jurisdiction_code =
    record.jurisdiction_code and payload.uid = record.uid)`);
  const expanded = await crawl({ key, crawlers: PAYLOAD_CLIENTS, limit: 200, expand: true, port: servicePort });
  console.log(
    `payloads: ${Math.round(expanded.bytes / 1e6)} MB to ${PAYLOAD_CLIENTS} clients in ${expanded.seconds.toFixed(1)} s, ` +
      `service peak ${peakMemory(service)} MB`,
  );
  service.kill();
  await db.close();
}
