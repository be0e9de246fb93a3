/** What `ops/` states about running the service: nothing undeclared, nothing open, and every setting one of ours. */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { secretFileVariable } from '../../src/base/config-sources.ts';
import { SETTINGS, type Setting } from '../../src/base/settings.ts';

const OPS = fileURLToPath(new URL('../../../ops/', import.meta.url));
const run = promisify(execFile);

const settings: readonly Setting<unknown>[] = Object.values(SETTINGS);
const VARIABLES = new Set([
  'NODE_ENV',
  ...settings.flatMap(({ variable, isSecret }) => (isSecret ? [variable, secretFileVariable(variable)] : [variable])),
]);

interface Service {
  readonly image: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly environment: Readonly<Record<string, string>>;
  readonly networks: readonly string[];
  readonly secrets: readonly string[];
  readonly volumes: readonly string[];
  readonly ports?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: object;
}

interface Compose {
  readonly services: Readonly<Record<'database' | 'service', Service>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>;
  readonly volumes: Readonly<Record<string, object>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

async function readCompose(): Promise<Compose> {
  return parse(await readFile(`${OPS}compose.yml`, 'utf8'), { strict: true, uniqueKeys: true });
}

test('compose: every network, volume, secret and service that is named is declared, and none in vain', async () => {
  const { services, networks, volumes, secrets } = await readCompose();
  const all = Object.values(services);
  const used = {
    networks: all.flatMap((service) => service.networks),
    volumes: all.flatMap((service) => service.volumes.map((volume) => volume.split(':')[0] ?? '')),
    secrets: all.flatMap((service) => service.secrets),
  };
  const sorted = (names: readonly string[]): string[] => [...new Set(names)].sort();
  assert.deepEqual(sorted(used.networks), sorted(Object.keys(networks)));
  assert.deepEqual(sorted(used.volumes), sorted(Object.keys(volumes)));
  assert.deepEqual(sorted(used.secrets), sorted(Object.keys(secrets)));
  for (const { depends_on: needed = {} } of all) {
    for (const [name, { condition }] of Object.entries(needed)) {
      assert.ok(name in services && condition === 'service_healthy' && services.database.healthcheck !== undefined);
    }
  }
});

test('compose: the database is on its own network, the service on loopback, and no secret in the environment', async () => {
  const { services, networks } = await readCompose();
  const { database, service } = services;
  assert.deepEqual([database.networks, networks.inside, database.ports], [['inside'], { internal: true }, undefined]);
  assert.deepEqual(service.ports, ['127.0.0.1:8080:8080']);
  assert.match(database.image, /^docker\.io\/library\/postgres:1[5-9]-\w+$/);
  for (const [name, value] of [database, service].flatMap(({ environment }) => Object.entries(environment))) {
    assert.ok(
      !/PASSWORD|SECRET|DATABASE_URL/.test(name) || (name.endsWith('_FILE') && value.startsWith('/run/secrets/')),
      name,
    );
  }
  assert.deepEqual(
    Object.keys(service.environment).filter((name) => !VARIABLES.has(name)),
    [],
  );
});

test('the Containerfile and the unit set only existing settings', async () => {
  const words = /\b([A-Z][A-Z_]+)=/g;
  const container = (await readFile(`${OPS}Containerfile`, 'utf8')).match(/^ENV .*$/gm)?.join(' ') ?? '';
  const unit = (await readFile(`${OPS}tmds.service`, 'utf8')).match(/^#?Environment=.*$/gm)?.join(' ') ?? '';
  for (const text of [container, unit.replaceAll('Environment=', '')]) {
    const names = [...text.matchAll(words)].map(([, name]) => name ?? '');
    assert.ok(names.includes('TMDS_DATA_DIR'));
    assert.deepEqual(
      names.filter((name) => !VARIABLES.has(name)),
      [],
    );
  }
});

const hasAnalyser = spawnSync('systemd-analyze', ['--version']).status === 0;

test('systemd accepts the unit without warnings, and rates its exposure as low', {
  skip: !hasAnalyser && 'systemd-analyze is not on this machine',
}, async () => {
  const unit = `${OPS}tmds.service`;
  // It complains where the program of the unit is not installed, which is no fault of the unit.
  const { stdout, stderr } = await run('systemd-analyze', ['verify', unit]).catch((error) => error);
  const said = `${stdout}${stderr}`.split('\n').filter((line) => line !== '' && !/is not executable/.test(line));
  assert.deepEqual(said, []);
  const rated = await run('systemd-analyze', ['security', '--offline=true', '--threshold=20', '--no-pager', unit]);
  assert.match(rated.stdout, /Overall exposure level for tmds\.service: [01]\.\d/);
});
