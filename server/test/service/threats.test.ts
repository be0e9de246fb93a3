/** What docs/threats.md says is shown by tests: that they exist, and those that no other file has. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { buildApp } from '../../src/app.ts';
import { systemClock } from '../../src/base/clock.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { DECLARED } from '../../src/parse/query.ts';
import { createTestDatabase, testLog } from '../support/database.ts';
import { openLocalIndex } from '../support/local-index.ts';
import { createCustomer, joinPortal } from '../support/portal.ts';
import { startService } from '../support/service.ts';
import { readSources } from '../support/sources.ts';
import { listServedPaths } from '../trials/malformed/paths.ts';

const PAGE = new URL('../../../docs/threats.md', import.meta.url);
const TESTS = new URL('../', import.meta.url);

test('each of the ten threats names tests that exist', async () => {
  const sections = (await readFile(PAGE, 'utf8')).split(/^### /m).slice(1);
  assert.deepEqual(
    sections.map((section) => /^API\d+/.exec(section)?.[0]),
    Array.from({ length: 10 }, (_, index) => `API${index + 1}`),
  );
  for (const section of sections) {
    const named = [...section.matchAll(/^- `([^`]+)`: (.+)$/gm)];
    assert.ok(named.length > 0, `no test is named: ${section.split('\n')[0]}`);
    for (const [, file, words] of named) {
      const path = ['test', 'proof']
        .map((kind) => new URL(`${file}.${kind}.ts`, TESTS))
        .find((each) => existsSync(each));
      assert.ok(path !== undefined, `there is no ${file}`);
      const text = await readFile(path, 'utf8');
      assert.ok(text.includes(`test('${words}`), `${file} has no test: ${words}`);
    }
  }
});

test('a field that a form does not offer changes nothing', async (t) => {
  const { url, db } = await startService(t);
  const [own, other] = [await createCustomer(db), await createCustomer(db)];
  const person = await joinPortal(url, own);
  await person.visit('/portal/keys/new');
  const extra = {
    customer: other.name,
    customer_id: '1',
    id: other.keyId,
    key_id: other.keyId,
    rate_limit: '999999',
    rate_limit_per_minute: '999999',
    units_used: '-5',
    revoked_at: '',
    products: 'analytics',
    actor: 'operator',
  };
  const posted = await person.post('/portal/keys', { name: 'mine', product: 'records', quota: '100', ...extra });
  assert.equal(posted.status, 303, posted.text);
  const keys = await db.query(sql`
    select c.name as customer, k.name, p.product, p.quota::int4 as quota,
      p.rate_limit_per_minute = own.rate_limit_per_minute as rated
    from access_key k join customer c using (customer_id) join key_product p using (key_id),
      (select rate_limit_per_minute from key_product where key_id = ${own.keyId}) own
    where k.name = 'mine'`);
  assert.deepEqual(keys, [{ customer: own.name, name: 'mine', product: 'records', rated: true, quota: 100 }]);
  const [audit] = await db.query<{ actors: string[] }>(sql`
    select coalesce(array_agg(distinct actor), '{}') as actors from access_audit where actor = 'operator'`);
  assert.deepEqual(audit!.actors, []);
});

/** Modules by which a file of the server can reach another machine, and the files that may. */
const OUTWARD = new RegExp(
  [
    /\bfetch\(/,
    /from '(?:openid-client|undici|pg|ssh2|nodemailer|@tmds\/client)'/,
    /'@opentelemetry\/exporter/,
    /from 'node:(?:https|http2|tls|dgram|dns|dns\/promises)'/,
    /import \{[^}]*\b(?:connect|request|get)\b[^}]*\} from 'node:(?:net|http)'/,
  ]
    .map(({ source }) => source)
    .join('|'),
);
const OUTWARD_FILES: Readonly<Record<string, string>> = {
  // Its client has a `fetch` that stays in the process.
  'server/src/http/tools.ts': 'nothing',
  'server/src/mail/mailer.ts': 'TMDS_SMTP_URL',
  'server/src/portal/sign-in/identity.ts': 'TMDS_OIDC_ISSUER',
  // The text of a program for the caller's own machine.
  'server/src/render/description/programs.ts': 'nothing',
  'server/src/database/driver/connection.ts': 'DATABASE_URL',
  'server/src/database/driver/pool.ts': 'DATABASE_URL',
  // Its `fetch` takes a file from a place.
  'server/src/sync/collect.ts': 'TMDS_SOURCES',
  'server/src/sync/places/http.ts': 'TMDS_SOURCES',
  'server/src/sync/places/sftp.ts': 'TMDS_SOURCES',
  // What customers enter: judged and resolved there.
  'server/src/webhook/post.ts': 'webhooks of customers',
  'server/src/monitor/tracing.ts': 'OTEL_EXPORTER_OTLP_ENDPOINT',
};

test('the server connects to nothing but its database, what its settings name, and webhooks', () => {
  const found = readSources('server/src').filter(({ text }) =>
    OUTWARD.test(text.replaceAll(/import type [^;]*;/g, '')),
  );
  const allowed = Object.keys(OUTWARD_FILES);
  assert.deepEqual(
    found.map(({ path }) => path).filter((path) => !allowed.includes(path)),
    [],
  );
  assert.ok(found.length > 0);
});

test('no path is served that is not known', async (t) => {
  const { db } = await createTestDatabase(t);
  const config = { recordPrefix: 'records', analyticsPrefix: 'analytics', changeHorizonSeconds: 0 };
  const options = { database: db, index: openLocalIndex(db), clock: systemClock, config, log: testLog, version: '0' };
  const served = await listServedPaths(() => buildApp(options));
  const declared = Object.values(DECLARED).map(({ path }) =>
    path
      .replace('{jurisdiction_code}', ':register')
      .replace(/\{uid\}.*/, '*')
      .replace('{snapshot_id}', ':snapshot')
      .replace(/\{(bucket|file|watch|webhook)\}/g, ':$1'),
  );
  const known = new Set([...declared, ...declared.map((path) => `/records${path}`), '/livez', '/readyz', '/']);
  const rest = served.map(({ path }) => path).filter((path) => !known.has(path));
  assert.deepEqual(rest.filter((path) => !/^\/(?:docs|docs\.md|portal)(?:\/|$)/.test(path)).sort(), [
    '/.well-known/security.txt',
    '/llms.txt',
    '/mcp',
    '/openapi.json',
    '/robots.txt',
  ]);
});
