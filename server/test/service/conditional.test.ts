/** What is kept by clients and what is compressed. */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import zlib from 'node:zlib';
import { chooseEncoding } from '../../src/http/encoding.ts';
import { startService } from '../support/service.ts';
import { buildSource } from '../support/source.ts';
import { buildStored, storeRecords } from '../support/stored.ts';

const STAMP = '2026-01-02T03:04:05.678901Z';

test('answers 304 for a look-up and the register list that the client has kept [4.5, 4.7, I-28]', async (t) => {
  const service = await startService(t);
  await storeRecords(service.db, [buildStored(buildSource({}), STAMP)]);
  const { key } = await service.issue();
  for (const path of ['/v1/XA/trademarks/XA1', '/v1/jurisdictions']) {
    const first = await service.call(path, { key });
    const tag = first.headers.etag ?? '';
    assert.match(tag, /^W\/"[\w-]{27}"$/);
    for (const value of [tag, `"other", ${tag}`, tag.slice(2), '*']) {
      const again = await service.call(path, { key, headers: { 'if-none-match': value } });
      assert.deepEqual([again.status, again.text, again.headers.etag], [304, '', tag], value);
      assert.equal(again.headers['x-ratelimit-limit'], '1000000');
    }
    const other = await service.call(path, { key, headers: { 'if-none-match': '"other"' } });
    assert.deepEqual([other.status, other.text], [200, first.text]);
  }
  const search = await service.call('/v1/XA/trademarks', { key });
  assert.deepEqual([search.headers.etag, search.headers['cache-control']], [undefined, 'no-store']);
});

test('a 304 keeps what is stored: no length, no type, no separate encoding [4.5, 4.7, 9.4]', async (t) => {
  const service = await startService(t);
  await storeRecords(service.db, [buildStored(buildSource({ payload: { text: 'x'.repeat(5000) } }), STAMP)]);
  const { key } = await service.issue();
  const paths = ['/v1/XA/trademarks/XA1', '/v1/XA/trademarks/XA1?expand=payload', '/v1/jurisdictions'];
  const open = ['/openapi.json', '/llms.txt', '/docs/api', '/docs/api.md', '/docs/errors', '/docs/errors.md'];
  open.push('/docs/errors/not_found', '/docs/errors/not_found.md', '/docs/assets/pages.css');
  for (const path of [...paths, ...open]) {
    const headers = { 'accept-encoding': 'br' };
    const first = await service.call(path, { key, headers });
    const again = await service.call(path, { key, headers: { ...headers, 'if-none-match': first.headers.etag ?? '' } });
    assert.equal(again.status, 304, path);
    for (const name of ['content-length', 'content-type', 'content-encoding', 'transfer-encoding']) {
      assert.equal(again.headers[name], undefined, `${path} ${name}`);
    }
    const kept = ['etag', 'vary', 'cache-control', 'content-security-policy', 'x-content-type-options'];
    if (paths.includes(path)) kept.push('x-ratelimit-limit', 'ratelimit-policy');
    for (const name of kept) {
      assert.ok(again.headers[name] !== undefined, `${path} ${name}`);
      assert.equal(again.headers[name], first.headers[name], `${path} ${name}`);
    }
  }
});

test('compresses what is worth it in the encoding the client prefers', async (t) => {
  const service = await startService(t);
  const records = Array.from({ length: 50 }, (_, number) =>
    buildStored(buildSource({ uid: `XA${number}`, payload: { text: 'x'.repeat(5000) } }), STAMP),
  );
  await storeRecords(service.db, records);
  const { key } = await service.issue();
  for (const path of ['/v1/XA/trademarks', '/v1/XA/trademarks?expand=payload', '/v1/changes?since=2020-01-01']) {
    const plain = await readBytes(service.url, path, key, undefined);
    assert.equal(plain.encoding, undefined);
    for (const [accepted, expected] of [
      ['gzip', 'gzip'],
      ['gzip, deflate, br', 'br'],
      ['br;q=0, *', 'gzip'],
    ] as const) {
      const packed = await readBytes(service.url, path, key, accepted);
      assert.equal(packed.encoding, expected);
      assert.ok(packed.bytes.length < plain.bytes.length / 2);
      const unpacked = expected === 'br' ? zlib.brotliDecompressSync(packed.bytes) : zlib.gunzipSync(packed.bytes);
      assert.deepEqual(unpacked, plain.bytes);
      assert.equal(packed.vary, 'Accept-Encoding, Origin');
    }
  }
  const small = await readBytes(service.url, '/v1/XA/trademarks/XA1', key, 'gzip');
  assert.equal(small.encoding, undefined);
});

test('reads Accept-Encoding with its weights', () => {
  const expected: [string | undefined, string | null][] = [
    [undefined, null],
    ['', null],
    ['identity', null],
    ['deflate', null],
    ['gzip;q=0.5, br;q=0.1', 'gzip'],
    ['GZIP', 'gzip'],
    ['*', 'br'],
    ['*;q=0', null],
    ['br;q=nonsense', null],
  ];
  for (const [accepted, encoding] of expected) assert.equal(chooseEncoding(accepted), encoding, accepted);
});

function readBytes(
  url: string,
  path: string,
  key: string,
  accepted: string | undefined,
): Promise<{ bytes: Buffer; encoding: string | undefined; vary: string | undefined }> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-api-key': key, ...(accepted === undefined ? {} : { 'accept-encoding': accepted }) };
    request(`${url}${path}`, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const { 'content-encoding': encoding, vary } = response.headers;
        resolve({ bytes: Buffer.concat(chunks), encoding, vary });
      });
    })
      .on('error', reject)
      .end();
  });
}
