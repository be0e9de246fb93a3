/** Which path means what, and in which order a request is judged. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { buildLog } from '../../src/base/log.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { refusalOf, startService, startWithKey, type TestAnswer } from '../support/service.ts';

const missing = { status: 401, code: 'unauthorized', param: undefined };
const notFound = { status: 404, code: 'not_found', param: undefined };

test('answers the same endpoints under /v1 and under the record prefix [9.1, 9.2, 9.3, I-3]', async (t) => {
  const { key, ...service } = await startWithKey(t, { config: { recordPrefix: 'marks' } });
  for (const base of ['/v1', '/marks/v1']) {
    assert.equal((await service.call(`${base}/health`)).status, 200);
    assert.deepEqual((await service.call(`${base}/jurisdictions`, { key })).body, { items: [] });
  }
  assert.deepEqual(refusalOf(await service.call('/records/v1/health')), notFound);
});

test('asks for a key before saying that a path does not exist, but only below the API [I-2]', async (t) => {
  const { key, ...service } = await startWithKey(t);
  for (const path of [
    '/v1',
    '/v1/',
    '/v1/nothing',
    '/v1/health/',
    '/v1/US',
    '/records/x',
    '/v1/US/trademarks/',
    '/%76%31/x',
  ]) {
    assert.deepEqual(refusalOf(await service.call(path)), missing, path);
    assert.deepEqual(refusalOf(await service.call(path, { key })), notFound, path);
    assert.deepEqual(refusalOf(await service.call(path, { key, method: 'POST', body: '{' })), notFound, path);
  }
  for (const path of ['/nothing', '/v1x', '/v2/health', '/recordsx', '/..', '//v1/health']) {
    assert.deepEqual(refusalOf(await service.call(path)), notFound, path);
  }
});

test('leaves the other product to its own host [5.5, 9.2, I-3]', async (t) => {
  const service = await startService(t);
  const records = await service.issue();
  const both = await service.issue({ products: ['records', 'analytics'] });
  const analytics = await service.issue({ products: ['analytics'] });
  const disabled = { status: 403, code: 'product_not_enabled', param: undefined };
  for (const path of ['/analytics', '/analytics/v1/health', '/analytics/v1/anything?q=1']) {
    assert.deepEqual(refusalOf(await service.call(path)), missing);
    assert.deepEqual(refusalOf(await service.call(path, { key: records.key })), disabled);
    assert.deepEqual(refusalOf(await service.call(path, { key: both.key })), notFound);
  }
  assert.deepEqual(refusalOf(await service.call('/v1/usage', { key: analytics.key })), disabled);
});

test('answers every method but GET with 405, HEAD included, without asking for a key [I-2]', async (t) => {
  const service = await startService(t);
  const paths = ['/v1/health', '/records/v1/usage', '/v1/trademarks', '/v1/US/trademarks/1', '/v1/US/changes'];
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY', 'PURGE']) {
    for (const path of paths) {
      const answer = await service.call(path, { method, ...(method === 'POST' ? { body: 'x'.repeat(200_000) } : {}) });
      assert.deepEqual(
        { ...refusalOf(answer), allow: answer.headers.allow },
        { status: 405, code: 'method_not_allowed', param: undefined, allow: 'GET' },
        `${method} ${path}`,
      );
    }
  }
  const tunnel = await sendRaw(Number(new URL(service.url).port), 'CONNECT h:1 HTTP/1.1\r\nhost: h:1\r\n\r\n');
  assert.match(tunnel, /^HTTP\/1\.1 405 Method Not Allowed\r\n.*allow: GET\r\n.*"code":"method_not_allowed"/s);
  const head = await service.call('/v1/health', { method: 'HEAD' });
  assert.deepEqual([head.status, head.headers.allow, head.text], [405, 'GET', '']);
});

test('a method that its path does not take finds the same path as one that it takes [I-2, I-3]', async (t) => {
  const service = await startService(t);
  const calls: [call: string, status: number, allow: string | undefined][] = [
    ['PURGE /v1/%68ealth', 405, 'GET'],
    ['PURGE /records/v1/US/trademarks/a%2Fb/c?x=%zz', 405, 'GET'],
    ['POST /analytics/v1/US/trademarks/1/dates', 405, 'GET'],
    ['PURGE /v1/watches/w', 405, 'GET, PUT, DELETE'],
    ['PURGE /v1/webhooks/', 405, 'GET, PUT, DELETE'],
    ['POST /mcp?x', 401, undefined],
    ['PURGE /mcp?x', 405, 'POST'],
    ['HEAD /livez', 200, undefined],
    ['PURGE /livez', 405, 'GET, HEAD'],
    ['HEAD /docs/api', 405, 'GET'],
    ['PURGE /docs/api.md', 405, 'GET'],
    ['PURGE /docs/nothing', 404, undefined],
    ['PURGE /docs%2Fapi', 404, undefined],
    ['PURGE /portal', 404, undefined],
    ['PURGE /v1%2Fhealth', 404, undefined],
    ['PURGE /v1/health/', 401, undefined],
    ['PURGE /v1/US/trademarks/', 401, undefined],
    ['PURGE /analytics/v1/US/trademarks/dates', 401, undefined],
    ['PURGE /v1/%zz', 400, undefined],
  ];
  for (const [call, status, allow] of calls) {
    const [method, path] = call.split(' ');
    const answer = await service.call(path!, { method: method! });
    assert.deepEqual([answer.status, answer.headers.allow], [status, allow], call);
  }
  // The address of a record, which takes GET, is more general.
  const { status, headers } = await fetch(`${service.url}/v1/webhooks/trademarks/test`);
  assert.deepEqual([status, headers.get('allow')], [405, 'PUT']);
});

test('judges key, product, rate and quota before the parameters [5.1, I-1]', async (t) => {
  const service = await startService(t);
  const broken = '/v1/usage?nonsense=1&q=1';
  assert.deepEqual(refusalOf(await service.call(broken)), missing);
  const other = await service.issue({ products: ['analytics'] });
  assert.equal(refusalOf(await service.call(broken, { key: other.key })).code, 'product_not_enabled');
  assert.match(
    (await service.call(broken, { key: other.key })).text,
    /The key is good.*Ask for the product.*do not rotate/,
  );
  const spent = await service.issue({ quota: 0 });
  assert.equal(refusalOf(await service.call(broken, { key: spent.key })).code, 'quota_exceeded');
  const slow = await service.issue({ rateLimitPerMinute: 1, quota: 0 });
  assert.equal(refusalOf(await service.call(broken, { key: slow.key })).code, 'quota_exceeded');
  assert.equal(refusalOf(await service.call(broken, { key: slow.key })).code, 'rate_limited');
  const { key } = await service.issue();
  assert.deepEqual(refusalOf(await service.call(broken, { key })), {
    status: 400,
    code: 'reserved_parameter',
    param: 'q',
  });
});

test('gives every response its own id and the headers that keep browsers out of trouble [1]', async (t) => {
  const service = await startService(t);
  const answer = await service.call('/v1/health', { headers: { 'x-request-id': 'mine' } });
  assert.match(answer.headers['x-request-id'] ?? '', /^[0-9a-f-]{36}$/);
  assert.equal(answer.headers['x-content-type-options'], 'nosniff');
  assert.equal(answer.headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'");
  assert.equal(answer.headers['access-control-allow-origin'], undefined);
  assert.match(answer.headers['server-timing'] ?? '', /^parse;dur=[\d.]+, store;dur=[\d.]+, render;dur=[\d.]+$/);
});

test('answers undecodable paths, too long requests and invalid HTTP with a 4xx in the envelope [7, I-9]', async (t) => {
  const { key, ...service } = await startWithKey(t);
  for (const path of [
    '/v1/%',
    '/v1/%zz/changes',
    '/v1/US/trademarks/%ff',
    '/%c3',
    `/v1/health?${'x'.repeat(17_000)}`,
  ]) {
    assert.deepEqual(refusalOf(await service.call(path, { key })), {
      status: 400,
      code: 'invalid_parameter',
      param: undefined,
    });
  }
  const port = Number(new URL(service.url).port);
  const broken = [
    'nonsense\r\n\r\n',
    'GET /v1/health HTTP/9.9\r\n\r\n',
    'FETCH /v1/health HTTP/1.1\r\nhost: x\r\n\r\n',
    'GET /v1/health HTTP/1.1\r\nhost: x\r\nbad header\r\n\r\n',
    `GET /v1/health HTTP/1.1\r\nhost: x\r\nbig: ${'x'.repeat(60_000)}\r\n\r\n`,
    `GET /${'x'.repeat(60_000)} HTTP/1.1\r\nhost: x\r\n\r\n`,
    'GET /v1/health HTTP/1.1\r\nconnection: close\r\n\r\n',
    'GET /v1/trademarks?mark_name=商 HTTP/1.1\r\nhost: x\r\n\r\n',
  ];
  for (const text of broken) {
    const answer = await sendRaw(port, text);
    assert.match(answer, /^HTTP\/1\.1 4\d\d /, text.slice(0, 40));
    assert.match(answer, /\{"error":\{"code":"invalid_parameter","message":"[^"]+"\}\}$/, text.slice(0, 40));
  }
});

test('takes a target in absolute form [9.3]', async (t) => {
  const service = await startService(t);
  const port = Number(new URL(service.url).port);
  const answer = await sendRaw(port, 'GET http://h:1/v1/health HTTP/1.1\r\nhost: h\r\nconnection: close\r\n\r\n');
  assert.match(answer, /^HTTP\/1\.1 200 /);
});

test('lets browsers of other origins in only where the operator names them [I-2]', async (t) => {
  const origin = 'https://app.example';
  const service = await startService(t, { config: { corsOrigins: [origin] } });
  const allowed = await service.call('/v1/health', { headers: { origin } });
  assert.deepEqual([allowed.status, allowed.headers['access-control-allow-origin']], [200, origin]);
  const preflight = { origin, 'access-control-request-method': 'GET' };
  const asked = await service.call('/v1/health', { method: 'OPTIONS', headers: preflight });
  assert.deepEqual([asked.status, asked.headers['access-control-allow-methods']], [204, 'GET']);
  for (const path of ['/livez', '/docs/api', '/portal', '/nothing']) {
    const { status, headers } = await service.call(path, { method: 'OPTIONS', headers: preflight });
    assert.deepEqual([status, headers['access-control-allow-methods']], [204, 'GET'], path);
  }
  const other = { ...preflight, origin: 'https://other.example' };
  const refused = await service.call('/v1/health', { method: 'OPTIONS', headers: other });
  assert.deepEqual([refused.status, refused.headers['access-control-allow-origin']], [405, undefined]);
});

test('lets pages of allowed origins read the headers that calls are steered by, on every answer [7, I-23, I-30]', async (t) => {
  const origin = 'https://app.example';
  const service = await startService(t, { config: { corsOrigins: [origin] } });
  const { key } = await service.issue({ rateLimitPerMinute: 3 });
  const exposedOf = (answer: TestAnswer): Set<string> =>
    new Set((answer.headers['access-control-expose-headers'] ?? '').toLowerCase().split(', '));
  const steering = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'retry-after', 'x-quota-limit', 'x-quota-used'];
  steering.push('x-change-horizon', 'feed-lineage', 'etag', 'www-authenticate', 'server-timing', 'x-request-id');
  const calls: [path: string, status: number, sent: Record<string, string>][] = [
    ['/v1/jurisdictions', 200, { 'x-api-key': key }],
    ['/v1/changes?since=2026-01-01', 200, { 'x-api-key': key }],
    ['/v1/changes', 422, { 'x-api-key': key }],
    ['/v1/jurisdictions', 429, { 'x-api-key': key }],
    ['/v1/jurisdictions', 401, {}],
    ['/v1/nothing', 401, {}],
    ['/nothing', 404, {}],
    ['/v1/%zz', 400, {}],
    ['/openapi.json', 200, {}],
  ];
  for (const [path, status, sent] of calls) {
    const answer = await service.call(path, { headers: { ...sent, origin } });
    assert.equal(answer.status, status, path);
    assert.equal(answer.headers['access-control-allow-origin'], origin, path);
    const exposed = exposedOf(answer);
    for (const name of steering) assert.ok(exposed.has(name), `${path} ${name}`);
    for (const name of Object.keys(answer.headers)) {
      if (/^(x-(?!content-type)|ratelimit|server-timing|retry-after|www-)/.test(name))
        assert.ok(exposed.has(name), name);
    }
  }
});

test('refuses a request with two Host headers, with none that names a host, or with two keys [7, I-9]', async (t) => {
  const service = await startService(t);
  const port = Number(new URL(service.url).port);
  const send = (...lines: string[]): Promise<string> =>
    sendRaw(port, `${['GET /v1/health HTTP/1.1', ...lines, 'connection: close'].join('\r\n')}\r\n\r\n`);
  const refused = [
    ['host: x', 'host: x'],
    ['host: x', 'HOST: y'],
    ['host:'],
    ['host: a b'],
    ['host: a/b'],
    ['host: user@x'],
    ['host: x:port'],
    ['host: x:123456'],
    ['host: [::1'],
    ['host: a,b'],
    ['host: x', 'authorization: Bearer a', 'authorization: Bearer b'],
  ];
  for (const lines of refused) {
    const answer = await send(...lines);
    assert.match(answer, /^HTTP\/1\.1 400 Bad Request\r\n/, lines.join());
    assert.match(answer, /\{"error":\{"code":"invalid_parameter","message":"[^"]+"\}\}$/, lines.join());
  }
  for (const host of ['x', 'api.example:8080', '[::1]:80', '127.0.0.1', 'xn--bcher-kva.example.', 'a_b', 'x:']) {
    assert.match(await send(`host: ${host}`), /^HTTP\/1\.1 200 /, host);
  }
});

function sendRaw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('utf8')));
  });
}

test('the text of a key in a wrong place reaches neither answer nor log nor table [5.2, I-5]', async (t) => {
  const lines: string[] = [];
  const log = buildLog({ level: 'info', destination: { write: (line) => void lines.push(line) } });
  const service = await startService(t, { log });
  const { id, key } = await service.issue();
  const secret = key.split('_')[2]!;
  const places = [
    `/v1/usage?${key}=1`,
    `/v1/usage?${key.replaceAll('_', '%5F')}`,
    `/v1/usage?${key}%zz=1`,
    `/v1/usage?${secret}=1`,
    `/v1/usage?${encodeURIComponent(encodeLetters(key))}=1`,
    `/v1/trademarks?status=${key}`,
    `/v1/changes?since=${key}`,
    `/v1/changes?since=2026-01-01&limit=${key}`,
  ];
  for (const path of places) {
    const answer = await service.call(path, { key });
    assert.ok(answer.status >= 400 && answer.status < 500, path);
    assert.ok(!decodeURIComponent(answer.text).includes(secret.slice(0, 10)), `${path} ${answer.text}`);
  }
  log.info({ note: `seen ${key}` }, `said ${key}`);
  log.warn({ variables: ['TMDS_UNKNOWN_SETTING'] }, 'kept');
  await service.app.close();
  assert.ok(lines.at(-1)?.includes('TMDS_UNKNOWN_SETTING'));
  const stored = await service.db.query<{ row: string }>(sql`select c::text as row from call_log c`);
  assert.equal(stored.length, places.length);
  assert.ok(stored.every(({ row }) => row.includes(id)));
  for (const text of [...lines, ...stored.map(({ row }) => row)]) {
    assert.ok(!text.replace(/%([0-9a-f]{2})/g, decodeURIComponent).includes(secret.slice(0, 10)), text);
  }
});

function encodeLetters(text: string): string {
  return [...text].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
}
