/** The Python client's own tests, with the real service behind those that need one. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { makeFolder } from '../support/folder.ts';
import { findPython, NO_PYTHON, PYTHON_CLIENT } from '../support/python.ts';
import { startService } from '../support/service.ts';
import { buildRecords, publishRecords, type SourceFields } from '../torture/publish.ts';

const run = promisify(execFile);
const US = { jurisdiction_code: 'US', status: 'Pending', nice_classes: [9] } as const;
const RECORDS: SourceFields[] = [
  ...buildRecords(40, US),
  { ...US, uid: 'ü/"quoted" \\ 商标 ', opposition_period_end: '2026-12-01' },
  { ...US, jurisdiction_code: 'EM', uid: 'EM-1', application_number: '018229854' },
];

test('the Python client reads every endpoint, walks, retries and verifies [4.2, 4.3, 4.5, 4.6, 4.7]', async (t) => {
  const python = findPython();
  if (python === null) return t.skip(NO_PYTHON);
  const service = await startService(t);
  await publishRecords(service.db, RECORDS);
  await publishRecords(service.db, [{ ...US, uid: 'R1', status: 'Registered' }]);
  const { key } = await service.issue();
  const env = {
    PATH: process.env.PATH,
    PYTHONPATH: 'src',
    PYTHONDONTWRITEBYTECODE: '1',
    TMDS_TEST_PYTHON: '1',
    TMDS_API_KEY: key,
    TMDS_BASE_URL: `${service.url}/records`,
  };
  const command = ['-W', 'error', '-m', 'unittest', 'discover', '-t', '.', '-s', 'tests'];
  const { stderr } = await run(python, command, { cwd: PYTHON_CLIENT, env }).catch((error: { stderr?: string }) =>
    assert.fail(`the tests of the Python client fail:\n${error.stderr}`),
  );
  assert.match(stderr, /^OK$/m, 'no test is skipped');
});

/** The programs of the README, by the name in their first line. */
function listPrograms(): [name: string, text: string][] {
  const readme = readFileSync(join(PYTHON_CLIENT, 'README.md'), 'utf8');
  return [...readme.matchAll(/^```python\n# (\w+\.py): .*?^```$/gms)].map(([block, name]) => [
    name!,
    block.split('\n').slice(1, -1).join('\n'),
  ]);
}

test("the programs of the Python client's README lead from a key to records, changes and a watch", async (t) => {
  const python = findPython();
  if (python === null) return t.skip(NO_PYTHON);
  const service = await startService(t);
  await publishRecords(service.db, RECORDS);
  const { key } = await service.issue();
  const folder = makeFolder(t);
  const env = {
    PATH: process.env.PATH,
    PYTHONPATH: join(PYTHON_CLIENT, 'src'),
    PYTHONDONTWRITEBYTECODE: '1',
    PYTHONIOENCODING: 'utf8',
    TMDS_API_KEY: key,
    TMDS_BASE_URL: `${service.url}/records`,
  };
  const printed: Record<string, string[]> = {};
  for (const [name, text] of listPrograms()) {
    await writeFile(join(folder, name), text);
    const { stdout } = await run(python, ['-W', 'error::SyntaxWarning', name], { cwd: folder, env });
    printed[name] = stdout.trim().split('\n');
  }
  assert.deepEqual(Object.keys(printed), ['first.py', 'changes.py', 'watch.py']);
  assert.deepEqual(printed['first.py']!.slice(0, 2), ['EM 1 None', 'US 41 None']);
  assert.equal(printed['first.py']!.length, 5);
  assert.equal(printed['changes.py']!.length, 43);
  assert.deepEqual(printed['watch.py'], ['acme owners 1']);
  const again = await run(python, ['changes.py'], { cwd: folder, env });
  assert.match(again.stdout, /^complete up to \S+\n$/);
});
