/**
 * Runs the test suite with Node's test runner: all test files, or those whose path contains one of the arguments. One
 * PostgreSQL serves the whole run, in memory where there is room, and without the durability that only a crash of the
 * machine needs. Files whose tests start no process of their own share processes, because half of what a small file
 * costs is to start one and to import the program. `npm test` has built the program, so a whole run compiles the tests
 * too; single files run from their sources. Proofs (`*.proof.ts`) are tests that take too long for every run;
 * `--proofs` runs them instead, and with them, in full, the tests that try only some of their cases every day.
 */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { systemClock } from '../server/src/base/clock.ts';
import { buildLog } from '../server/src/base/log.ts';
import { isAlive } from '../server/src/base/processes.ts';
import { type AttachedDatabase, attachDatabase } from '../server/src/database/embedded/attach.ts';
import {
  BUILT_VARIABLE,
  CLUSTER_VARIABLE,
  FOLDER_VARIABLE,
  FULL_VARIABLE,
  SEED_VARIABLE,
  TEST_SERVER_SETTINGS,
} from '../server/test/support/cluster.ts';
import { buildCommand } from './command.ts';
import { compileTests } from './compile-tests.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const isNpmTest = ['test', 'proofs'].includes(process.env.npm_lifecycle_event ?? '');
const RUN_PREFIX = 'tmds-test-run-';
/** The everyday gate tries the same cases at every run: what has passed once passes again. */
const EVERYDAY_SEED = '1';
const PROPERTY_SEED = 'server/test/support/property-seed.ts';
const WORKSPACES = ['contract', 'server', 'client', 'mcp'];

/** The file system in memory that Linux has for all. */
const MEMORY = '/dev/shm';
/** A run keeps less than a gigabyte there at a time; the tests themselves need memory too. */
const MEMORY_BYTES_MIN = 6 * 1024 ** 3;

/** Databases are made and dropped a thousand times in a run, and each is some six hundred files. */
function chooseFolder(): string {
  if (process.platform !== 'linux' || !existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return Math.min(bavail * bsize, process.availableMemory()) < MEMORY_BYTES_MIN ? tmpdir() : MEMORY;
}

/** Imported by the tests that the proofs run in full. */
const DEPTH_MODULE = "/support/depth.ts'";

function listTestFiles(isProofs: boolean, wanted: readonly string[]): string[] {
  const isRun = (file: string): boolean =>
    isProofs
      ? file.endsWith('.proof.ts') ||
        (file.endsWith('.test.ts') && readFileSync(join(ROOT, file), 'utf8').includes(DEPTH_MODULE))
      : file.endsWith('.test.ts');
  const files = WORKSPACES.flatMap((workspace) =>
    readdirSync(join(ROOT, workspace, 'test'), { recursive: true, encoding: 'utf8' }).map(
      (path) => `${workspace}/test/${path.replaceAll('\\', '/')}`,
    ),
  )
    .filter(isRun)
    .sort();
  if (wanted.length === 0) return files;
  return files.filter((file) => wanted.some((part) => file.includes(part.replace(/^\.\//, ''))));
}

/** Folders whose files share processes, because nothing in them outlives its test: those that take long, and others. */
const SHARING_LONG = ['server/test/service/'];
const SHARING_SHORT = ['client/test/', 'contract/test/', 'server/test/unit/'];
/** Files in one process: enough that starting it does not count, few enough that two processes end at about one time. */
const SHARED_FILES_MAX = 16;

/** What each process runs; what takes longest comes first, so that all processes end at about one time. */
function shareProcesses(files: readonly string[]): string[][] {
  const cutFolders = (folders: readonly string[]): string[][] =>
    cutGroups(files.filter((file) => folders.some((folder) => file.startsWith(folder))));
  const [long, short] = [cutFolders(SHARING_LONG), cutFolders(SHARING_SHORT)];
  const shared = new Set([...long, ...short].flat());
  return [...long, ...files.filter((file) => !shared.has(file)).map((file) => [file]), ...short];
}

/**
 * The runner starts its files in the order of their paths. All files of a process are evaluated before its first test
 * runs: the runner calls the hooks that end a process as soon as no test is left, and only once.
 */
function writeEntries(groups: readonly (readonly string[])[], folder: string): string[] {
  return groups.map((group, index) => {
    const entry = join(folder, `process-${String(index + 1).padStart(3, '0')}.mjs`);
    const imports = [PROPERTY_SEED, ...group].map(
      (file) => `import ${JSON.stringify(pathToFileURL(join(ROOT, file)).href)};\n`,
    );
    writeFileSync(entry, imports.join(''));
    return entry;
  });
}

/** Neighbours are dealt to different groups, so that files about one large matter do not come together. */
function cutGroups(files: readonly string[]): string[][] {
  const count = Math.ceil(files.length / SHARED_FILES_MAX);
  const groups = Array.from({ length: count }, (): string[] => []);
  for (const [index, file] of files.entries()) groups[index % count]!.push(file);
  return groups;
}

/** One more than there are cores, because a test of a process, a browser or a lock waits half of its time. */
const PROCESSES = Math.min(availableParallelism() + 1, 5);

const FROM_SOURCES = ['--conditions=tmds-source', '--import', 'tsx'];
/** A larger young generation: most of what a test makes is garbage when it ends. */
const FROM_COMPILED = ['--enable-source-maps', '--max-semi-space-size=64'];

interface Run {
  readonly folder: string;
  readonly options: readonly string[];
  readonly clusterUrl: string;
  readonly isProofs: boolean;
  readonly seed: string;
}

function runNode(files: readonly string[], { folder, options, clusterUrl, isProofs, seed }: Run): Promise<number> {
  const runner = ['--test', '--test-reporter=spec', `--test-concurrency=${PROCESSES}`];
  const child = spawn(process.execPath, [...options, ...runner, ...files], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    // npm has built everything already.
    env: {
      ...process.env,
      [CLUSTER_VARIABLE]: clusterUrl,
      [FOLDER_VARIABLE]: folder,
      [SEED_VARIABLE]: seed,
      ...(isProofs ? { [FULL_VARIABLE]: '1' } : {}),
      ...(isNpmTest ? { [BUILT_VARIABLE]: '1' } : {}),
    },
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
  const places = [tmpdir(), MEMORY].filter((place) => existsSync(place));
  for (const folder of places.flatMap((place) => readdirSync(place).map((name) => join(place, name)))) {
    const pid = new RegExp(`^${RUN_PREFIX}(\\d+)-`).exec(basename(folder))?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    // A folder of another user cannot be removed.
    if (statSync(folder).uid !== process.getuid?.()) continue;
    if (existsSync(join(folder, 'postgres'))) await (await attach(folder)).release();
    rmSync(folder, { recursive: true, force: true });
  }
}

const command = buildCommand('npm test --', 'Runs the tests, against one PostgreSQL of their own.')
  .argument('[parts...]', 'parts of paths: only test files that contain one of them')
  .option('--proofs', 'the tests that take too long for every run, and in full those that have a short form', false)
  .parse();
const { proofs } = command.opts<{ proofs: boolean }>();
const files = listTestFiles(proofs, command.args);
if (files.length === 0) {
  console.error('no test file matches');
  process.exit(2);
}
await removeAbandonedRuns();
const folder = mkdtempSync(join(chooseFolder(), `${RUN_PREFIX}${process.pid}-`));
// The account that runs PostgreSQL has to reach what is below.
chmodSync(folder, 0o711);
const cluster = await attach(folder);
// A file that is asked for by name is run, and named when it fails, as it is.
const isRunWhole = files.length > SHARED_FILES_MAX;
const seed = process.env[SEED_VARIABLE] ?? (proofs ? String(randomInt(1_000_000)) : EVERYDAY_SEED);
console.log(`${SEED_VARIABLE}=${seed} chooses the same cases again`);
let status = 1;
try {
  const isCompiled = isRunWhole && isNpmTest && !proofs;
  const entries = isRunWhole ? writeEntries(shareProcesses(files), folder) : files;
  const started = isCompiled ? await compileTests(entries, join(folder, 'compiled')) : entries;
  const options = isCompiled ? FROM_COMPILED : FROM_SOURCES;
  status = await runNode(started, { folder, options, clusterUrl: cluster.url, isProofs: proofs, seed });
} finally {
  await cluster.release();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(status);
