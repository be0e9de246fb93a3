/** What the service is made of: licences, and what runs at install. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { listRefused, readLockedPackages, renderLicences } from '../../../scripts/locked-packages.ts';
import { ROOT } from '../support/sources.ts';

const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8');
const packages = readLockedPackages(read('package-lock.json'));

test('the list of licences fits the lock file, and every licence is allowed', () => {
  assert.ok(packages.length > 100);
  assert.deepEqual(listRefused(packages), []);
  assert.equal(read('docs/licences.md'), renderLicences(packages), 'run: npm run licences');
});

test('a licence that takes more than notices is refused, a choice of licences is not', () => {
  const refuse = (licence: string, isDev = false): number =>
    listRefused([{ name: 'p', version: '1', licence, isDev, runsAtInstall: false }]).length;
  assert.deepEqual(
    ['GPL-3.0', 'AGPL-3.0-only', 'MIT AND GPL-2.0', 'unknown', 'MPL-2.0'].map((each) => refuse(each)),
    [1, 1, 1, 1, 1],
  );
  assert.deepEqual(
    ['MIT', '(MIT OR GPL-3.0)', 'MIT OR Apache-2.0'].map((each) => refuse(each)),
    [0, 0, 0],
  );
  assert.equal(refuse('MPL-2.0', true), 0);
});

test('nothing runs at install but what is listed', () => {
  const { allowScripts, scripts } = JSON.parse(read('package.json')) as {
    allowScripts: Record<string, boolean>;
    scripts: Record<string, string>;
  };
  const running = packages.filter(({ runsAtInstall }) => runsAtInstall).map(({ name }) => name);
  assert.deepEqual(Object.keys(allowScripts).sort(), [...new Set(running)].sort());
  const own = ['preinstall', 'install', 'postinstall'].filter((name) => name in scripts);
  assert.deepEqual(own, []);
  for (const workspace of ['contract', 'server', 'client', 'mcp']) {
    const manifest = JSON.parse(read(`${workspace}/package.json`)) as { scripts?: Record<string, string> };
    assert.deepEqual(
      Object.keys(manifest.scripts ?? {}).filter((name) => /^(?:pre|post)?install$/.test(name)),
      [],
    );
  }
});
