/**
 * `npm run bench -- portal`: the time to the first byte of every page of the portal and its size, over HTTP, without a
 * browser, for a customer with 24 months of usage. A filled `--data` folder is used as it is. Writes `portal-N.md`.
 */
import { cpus, loadavg } from 'node:os';
import type { Command } from 'commander';
import { buildApp } from '../../server/src/app.ts';
import { systemClock } from '../../server/src/base/clock.ts';
import type { Database } from '../../server/src/database/driver/db.ts';
import { READING_SESSION_SETTINGS } from '../../server/src/database/driver/session-settings.ts';
import { sql } from '../../server/src/database/driver/sql.ts';
import { openLiveIndex } from '../../server/src/follow/live-index.ts';
import { buildPerson, type Person } from '../../server/test/support/portal.ts';
import { PASSWORD } from '../../server/test/support/portal-browser.ts';
import {
  type DataOptions,
  dataOption,
  keepResult,
  type ResultsOptions,
  recordsOption,
  resultsOption,
} from '../options.ts';
import { connectBench, log } from '../search/data.ts';
import { useBench } from '../search/load.ts';
import { type BenchCustomer, buildCustomer } from './customer.ts';
import { addLargeRecord, removeLargeRecord } from './large-record.ts';
import { type Fetched, fetchPage } from './request.ts';

const REQUESTS = 10;
/** Up to this many records, as in the sample registers, the stricter limit applies. */
const SAMPLE_RECORDS_MAX = 100_000;
const BYTES_MAX = 100_000;
/** Of a record of a megabyte. */
const LARGE_BYTES_MAX = 150_000;

interface PageKind {
  readonly name: string;
  /** The path of the n-th request. */
  readonly path: (round: number) => string;
  /** Default 200. */
  readonly status?: number;
  /** Without a session. */
  readonly outside?: boolean;
  /** False for searches, whose time is that of the search. */
  readonly judged?: boolean;
  /** Of the compressed page; default: that of every page. */
  readonly bytesMax?: number;
}

interface Timed {
  readonly kind: PageKind;
  /** The first request, when nothing is warm. */
  readonly cold: Fetched;
  readonly warm: readonly Fetched[];
}

const fixed = (name: string, path: string, more: Omit<PageKind, 'name' | 'path'> = {}): PageKind => ({
  name,
  path: () => path,
  ...more,
});

interface Targets {
  readonly records: readonly string[];
  /** The second page of the audit. */
  readonly older: string;
  /** A record of a megabyte. */
  readonly large: string;
}

function listPages({ keyId, refusedKeyId }: BenchCustomer, { records, older, large }: Targets): PageKind[] {
  const monthBack = (months: number): string => {
    const now = new Date(systemClock.nowMs());
    return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1)).toISOString().slice(0, 7);
  };
  const explorer = '/portal/explorer';
  return [
    fixed('sign-in', '/portal/sign-in', { outside: true }),
    fixed('link that does not open', '/portal/invitation/none', { outside: true, status: 404 }),
    fixed('monitoring, this month', '/portal/monitoring'),
    fixed('monitoring, 12 months ago', `/portal/monitoring?month=${monthBack(12)}`),
    fixed('monitoring, 23 months ago', `/portal/monitoring?month=${monthBack(23)}`),
    fixed('monitoring, key with 10,000 refusals', `/portal/monitoring?key=${refusedKeyId}`),
    fixed('keys', '/portal/keys'),
    fixed('issue a key', '/portal/keys/new'),
    fixed('one key', `/portal/keys/${refusedKeyId}`),
    fixed('rotate', `/portal/keys/${refusedKeyId}/rotate`),
    fixed('revoke', `/portal/keys/${refusedKeyId}/revoke`),
    fixed('team', '/portal/team'),
    fixed('audit', '/portal/team/activity'),
    fixed('audit, older', older),
    fixed('account', '/portal/account'),
    fixed('home', '/portal'),
    fixed('usage', '/portal/usage'),
    fixed('call log', '/portal/log'),
    fixed('call log of a month', '/portal/log?hours=720&outcome=refused'),
    fixed('explorer, form', explorer),
    fixed('explorer, refused', `${explorer}?mark_name_contains=ab&key=${keyId}`),
    { name: 'record', path: (round) => `${records[round % records.length]}?key=${keyId}` },
    fixed('record of 1 MB', `${large}?key=${keyId}`, { bytesMax: LARGE_BYTES_MAX }),
    fixed('changes, form', '/portal/feed'),
    fixed('changes, latest', `/portal/feed?show=1&key=${keyId}`),
    fixed('changes, since', `/portal/feed?since=2026-01-01&key=${keyId}`),
    fixed('page that does not exist', '/portal/none', { status: 404 }),
    fixed('search: class and status', `${explorer}?nice_class=9&status=Registered&key=${keyId}`, { judged: false }),
    fixed('search: exact name', `${explorer}?mark_name=aurora&key=${keyId}`, { judged: false }),
    fixed('search: counted', `${explorer}?nice_class=9&count=capped&key=${keyId}`, { judged: false }),
  ];
}

/** Some records from the whole table, the second page of the audit, and a large record that is added. */
async function readTargets(db: Database, person: Person): Promise<Targets> {
  const rows = await db.query<{ jurisdiction_code: string; uid: string }>(
    sql`select jurisdiction_code, uid from record where hashtext(uid) % 7 = 0 limit ${REQUESTS + 1}::int`,
  );
  const { text } = await person.visit('/portal/team/activity');
  const older = /href="(\/portal\/team\/activity\?before=[^"]+)"/.exec(text)?.[1];
  if (rows.length === 0 || older === undefined) throw new Error('the folder has too few records');
  const records = rows.map(
    ({ jurisdiction_code, uid }) => `/portal/explorer/records/${jurisdiction_code}/${encodeURIComponent(uid)}`,
  );
  const large = await addLargeRecord(db, rows[0]!.jurisdiction_code);
  return { records, older, large };
}

async function timePage(url: string, kind: PageKind, person: Person): Promise<Timed> {
  const fetched: Fetched[] = [];
  for (let round = 0; round <= REQUESTS; round += 1) {
    const path = kind.path(round);
    const page = await fetchPage(url, path, person.cookies);
    if (page.status !== (kind.status ?? 200)) throw new Error(`${path}: ${page.status} ${page.text}`);
    fetched.push(page);
  }
  const [cold, ...warm] = fetched;
  return { kind, cold: cold!, warm };
}

export function registerPortalBench(program: Command): void {
  program
    .command('portal')
    .description('every page of the portal, for a customer with 24 months of usage')
    .addOption(recordsOption(20_000))
    .addOption(dataOption('bench-portal'))
    .addOption(resultsOption())
    .action((options: DataOptions & ResultsOptions) => useBench(options, false, (url) => measurePages(url, options)));
}

async function measurePages(databaseUrl: string, { results }: ResultsOptions): Promise<void> {
  const database = await connectBench(databaseUrl, 8, READING_SESSION_SETTINGS, 10_000);
  const accessDatabase = await connectBench(databaseUrl, 4, {}, 10_000);
  const owner = await connectBench(databaseUrl, 1);
  console.error('inserting 24 months of usage');
  const customer = await buildCustomer(owner);
  const index = openLiveIndex({ url: databaseUrl, folder: null, clock: systemClock, log });
  await index.ready;
  const app = buildApp({
    database,
    accessDatabase,
    index,
    clock: systemClock,
    config: { recordPrefix: 'records', analyticsPrefix: 'analytics', changeHorizonSeconds: 300, corsOrigins: [] },
    log,
    version: 'bench',
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  try {
    const person = buildPerson(url);
    await person.visit(customer.invitation);
    const joined = await person.post(customer.invitation, { password: PASSWORD, repeated: PASSWORD });
    if (joined.status !== 303) throw new Error(`the invitation did not open: ${joined.status}`);
    const targets = await readTargets(owner, person);
    const [held] = await owner.query<{ records: number }>(
      sql`select sum(record_count)::float8 as records from register`,
    );
    const timed: Timed[] = [];
    for (const kind of listPages(customer, targets)) {
      timed.push(await timePage(url, kind, kind.outside === true ? buildPerson(url) : person));
    }
    await report(results, held!.records, timed);
  } finally {
    await removeLargeRecord(owner);
    await app.close();
    await index.close();
    await Promise.all([database, accessDatabase, owner].map((each) => each.close()));
  }
}

function sortNumbers(numbers: readonly number[]): number[] {
  return [...numbers].sort((one, other) => one - other);
}

/** Of an even number of figures. */
function medianOf(numbers: readonly number[]): number {
  const sorted = sortNumbers(numbers);
  return (sorted[sorted.length / 2 - 1]! + sorted[sorted.length / 2]!) / 2;
}

async function report(folder: string, records: number, timed: readonly Timed[]): Promise<void> {
  const markMs = records <= SAMPLE_RECORDS_MAX ? 60 : 300;
  const show = (millis: number): string => millis.toFixed(millis < 10 ? 1 : 0);
  const rows = timed.map(({ kind, cold, warm }) => {
    const sorted = sortNumbers(warm.map(({ firstByteMs }) => firstByteMs));
    const bytes = Math.max(cold.bytes, ...warm.map((page) => page.bytes));
    const isSmall = bytes < (kind.bytesMax ?? BYTES_MAX);
    const isQuick = kind.judged === false || sorted.at(-1)! < markMs;
    const processorMs = medianOf(warm.map((page) => page.processorMs));
    const times = [cold.firstByteMs, medianOf(sorted), sorted.at(-1)!, processorMs].map(show).join(' | ');
    return `| ${kind.name} | ${times} | ${(bytes / 1000).toFixed(1)} | ${isSmall && isQuick ? 'yes' : '**no**'} |`;
  });
  const load = loadavg()[0]!.toFixed(1);
  const text = [
    `# Pages of the portal: ${records} records, ${cpus().length} processors`,
    '',
    `${REQUESTS} requests each, one after the other, over HTTP, after a first one in a fresh process; a customer with`,
    '100 live keys, 24 months of usage and refusals of 200 keys on two products, 10,000 refusals of one key, 20,000',
    'lines of audit. Times are those to the first byte, which a page sends when it is whole; sizes those of the',
    `compressed page. The marks: ${markMs} ms for the maximum, searches aside; ${BYTES_MAX / 1000} kB, and`,
    `${LARGE_BYTES_MAX / 1000} kB for a record of a megabyte. Processor time is the median of what service and caller`,
    `took without the database: neighbours do not change it. Load average ${load} at the end.`,
    '',
    '| page | first ms | median ms | maximum ms | processor ms | kB | within the marks |',
    '|---|---:|---:|---:|---:|---:|---|',
    ...rows,
    '',
  ].join('\n');
  await keepResult(folder, `portal-${records}.md`, text);
}
