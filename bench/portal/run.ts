/**
 * `npm run bench -- portal`: the time of every page of the portal over HTTP, without a browser, for a customer with 24
 * months of usage. A filled `--data` folder is used as it is. Writes `portal-N.md`.
 */
import { cpus, loadavg } from 'node:os';
import type { Command } from 'commander';
import { buildApp } from '../../server/src/app.ts';
import { systemClock } from '../../server/src/base/clock.ts';
import { openLiveIndex } from '../../server/src/follow/live-index.ts';
import type { Database } from '../../server/src/store/driver/db.ts';
import { READING_SESSION_SETTINGS } from '../../server/src/store/driver/sessions.ts';
import { sql } from '../../server/src/store/driver/sql.ts';
import { buildPerson, PASSWORD, type Person } from '../../server/test/support/portal.ts';
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

const REQUESTS = 10;
/** Up to this many records, as in the sample registers, the stricter limit applies. */
const SAMPLE_RECORDS_MAX = 100_000;

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
}

interface Timed {
  readonly kind: PageKind;
  /** Of the first request, when nothing is warm. */
  readonly firstMs: number;
  /** Of the other requests. */
  readonly millis: readonly number[];
}

const fixed = (name: string, path: string, more: Omit<PageKind, 'name' | 'path'> = {}): PageKind => ({
  name,
  path: () => path,
  ...more,
});

function listPages({ keyId, refusedKeyId }: BenchCustomer, records: readonly string[], older: string): PageKind[] {
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
    fixed('overview', '/portal'),
    fixed('call log', '/portal/log'),
    fixed('call log of a month', '/portal/log?hours=720&outcome=refused'),
    fixed('explorer, form', explorer),
    fixed('explorer, refused', `${explorer}?mark_name_contains=ab&key=${keyId}`),
    { name: 'record', path: (round) => `${records[round % records.length]}?key=${keyId}` },
    fixed('changes, form', '/portal/feed'),
    fixed('changes, latest', `/portal/feed?show=1&key=${keyId}`),
    fixed('changes, since', `/portal/feed?since=2026-01-01&key=${keyId}`),
    fixed('page that does not exist', '/portal/none', { status: 404 }),
    fixed('search: class and status', `${explorer}?nice_class=9&status=Registered&key=${keyId}`, { judged: false }),
    fixed('search: exact name', `${explorer}?mark_name=aurora&key=${keyId}`, { judged: false }),
    fixed('search: counted', `${explorer}?nice_class=9&count=capped&key=${keyId}`, { judged: false }),
  ];
}

/** Some records from the whole table, and the second page of the audit. */
async function readTargets(db: Database, person: Person): Promise<{ records: string[]; older: string }> {
  const rows = await db.query<{ jurisdiction_code: string; uid: string }>(
    sql`select jurisdiction_code, uid from record where hashtext(uid) % 7 = 0 limit ${REQUESTS + 1}::int`,
  );
  const { text } = await person.visit('/portal/team/activity');
  const older = /href="(\/portal\/team\/activity\?before=[^"]+)"/.exec(text)?.[1];
  if (rows.length === 0 || older === undefined) throw new Error('the folder has too few records');
  const records = rows.map(
    ({ jurisdiction_code, uid }) => `/portal/explorer/records/${jurisdiction_code}/${encodeURIComponent(uid)}`,
  );
  return { records, older };
}

async function timePage(kind: PageKind, person: Person): Promise<Timed> {
  const millis: number[] = [];
  for (let round = 0; round <= REQUESTS; round += 1) {
    const path = kind.path(round);
    const started = performance.now();
    const { status, text } = await person.visit(path);
    millis.push(performance.now() - started);
    if (status !== (kind.status ?? 200)) throw new Error(`${path}: ${status} ${text.slice(0, 2000)}`);
  }
  const [firstMs = 0, ...after] = millis;
  return { kind, firstMs, millis: after };
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
    const { records, older } = await readTargets(owner, person);
    const [held] = await owner.query<{ records: number }>(
      sql`select sum(record_count)::float8 as records from register`,
    );
    const timed: Timed[] = [];
    for (const kind of listPages(customer, records, older)) {
      timed.push(await timePage(kind, kind.outside === true ? buildPerson(url) : person));
    }
    await report(results, held!.records, timed);
  } finally {
    await app.close();
    await index.close();
    await Promise.all([database, accessDatabase, owner].map((each) => each.close()));
  }
}

async function report(folder: string, records: number, timed: readonly Timed[]): Promise<void> {
  const markMs = records <= SAMPLE_RECORDS_MAX ? 100 : 300;
  const show = (millis: number): string => millis.toFixed(millis < 10 ? 1 : 0);
  const rows = timed.map(({ kind, firstMs, millis }) => {
    const sorted = [...millis].sort((one, other) => one - other);
    const median = (sorted[REQUESTS / 2 - 1]! + sorted[REQUESTS / 2]!) / 2;
    const holds = sorted.at(-1)! < markMs ? 'yes' : '**no**';
    const judged = kind.judged === false ? '' : holds;
    return `| ${kind.name} | ${show(firstMs)} | ${show(median)} | ${show(sorted.at(-1)!)} | ${judged} |`;
  });
  const load = loadavg()[0]!.toFixed(1);
  const text = [
    `# Pages of the portal: ${records} records, ${cpus().length} processors`,
    '',
    `${REQUESTS} requests each, one after the other, over HTTP, after a first one in a fresh process; a customer with`,
    '100 live keys, 24 months of usage and refusals of 200 keys on two products, 10,000 refusals of one key, 20,000',
    `lines of audit. The mark is ${markMs} ms for the maximum, searches aside. Load average ${load} at the end.`,
    '',
    '| page | first ms | median ms | maximum ms | under the mark |',
    '|---|---:|---:|---:|---|',
    ...rows,
    '',
  ].join('\n');
  await keepResult(folder, `portal-${records}.md`, text);
}
