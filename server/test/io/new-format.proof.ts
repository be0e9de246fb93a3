/** The generator of register formats, run on a copy of the repository: what it lays out compiles and reads its mark. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { type NewFormat, planFormat, RefusedFormat } from '../../../scripts/new-format/plan.ts';
import { listOpenPlaces, writeFormat } from '../../../scripts/new-format/write.ts';
import { makeFolder } from '../support/folder.ts';
import { ROOT } from '../support/sources.ts';

const FORMAT: NewFormat = {
  name: 'xx-demo',
  title: 'Demo register (Nowhere), XML',
  register: 'XX',
  root: 'register-file',
  record: 'mark',
};

/** What a format needs to compile and to be tested. */
const COPIED = ['contract', 'server/src', 'server/package.json', 'server/test/support', 'docs/loading.md'];
const CONFIGURED = ['package.json', 'tsconfig.base.json', 'tsconfig.test.json'];

function copyRepository(t: Parameters<typeof makeFolder>[0]): string {
  const folder = makeFolder(t);
  for (const path of [...COPIED, ...CONFIGURED]) {
    const filter = (from: string): boolean => !from.includes('node_modules') && !from.endsWith('/dist');
    cpSync(join(ROOT, path), join(folder, path), { recursive: true, filter });
  }
  mkdirSync(join(folder, 'server/test/unit'));
  for (const path of ['node_modules', 'server/node_modules']) {
    if (existsSync(join(ROOT, path))) symlinkSync(join(ROOT, path), join(folder, path));
  }
  return folder;
}

async function run(folder: string, words: readonly string[]): Promise<string> {
  const options = { cwd: folder, env: { ...process.env, NODE_TEST_CONTEXT: undefined } };
  try {
    const { stdout } = await promisify(execFile)(process.execPath, words, options);
    return stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${words.join(' ')}:\n${stdout}\n${stderr}`);
  }
}

test('a format that is laid out compiles, passes its own test, and says what is left to do', {
  timeout: 120_000,
}, async (t) => {
  const folder = copyRepository(t);
  for (const format of [FORMAT, { ...FORMAT, name: 'yy', register: 'YYY', root: 'mark' }]) {
    const plan = planFormat(folder, format);
    writeFormat(folder, plan);
    const open = listOpenPlaces(plan, folder);
    assert.deepEqual(
      [...new Set(open.map((place) => place.slice(0, place.indexOf(':'))))],
      [...plan.created.keys()],
      'each file has a place for the author',
    );
    assert.match(readFileSync(join(folder, 'docs/loading.md'), 'utf8'), new RegExp(`\\| \`${format.name}\` \\| Demo`));
  }
  const config = {
    extends: './tsconfig.test.json',
    include: ['server/src/load/formats/registry.ts', 'server/test/unit'],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  await run(folder, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.json']);
  const tests = ['xx-demo', 'yy'].map((name) => `server/test/unit/${name}.test.ts`);
  const report = await run(folder, ['--conditions=tmds-source', '--import', 'tsx', '--test', ...tests]);
  assert.match(report, /pass 10\n/);
});

test('a format that cannot be laid out is refused before anything is written', async (t) => {
  const folder = copyRepository(t);
  const refused = (changes: Partial<NewFormat>, message: RegExp): void =>
    assert.throws(
      () => planFormat(folder, { ...FORMAT, ...changes }),
      (error) => error instanceof RefusedFormat && message.test(error.message),
    );
  refused({ name: 'tipo' }, /^server\/src\/load\/formats\/tipo exists already; choose another name$/);
  refused({ name: 'ndjson' }, /^the format ndjson is registered already$/);
  refused({ name: 'Tipo 2' }, /^name must be lower-case words joined by hyphens/);
  refused({ title: "the office's" }, /^title must be/);
  refused({ register: 'br' }, /^register must be/);
  refused({ root: 'a:b' }, /^root must be/);
  const registry = join(folder, 'server/src/load/formats/registry.ts');
  writeFileSync(registry, readFileSync(registry, 'utf8').replace('FORMATS', 'LIST'));
  refused({}, /^server\/src\/load\/formats\/registry.ts has no place for a format/);
  assert.equal(existsSync(join(folder, 'server/src/load/formats/xx-demo')), false);
});

test('a format of which one file cannot be written leaves nothing', async (t) => {
  const folder = copyRepository(t);
  const plan = planFormat(folder, FORMAT);
  const before = [...plan.edited.keys()].map((path) => readFileSync(join(folder, path), 'utf8'));
  // In the way of the last file.
  mkdirSync(join(folder, 'server/test/unit/xx-demo.test.ts'));
  assert.throws(() => writeFormat(folder, plan), /exists already/);
  assert.deepEqual(
    [...plan.created.keys()].filter((path) => existsSync(join(folder, path)) && !path.endsWith('.test.ts')),
    [],
  );
  assert.equal(existsSync(join(folder, 'server/src/load/formats/xx-demo')), false);
  assert.deepEqual(
    [...plan.edited.keys()].map((path) => readFileSync(join(folder, path), 'utf8')),
    before,
  );
});
