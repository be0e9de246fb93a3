/** Settings from `tmds.toml` and from files that hold secrets, in addition to the environment. */
import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Command } from 'commander';
import { parse } from 'smol-toml';
import { listUnknownSettings, readSettings } from '../../src/base/config.ts';
import { keyOf } from '../../src/base/config-sources.ts';
import { OperatorError } from '../../src/base/errors.ts';
import { SETTINGS, type Setting } from '../../src/base/settings.ts';
import { registerConfigCommand } from '../../src/cli/config.ts';
import { buildContext } from '../../src/cli/context.ts';

const readConfig = (...from: Parameters<typeof readSettings>) => readSettings(...from).config;

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tmds-settings-'));
});
after(() => rm(folder, { recursive: true, force: true }));

async function write(name: string, content: string, mode = 0o600): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  await chmod(path, mode);
  return path;
}

/** What is said of a configuration file that is refused, without its path. */
async function problemsOf(toml: string, environment: Record<string, string> = {}): Promise<string> {
  const file = await write('wrong.toml', toml);
  try {
    readConfig(environment, file);
  } catch (error) {
    assert.ok(error instanceof OperatorError);
    assert.equal(error.exitStatus, 2);
    return error.message.replaceAll(folder, '.').replace(/^invalid settings: /, '');
  }
  return 'none';
}

test('every setting is read from the file as from its variable', async () => {
  const samples: Record<string, string> = {
    DATABASE_URL: 'postgresql://a:b@localhost/tmds',
    DATABASE_REPLICA_URLS: 'postgresql://a:b@localhost:5/tmds,postgresql://a:b@localhost:6/tmds',
    TMDS_CORS_ORIGINS: 'https://a.example,https://b.example',
    TMDS_PUBLIC_URL: 'https://api.example',
    TMDS_TRUSTED_PROXIES: '10.0.0.0/8',
    TMDS_OIDC_ISSUER: 'https://login.example',
    TMDS_OIDC_CLIENT_ID: 'portal',
    TMDS_OIDC_CLIENT_SECRET: 'hunter2',
    TMDS_SMTP_URL: 'smtp://mail.example',
    TMDS_MAIL_FROM: 'noreply@example.com',
    TMDS_METRICS_PORT: 'off',
    PORT: '9000',
    TMDS_CHANGE_HORIZON_SECONDS: '0.5',
  };
  const settings: readonly Setting<unknown>[] = Object.values(SETTINGS);
  const lines = settings.flatMap(({ variable, standard, isList }) => {
    const text = samples[variable] ?? standard;
    if (text === null) return [];
    const isNumber = /^\d+(\.\d+)?$/.test(text);
    const written = isList ? JSON.stringify(text.split(',')) : isNumber ? text : JSON.stringify(text);
    return [`${keyOf(variable)} = ${written}`];
  });
  const file = await write('all.toml', lines.join('\n'));
  const { config, states } = readSettings({}, file);
  assert.deepEqual(config, readConfig(samples));
  assert.deepEqual(
    states.filter(({ from }) => from !== 'default').map(({ from, place }) => `${from} ${place?.replace(/^\w+ /, '')}`),
    lines.map((_, index) => `file (${file}, line ${index + 1})`),
  );
});

test('the environment goes before the file, the file before the default, and what is empty is unset', async () => {
  const file = await write(
    'some.toml',
    'port = 9000\nhost = "::1"\npool_max = 40\nlog_level = ""\ncors_origins = []\n',
  );
  const { config, states } = readSettings({ PORT: '1', HOST: '', TMDS_CONFIG: 'not-read.toml' }, file);
  assert.deepEqual([config.port, config.host, config.poolMax, config.logLevel], [1, '::1', 40, 'info']);
  const origins = Object.fromEntries(states.map(({ key, from }) => [key, from]));
  assert.deepEqual(
    [origins.port, origins.host, origins.pool_max, origins.log_level, origins.cors_origins],
    ['environment', 'file', 'file', 'default', 'default'],
  );
});

test('the file is the one asked for, or the one that TMDS_CONFIG names; a missing one is refused', async () => {
  const named = await write('named.toml', 'port = 2\n');
  const asked = await write('asked.toml', 'port = 3\n');
  assert.equal(readConfig({ TMDS_CONFIG: named }).port, 2);
  assert.equal(readConfig({ TMDS_CONFIG: named }, asked).port, 3);
  assert.equal(readSettings({}).file, null);
  const missing = join(folder, 'missing.toml');
  assert.throws(
    () => readConfig({ TMDS_CONFIG: missing }),
    /invalid settings: the configuration file .*missing.toml does not exist$/,
  );
  assert.throws(() => readConfig({}, folder), /is a folder$/);
});

test('every wrong or unknown key of the file is named with its line', async () => {
  const toml = `# a comment
port = 70000
prt = 1
TMDS_HOST = "::1"
pool_max = [1]
cors_origins = ["https://a.example,https://b.example"]
log_level = 1979-05-27

[database]
url = "postgresql://a:hunter2@b/c"
`;
  assert.deepEqual((await problemsOf(toml)).split('; '), [
    'prt (./wrong.toml, line 3) is not a setting',
    'TMDS_HOST (./wrong.toml, line 4) is not a setting',
    'write host',
    'pool_max (./wrong.toml, line 5) must be a text, a number, true or false',
    'cors_origins (./wrong.toml, line 6) must be an array of texts without commas',
    'log_level (./wrong.toml, line 7) must be a text, a number, true or false',
    'database (./wrong.toml, line 9) is not a setting',
    'port (./wrong.toml, line 2) must be an integer from 0 to 65535, not "70000"',
  ]);
});

test('a file that is no TOML is refused with its line and without its content', async () => {
  const problems = await problemsOf('port = 1\ndatabase_url = "postgresql://a:hunter2@b/c\n');
  assert.match(problems, /^\.\/wrong\.toml, line 2, column \d+: [^;]+$/);
  assert.doesNotMatch(problems, /hunter2/);
  assert.match(
    await problemsOf(`#${'x'.repeat(1024 * 1024)}`),
    /^the configuration file .* is larger than 1048576 bytes$/,
  );
});

test('a secret is read from the file that a variable or a key names, without the end of its line', async () => {
  const secret = await write('secret', 'hunter2\n');
  const address = await write('address', 'postgresql://tmds:geheim@localhost/tmds\r\n');
  const file = await write('secrets.toml', `database_url_file = ${JSON.stringify(address)}\n`);
  const oidc = {
    TMDS_OIDC_ISSUER: 'https://login.example',
    TMDS_OIDC_CLIENT_ID: 'portal',
    TMDS_PUBLIC_URL: 'https://api.example',
  };
  const { config, states, warnings } = readSettings({ ...oidc, TMDS_OIDC_CLIENT_SECRET_FILE: secret }, file);
  assert.deepEqual(
    [config.oidcClientSecret, config.databaseUrl],
    ['hunter2', 'postgresql://tmds:geheim@localhost/tmds'],
  );
  const shown = states.filter(({ from }) => from === 'secret file').map(({ value, place }) => [value, place]);
  assert.deepEqual(shown, [
    ['postgresql://tmds:***@localhost/tmds', `database_url_file (${file}, line 1)`],
    ['***', 'TMDS_OIDC_CLIENT_SECRET_FILE'],
  ]);
  assert.deepEqual(warnings, []);
  assert.deepEqual(
    listUnknownSettings({ TMDS_OIDC_CLIENT_SECRET_FILE: secret, TMDS_CONFIG: file, TMDS_LOG_LEVEL_FILE: 'x' }),
    ['TMDS_LOG_LEVEL_FILE'],
  );
});

test('a secret that is stated twice, or whose file is missing or empty, is refused', async () => {
  const empty = await write('empty', '\n');
  const wrong = { TMDS_OIDC_CLIENT_SECRET_FILE: join(folder, 'gone'), DATABASE_URL_FILE: empty };
  assert.throws(
    () =>
      readConfig({ ...wrong, DATABASE_REPLICA_URLS: 'postgresql://localhost/a', DATABASE_REPLICA_URLS_FILE: empty }),
    (error: Error) => {
      assert.deepEqual(error.message.replaceAll(folder, '.').replace('invalid settings: ', '').split('; '), [
        'DATABASE_URL_FILE names the file ./empty, which is empty',
        'DATABASE_REPLICA_URLS and DATABASE_REPLICA_URLS_FILE are both set',
        'keep one of them',
        'TMDS_OIDC_CLIENT_SECRET_FILE names the file ./gone, which does not exist',
      ]);
      return true;
    },
  );
});

test('a secret that every account can read is warned of, whichever file holds it', {
  skip: process.platform === 'win32' && 'files have no mode there',
}, async () => {
  const address = await write('open', 'postgresql://tmds:geheim@localhost/tmds', 0o644);
  const { warnings } = readSettings({ DATABASE_URL_FILE: address });
  assert.deepEqual(warnings, [
    `every account of this machine can read ${address} (DATABASE_URL_FILE); run: chmod o-r ${address}`,
  ]);
  const file = await write('open.toml', 'port = 1\ndatabase_url = "postgresql://tmds:geheim@localhost/tmds"\n', 0o644);
  assert.deepEqual(readSettings({}, file).warnings, [
    `every account of this machine can read ${file} (it holds database_url); run: chmod o-r ${file}`,
  ]);
  assert.deepEqual(readSettings({}, await write('plain.toml', 'port = 1\n', 0o644)).warnings, []);
});

test('no secret is shown, wherever it is in an address', () => {
  const shown = (environment: Record<string, string>): (string | null)[] =>
    readSettings(environment)
      .states.filter(({ from }) => from === 'environment')
      .map(({ value }) => value);
  assert.deepEqual(
    shown({
      DATABASE_URL: 'postgresql://tmds:12,geheim@localhost/tmds?sslmode=disable&password=geheim',
      DATABASE_REPLICA_URLS: 'postgresql://a:geheim@localhost/x, postgresql:///y?host=/run/pg&sslkey=geheim',
    }),
    [
      'postgresql://tmds:***@localhost/tmds?sslmode=disable&password=***',
      'postgresql://a:***@localhost/x,postgresql:///y?host=%2Frun%2Fpg&sslkey=***',
    ],
  );
});

test('outside this machine a database is reached over verified TLS unless its address says otherwise', () => {
  const added = (url: string): string => (readConfig({ DATABASE_URL: url }).databaseUrl ?? '').slice(url.length);
  const outside = [
    'postgresql://a:b@db/tmds',
    'postgresql://a:b@10.1.2.3:5433/tmds',
    'postgresql://a:b@192.168.0.4/tmds',
    'postgresql://a:b@[fd00::1]/tmds',
    'postgresql://a:b@localhost.example/tmds',
    'postgresql://a:b@127.0.0.1.example/tmds',
    'postgresql://a:b@localhost/tmds?host=db',
    'postgresql://a:b@db/tmds?sslrootcert=/etc/ca.pem',
    'postgresql://a:b@db/tmds?sslmode=',
    'postgresql://a:b@db/tmds?uselibpqcompat=true&sslnegotiation=postgres',
  ];
  for (const url of outside) assert.match(added(url), /^[?&]sslmode=verify-full$/, url);
  const asStated = [
    'postgresql://a:b@localhost/tmds',
    'postgresql://a:b@127.0.0.1:5433/tmds',
    'postgresql://a:b@127.8.9.10/tmds',
    'postgresql://a:b@[::1]/tmds',
    'postgresql:///tmds?host=/run/postgresql',
    'postgresql://a:b@%2Frun%2Fpostgresql/tmds',
    'postgresql://a:b@db/tmds?sslmode=disable',
    'postgresql://a:b@db/tmds?sslmode=require',
    'postgresql://a:b@db/tmds?application_name=x&sslmode=no-verify',
  ];
  for (const url of asStated) assert.equal(added(url), '', url);
  const led = { DATABASE_URL: 'postgresql:///tmds', PGHOST: 'db.example' };
  assert.throws(() => readConfig(led), /: DATABASE_URL must name its host, because PGHOST leads to another machine$/);
  assert.equal(readConfig({ ...led, PGHOST: '/run/postgresql' }).databaseUrl, 'postgresql:///tmds');
  const replicas = { DATABASE_URL: 'postgresql://localhost/a', DATABASE_REPLICA_URLS: 'postgresql://standby/a?x=y' };
  assert.deepEqual(readConfig(replicas).replicaUrls, ['postgresql://standby/a?x=y&sslmode=verify-full']);
});

async function runConfig(...words: string[]): Promise<string> {
  const printed: string[] = [];
  const context = { ...buildContext('0.0.0'), print: (line: string) => void printed.push(line), note: () => undefined };
  const program = new Command();
  context.readSettings = () => readSettings({ PORT: '1', DATABASE_URL: 'postgresql://a:geheim@localhost/x' });
  context.listUnknownSettings = () => ['TMDS_PRT'];
  registerConfigCommand(program, context);
  await program.parseAsync(['config', ...words], { from: 'user' });
  return printed.join('\n');
}

test('tmds config shows every setting with its value and origin, as a table and as JSON', async () => {
  const table = await runConfig();
  assert.match(table, /^no configuration file\nsetting +value +from\n/);
  assert.match(table, /^port +1 +environment: PORT$/m);
  assert.match(table, /^host +127\.0\.0\.1 +default$/m);
  assert.match(table, /^database_url +postgresql:\/\/a:\*\*\*@localhost\/x +environment: DATABASE_URL$/m);
  const document = JSON.parse(await runConfig('--json'));
  assert.deepEqual([document.file, document.warnings, document.unknown_variables], [null, [], ['TMDS_PRT']]);
  assert.deepEqual(
    document.settings.map(({ variable }: { variable: string }) => variable),
    Object.values(SETTINGS).map(({ variable }) => variable),
  );
  assert.deepEqual(
    document.settings.find(({ key }: { key: string }) => key === 'port'),
    {
      variable: 'PORT',
      key: 'port',
      value: '1',
      from: 'environment',
      place: 'PORT',
    },
  );
});

test('the example of tmds config, uncommented, is a file of defaults that names every setting', async () => {
  const example = await runConfig('--example');
  const uncommented = example.replace(/^#(?=\w+ = )/gm, '');
  const keys = Object.keys(parse(uncommented)).filter((key) => !key.endsWith('_file'));
  assert.deepEqual(
    keys,
    Object.values(SETTINGS).map(({ variable }) => keyOf(variable)),
  );
  const withoutSecrets = uncommented.replace(/^\w+_file = .*$/gm, '');
  assert.deepEqual(readConfig({}, await write('example.toml', withoutSecrets)), readConfig({}));
  assert.deepEqual(Object.keys(parse(example)), []);
});
