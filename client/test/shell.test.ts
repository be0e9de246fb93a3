/** `tmds-client`: what its commands write for people and for programs, and how they end. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { FILTERS } from '@tmds/contract/parameters';
import { makeFolder } from '../../server/test/support/folder.ts';
import { takePort } from '../../server/test/trials/ports.ts';
import { VERSION } from '../src/version.ts';
import { buildRecord } from './support/answers.ts';
import { buildImpatientClock, readLines, runInShell } from './support/shell.ts';

interface Host {
  readonly environment: Record<string, string>;
  /** `GET /v1/…` of each call, in order. */
  readonly calls: string[];
  readonly bodies: unknown[];
}

interface Played {
  readonly status?: number;
  readonly body: unknown;
  readonly headers?: Record<string, string>;
}

/** Plays answers in order, and repeats the last one. */
async function startHost(t: TestContext, ...answers: Played[]): Promise<Host> {
  const host: Host = { environment: {}, calls: [], bodies: [] };
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    const { status = 200, body, headers = {} } = answers[Math.min(host.calls.length, answers.length - 1)]!;
    host.calls.push(`${request.method} ${request.url}`);
    if (text !== '') host.bodies.push(JSON.parse(text));
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  Object.assign(host.environment, { TMDS_API_KEY: 'k', TMDS_BASE_URL: address });
  return host;
}

const RECORDS = [buildRecord({ uid: 'US-1' }), buildRecord({ uid: 'US-2', mark_name: '商标\u001b[31m' })];
const PAGE = { body: { items: RECORDS, next_cursor: null } };
const LINES = (cursor: string | null): Played => ({
  body: [...RECORDS, { next_cursor: cursor }].map((line) => `${JSON.stringify(line)}\n`).join(''),
});
const HORIZON = { 'x-change-horizon': '2026-01-01T00:00:00.000000Z' };
const END: Played = { body: { items: [], next_cursor: null }, headers: HORIZON };

test('a pipe gets the objects of the API as lines, a terminal gets a table without control characters', async (t) => {
  const { environment } = await startHost(t, PAGE);
  const piped = await runInShell(['search', '--status', 'Pending'], environment);
  assert.deepEqual([piped.status, readLines(piped.out)], [0, RECORDS]);
  const read = await runInShell(['search', '--status', 'Pending'], environment, { isRead: true });
  assert.equal(
    read.out,
    [
      'REGISTER  UID   MARK       STATUS   CLASSES  OWNER                        FILED',
      'US        US-1  EXAMPLE    Pending  9, 42    example gmbh; beispiel gmbh  2026-01-05',
      'US        US-2  商标 [31m  Pending  9, 42    example gmbh; beispiel gmbh  2026-01-05',
      '',
    ].join('\n'),
  );
  const json = await runInShell(['search', '--status', 'Pending', '--json'], environment, { isRead: true });
  assert.equal(json.out, piped.out);
});

test('a table fits into the line by cutting texts, never what people copy', async (t) => {
  const { environment } = await startHost(t, PAGE);
  const { out } = await runInShell(['search', '--status', 'Pending'], environment, { isRead: true, columns: 66 });
  const lines = out.trimEnd().split('\n');
  assert.ok(
    lines.every((line) => line.length <= 66),
    out,
  );
  assert.match(out, /^US {8}US-1 .*example …/m);
});

test('every filter of the contract is a flag, given once or as a list [4.3]', async (t) => {
  const host = await startHost(t, PAGE);
  const given = Object.entries(FILTERS).flatMap(([name, { example }]) => [`--${name.replaceAll('_', '-')}`, example]);
  const { status, err } = await runInShell(['search', ...given], host.environment);
  assert.equal(status, 0, err);
  const sent = new URL(host.calls[0]!.slice(4), 'http://host').searchParams;
  for (const [name, { example }] of Object.entries(FILTERS)) assert.equal(sent.get(name), example);
  await runInShell(['search', '--nice-class', '9', '--nice-class', '42,35'], host.environment);
  assert.match(host.calls[1]!, /nice_class=9%2C42%2C35&/);
});

test('a search shows as many records as wanted, and says where it goes on', async (t) => {
  const host = await startHost(t, {
    body: { items: RECORDS, next_cursor: 'c1', matched_count: 7, matched_count_capped: false },
  });
  const { out, err } = await runInShell(
    ['search', '--status', 'Pending', '--max', '2', '--count', 'capped'],
    host.environment,
  );
  assert.equal(readLines(out).length, 2);
  assert.match(err, /^7 match\nthere are more: .*--cursor c1\n$/);
  assert.match(host.calls[0]!, /limit=2/);
});

test('wrong usage ends with 2 and says what is wrong, before any call', async (t) => {
  const host = await startHost(t, PAGE);
  const wrong: [string[], RegExp][] = [
    [[], /the command is missing\nTry: tmds-client --help/],
    [['serch'], /"serch" is not a command/],
    [['search', 'acme'], /search takes filters, such as --mark-name "acme"/],
    [['search', '--nice-clas', '9'], /Unknown option '--nice-clas'\nTry: tmds-client search --help/],
    [['search', '--mark-name', 'a', '--mark-name', 'b'], /--mark-name is given twice/],
    [['search', '--max', '0'], /--max takes a whole number from 1/],
    [['get', 'US'], /get takes REGISTER UID/],
    [['get', 'US', '1', '--number', '2'], /get takes REGISTER UID, REGISTER --number/],
    [['get', 'US', '--numbers', 'US:1'], /get takes --numbers or --ids alone/],
    [['get', '--ids', '97123456'], /"97123456" has no register/],
    [['export', 'x', '--fields', 'name'], /"name" is not a field/],
    [['history', 'US', '1', '--owner-name', 'x'], /--owner-name is not for the history of one record/],
    [['changes'], /--since is missing, such as --since 2026-01-01/],
    [['changes', '--cursor', 'c'], /--since is missing|--cursor needs/],
    [['hits'], /hits takes the id of a watch/],
    [['watch', 'put', 'w'], /watch put takes filters of a search, or --owner/],
    [['watch', 'put', 'w', '--owner', 'a', '--status', 'Pending'], /watch put takes/],
    [['watch', 'put', 'w', '--record', 'US'], /--record takes REGISTER\/UID/],
    [['webhooks', 'put', 'w'], /webhooks put takes --url ADDRESS/],
    [['webhooks', 'stop', 'w'], /webhooks takes list, show, put, delete, test, deliveries, renew, not "stop"/],
    [['webhooks', 'show'], /webhooks takes list, or show/],
    [['webhooks', 'renew', 'w', '--grace', '1d'], /--grace takes a whole number from 0 to 604800/],
    [['watch', 'stop', 'w'], /watch takes list, show, put, end, why, not "stop"/],
    [['export'], /export takes a FILE/],
    [['export', 'x.csv', '--expand', 'payload'], /documents do not fit into CSV/],
    [['export', 'x', '--format', 'xml'], /--format takes ndjson or csv/],
    [['completion', 'tcsh'], /completion takes bash, zsh, fish/],
    [['search', '--base-url', 'ftp://host'], /baseUrl must be/],
  ];
  for (const [args, message] of wrong) {
    const { status, out, err } = await runInShell(args, host.environment);
    assert.deepEqual([status, out], [2, ''], args.join(' '));
    assert.match(err, message);
  }
  assert.deepEqual(host.calls, []);
});

test('a failure is said in words, and with --json as the API says it', async (t) => {
  const refusal = { error: { code: 'invalid_parameter', message: 'status takes other words.', param: 'status' } };
  const { environment } = await startHost(t, { status: 400, body: refusal, headers: { 'x-request-id': 'r1' } });
  const read = await runInShell(['search', '--status', 'x'], environment);
  assert.deepEqual(
    [read.status, read.err],
    [1, 'tmds-client: --status: invalid_parameter: status takes other words. (request r1)\n'],
  );
  for (const args of [
    ['search', '--status', 'x', '--json'],
    ['watch', 'list', '--json'],
    ['get', 'US', '1', '--json'],
  ]) {
    const { status, err } = await runInShell(args, environment);
    assert.deepEqual([status, JSON.parse(err)], [1, { error: { ...refusal.error, request_id: 'r1' } }]);
  }
  const own = [
    ['search', '--nice-clas', '--json'],
    ['reconcile', '--json'],
    ['nothing', '--json'],
  ];
  for (const args of own) {
    const { status, err } = await runInShell(args, environment);
    assert.deepEqual([status, JSON.parse(err).error.code], [2, 'wrong_usage'], args.join(' '));
  }
});

test('a wrong address, a missing file and a refused key are said in words', async (t) => {
  const clock = buildImpatientClock();
  const keyed = { TMDS_API_KEY: 'k' };
  const address = `http://127.0.0.1:${await takePort()}`;
  const search = ['search', '--status', 'Pending', '--base-url'];
  const cases: [string[], Record<string, string>, number, RegExp][] = [
    [[...search, address], keyed, 1, /nothing answers at http:\/\/127\.0\.0\.1:\d+: is the address right/],
    [[...search, 'http://nowhere.invalid/records'], keyed, 1, /there is no host "nowhere\.invalid"/],
    [
      [...search, address],
      { TMDS_API_KEY_FILE: '/no/key' },
      5,
      /TMDS_API_KEY_FILE cannot be read: \/no\/key is not there/,
    ],
    [search.slice(0, 3), {}, 2, /no API key/],
    [
      ['export', '/no/folder/x.csv', '--status', 'x', '--base-url', address],
      keyed,
      5,
      /the folder of \/no\/folder\/x\.csv is not there/,
    ],
    [['reconcile', '/no/docket.csv', '--base-url', address], keyed, 5, /\/no\/docket\.csv is not there/],
  ];
  for (const [args, environment, expected, message] of cases) {
    const { status, err } = await runInShell(args, environment, { clock });
    assert.equal(status, expected, err);
    assert.match(err, message);
  }
  const refused = await startHost(t, { status: 401, body: { error: { code: 'unauthorized', message: 'no' } } });
  assert.equal((await runInShell(['watch', 'list'], refused.environment)).status, 5);
});

test('a record is shown by its identity, by a number, and as it was', async (t) => {
  const host = await startHost(
    t,
    { body: RECORDS[0] },
    PAGE,
    { body: { items: [], next_cursor: null } },
    { body: RECORDS[0] },
  );
  const read = await runInShell(['get', 'US', 'US-1'], host.environment, { isRead: true });
  assert.match(read.out, /^mark_name +EXAMPLE$/m);
  assert.match(read.out, /^nice_classes +9, 42$/m);
  const found = await runInShell(['get', 'US', '--number', '97/000,001'], host.environment);
  assert.equal(readLines(found.out).length, 2);
  const missing = await runInShell(['get', 'US', '--number', '1'], host.environment);
  assert.deepEqual([missing.status, missing.err], [1, 'tmds-client: no record of US has the number 1\n']);
  await runInShell(['get', 'US', 'US-1', '--version', '2026-01-01T00:00:00.000000Z'], host.environment);
  assert.match(host.calls[3]!, /\/v1\/US\/trademarks\/US-1\/history\/2026-01-01T/);
});

test('a document is written with every digit [I-38]', async (t) => {
  const text = JSON.stringify({ ...RECORDS[0], payload: '@' }).replace('"@"', '{"n":9007199254740993}');
  const { environment } = await startHost(t, { body: text });
  const { out } = await runInShell(['get', 'US', 'US-1', '--expand', 'payload'], environment);
  assert.equal(out, `${text}\n`);
});

test('a kept position continues, and belongs to one feed [4.6.1]', async (t) => {
  const file = join(makeFolder(t), 'position.json');
  const page = { body: { items: RECORDS, next_cursor: 'c1' }, headers: HORIZON };
  const host = await startHost(t, page, END, END);
  const first = await runInShell(['changes', '--since', '2026-01-01', '--keep', file], host.environment);
  assert.deepEqual([first.status, readLines(first.out).length], [0, 2]);
  assert.equal(first.err, 'complete up to 2026-01-01T00:00:00.000000Z\n');
  const second = await runInShell(['changes', '--keep', file], host.environment);
  assert.deepEqual([second.status, second.out], [0, '']);
  assert.equal(host.calls[2], 'GET /v1/changes?since=2026-01-01&cursor=c1&limit=500');
  for (const args of [
    ['changes', '--register', 'US'],
    ['hits', 'w'],
    ['changes', '--since', '2026-02-01'],
  ]) {
    const other = await runInShell([...args, '--keep', file], host.environment);
    assert.equal(other.status, 2, other.err);
    assert.match(other.err, /position/);
  }
  await writeFile(file, '{"feed":');
  assert.match(
    (await runInShell(['changes', '--keep', file], host.environment)).err,
    /something other than a position/,
  );
  assert.equal(host.calls.length, 3);
});

test('following begins now, polls, waits out failures that pass, and ends with 0 when stopped [4.6.1]', async (t) => {
  const file = join(makeFolder(t), 'position.json');
  const busy: Played = { status: 503, body: { error: { code: 'internal_error', message: 'busy' } } };
  const page = { body: { items: RECORDS, next_cursor: 'c1' }, headers: HORIZON };
  const host = await startHost(t, END, { ...busy, status: 500 }, page, END);
  const stop = new AbortController();
  let polls = 0;
  const clock = buildImpatientClock((signal) => {
    polls += 1;
    if (polls === 3) stop.abort(new Error('stopped'));
    signal?.throwIfAborted();
  });
  const { status, out, err } = await runInShell(['hits', 'w', '--follow', '--keep', file], host.environment, {
    clock,
    signal: stop.signal,
  });
  assert.equal(status, 0, err);
  assert.equal(readLines(out).length, 2);
  assert.match(err, /internal_error: busy; trying again in 1 s/);
  assert.match(host.calls[0]!, /since=2026-01-02T00%3A00%3A00\.000Z/);
  assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), {
    feed: 'watches/w/hits',
    since: '2026-01-02T00:00:00.000Z',
    cursor: 'c1',
  });
});

test('a watch is made from filters, owners or records, and listed [I-39]', async (t) => {
  const summary = {
    id: 'w',
    name: 'w',
    reference: 'M-2041',
    kind: 'owners',
    search: null,
    item_count: 2,
    created_at: '2026-01-01T00:00:00.000000Z',
    ended_at: null,
  };
  const host = await startHost(
    t,
    { body: summary },
    { body: summary },
    { body: summary },
    { body: { items: [summary], next_cursor: null } },
  );
  const put = (...args: string[]) => runInShell(['watch', 'put', 'w', ...args], host.environment);
  assert.deepEqual(readLines((await put('--owner', 'acme, inc.', '--owner', 'b', '--name', 'Mine')).out), [summary]);
  await put('--owner-name', 'acme inc.', '--status', 'Pending');
  await put('--record', 'US/a/b', '--reference', 'M-2041');
  assert.deepEqual(host.bodies, [
    { name: 'Mine', owners: ['acme, inc.', 'b'] },
    { name: 'w', search: 'status=Pending&owner_name=acme%20inc.' },
    { name: 'w', reference: 'M-2041', records: [{ jurisdiction_code: 'US', uid: 'a/b' }] },
  ]);
  const { out } = await runInShell(['watch', 'list'], host.environment, { isRead: true });
  assert.match(
    out,
    /^ID +NAME +REFERENCE +KIND +WATCHES +SINCE +ENDED\nw +w +M-2041 +owners +2 +2026-01-01 00:00:00\n$/,
  );
});

test('a webhook is added, tested and deleted, its secret is announced once, and its messages are listed', async (t) => {
  const webhook = {
    ...{
      id: 'w',
      url: 'https://example.com/',
      watch: null,
      created_at: '2026-01-01T00:00:00.000000Z',
      off_since: null,
    },
    ...{ off_reason: null, failures: 1, next_attempt_at: null, waiting: 2, delivered_at: null, old_secret_until: null },
  };
  const message = {
    ...{ id: 'msg_1', event: 'watch.hits', watch: 'brands', state: 'failed', attempts: 2, attempted_at: null },
    ...{ created_at: '2026-01-01T00:00:00.000000Z', next_attempt_at: null, delivered_at: null, status: 503 },
    ...{ duration_ms: 4, failure: 'It answered 503.' },
  };
  const host = await startHost(
    t,
    { body: { ...webhook, secret: 'whsec_AAAA' } },
    { body: { ...webhook, secret: null } },
    { body: { ...webhook, secret: 'whsec_BBBB' } },
    { body: message },
    { body: { items: [webhook], next_cursor: null } },
    { body: { items: [message], next_cursor: 'c1' } },
    { body: { items: [message], next_cursor: null } },
    { body: webhook },
  );
  const run = (...args: string[]) => runInShell(['webhooks', ...args], host.environment, { isRead: true });
  const added = await run('put', 'w', '--url', 'https://example.com/', '--watch', 'brands');
  assert.match(added.out, /^secret +whsec_AAAA$/m);
  assert.match(added.err, /the only time that the secret is shown/);
  assert.doesNotMatch((await run('put', 'w', '--url', 'https://example.com/', '--off')).err, /secret/);
  assert.match((await run('renew', 'w', '--grace', '3600')).out, /^secret +whsec_BBBB$/m);
  assert.match((await run('test', 'w')).out, /^event +watch\.hits$/m);
  assert.match((await run('list')).out, /^w +https:\/\/example\.com\/ +all +failing +2$/m);
  const listed = (await run('deliveries', 'w', '--max', '2')).out.match(
    /watch\.hits +brands +failed +2 +It answered 503\./g,
  );
  assert.equal(listed?.length, 2);
  await run('delete', 'w');
  assert.deepEqual(host.calls, [
    'PUT /v1/webhooks/w',
    'PUT /v1/webhooks/w',
    'PUT /v1/webhooks/w/secret',
    'PUT /v1/webhooks/w/test',
    'GET /v1/webhooks',
    'GET /v1/webhooks/w/deliveries?limit=2',
    'GET /v1/webhooks/w/deliveries?cursor=c1&limit=1',
    'DELETE /v1/webhooks/w',
  ]);
  assert.deepEqual(host.bodies, [
    { url: 'https://example.com/', watch: 'brands', is_off: false },
    { url: 'https://example.com/', watch: null, is_off: true },
    { grace_seconds: 3600 },
  ]);
});

test('an export is whole or not there, as CSV or JSON lines', async (t) => {
  const folder = makeFolder(t);
  const file = join(folder, 'marks.csv');
  const host = await startHost(
    t,
    LINES('c1'),
    LINES(null),
    LINES(null),
    LINES('c1'),
    { status: 400, body: { error: { code: 'query_too_broad', message: 'no' } } },
    LINES(null),
    PAGE,
  );
  const { status, out } = await runInShell(['export', file, '--status', 'Pending'], host.environment);
  const text = await readFile(file, 'utf8');
  assert.deepEqual(
    [status, readLines(out)],
    [0, [{ file, format: 'csv', records: 4, bytes: Buffer.byteLength(text) }]],
  );
  assert.equal(text.split('\r\n').length, 6);
  assert.match(text, /^jurisdiction_code,uid,.*,updated_at\r\nUS,US-1,US,97000001,/);
  const piped = await runInShell(['export', '-', '--status', 'Pending'], host.environment);
  assert.deepEqual([readLines(piped.out), piped.err], [RECORDS, '2 records\n']);
  const broken = join(folder, 'broken.ndjson');
  assert.equal((await runInShell(['export', broken, '--status', 'Pending'], host.environment)).status, 1);
  assert.deepEqual([existsSync(broken), existsSync(`${broken}.part`)], [false, false]);
  const some = await runInShell(['export', '-', '--status', 'x', '--fields', 'office,uid'], host.environment);
  assert.equal(some.status, 0);
  const bounded = await runInShell(
    ['export', '-', '--status', 'x', '--max', '9', '--fields', 'uid', '--format', 'csv'],
    host.environment,
  );
  assert.equal(bounded.out, 'uid\r\nUS-1\r\nUS-2\r\n');
  assert.deepEqual(
    host.calls.map((call) => call.replace(/^GET /, '')),
    [
      '/v1/export?status=Pending&format=ndjson',
      '/v1/export?status=Pending&format=ndjson&cursor=c1',
      '/v1/export?status=Pending&format=ndjson',
      '/v1/export?status=Pending&format=ndjson',
      '/v1/export?status=Pending&format=ndjson&cursor=c1',
      '/v1/export?status=x&fields=uid%2Coffice&format=ndjson',
      '/v1/trademarks?status=x&limit=9',
    ],
    'a bound, which a stream would pass, is kept by pages',
  );
});

test('many records are shown by numbers or UIDs of several registers, and those that are missing are named', async (t) => {
  const coverage = [
    { jurisdiction_code: 'UK', complete_through: null, late: false, gaps: 0, rejects: 0, searched: false },
  ];
  const asked = [{ positions: [0, 1] }, { positions: [] }];
  const host = await startHost(
    t,
    { body: { items: RECORDS, asked, coverage, next_cursor: null } },
    { body: { items: RECORDS, asked: [{ position: 1 }, { position: 0 }], coverage: null } },
  );
  const found = await runInShell(['get', '--numbers', 'US:97/123,UK:1'], host.environment);
  assert.deepEqual([found.status, readLines(found.out)], [1, RECORDS]);
  assert.match(found.err, /no register here has the code UK;[^\n]*\ntmds-client: not found: UK:1\n/);
  assert.equal((await runInShell(['get', '--ids', 'US:a', '--ids', 'EM:b'], host.environment)).status, 0);
  assert.deepEqual(host.calls, ['GET /v1/numbers?numbers=US:97%2F123,UK:1', 'GET /v1/identities?identities=US:a,EM:b']);
});

test('an export goes into a pipe or a device, and never in its place', async (t) => {
  const folder = makeFolder(t);
  const { environment } = await startHost(t, LINES(null));
  const onto = await runInShell(['export', folder, '--status', 'Pending', '--json'], environment);
  assert.deepEqual([onto.status, JSON.parse(onto.err).error.code], [5, 'missing_file']);
  if (process.platform === 'win32') return;
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const [{ status }, text] = await Promise.all([
    runInShell(['export', pipe, '--status', 'Pending'], environment),
    readFile(pipe, 'utf8'),
  ]);
  assert.deepEqual([status, readLines(text)], [0, RECORDS]);
  assert.ok(lstatSync(pipe).isFIFO());
});

test('help needs no key, and names every command and every flag', async () => {
  const { status, out } = await runInShell(['--help'], {});
  assert.equal(status, 0);
  for (const name of [
    'search',
    'get',
    'history',
    'changes',
    'hits',
    'watch',
    'webhooks',
    'listen',
    'export',
    'reconcile',
    'completion',
  ]) {
    assert.match(out, new RegExp(`^  ${name} `, 'm'));
    const help = await runInShell([name, '--help'], {});
    assert.deepEqual([help.status, help.err], [0, ''], name);
    assert.ok(
      help.out.split('\n').every((line) => line.length <= 120 || name === 'reconcile'),
      name,
    );
  }
  assert.match((await runInShell(['get', '-h'], {})).out, /^tmds-client get REGISTER UID\n/);
  assert.equal((await runInShell(['--version'], {})).out, `${VERSION}\n`);
});

test('dates of one record and of many, and marks that are alike, are tables for people and objects for pipes', async (t) => {
  const date = {
    event: 'renewal',
    stated: '2030-01-02',
    computed: {
      ...{ ends_on: '2030-01-02', opens_on: '2029-07-02', due_on: '2030-01-02', late_until: '2030-07-02' },
      ...{
        rule: 'em.renewal',
        rule_version: 1,
        anchor: 'application_date',
        anchor_date: '2020-01-02',
        consequence: '',
      },
    },
    agreement: 'agrees',
    missing: null,
  };
  const due = {
    due_on: '2030-01-02',
    jurisdiction_code: 'EM',
    uid: 'E1',
    mark_name: 'Acme',
    status: 'Registered',
    dates: [date],
  };
  const disclaimer = 'Data, not advice.';
  const one = await startHost(t, { body: { dates: [date], disclaimer } });
  const shown = await runInShell(['dates', 'EM', 'E1'], one.environment, { isRead: true });
  assert.match(shown.out, /^renewal +2030-01-02 +2030-01-02 +2030-01-02 +2029-07-02 +2030-07-02 +em\.renewal +agrees/m);
  assert.match(shown.err, /not advice/);
  assert.deepEqual(one.calls, ['GET /analytics/v1/EM/trademarks/E1/dates']);
  const many = await startHost(
    t,
    { body: { items: [due], next_cursor: 'c', disclaimer } },
    { body: { items: [due], next_cursor: null, disclaimer } },
  );
  const span = ['--from', '2030-01-01', '--to', '2030-03-01', '--owner-name', 'acme'];
  const piped = await runInShell(['dates', ...span], many.environment);
  assert.deepEqual(readLines(piped.out), [due, due]);
  assert.match(many.calls[1] ?? '', /^GET \/analytics\/v1\/dates\?.*cursor=c/);
  const refused = await runInShell(['dates', 'EM'], many.environment);
  assert.deepEqual([refused.status, /REGISTER UID, or --from/.test(refused.err)], [2, true]);
  const entry = {
    tier: 'near',
    name: 'acne',
    held_as: 'pseudo_mark',
    evidence: [{ strategy: 'edits', edits: 1, place: 1 }],
    record: buildRecord({ uid: 'US-3' }),
  };
  const alike = await startHost(t, { body: { items: [entry], names_compared: 1_234, bounds_met: ['entries'] } });
  const similar = await runInShell(
    ['similar', 'acme', '--classes', '9', '--strategies', 'equal,pseudo_mark'],
    alike.environment,
    { isRead: true },
  );
  assert.match(similar.out, /^near +acne +pseudo_mark +US +US-3 +Pending +9, 42 +edits/m);
  assert.match(similar.err, /1,234 names compared[\s\S]*left out by a bound: entries/);
  assert.deepEqual(alike.calls, ['GET /analytics/v1/similar?strategies=equal%2Cpseudo_mark&classes=9&mark=acme']);
});
