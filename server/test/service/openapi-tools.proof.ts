/** The interface description in the tools of its readers: generators of clients and linters, all without a warning. */
import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createClient } from '@hey-api/openapi-ts';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { generateSource } from 'oazapfts';
import openapiTypescript, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { buildDescription } from '../../src/render/description/document.ts';
import { makeFolder } from '../support/folder.ts';

const OPERATION_IDS = [
  'getHealth',
  'getTrademark',
  'getUsage',
  'listBucketDigests',
  'listChanges',
  'listDigests',
  'listJurisdictions',
  'listRegisterChanges',
  'listRegisterDigests',
  'searchRegisterTrademarks',
  'searchTrademarks',
];

const DOCUMENTS = [{ recordPrefix: 'records' }, { recordPrefix: 'marks', publicUrl: 'https://api.example' }] as const;

const copyOf = (at: (typeof DOCUMENTS)[number]) => JSON.parse(JSON.stringify(buildDescription(at)));

/** What a tool says while it works, on the console or past it. */
async function listen<T>(work: () => Promise<T>): Promise<{ result: T; said: string[] }> {
  const said: string[] = [];
  const streams = [process.stdout, process.stderr];
  const writes = streams.map((stream) => stream.write);
  const names = ['log', 'info', 'warn', 'error'] as const;
  const methods = names.map((name) => console[name]);
  for (const name of names) console[name] = (...words: unknown[]) => void said.push(`${name}: ${words.join(' ')}`);
  for (const stream of streams) {
    stream.write = ((text: string | Uint8Array) => said.push(String(text)) > 0) as typeof stream.write;
  }
  try {
    return { result: await work(), said };
  } finally {
    for (const [index, stream] of streams.entries()) stream.write = writes[index]!;
    for (const [index, name] of names.entries()) console[name] = methods[index]!;
  }
}

const WARNING = /warn|error|deprecat|unsupported|duplicate|conflict|skipp/i;

function listSyntaxErrors(text: string): string[] {
  const { diagnostics = [] } = ts.transpileModule(text, { reportDiagnostics: true });
  return diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

test('openapi-typescript makes types that say what the rules say [4.3, 7, 9.4]', async (t) => {
  const { result, said } = await listen(async () => astToString(await openapiTypescript(copyOf(DOCUMENTS[0]))));
  assert.deepEqual(said, []);
  const folder = makeFolder(t);
  await writeFile(join(folder, 'api.ts'), result);
  const program = join(folder, 'use.ts');
  await writeFile(
    program,
    `import type { components, operations } from './api';
type Query = NonNullable<operations['searchTrademarks']['parameters']['query']>;
export const query: Query = { status: ['Registered', 'Pending'], nice_class: [9, 42], jurisdiction: ['US'], limit: 10 };
// @ts-expect-error no such status
export const wrong: Query = { status: ['Live'] };
export const etag: operations['getTrademark']['parameters']['header'] = { 'If-None-Match': '"x"' };
type Refused = operations['listChanges']['responses'][422]['content']['application/json'];
export function read(body: Refused): string[] {
  return 'detail' in body ? body.detail.map(({ msg }) => msg) : [body.error.code];
}
export const unknown: components['schemas']['Error'] = { error: { code: 'not_found', message: 'x' } };
`,
  );
  const checked = ts.createProgram([program], { strict: true, noEmit: true, types: [] });
  const errors = ts.getPreEmitDiagnostics(checked).map(({ messageText }) => messageText);
  assert.deepEqual(errors, []);
  for (const id of OPERATION_IDS) assert.match(result, new RegExp(`^ {4}${id}: \\{$`, 'm'));
});

test('openapi-ts makes a client without a warning [9.4]', async (t) => {
  const folder = makeFolder(t);
  const { said } = await listen(() =>
    createClient({
      input: copyOf(DOCUMENTS[1]),
      output: { path: join(folder, 'client') },
      logs: { level: 'warn', file: false },
      plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
    }),
  );
  const warnings = said.filter((line) => WARNING.test(line));
  assert.deepEqual(warnings, []);
  const files = await readdir(join(folder, 'client'));
  assert.ok(files.includes('sdk.gen.ts'));
  const sdk = await readFile(join(folder, 'client', 'sdk.gen.ts'), 'utf8');
  assert.deepEqual(listSyntaxErrors(sdk), []);
  for (const id of OPERATION_IDS) assert.match(sdk, new RegExp(`export const ${id} = `));
});

test('oazapfts makes a client without a warning [9.4]', async (t) => {
  const file = join(makeFolder(t), 'openapi.json');
  await writeFile(file, JSON.stringify(copyOf(DOCUMENTS[1])));
  const { result, said } = await listen(() => generateSource(file));
  assert.deepEqual(said, []);
  assert.deepEqual(listSyntaxErrors(result), []);
  for (const id of OPERATION_IDS) assert.match(result, new RegExp(`export function ${id}\\(`));
  assert.match(result, /https:\/\/api\.example\/marks/);
});

test('Redocly and Spectral find nothing to say [9.4]', async () => {
  for (const at of DOCUMENTS) {
    const document = copyOf(at);
    const linter = new spectral.Spectral();
    linter.setRuleset({ extends: [rulesets.oas] } as never);
    const remarks = await linter.run(document);
    assert.deepEqual(
      remarks.map(({ code, message, path }) => `${code} ${message} ${path.join('/')}`),
      [],
    );
    const config = await createConfig({ extends: ['recommended-strict'] });
    const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: '/openapi.json', config });
    // A register code has five characters at most, so no register's path is one of these.
    const accepted = problems.filter(
      ({ ruleId, location }) =>
        ruleId !== 'no-ambiguous-paths' || !/^#\/paths\/~1v1~1[a-z]{6,}~1/.test(location[0]?.pointer ?? ''),
    );
    assert.deepEqual(
      accepted.map(({ ruleId, message, location }) => `${ruleId} ${message} ${location[0]?.pointer}`),
      [],
    );
  }
});
