/** `/metrics` of a running server, and what `ops/` says about it. */
import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { parser } from '@prometheus-io/lezer-promql';
import { parse as parseYaml } from 'yaml';
import { sql } from '../../src/database/driver/sql.ts';
import { storeSourceCheck } from '../../src/store/sync/source-checks.ts';
import { runHere } from '../support/command.ts';
import { createTestDatabase } from '../support/database.ts';
import { makeFolder } from '../support/folder.ts';
import { type ServingProcess, startServing, waitFor } from '../support/process.ts';
import { buildSource } from '../support/source.ts';
import { buildStored, storeRecords } from '../support/stored.ts';

type Context = Parameters<typeof startServing>[0];
const TEXT = 'text/plain; version=0.0.4; charset=utf-8';
const OPEN_METRICS = 'application/openmetrics-text';
const OPEN_METRICS_TYPE = `${OPEN_METRICS}; version=1.0.0; charset=utf-8`;
const VALUE_LINE = /^([a-z_][a-z0-9_]*)(?:\{(.*)\})? (\S+)$/;

function readValues(text: string): { name: string; labels: Record<string, string>; value: number }[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name, labels = '', value] = VALUE_LINE.exec(line) ?? assert.fail(`not a line of a metric: ${line}`);
      const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, content]) => [label!, content!]);
      return { name: name!, labels: Object.fromEntries(pairs), value: Number(value) };
    });
}

async function readMetrics(
  address: string,
  accept = '*/*',
): Promise<{ text: string; type: string | null; status: number }> {
  const response = await fetch(address, { headers: { accept } });
  return { text: await response.text(), type: response.headers.get('content-type'), status: response.status };
}

async function startWatched(
  t: Context,
  environment: Record<string, string>,
): Promise<{ server: ServingProcess; metrics: string }> {
  const settings = { TMDS_METRICS_PORT: '0', TMDS_LOG_LEVEL: 'info', ...environment };
  const server = await startServing(t, settings);
  const pattern = /"address":"(http:[^"]*\/metrics)"/;
  await waitFor(async () => pattern.test(server.stderr()));
  return { server, metrics: pattern.exec(server.stderr())![1]! };
}

function findValue(text: string, name: string, labels: Record<string, string> = {}): number | undefined {
  const wanted = Object.entries(labels);
  return readValues(text).find(
    (line) => line.name === name && wanted.every(([label, value]) => line.labels[label] === value),
  )?.value;
}

test('a server reports calls, stages, index, feed, loads, metering, pools, process and database', async (t) => {
  const { url } = await createTestDatabase(t);
  const environment = { DATABASE_URL: url };
  const { server, metrics } = await startWatched(t, environment);
  const { stdout } = await runHere(['key', 'issue', '--customer', 'Example', '--json'], environment);
  const { key } = JSON.parse(stdout) as { key: string };
  const call = async (path: string): Promise<number> =>
    (await fetch(`${server.address}${path}`, { headers: { 'x-api-key': key } })).status;
  assert.equal(await call('/v1/XA/trademarks/none'), 404);
  assert.equal(await call('/v1/trademarks?application_number=acme17'), 200);
  assert.equal(await call('/v1/trademarks?nonsense=1'), 400);
  assert.equal(await call('/v1/secret-path-of-a-caller'), 404);
  assert.equal(await call('/readyz'), 200);

  // A call is counted when its answer has been sent, a moment after the caller has it.
  await waitFor(
    async () => findValue((await readMetrics(metrics)).text, 'tmds_calls_total', { endpoint: 'readyz' }) === 1,
  );
  const { text, type, status } = await readMetrics(metrics);
  assert.deepEqual([status, type], [200, OPEN_METRICS_TYPE]);
  const value = (name: string, labels?: Record<string, string>): number | undefined => findValue(text, name, labels);
  assert.equal(value('tmds_calls_total', { endpoint: 'lookup', status: '404' }), 1);
  assert.equal(value('tmds_calls_total', { endpoint: 'search', status: '200' }), 1);
  assert.equal(value('tmds_calls_total', { endpoint: 'search', status: '400' }), 1);
  assert.equal(value('tmds_calls_total', { endpoint: 'unknown', status: '404' }), 1);
  assert.equal(value('tmds_calls_refused_total', { code: 'unknown_parameter' }), 1);
  assert.equal(value('tmds_call_duration_seconds_count', { endpoint: 'search' }), 2);
  for (const stage of ['parse', 'plan', 'access', 'match', 'store', 'render']) {
    assert.ok(value('tmds_call_stage_seconds_total', { endpoint: 'search', stage })! > 0, stage);
  }
  assert.equal(value('tmds_metering_taken_units_total'), 2);
  assert.equal(value('tmds_index_ready'), 1);
  assert.equal(value('tmds_index_records'), 0);
  assert.ok(value('tmds_index_lag_seconds')! >= 0);
  assert.ok(value('tmds_feed_horizon_timestamp_seconds')! > 0);
  assert.equal(value('tmds_loads', { state: 'finished' }), 0);
  assert.equal(value('tmds_load_records_total', { outcome: 'rejected' }), 0);
  assert.ok(value('tmds_pool_connections_max', { pool: 'records' })! > 1);
  assert.ok(value('tmds_database_bytes')! > 1_000_000);
  assert.ok(value('tmds_table_bytes', { table: 'record' })! > 0);
  assert.equal(value('tmds_database_read'), 1);
  assert.ok(value('process_resident_memory_bytes')! > 1_000_000);
  assert.ok(value('nodejs_eventloop_lag_p99_seconds')! >= 0);
  // Nothing that a caller sent, and no key, is a label.
  assert.doesNotMatch(text, /secret-path|nonsense|acme17/);
  assert.ok(!text.includes(key.slice(5, 17)));
  assert.equal((await fetch(metrics.replace('/metrics', '/'))).status, 404);
  assert.equal((await fetch(`${server.address}/metrics`)).status, 404);
});

/** What each family is, and the names of its samples, without the endings that belong to their kind. */
function readFamilies(text: string, endings: Readonly<Record<string, RegExp>>): [kinds: string[], samples: string[]] {
  const kinds = [...text.matchAll(/^# HELP (\w+) \S.*\n# TYPE (\w+) (\w+)$/gm)].map(([, named, name, kind]) => {
    assert.equal(named, name);
    return [name!, kind!] as const;
  });
  const isOf = (sample: string): boolean =>
    kinds.some(([name, kind]) => sample.startsWith(name) && endings[kind]!.test(sample.slice(name.length)));
  return [
    kinds.map((each) => each.join(' ')),
    readValues(text)
      .map(({ name }) => name)
      .filter((name) => !isOf(name)),
  ];
}

test('every figure is described under its name, in OpenMetrics, and in the text format on request', async (t) => {
  const { url } = await createTestDatabase(t);
  const { server, metrics } = await startWatched(t, { DATABASE_URL: url });
  await fetch(`${server.address}/v1/XA/trademarks/none`);
  const forms = { summary: /^(_sum|_count)?$/, histogram: /^(_bucket|_sum|_count)$/, gauge: /^$/ };
  const open = await readMetrics(metrics, `${OPEN_METRICS};version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.4`);
  const plain = await readMetrics(metrics, `text/plain;version=0.0.4,${OPEN_METRICS};q=0.5`);
  assert.deepEqual([open.type, plain.type], [OPEN_METRICS_TYPE, TEXT]);
  const [openKinds, openStray] = readFamilies(open.text, { ...forms, counter: /^_total$/ });
  const [plainKinds, plainStray] = readFamilies(plain.text, { ...forms, counter: /^$/ });
  assert.deepEqual([openStray, plainStray], [[], []]);
  assert.ok(plainKinds.includes('tmds_calls_total counter'));
  assert.ok(openKinds.includes('tmds_calls counter'));
  assert.equal(openKinds.length, plainKinds.length);
  for (const kind of plainKinds) assert.equal(kind.endsWith(' counter'), kind.includes('_total '), kind);
  assert.match(open.text, /^(?:[^\n]+\n)+# EOF\n$/);
  assert.doesNotMatch(plain.text, /# EOF/);
});

/** Labels that Prometheus adds to whatever it reads. */
const SCRAPED = ['instance', 'job'];

interface Query {
  readonly where: string;
  readonly text: string;
}

/** What a query reads and by which labels; fails if it is not PromQL. */
function readQuery({ where, text }: Query): { metrics: { name: string; labels: string[] }[]; grouped: string[] } {
  const metrics: { name: string; labels: string[] }[] = [];
  const grouped: string[] = [];
  parser.parse(text).iterate({
    enter: ({ type, from, to, node }) => {
      assert.ok(!type.isError, `${where}: not PromQL at ${from}: ${text}`);
      const word = text.slice(from, to);
      if (type.name === 'Identifier' && node.parent?.name === 'VectorSelector')
        metrics.push({ name: word, labels: [] });
      if (type.name !== 'LabelName') return;
      if (node.parent?.name === 'GroupingLabels') grouped.push(word);
      else metrics.at(-1)!.labels.push(word);
    },
  });
  assert.ok(metrics.length > 0, `${where}: names no metric`);
  return { metrics, grouped };
}

async function readOps(name: string): Promise<string> {
  return await readFile(new URL(`../../../ops/${name}`, import.meta.url), 'utf8');
}

async function listAlertQueries(): Promise<Query[]> {
  const { groups } = parseYaml(await readOps('alerts.yml')) as {
    groups: { rules: { alert: string; expr: string; annotations: { summary?: string; remedy?: string } }[] }[];
  };
  return groups.flatMap(({ rules }) =>
    rules.map(({ alert, expr, annotations }) => {
      assert.ok(annotations.summary && annotations.remedy, `${alert} says what is seen and what to do`);
      return { where: alert, text: expr };
    }),
  );
}

async function listPanelQueries(): Promise<Query[]> {
  const { panels } = JSON.parse(await readOps('grafana-dashboard.json')) as {
    panels: { title: string; targets?: { expr: string }[] }[];
  };
  return panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ where: title, text: expr.replaceAll('$__rate_interval', '5m') })),
  );
}

/** What is exposed only once calls have ended, the index has been compared, and the database was read. */
const AWAITED = [
  'tmds_calls_unfinished_total',
  'tmds_calls_refused_total',
  'tmds_index_differing_registers',
  'tmds_index_lag_seconds',
];

test('the dashboard and the alerts name only metrics and labels that a server exposes', async (t) => {
  // Several nodes take no standbys, and so expose nothing of them.
  const { db, url } = await createTestDatabase(t, { isSingle: true });
  await storeRecords(db, [buildStored(buildSource({ jurisdiction_code: 'XA', uid: '1' }), '2026-01-02T03:04:05Z')]);
  await db.query(sql`update register set data_current_through = '2026-01-01T00:00:00Z'`);
  await db.query(sql`
    insert into load (load_id, format, source, state, started_at, finished_at)
    values (gen_random_uuid(), 'ndjson', 'example', 'finished', clock_timestamp(), clock_timestamp())`);
  await storeSourceCheck(db, {
    ...{ source: 'office', checked_ms: 1, succeeded_ms: 1, failure: null, stopped: false },
    ...{ next_period: '2026-11-20', due_ms: 1, gaps: [] },
  });
  await db.query(sql`vacuum record`, { prepare: false });
  const snapshots = makeFolder(t);
  await mkdir(join(snapshots, '20260101T000000000Z'));
  // The primary itself, which has a lag, and a standby that does not answer and so is not in use.
  const listed = `${url},postgresql://tmds@127.0.0.1:1/tmds`;
  const { server, metrics } = await startWatched(t, {
    DATABASE_URL: url,
    DATABASE_REPLICA_URLS: listed,
    TMDS_SNAPSHOTS: snapshots,
  });
  // A look-up, and calls whose callers leave, until one does so before its answer: its unit is stored first.
  const { stdout } = await runHere(['key', 'issue', '--customer', 'one', '--json'], { DATABASE_URL: url });
  const { key } = JSON.parse(stdout) as { key: string };
  assert.equal((await fetch(`${server.address}/v1/XA/trademarks/1`)).status, 401);
  const leave = (): void => {
    const socket = connect(Number(new URL(server.address).port), '127.0.0.1');
    socket.end(`GET /v1/usage HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n\r\n`, () => socket.destroy());
  };
  const exposed = new Map<string, Set<string>>();
  const read = async (): Promise<void> => {
    for (const { name, labels } of readValues((await readMetrics(metrics)).text)) {
      exposed.set(name, new Set([...(exposed.get(name) ?? []), ...Object.keys(labels)]));
    }
  };
  await waitFor(async () => {
    if (!exposed.has('tmds_calls_unfinished_total')) leave();
    await read();
    return AWAITED.every((name) => exposed.has(name));
  });
  const queries = [...(await listAlertQueries()), ...(await listPanelQueries())];
  assert.ok(queries.length > 40);
  const named = new Set<string>();
  for (const query of queries) {
    const { metrics: asked, grouped } = readQuery(query);
    const known = new Set(SCRAPED);
    for (const { name, labels } of asked) {
      const own = exposed.get(name) ?? assert.fail(`${query.where}: no server exposes ${name}`);
      for (const label of own) known.add(label);
      for (const label of labels) {
        assert.ok(own.has(label) || SCRAPED.includes(label), `${query.where}: ${name} has no label ${label}`);
      }
      named.add(name.replace(/_(?:bucket|sum|count)$/, ''));
    }
    for (const label of grouped) assert.ok(known.has(label), `${query.where}: no label ${label} to group by`);
  }
  const guide = await readFile(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
  // And the other way round: what is exposed under our name is shown or watched.
  const ours = [...exposed.keys()].map((name) => name.replace(/_(?:bucket|sum|count)$/, ''));
  assert.deepEqual(
    ours.filter((name) => name.startsWith('tmds_') && !named.has(name)),
    [],
  );
  assert.deepEqual(
    ours.filter((name) => name.startsWith('tmds_') && !guide.includes(`\`${name}\``)),
    [],
    'docs/operations.md lists every metric',
  );
});
