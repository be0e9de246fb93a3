/** Traces of a real server and a real load, sent to a collector of ours. */
import assert from 'node:assert/strict';
import { utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { runHere } from '../support/command.ts';
import { createTestDatabase } from '../support/database.ts';
import { createDataFolder, runTmds, startServing, waitFor } from '../support/process.ts';
import { readSources } from '../support/sources.ts';

type Context = Parameters<typeof startServing>[0];

interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
  readonly status: { readonly code?: number };
}

interface Collector {
  readonly environment: Record<string, string>;
  readonly spans: Span[];
  /** Everything received, as text. */
  readonly received: () => string;
}

/** Answers every request with `status`. */
async function startCollector(t: Context, status = 200): Promise<Collector> {
  const spans: Span[] = [];
  let received = '';
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const text = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString();
      received += `${request.url} ${text}`;
      const { resourceSpans } = JSON.parse(text) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] };
      spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(async () => {
    server.close();
    server.closeAllConnections();
  });
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { environment: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }, spans, received: () => received };
}

function attributesOf(span: Span | undefined): Record<string, unknown> {
  return Object.fromEntries((span?.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0]]));
}

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = `00-${TRACE}-00f067aa0ba902b7-01`;

test('a call is one span with its stages below, in the trace of its caller, and reveals nothing of who asked for what', async (t) => {
  const { url } = await createTestDatabase(t);
  const collector = await startCollector(t);
  const server = await startServing(t, { DATABASE_URL: url, ...collector.environment });
  const issued = await runHere(['key', 'issue', '--customer', 'Quagga', '--json'], { DATABASE_URL: url });
  const { id, key } = JSON.parse(issued.stdout) as { id: string; key: string };
  const headers = { 'x-api-key': key, traceparent: PARENT, tracestate: 'vendor=okapi' };
  const found = await fetch(`${server.address}/v1/trademarks?owner_name=zebra&status=Registered`, { headers });
  const refused = await fetch(`${server.address}/v1/trademarks?colour=red`, { headers: { 'x-api-key': key } });
  const left = { 'x-api-key': key, traceparent: PARENT.replace(/01$/, '00') };
  await fetch(`${server.address}/v1/jurisdictions`, { headers: left });
  await fetch(`${server.address}/livez`);
  await Promise.all([found.text(), refused.text()]);
  await waitFor(async () => collector.spans.some(({ name }) => name === 'search'));
  server.kill('SIGTERM');
  const { status } = await server.ended;
  assert.equal(status, 0);

  const calls = collector.spans.filter(({ name }) => name === 'search');
  const [served, other] = [
    calls.find(({ traceId }) => traceId === TRACE),
    calls.find(({ traceId }) => traceId !== TRACE),
  ];
  assert.deepEqual(
    { parent: served?.parentSpanId, ...attributesOf(served) },
    {
      parent: '00f067aa0ba902b7',
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'tmds.endpoint': 'search',
      'tmds.request_id': found.headers.get('x-request-id'),
      'tmds.delivery': 'whole',
    },
  );
  const { 'http.response.status_code': code, 'error.type': type, 'tmds.request_id': requestId } = attributesOf(other);
  assert.deepEqual([code, type, requestId], [400, 'unknown_parameter', refused.headers.get('x-request-id')]);
  const stages = collector.spans.filter(({ parentSpanId }) => parentSpanId === served?.spanId);
  assert.deepEqual([...new Set(stages.map(({ name }) => name))].sort(), [
    'access',
    'match',
    'parse',
    'plan',
    'render',
    'store',
  ]);
  for (const { traceId, startTimeUnixNano, endTimeUnixNano } of stages) {
    assert.equal(traceId, TRACE);
    assert.ok(BigInt(startTimeUnixNano) >= BigInt(served!.startTimeUnixNano));
    assert.ok(BigInt(endTimeUnixNano) <= BigInt(served!.endTimeUnixNano));
  }
  // A caller that leaves its trace out is not traced, and a probe is not either.
  assert.deepEqual(
    collector.spans.filter(({ name }) => ['jurisdictions', 'livez'].includes(name)),
    [],
  );
  const secret = key.split('_').at(-1) ?? '';
  for (const word of ['zebra', 'Registered', 'colour', 'Quagga', 'okapi', id, key, secret]) {
    assert.ok(!collector.received().includes(word), `${word} is in a trace`);
  }
  assert.match(collector.received(), /^\/v1\/traces /);
});

test('a load is one span with its phases and each publish below', async (t) => {
  const { url } = await createTestDatabase(t, { migrated: false });
  const collector = await startCollector(t);
  const folder = await createDataFolder(t);
  const environment = { DATABASE_URL: url, TMDS_DATA_DIR: folder, ...collector.environment };
  const file = join(folder, 'records.ndjson');
  await writeFile(file, '{"jurisdiction_code":"XA","uid":"Zebra1","status":"Pending"}\n');
  const { status, stdout } = await runTmds(t, ['load', 'ndjson', file, '--json'], environment);
  assert.equal(status, 0);
  const load = collector.spans.find(({ name }) => name === 'load');
  const { load_id: id } = JSON.parse(stdout) as { load_id: string };
  assert.deepEqual(attributesOf(load), {
    'tmds.format': 'ndjson',
    'tmds.load_id': id,
    'tmds.records.read': 1,
    'tmds.records.new': 1,
    'tmds.records.changed': 0,
    'tmds.records.unchanged': 0,
    'tmds.records.rejected': 0,
  });
  const parts = collector.spans.filter(({ parentSpanId }) => parentSpanId === load?.spanId).map(({ name }) => name);
  assert.deepEqual(parts, ['reading', 'settling', 'publish', 'finishing']);
  assert.doesNotMatch(collector.received(), /Zebra1|records\.ndjson/);

  await writeFile(file, '');
  const failed = await runTmds(t, ['load', 'ndjson', file], environment);
  assert.equal(failed.status, 1);
  assert.equal(collector.spans.filter(({ name }) => name === 'load').at(-1)?.status.code, 2);
});

test('each load of a sync is a trace like one of tmds load', async (t) => {
  const { url } = await createTestDatabase(t);
  const collector = await startCollector(t);
  const [folder, office] = [await createDataFolder(t), await createDataFolder(t)];
  for (const day of ['01', '02']) {
    const file = join(office, `day-2026-11-${day}.ndjson`);
    await writeFile(file, `{"jurisdiction_code":"XA","uid":"${day}","status":"Pending"}\n`);
    await utimes(file, 0, 0);
  }
  const sources = join(folder, 'sources.toml');
  const place = `kind = "folder"\nfolder = "${office}"\nformat = "ndjson"\nregister = "XA"`;
  await writeFile(sources, `[source.office]\n${place}\nfiles = "day-{YYYY}-{MM}-{DD}.ndjson"\n`);
  const environment = { DATABASE_URL: url, TMDS_DATA_DIR: folder, TMDS_SOURCES: sources, ...collector.environment };
  const { status, stdout, stderr } = await runTmds(t, ['sync', '--once', '--json'], environment);
  assert.equal(status, 0, stderr);
  const { sources: results } = JSON.parse(stdout) as { sources: { loaded: { load_id: string }[] }[] };
  const loads = collector.spans.filter(({ name }) => name === 'load');
  assert.deepEqual(
    loads.map((load) => attributesOf(load)['tmds.load_id']),
    results[0]?.loaded.map(({ load_id }) => load_id),
  );
  assert.equal(loads.length, 2);
  for (const { spanId } of loads) {
    const parts = collector.spans.filter(({ parentSpanId }) => parentSpanId === spanId).map(({ name }) => name);
    assert.deepEqual(parts, ['reading', 'settling', 'publish', 'finishing']);
  }
});

test('a collector that refuses costs one warning and nothing else', async (t) => {
  const { url } = await createTestDatabase(t);
  const collector = await startCollector(t, 400);
  const server = await startServing(t, { DATABASE_URL: url, ...collector.environment });
  for (let call = 0; call < 3; call += 1) {
    const before = collector.spans.length;
    assert.equal((await fetch(`${server.address}/v1/health`)).status, 200);
    await waitFor(async () => collector.spans.length > before);
  }
  server.kill('SIGTERM');
  const { status, stderr } = await server.ended;
  assert.equal(status, 0);
  assert.equal(stderr.split('\n').filter((line) => line.includes('traces could not be sent')).length, 1, stderr);
});

test('without an endpoint nothing of the library is loaded: one module imports it, and that one is imported on demand', () => {
  const files = readSources('server/src');
  const importing = files.filter(({ imports }) => imports.some((name) => name.startsWith('@opentelemetry/')));
  assert.deepEqual(
    importing.map(({ path }) => path),
    ['server/src/monitor/tracing.ts'],
  );
  const statically = /^import (?!type)[^;]*from '[^']*\/tracing\.ts'/m;
  assert.deepEqual(
    files.filter(({ text }) => statically.test(text)).map(({ path }) => path),
    [],
  );
});
