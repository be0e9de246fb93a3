/**
 * Runs the test suite with Node's test runner: all test files, or those whose path contains one of the arguments. One
 * PostgreSQL serves the whole run, in a temporary folder and without the durability that only a crash of the machine
 * needs. Proofs (`*.proof.ts`) are tests that take too long for every run; `--proofs` runs them instead.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../server/src/base/clock.ts';
import { buildLog } from '../server/src/base/log.ts';
import { type AttachedDatabase, attachDatabase } from '../server/src/store/embedded/attach.ts';
import { isAlive } from '../server/src/store/embedded/postmaster.ts';
import { BUILT_VARIABLE, CLUSTER_VARIABLE, TEST_SERVER_SETTINGS } from '../server/test/support/cluster.ts';
import { buildCommand } from './command.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const isNpmTest = ['test', 'proofs'].includes(process.env.npm_lifecycle_event ?? '');
const RUN_PREFIX = 'tmds-test-run-';
const WORKSPACES = ['contract', 'server', 'client'];

function listTestFiles(ending: string, wanted: readonly string[]): string[] {
  const files = WORKSPACES.flatMap((workspace) =>
    readdirSync(join(ROOT, workspace, 'test'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith(ending))
      .map((path) => `${workspace}/test/${path.replaceAll('\\', '/')}`),
  ).sort();
  if (wanted.length === 0) return files;
  return files.filter((file) => wanted.some((part) => file.includes(part.replace(/^\.\//, ''))));
}

function runNode(files: readonly string[], clusterUrl: string): Promise<number> {
  const options = [
    '--conditions=tmds-source',
    '--import',
    'tsx',
    '--test',
    '--test-reporter=spec',
    '--test-concurrency=2',
  ];
  const child = spawn(process.execPath, [...options, ...files], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    // npm has built everything already.
    env: { ...process.env, [CLUSTER_VARIABLE]: clusterUrl, ...(isNpmTest ? { [BUILT_VARIABLE]: '1' } : {}) },
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

function attach(dataDir: string): Promise<AttachedDatabase> {
  return attachDatabase({
    dataDir,
    databaseUrl: null,
    applicationName: 'tmds test run',
    clock: systemClock,
    log: buildLog({ level: 'warn' }),
    serverSettings: TEST_SERVER_SETTINGS,
  });
}

/** Stops and removes the databases of runs that were killed. */
async function removeAbandonedRuns(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    const pid = new RegExp(`^${RUN_PREFIX}(\\d+)-`).exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const folder = join(tmpdir(), name);
    // A folder of another user cannot be removed.
    if (statSync(folder).uid !== process.getuid?.()) continue;
    if (existsSync(join(folder, 'postgres'))) await (await attach(folder)).release();
    rmSync(folder, { recursive: true, force: true });
  }
}

const command = buildCommand('npm test --', 'Runs the tests, against one PostgreSQL of their own.')
  .argument('[parts...]', 'parts of paths: only test files that contain one of them')
  .option('--proofs', 'the tests that take too long for every run, instead of the others', false)
  .parse();
const { proofs } = command.opts<{ proofs: boolean }>();
const files = listTestFiles(proofs ? '.proof.ts' : '.test.ts', command.args);
if (files.length === 0) {
  console.error('no test file matches');
  process.exit(2);
}
await removeAbandonedRuns();
const folder = mkdtempSync(join(tmpdir(), `${RUN_PREFIX}${process.pid}-`));
const cluster = await attach(folder);
let status = 1;
try {
  status = await runNode(files, cluster.url);
} finally {
  await cluster.release();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(status);
