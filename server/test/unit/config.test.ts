import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { listUnknownSettings, readSettings } from '../../src/base/config.ts';
import { OperatorError } from '../../src/base/errors.ts';
import { listServers } from '../../src/base/setting-values.ts';
import { type Config, SETTINGS } from '../../src/base/settings.ts';

const readConfig = (...from: Parameters<typeof readSettings>) => readSettings(...from).config;

const DEFAULTS: Config = {
  databaseUrl: null,
  replicaUrls: [],
  dataDir: resolve('data'),
  host: '127.0.0.1',
  port: 8080,
  recordPrefix: 'records',
  analyticsPrefix: 'analytics',
  changeHorizonSeconds: 300,
  queryTimeoutSeconds: 10,
  poolMax: 16,
  corsOrigins: [],
  publicUrl: null,
  securityContact: null,
  trustedProxies: [],
  oidcIssuer: null,
  oidcClientId: null,
  oidcClientSecret: null,
  smtpUrl: null,
  mailFrom: null,
  webhookKey: null,
  webhookPrivate: 'refuse',
  logLevel: 'info',
  logFormat: 'auto',
  metricsPort: 9464,
  metricsHost: '127.0.0.1',
  tracesEndpoint: null,
  tracesShare: 1,
  sourcesFile: resolve('sources.toml'),
  snapshotsDir: null,
  keepSnapshots: 2,
  deltaDays: 35,
  payloads: 'database',
  s3Bucket: null,
  s3Endpoint: null,
  s3Prefix: 'tmds/',
  s3Region: 'us-east-1',
  s3KeyId: null,
  s3Secret: null,
  drainSeconds: 2,
  keepCallsDays: 30,
  keepRefusalsDays: 762,
  keepUsageDays: null,
  keepAuditDays: null,
  keepFindingsDays: 365,
  keepWatchesDays: null,
};

function problemsOf(environment: Record<string, string>): string {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof OperatorError) return `${error.exitStatus}: ${error.message}`;
    throw error;
  }
  return 'none';
}

test('variables that look like settings but are not are recognized, except those of the client', () => {
  const settings = Object.fromEntries(Object.values(SETTINGS).map(({ variable }) => [variable, 'x']));
  const others = { TMDS_API_KEY: 'x', TMDS_BASE_URL: 'x', HOME: '/', TMDS_PORT: '1', TMDS_DATADIR: 'x' };
  assert.deepEqual(listUnknownSettings({ ...settings, ...others }), ['TMDS_PORT', 'TMDS_DATADIR']);
});

test('an environment without settings, or with empty ones, gives the defaults of the contract', () => {
  const empty = Object.fromEntries(Object.values(SETTINGS).map(({ variable }) => [variable, '']));
  assert.deepEqual([readConfig({}), readConfig(empty)], [DEFAULTS, DEFAULTS]);
});

test('an address may name a user and a socket folder without a host, as for the tools of PostgreSQL', () => {
  const addresses = {
    'postgresql://tmds@/tmds?host=/var/run/postgresql': 'postgresql://tmds@localhost/tmds?host=/var/run/postgresql',
    'postgresql:///tmds?host=/run/pg&user=tmds': 'postgresql:///tmds?host=/run/pg&user=tmds',
    'postgresql://tmds:a%40b@localhost:5433/tmds': 'postgresql://tmds:a%40b@localhost:5433/tmds',
  };
  for (const [text, address] of Object.entries(addresses)) {
    assert.equal(readConfig({ DATABASE_URL: text }).databaseUrl, address);
  }
});

test('an address may name several servers, as for the tools of PostgreSQL, and is shown without its password', () => {
  const kept = [
    'postgresql://tmds:a%40b@127.0.0.1:5432,127.0.0.2,[::1]:5433/tmds?target_session_attrs=read-write',
    'postgres://localhost:1,localhost:2/tmds',
  ];
  for (const text of kept) assert.equal(readConfig({ DATABASE_URL: text }).databaseUrl, text);
  assert.equal(
    readConfig({ DATABASE_URL: 'postgresql://a@localhost,db-2/tmds?target_session_attrs=primary' }).databaseUrl,
    'postgresql://a@localhost,db-2/tmds?target_session_attrs=primary&sslmode=verify-full',
  );
  const refused = {
    'postgresql://a@db-1,db-2/tmds?target_session_attrs=standby': 'target_session_attrs is read-write, or left out',
    'postgresql://a@db-1,db-1/tmds': 'must name each server once',
    'postgresql://a@db-1,/tmds': 'must be an address like',
    'postgresql://a@/tmds?host=db-1,db-2': 'must name several servers before its path',
    [`postgresql://a@${Array.from({ length: 9 }, (_, number) => `db-${number}`)}/tmds`]: 'must name at most 8 servers',
  };
  for (const [text, words] of Object.entries(refused))
    assert.match(problemsOf({ DATABASE_URL: text }), new RegExp(words));
  assert.deepEqual(listServers('postgresql://a:b@one:1,two/tmds?sslmode=require'), [
    'postgresql://a:b@one:1/tmds?sslmode=require',
    'postgresql://a:b@two/tmds?sslmode=require',
  ]);
  const { states } = readSettings({ DATABASE_URL: kept[0]! });
  assert.equal(states.find(({ variable }) => variable === 'DATABASE_URL')?.value, kept[0]!.replace('a%40b', '***'));
  assert.match(problemsOf({ PGHOST: 'db', DATABASE_URL: 'postgresql:///tmds' }), /must name its host/);
});

test('every setting is read', () => {
  const config = readConfig({
    DATABASE_URL: 'postgres://a:b@localhost/tmds',
    DATABASE_REPLICA_URLS: 'postgresql://a:b@127.0.0.1/tmds, postgresql://a:b@[::1]/tmds',
    TMDS_DATA_DIR: '/srv/tmds',
    HOST: '[::1]',
    PORT: '0',
    TMDS_RECORD_PREFIX: 'trademarks_2',
    TMDS_ANALYTICS_PREFIX: 'insight',
    TMDS_CHANGE_HORIZON_SECONDS: '0.5',
    TMDS_QUERY_TIMEOUT_SECONDS: '2',
    TMDS_POOL_MAX: '40',
    TMDS_CORS_ORIGINS: '',
    TMDS_PUBLIC_URL: 'https://api.example',
    TMDS_SECURITY_CONTACT: 'mailto:security@example.com',
    TMDS_TRUSTED_PROXIES: '10.0.0.0/8, ::1',
    TMDS_OIDC_ISSUER: 'https://login.example/tenant',
    TMDS_OIDC_CLIENT_ID: 'portal',
    TMDS_OIDC_CLIENT_SECRET: 'hunter2',
    TMDS_SMTP_URL: 'smtp://a:b@mail.example:587',
    TMDS_MAIL_FROM: 'noreply@example.com',
    TMDS_WEBHOOK_KEY: '0123456789abcdef0123456789abcdef',
    TMDS_WEBHOOK_PRIVATE: 'allow',
    TMDS_LOG_LEVEL: 'silent',
    TMDS_LOG_FORMAT: 'text',
    TMDS_METRICS_PORT: 'off',
    TMDS_METRICS_HOST: '::',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
    TMDS_SOURCES: '/etc/sources.toml',
    TMDS_SNAPSHOTS: '/srv/snapshots',
    TMDS_KEEP_SNAPSHOTS: '5',
    TMDS_KEEP_DELTAS_DAYS: '0',
    TMDS_PAYLOADS: 's3',
    TMDS_S3_BUCKET: 'marks.example',
    TMDS_S3_ENDPOINT: 'http://127.0.0.1:9000',
    TMDS_S3_PREFIX: 'one/',
    TMDS_S3_REGION: 'eu-central-1',
    TMDS_S3_KEY_ID: 'key',
    TMDS_S3_SECRET: 'hunter3',
    TMDS_DRAIN_SECONDS: '0.5',
    TMDS_KEEP_CALLS_DAYS: '7',
    TMDS_KEEP_REFUSALS_DAYS: 'unlimited',
    TMDS_KEEP_USAGE_DAYS: '800',
    TMDS_KEEP_AUDIT_DAYS: '3650',
    TMDS_KEEP_FINDINGS_DAYS: '90',
    TMDS_KEEP_WATCHES_DAYS: '45',
  });
  assert.deepEqual(config, {
    databaseUrl: 'postgres://a:b@localhost/tmds',
    replicaUrls: ['postgresql://a:b@127.0.0.1/tmds', 'postgresql://a:b@[::1]/tmds'],
    dataDir: resolve('/srv/tmds'),
    host: '::1',
    port: 0,
    recordPrefix: 'trademarks_2',
    analyticsPrefix: 'insight',
    changeHorizonSeconds: 0.5,
    queryTimeoutSeconds: 2,
    poolMax: 40,
    corsOrigins: [],
    publicUrl: 'https://api.example',
    securityContact: 'mailto:security@example.com',
    trustedProxies: ['10.0.0.0/8', '::1'],
    oidcIssuer: 'https://login.example/tenant',
    oidcClientId: 'portal',
    oidcClientSecret: 'hunter2',
    smtpUrl: 'smtp://a:b@mail.example:587',
    mailFrom: 'noreply@example.com',
    webhookKey: '0123456789abcdef0123456789abcdef',
    webhookPrivate: 'allow',
    logLevel: 'silent',
    logFormat: 'text',
    metricsPort: null,
    metricsHost: '::',
    tracesEndpoint: 'http://collector:4318',
    tracesShare: 0.25,
    sourcesFile: resolve('/etc/sources.toml'),
    snapshotsDir: resolve('/srv/snapshots'),
    keepSnapshots: 5,
    deltaDays: 0,
    payloads: 's3',
    s3Bucket: 'marks.example',
    s3Endpoint: 'http://127.0.0.1:9000',
    s3Prefix: 'one/',
    s3Region: 'eu-central-1',
    s3KeyId: 'key',
    s3Secret: 'hunter3',
    drainSeconds: 0.5,
    keepCallsDays: 7,
    keepRefusalsDays: null,
    keepUsageDays: 800,
    keepAuditDays: 3650,
    keepFindingsDays: 90,
    keepWatchesDays: 45,
  });
});

test('a value out of its bounds is refused by the name of its variable', () => {
  const wrong: Record<string, string[]> = {
    DATABASE_URL: ['db', 'http://db/tmds', 'mysql://a@b/c'],
    DATABASE_REPLICA_URLS: [',', 'postgresql://a/b,'],
    HOST: ['a b', 'http://a', 'a/b'],
    PORT: ['-1', '65536', '8080.5', '80a', ' 80', '0x50', '1e3'],
    TMDS_RECORD_PREFIX: ['v1', 'a/b', '/a', 'docs', 'portal', '-a', 'ä'],
    TMDS_ANALYTICS_PREFIX: ['v1', 'a b'],
    TMDS_CHANGE_HORIZON_SECONDS: ['-1', '86401', 'x', 'Infinity', 'NaN'],
    TMDS_QUERY_TIMEOUT_SECONDS: ['0', '601', ''.padEnd(3, '9')],
    TMDS_POOL_MAX: ['1', '501', '2.5'],
    TMDS_SECURITY_CONTACT: ['security@example.com', 'http://a.example', 'mailto:a@b.example\nExpires: never'],
    TMDS_PUBLIC_URL: ['api.example', 'https://api.example/', 'https://api.example/portal'],
    TMDS_TRUSTED_PROXIES: ['proxy', '10.0.0.0/33', '10.0.0.0/8/8', ','],
    TMDS_OIDC_ISSUER: ['login.example', 'http://login.example'],
    TMDS_SMTP_URL: ['mail.example', 'http://mail.example', 'smtp://a/b', 'smtp://a?b=c'],
    TMDS_MAIL_FROM: ['noreply', 'a b@c', 'A <a@b>', 'a@b,c@d'],
    TMDS_WEBHOOK_PRIVATE: ['yes', 'Allow'],
    TMDS_LOG_LEVEL: ['INFO', 'verbose'],
    TMDS_LOG_FORMAT: ['JSON', 'pretty'],
    TMDS_METRICS_PORT: ['none', '65536', '-1'],
    TMDS_METRICS_HOST: ['a b'],
    OTEL_EXPORTER_OTLP_ENDPOINT: ['collector:4318', 'grpc://collector', 'http://a:b@collector'],
    OTEL_TRACES_SAMPLER_ARG: ['2', '-1', 'always'],
    TMDS_KEEP_SNAPSHOTS: ['0', '101', '1.5', 'all'],
    TMDS_KEEP_DELTAS_DAYS: ['-1', '401', '1.5', 'all'],
    TMDS_DRAIN_SECONDS: ['7', '-1', 'long'],
  };
  for (const [variable, values] of Object.entries(wrong)) {
    for (const value of values) {
      const problems = problemsOf({ DATABASE_URL: 'postgresql://a/b', [variable]: value });
      assert.match(problems, new RegExp(`^2: invalid settings: ${variable} must be`), `${variable}=${value}`);
    }
  }
});

test('settings that contradict each other are refused', () => {
  assert.deepEqual(
    [
      problemsOf({ DATABASE_REPLICA_URLS: 'postgresql://a/b' }),
      problemsOf({ TMDS_ANALYTICS_PREFIX: 'records' }),
      problemsOf({ TMDS_OIDC_ISSUER: 'https://a.example', TMDS_PUBLIC_URL: 'https://b.example' }),
      problemsOf({ TMDS_OIDC_ISSUER: 'https://a.example', TMDS_OIDC_CLIENT_ID: 'portal' }),
      problemsOf({ TMDS_RECORD_PREFIX: 'a', TMDS_ANALYTICS_PREFIX: 'a', DATABASE_REPLICA_URLS: 'postgresql://a/b' }),
    ],
    [
      '2: invalid settings: DATABASE_REPLICA_URLS requires DATABASE_URL',
      '2: invalid settings: TMDS_RECORD_PREFIX and TMDS_ANALYTICS_PREFIX must differ',
      '2: invalid settings: TMDS_OIDC_ISSUER and TMDS_OIDC_CLIENT_ID must be set together',
      '2: invalid settings: TMDS_OIDC_ISSUER requires TMDS_PUBLIC_URL',
      '2: invalid settings: TMDS_RECORD_PREFIX and TMDS_ANALYTICS_PREFIX must differ; DATABASE_REPLICA_URLS requires DATABASE_URL',
    ],
  );
});

test('a password in a wrong address is not repeated', () => {
  assert.match(problemsOf({ TMDS_WEBHOOK_KEY: 'hunter2' }), /TMDS_WEBHOOK_KEY must have 32 to 1000 characters$/);
  assert.doesNotMatch(problemsOf({ DATABASE_URL: 'mysql://root:hunter2@db/tmds' }), /hunter2/);
});

test('the table of settings in the operations guide is the table in the code', async () => {
  const guide = await readFile(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
  const documented = guide.split('\n').filter((line) => /^\| `[A-Z0-9_]+` \|/.test(line));
  const stated = Object.values(SETTINGS).map(({ variable, standard, takes, meaning }) => {
    const shown = standard === null ? 'unset' : `\`${standard}\``;
    return `| \`${variable}\` | ${shown} | ${takes} | ${meaning} |`;
  });
  assert.deepEqual(documented, stated);
});
