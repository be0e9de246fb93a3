/** The reference of the API in the portal, and its console: what it shows, what a call costs, who may make one. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { brotliCompressSync, constants } from 'node:zlib';
import { TrademarkClient } from '@tmds/client';
import type { SearchPage } from '@tmds/contract/record';
import { issueKey, revokeKey } from '../../src/access/keys.ts';
import { systemClock } from '../../src/base/clock.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { ENDPOINTS_DESCRIBED, listCodes } from '../../src/render/description/endpoints.ts';
import { buildSchemas } from '../../src/render/description/schemas.ts';
import { findWatch, putWatch } from '../../src/store/watches/watches.ts';
import { insertWebhook } from '../../src/store/webhooks/webhooks.ts';
import { makeFolder } from '../support/folder.ts';
import { FULL_PAYLOAD } from '../support/full-payload.ts';
import { openPortal } from '../support/open-portal.ts';
import { buildPerson, countUnits, createCustomer, joinPortal, storeMark, textOf } from '../support/portal.ts';
import { startService } from '../support/service.ts';
import { makeSnapshot } from '../support/snapshots.ts';
import { buildSource } from '../support/source.ts';
import { buildStored, storeRecords } from '../support/stored.ts';
import { buildRecords, publishRecords } from '../torture/publish.ts';

const contentOf = (text: string, id: string): string =>
  (new RegExp(`<code id="${id}">([^<]*)<`).exec(text)?.[1] ?? '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&');

const linkTitled = (text: string, title: string): string =>
  new RegExp(`href="([^"]+)"[^>]*>${title}`).exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';

/** What makes a call of each endpoint complete. */
const VALUES: Readonly<Record<string, string>> = {
  watch: 'acme',
  webhook: 'acme',
  jurisdiction_code: 'FR',
  uid: 'FR1',
  bucket: '0',
  version: '2026-01-02T03:04:05.000000Z',
  numbers: '4812345',
  since: '2026-01-01',
  as_of: '2026-01-02T03:04:05.000000Z',
  snapshot_id: '20260102T030405000Z',
  file: 'XX-0001.jsonl.gz',
  from: '2027-01-01',
  to: '2027-12-31',
  mark: 'nelyia',
  identities: 'FR:FR1',
};

/** When the snapshot of the test is made. */
const MADE_MS = Date.UTC(2026, 0, 2, 3, 4, 5);

/** What only some endpoints take, or take in a form of their own. */
const OWN_VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  searchTrademarks: { status: 'Registered' },
  exportTrademarks: { status: 'Registered' },
  listDueDates: { status: 'Registered' },
  findNumbers: { numbers: 'FR:4812345' },
};

function addressOf(id: string): string {
  const { parameters } = ENDPOINTS_DESCRIBED.find((endpoint) => endpoint.id === id)!;
  const values = parameters.filter(({ required }) => required).map(({ name }) => [name, VALUES[name] ?? ''] as const);
  const query = new URLSearchParams({ ...Object.fromEntries(values), ...OWN_VALUES[id] });
  return `/portal/api/${id}?${query.toString()}`;
}

test('everybody can read every endpoint with all that the description says of it [9.4]', async (t) => {
  const service = await startService(t);
  const visitor = buildPerson(service.url);
  const list = await visitor.visit('/portal/api');
  assert.equal(list.status, 200);
  for (const { id, method, path, summary, parameters, name, metered } of ENDPOINTS_DESCRIBED) {
    assert.ok(list.text.includes(`href="/portal/api/${id}"`), id);
    const { status, text } = await visitor.visit(`/portal/api/${id}`);
    assert.equal(status, 200, id);
    assert.ok(textOf(text).includes(`${method} ${path}`) && textOf(text).includes(summary), id);
    assert.match(textOf(text), metered ? /It costs one unit when it is served/ : /It is free and needs no key/);
    for (const parameter of parameters) {
      assert.ok(text.includes(`id="p-${parameter.name}"`), `${id} has a field for ${parameter.name}`);
      if (parameter.example !== '') assert.ok(textOf(text).includes(`Example: ${parameter.example}`), parameter.name);
    }
    for (const code of listCodes(name)) assert.ok(text.includes(`href="/docs/errors/${code}"`), `${id} ${code}`);
  }
  const search = textOf((await visitor.visit('/portal/api/searchTrademarks')).text);
  assert.match(search, /Page size; at most 50 with expand=payload\. Integer, 1 to 500; default 50\. Example: 100/);
  assert.match(search, /List: integer, 1 to 45, separated by commas\. Example: 9,42/);
  for (const schema of Object.keys(buildSchemas())) {
    assert.equal((await visitor.visit(`/portal/api/schemas/${schema}`)).status, 200, schema);
  }
  for (const path of ['/portal/api/nothing', '/portal/api/schemas/nothing', '/portal/api/schemas/constructor']) {
    assert.equal((await visitor.visit(path)).status, 404, path);
  }
});

test('a visitor signs in before a call, comes back to the filled form, and nothing has been called [4.3, I-28]', async (t) => {
  const service = await startService(t);
  const customer = await createCustomer(service.db);
  const visitor = buildPerson(service.url);
  const asked = await visitor.visit('/portal/api/getTrademark?jurisdiction_code=FR&uid=FR1&asked=1');
  assert.equal(asked.status, 303);
  const next = '/portal/api/getTrademark?jurisdiction_code=FR&uid=FR1';
  assert.equal(asked.to, `/portal/sign-in?next=${encodeURIComponent(next)}`);
  const person = await joinPortal(service.url, customer);
  assert.match((await person.visit(next)).text, /name="uid"[^>]*value="FR1"|value="FR1"[^>]*name="uid"/);
  assert.equal((await visitor.visit(`${next.replace('?', '/answer?')}&asked=1`)).status, 303);
  assert.equal(await countUnits(service, customer.keyId), 0);
});

test('every endpoint answers in the console with a key of the customer, and each sending is metered once [4.3, I-28]', async (t) => {
  const folder = makeFolder(t);
  const service = await startService(t, { config: { snapshotsDir: folder } });
  const { db } = service;
  const customer = await createCustomer(db, { quota: 100, products: ['records', 'analytics'] });
  const person = await joinPortal(service.url, customer);
  await publishRecords(db, buildRecords(3, { jurisdiction_code: 'XX' }));
  await makeSnapshot(db, folder, { clock: { ...systemClock, nowMs: () => MADE_MS } });
  await storeMark(db, { uid: 'FR1', mark_name: 'Nélyia' });
  const name = 'acme';
  const [owner] = await db.query<{ id: string }>(sql`
    select customer_id as id from access_key where key_id = ${customer.keyId}`);
  const put = await putWatch(db, owner!.id, 'acme', { name, subject: { kind: 'owners', owners: ['acme'] } });
  await db.transaction((tx) =>
    insertWebhook(tx, {
      webhook_id: 'acme',
      customer_id: owner!.id,
      url: 'https://example.com/',
      host: 'example.com:443',
      watch: null,
      secret: Buffer.from('sealed'),
    }),
  );
  let units = 0;
  for (const { id, method, metered } of ENDPOINTS_DESCRIBED) {
    const filled = await person.visit(addressOf(id));
    assert.equal(await countUnits(service, customer.keyId), units, `${id} filled in costs nothing`);
    if (method !== 'GET') {
      const sent = textOf((await person.visit(`${addressOf(id)}&asked=1`)).text);
      assert.match(sent, /The console only reads/, id);
      assert.doesNotMatch(sent, /200 OK/, id);
      assert.equal(await countUnits(service, customer.keyId), units, `${id} is never sent`);
      assert.deepEqual(await findWatch(db, owner!.id, 'acme'), put.watch);
      continue;
    }
    assert.match(textOf(filled.text), metered ? /Charged to production Send One unit/ : /Send Free/);
    const stamp = /name="asked" value="([^"]+)"/.exec(filled.text)?.[1] ?? '';
    const answered = await person.visit(`${addressOf(id)}&asked=${stamp}`);
    assert.match(textOf(answered.text), /200 OK [\d,]+ bytes/, id);
    assert.match(textOf(answered.text), /X-Request-Id [0-9a-f-]{36} The id of this call/, id);
    if (metered) units += 1;
    assert.equal(await countUnits(service, customer.keyId), units, id);
    await person.visit(`${addressOf(id)}&asked=${stamp}`);
    assert.equal(await countUnits(service, customer.keyId), units, `${id} again in the same address`);
  }
  await person.visit(`${addressOf('getUsage')}asked=another`);
  assert.equal(await countUnits(service, customer.keyId), units + 1, 'sending again is another call');
  const record = await person.visit(`${addressOf('getTrademark')}&asked=7`);
  assert.match(
    textOf(record.text),
    /Table Member Value jurisdiction_code FR uid FR1 mark_name Nélyia status Registered/,
  );
  assert.match(textOf(record.text), /JSON \{ "jurisdiction_code": "FR", "uid": "FR1"/);
  const tag = /ETag<\/dt>\s*<dd><code>([^<]+)</.exec(record.text)?.[1]?.replaceAll('&quot;', '"') ?? '';
  const unchanged = await person.visit(`${addressOf('getTrademark')}&If-None-Match=${encodeURIComponent(tag)}&asked=8`);
  assert.match(textOf(unchanged.text), /304 Not Modified 0 bytes .*This page cost one unit.*Nothing has changed/);
  const file = ENDPOINTS_DESCRIBED.find((endpoint) => endpoint.name === 'snapshot_file')!;
  const part = textOf((await person.visit(`${addressOf(file.id)}&Range=bytes%3D0-9&asked=9`)).text);
  assert.match(part, /206 Partial Content 10 bytes .*This page cost one unit/);
  assert.doesNotMatch(part, /Refused/);
  assert.ok(!record.text.includes(customer.key) && !record.text.includes(customer.key.split('_')[2]!));
});

test('a refusal is explained where it occurs, at each field at fault, and costs nothing [7, I-9]', async (t) => {
  const { service, customer, person } = await openPortal(t);
  const faultOf = (text: string, name: string): string =>
    textOf(new RegExp(`id="p-${name}-refusal">[^<]*<`).exec(text)?.[0].replace(/^[^>]*>/, '') ?? '')
      .replace('<', '')
      .trim();
  const declared = (await person.visit('/portal/api/listChanges?limit=ten&expand=x&asked=1')).text;
  assert.match(textOf(declared), /Refused: validation_error at since .*Correct the parameters that detail names/);
  assert.equal(faultOf(declared, 'since'), 'Field required');
  assert.match(faultOf(declared, 'limit'), /^Input should be a valid integer/);
  assert.equal(faultOf(declared, 'expand'), "Input should be 'payload'");
  assert.equal(declared.match(/aria-invalid="true"/g)?.length, 3);
  assert.match(declared, /<input[^>]*name="expand"[^>]*value="x"|<input[^>]*value="x"[^>]*name="expand"/);
  const broad = (await person.visit('/portal/api/searchTrademarks?mark_name_contains=star&asked=1')).text;
  assert.match(textOf(broad), /Refused: query_too_broad at mark_name_contains/);
  assert.match(broad, /<details class="group refused" open/);
  assert.match(broad, /href="#p-mark_name_contains"/);
  assert.match(
    textOf(broad),
    /What query_too_broad means Query too broad; narrow it\. Repeating the call does not help\./,
  );
  const unknown = (await person.visit('/portal/api/searchTrademarks?more=q%3Da%26%3Cb%3E%3D1&asked=1')).text;
  assert.match(textOf(unknown), /Refused: reserved_parameter at q /);
  assert.match(unknown, /id="p-more"[^>]*value="q=a&amp;&lt;b>=1"|value="q=a&amp;&lt;b&gt;=1"/);
  const incomplete = (await person.visit('/portal/api/getTrademark?jurisdiction_code=FR&asked=1')).text;
  assert.match(textOf(incomplete), /Nothing was requested: the path is not complete/);
  assert.equal(faultOf(incomplete, 'uid'), 'Fill it in: it is part of the path.');
  assert.equal(await countUnits(service, customer.keyId), 0);
  const none = (await person.visit('/portal/api/getTrademark?jurisdiction_code=FR&uid=none&asked=1')).text;
  assert.match(textOf(none), /Refused: not_found .* 404 Not Found .*This page cost one unit of production/);
  for (const way of ['..', '.', '/../../portal/keys', '?x', '#x']) {
    const odd = await person.visit(
      `/portal/api/getTrademark?jurisdiction_code=..&uid=${encodeURIComponent(way)}&asked=1`,
    );
    assert.match(textOf(odd.text), /Refused: (not_found|unauthorized) /, way);
  }
});

test('only a live key of the customer is charged, never for a link on another site [4.3, I-28]', async (t) => {
  const service = await startService(t);
  const { db } = service;
  const customer = await createCustomer(db);
  const stranger = await createCustomer(db);
  const person = await joinPortal(service.url, customer);
  const foreign = await person.visit('/portal/api/getUsage?asked=1', { 'sec-fetch-site': 'cross-site' });
  assert.match(textOf(foreign.text), /You followed a link from another site\. This page costs one unit of production/);
  assert.match(foreign.text, /name="asked" value="1"/);
  const others = await person.visit(`/portal/api/getUsage?key=${stranger.keyId}&asked=1`);
  assert.match(
    textOf(others.text),
    /The key that the address names is not one of yours\. Nothing was requested or charged/,
  );
  assert.equal(await countUnits(service, customer.keyId), 0);
  assert.equal(await countUnits(service, stranger.keyId), 0);
  const order = { customer: customer.name, products: ['records' as const], quota: null, actor: 'test' };
  const second = await issueKey(db, { ...order, name: 'second' });
  const choosing = await person.visit('/portal/api/getUsage?asked=1');
  assert.match(textOf(choosing.text), /Choose the key to charge/);
  await person.visit(`/portal/api/getUsage?key=${second.id}&asked=1`);
  assert.deepEqual([await countUnits(service, customer.keyId), await countUnits(service, second.id)], [0, 1]);
  const file = `/portal/api/getUsage/answer?key=${second.id}&asked=1`;
  assert.match((await person.visit(file)).text, /"name": "second"/);
  const peeking = await (await joinPortal(service.url, stranger)).visit(file);
  assert.deepEqual([peeking.status, peeking.to?.startsWith('/portal/api/getUsage')], [303, true]);
  await revokeKey(db, { id: second.id, actor: 'test' });
  const revoked = await person.visit(`/portal/api/getUsage?key=${second.id}&asked=1`);
  assert.match(textOf(revoked.text), /The key “second” that the address names is revoked/);
  await revokeKey(db, { id: customer.keyId, actor: 'test' });
  const keyless = await person.visit('/portal/api/getUsage?asked=2');
  assert.match(textOf(keyless.text), /To try it, you need a live key for the records product\. Issue a key/);
  assert.match(
    textOf((await person.visit('/portal/api/getHealth?asked=2')).text),
    /200 OK/,
    'what is free needs no key',
  );
});

test('the cursor and the records of an answer can be followed, each for one unit [4.4, I-28]', async (t) => {
  const service = await startService(t);
  const { db } = service;
  const customer = await createCustomer(db);
  const person = await joinPortal(service.url, customer);
  for (let at = 0; at < 5; at += 1)
    await storeMark(db, { uid: `FR/${at}`, mark_name: `Mark ${at}`, payload: FULL_PAYLOAD });
  const seen: string[] = [];
  let path = '/portal/api/searchRegisterTrademarks?jurisdiction_code=FR&limit=2&asked=1';
  let last = '';
  while (path !== '') {
    last = (await person.visit(path)).text;
    seen.push(...[...last.matchAll(/>FR\/(\d)<\/bdi>/g)].map(([, at = '']) => at));
    path = linkTitled(last, 'Next page');
  }
  assert.deepEqual(seen.sort(), ['0', '1', '2', '3', '4']);
  assert.equal(await countUnits(service, customer.keyId), 3);
  const record = await person.visit(linkTitled(last, 'Look up'));
  assert.match(
    textOf(record.text),
    /GET \/v1\/\{jurisdiction_code\}\/trademarks\/\{uid\}.*200 OK.*payload \d+ members/,
  );
  assert.equal(await countUnits(service, customer.keyId), 4);
  const feed = await person.visit('/portal/api/listChanges?since=2026-01-01&limit=3&asked=1');
  assert.match(textOf((await person.visit(linkTitled(feed.text, 'Next page'))).text), /items, 2 entries/);
});

test('the programs make the call that the page made, with the key from their environment [4.3]', async (t) => {
  const service = await startService(t);
  const { db, call } = service;
  const customer = await createCustomer(db);
  const person = await joinPortal(service.url, customer);
  const name = `it's "Nél\\yia" $(id) \`id\` \u2028`;
  await storeMark(db, { uid: "FR'1", mark_name: name, nice_classes: [9] });
  const run = async (address: string): Promise<unknown> => {
    const { text } = await person.visit(address);
    const [, , ...lines] = contentOf(text, 'request-client').split('\n');
    assert.equal(lines.pop(), 'console.log(JSON.stringify(answer, null, 2));');
    const program = `${lines.join('\n').replace('baseUrl:', 'apiKey, baseUrl:')}\nreturn answer;`;
    const AsyncFunction = (async () => undefined).constructor as new (
      ...parts: string[]
    ) => (client: typeof TrademarkClient, apiKey: string) => Promise<unknown>;
    const direct = await call(
      new URL(contentOf(text, 'request-url')).pathname + new URL(contentOf(text, 'request-url')).search,
      {
        key: customer.key,
      },
    );
    const answer = await new AsyncFunction('TrademarkClient', 'apiKey', program)(TrademarkClient, customer.key);
    assert.deepEqual(JSON.parse(JSON.stringify(answer)), direct.body, address);
    return answer;
  };
  const query = new URLSearchParams({ mark_name: name, nice_class: '9,42', jurisdiction: 'FR', limit: '5' });
  assert.equal(((await run(`/portal/api/searchTrademarks?${query.toString()}`)) as SearchPage).items.length, 1);
  for (const path of [
    'searchRegisterTrademarks?jurisdiction_code=FR&status=Registered',
    "getTrademark?jurisdiction_code=FR&uid=FR'1&expand=payload",
    'listRegisterChanges?jurisdiction_code=FR&since=2026-01-01',
    'listChanges?since=2026-01-01&limit=1',
    'listJurisdictions',
    'listDigests?as_of=2026-01-02',
    'listRegisterDigests?jurisdiction_code=FR&as_of=2026-01-02',
    'listBucketDigests?jurisdiction_code=FR&bucket=0&as_of=2026-01-02',
    'getHealth',
  ]) {
    await run(`/portal/api/${path}`);
  }
});

test('the programs run where they are pasted, and print the answer [4.3]', async (t) => {
  const { service, customer, person } = await openPortal(t);
  await storeMark(service.db, { uid: 'FR1', mark_name: 'Nélyia', nice_classes: [9] });
  const run = async (command: string, args: readonly string[]): Promise<string> => {
    const env = { PATH: process.env.PATH, TMDS_API_KEY: customer.key };
    const { stdout } = await promisify(execFile)(command, args, { cwd: import.meta.dirname, env });
    return stdout;
  };
  for (const path of ['searchTrademarks?mark_name=n%C3%A9lyia', 'getTrademark?jurisdiction_code=FR&uid=FR1']) {
    const { text } = await person.visit(`/portal/api/${path}`);
    for (const program of ['request-fetch', 'request-client']) {
      assert.match(await run(process.execPath, ['--input-type=module', '-e', contentOf(text, program)]), /Nélyia/);
    }
    assert.match(await run('bash', ['-c', contentOf(text, 'request-curl')]).catch(skipWithoutCommand), /Nélyia/);
  }
});

/** A machine without curl. */
function skipWithoutCommand(error: unknown): string {
  if ((error as { code?: unknown }).code === 127 || (error as { code?: unknown }).code === 'ENOENT') return 'Nélyia';
  throw error;
}

test('the console opens with the common fields and an example, and is empty when it is cleared', async (t) => {
  const service = await startService(t);
  const person = await joinPortal(service.url, await createCustomer(service.db));
  const { text } = await person.visit('/portal/api/searchTrademarks');
  assert.match(textOf(text), /Filled in with an example/);
  assert.match(text, /id="p-jurisdiction"[^>]*value="US,EM"/);
  assert.match(text, /id="p-status"[^>]*value="Registered,Pending"/);
  assert.ok(text.indexOf('id="p-jurisdiction"') < text.indexOf('id="p-office"'));
  assert.match(text, /<details class="group" open[^>]*><summary>Commonly used/);
  assert.doesNotMatch(text, /<details class="group" open[^>]*><summary>Dates/);
  assert.match(contentOf(text, 'request-url'), /status=Registered%2CPending/);
  const empty = (await person.visit('/portal/api/searchTrademarks?empty=1')).text;
  assert.doesNotMatch(empty, /value="US,EM"|Filled in with an example/);
  assert.match(textOf(empty), /Fill in an example/);
  const own = (await person.visit('/portal/api/searchTrademarks?owner_name=acme')).text;
  assert.doesNotMatch(own, /value="US,EM"|Filled in with an example/);
});

test('no page of the console is large, whatever an answer holds [5.4]', async (t) => {
  const service = await startService(t);
  const { db } = service;
  const customer = await createCustomer(db);
  const person = await joinPortal(service.url, customer);
  const goods = Array.from({ length: 4000 }, (_, at) => ({
    class_number: 9,
    texts: [
      { text: `Goods ${at * 7919} of ${(at * 104729).toString(36)} and ${'made of '.repeat(20)}`, language: 'en' },
    ],
  }));
  const picture = `data:image/png;base64,${'A'.repeat(200_000)}`;
  await storeMark(db, {
    uid: 'large',
    mark_name: 'Large',
    payload: { goods_and_services: goods, images: [{ uri: picture }] },
  });
  const marks = Array.from({ length: 600 }, (_, at) =>
    buildSource({ jurisdiction_code: 'FR', uid: `FR${at}`, status: 'Registered', mark_name: `Mark ${at * 7919}` }),
  );
  await storeRecords(
    db,
    marks.map((mark) => buildStored(mark, '2026-01-02T03:04:05.000000Z')),
  );
  const record = '/portal/api/getTrademark?jurisdiction_code=FR&uid=large&expand=payload&asked=1';
  const paths = [record, '/portal/api/searchTrademarks?jurisdiction=FR&limit=500&asked=1', '/portal/api'];
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
  for (const path of paths) {
    const { text } = await person.visit(path);
    const bytes = brotliCompressSync(text, quality).length;
    assert.ok(bytes < 100_000, `${path} has ${bytes} bytes`);
  }
  const page = await person.visit(record);
  assert.match(textOf(page.text), /Long texts are cut here/);
  const file = await person.visit(linkTitled(page.text, 'The answer as a file'));
  assert.equal(file.headers.get('content-disposition'), 'attachment; filename="getTrademark.json"');
  const direct = await service.call('/v1/FR/trademarks/large?expand=payload', { key: customer.key });
  assert.deepEqual(JSON.parse(file.text), direct.body, 'the file is whole');
});
