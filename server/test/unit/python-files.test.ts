/** The Python client and the contract say the same, and so do its manifest, its documents and its code. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { VERSION } from '../../../client/src/version.ts';
import { PYTHON_FILES } from '../../../scripts/python/files.ts';
import { ENDPOINTS_DESCRIBED } from '../../src/render/description/endpoints.ts';
import { PYTHON_CLIENT } from '../support/python.ts';
import { ROOT } from '../support/sources.ts';

const read = (name: string): string => readFileSync(join(PYTHON_CLIENT, name), 'utf8');

test('records, answers, refusals and calls of the Python client are those of the contract', () => {
  for (const [name, render] of Object.entries(PYTHON_FILES)) {
    assert.equal(read(`src/tmds_client/${name}`), render(), `${name}: npm run docs writes it again`);
  }
});

test('a method of the Python client calls every endpoint', () => {
  const code = read('src/tmds_client/calls.py') + read('src/tmds_client/client.py');
  const unnamed = ENDPOINTS_DESCRIBED.filter(({ method, path }) => {
    const named = code.includes(`\`${method} ${path}\``) || code.includes(`or \`${path}\``);
    return !named;
  });
  assert.deepEqual(
    unnamed.map(({ name }) => name),
    [],
  );
});

test('the Python package has the version, the licence and the manifest that it is built with', () => {
  assert.equal(read('src/tmds_client/version.py').split('"').at(-2), VERSION);
  assert.equal(read('LICENSE'), readFileSync(join(ROOT, 'LICENSE'), 'utf8'));
  const manifest = read('pyproject.toml');
  const backend = read('packaging/backend.py');
  const stated = (name: string): string => new RegExp(`^${name} = "(.*)"$`, 'm').exec(manifest)?.[1] ?? '';
  assert.equal(stated('version'), VERSION);
  assert.match(manifest, /^dependencies = \[\]$/m);
  for (const [member, name] of [
    ['Name', 'name'],
    ['Summary', 'description'],
    ['License-Expression', 'license'],
    ['Requires-Python', 'requires-python'],
  ]) {
    assert.ok(backend.includes(`"${member}: ${stated(name!)}",`), `${member} is not as pyproject.toml states it`);
  }
  const classifiers = [...manifest.matchAll(/^ {4}"(.+ :: .+)",$/gm)].map(([, text]) => text);
  assert.deepEqual(
    [...backend.matchAll(/"Classifier: (.+)",/g)].map(([, text]) => text),
    classifiers,
  );
});
