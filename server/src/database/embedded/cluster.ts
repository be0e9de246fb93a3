/**
 * The PostgreSQL cluster in the data folder: created completely or not at all, started detached, found again.
 * `attach.ts` decides when it starts and stops.
 *
 * `postgres/` below the data folder holds `cluster/` (PostgreSQL's own, with its socket), `password` and `log`.
 * If root runs this, the cluster belongs to another account, which may be unable to enter the folders above it. Since
 * PostgreSQL only uses paths relative to its working folder, it is started inside the cluster with `/proc/self/cwd` as
 * its path, and needs no access to anything above.
 */
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { programEnvironment } from '../../base/config.ts';
import { OperatorError } from '../../base/errors.ts';
import { isAlive } from '../../base/processes.ts';
import { errorCode } from '../driver/failures.ts';
import { type Account, findAccount } from './account.ts';
import { findBinaries } from './binaries.ts';
import { readDiskSpace } from './disk-space.ts';
import { type Address, findFreePort, findPostmaster, type Postmaster, socketPathFits } from './postmaster.ts';
import { buildServerSettings, type ServerSettings } from './settings.ts';

const ROLE = 'tmds';
const DATABASE = 'tmds';
const MAJOR_VERSION = '18';

export interface Cluster {
  /** `<data folder>/postgres` */
  readonly folder: string;
  /** Its `cluster` folder: PostgreSQL's data directory. */
  readonly data: string;
  readonly password: string;
}

const runFile = promisify(execFile);

/** The existing cluster below `dataDir`; null if there is none. Throws OperatorError if it cannot be used. */
export async function findCluster(dataDir: string): Promise<Cluster | null> {
  const folder = join(dataDir, 'postgres');
  const data = join(folder, 'cluster');
  try {
    const version = (await readFile(join(data, 'PG_VERSION'), 'utf8')).trim();
    if (version !== MAJOR_VERSION) {
      throw new OperatorError(
        `${data} was made by PostgreSQL ${version}, this version of tmds ships ${MAJOR_VERSION}; ` +
          'dump it with the tmds that made it, or choose another TMDS_DATA_DIR',
      );
    }
    return { folder, data, password: (await readFile(join(folder, 'password'), 'utf8')).trim() };
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EACCES' || code === 'EPERM') {
      throw new OperatorError(
        `${folder} belongs to another account; run tmds as its owner, or choose another TMDS_DATA_DIR`,
        {
          cause: error,
        },
      );
    }
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
    if (await exists(folder)) {
      throw new OperatorError(`${folder} is not a tmds database; move it away, or choose another TMDS_DATA_DIR`, {
        cause: error,
      });
    }
    return null;
  }
}

/**
 * Creates a cluster under a temporary name and renames it when it is complete, so that a killed attempt leaves nothing
 * that looks like a cluster, and one of two concurrent attempts wins. Throws OperatorError if that is not possible.
 */
export async function createCluster(dataDir: string): Promise<Cluster> {
  await mkdirOrExplain(dataDir);
  await removeAbandoned(dataDir);
  const unfinished = join(dataDir, `${UNFINISHED_PREFIX}${process.pid}-${randomBytes(4).toString('hex')}`);
  try {
    await mkdirOrExplain(unfinished);
    await initialize(unfinished);
    await rename(unfinished, join(dataDir, 'postgres')).catch((error: unknown) => {
      if (!['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(errorCode(error) ?? '')) throw error;
    });
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    const words = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`the embedded database could not be created below ${dataDir}: ${words}`, { cause: error });
  } finally {
    await rm(unfinished, { recursive: true, force: true, maxRetries: 3 });
  }
  const cluster = await findCluster(dataDir);
  if (cluster === null) throw new OperatorError(`the database below ${dataDir} vanished while it was being created`);
  return cluster;
}

const UNFINISHED_PREFIX = 'postgres.new-';

async function removeAbandoned(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(UNFINISHED_PREFIX)) continue;
    const pid = Number.parseInt(name.slice(UNFINISHED_PREFIX.length), 10);
    // A program that the killed attempt had started may still be writing. In that case the next start removes the
    // folder.
    if (!isAlive(pid)) await rm(join(dataDir, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

async function initialize(folder: string): Promise<void> {
  const data = join(folder, 'cluster');
  const account = await findAccount(data);
  const binaries = await findBinaries(account);
  await mkdir(data, { mode: 0o700 });
  if (account !== null) await chown(data, account.uid, account.gid);
  const password = randomBytes(24).toString('base64url');
  await writeFile(join(folder, 'password'), `${password}\n`, { mode: 0o600 });
  await runInitdb(binaries.initdb, data, account);
  await writeFile(join(data, 'pg_hba.conf'), HOST_RULES);
  const single = runFile(binaries.postgres, ['--single', ...pathArguments(data, account), 'postgres'], {
    ...placeAndIdentity(data, account),
  });
  single.child.stdin?.end(`alter role ${ROLE} password '${password}'\ncreate database ${DATABASE}\n`);
  await single;
}

/** Everyone needs the password. PostgreSQL listens on loopback at most. */
const HOST_RULES = `local all all scram-sha-256
host all all 127.0.0.1/32 scram-sha-256
host all all ::1/128 scram-sha-256
`;

async function runInitdb(initdb: string, data: string, account: Account | null): Promise<void> {
  const options = [
    '--username',
    ROLE,
    '--auth',
    'trust',
    '--encoding',
    'UTF8',
    '--data-checksums',
    '--no-instructions',
  ];
  // The same on every machine, whatever its locales.
  const locale = ['--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'];
  try {
    await runFile(initdb, [...pathArguments(data, account), ...options, ...locale], placeAndIdentity(data, account));
  } catch (error) {
    const said = (error as { stderr?: string }).stderr ?? String(error);
    const reason = said.match(/error: (.*)/)?.[1] ?? String(error);
    throw new OperatorError(`the embedded database could not be created: ${reason}`, { cause: error });
  }
}

function pathArguments(data: string, account: Account | null): string[] {
  return ['-D', account !== null && process.platform === 'linux' ? '/proc/self/cwd' : data];
}

function placeAndIdentity(
  data: string,
  account: Account | null,
): { cwd: string; env: Record<string, string> } & Partial<Account> {
  return { cwd: data, env: programEnvironment(), ...(account ?? {}) };
}

/**
 * Starts PostgreSQL so that it outlives this process. Resolves as soon as it runs, before it accepts connections. If it
 * exits, `exited` resolves to the last lines of its log.
 */
export async function startPostgres(
  cluster: Cluster,
  overrides: ServerSettings = {},
): Promise<{ exited: Promise<string> }> {
  const account = await findAccount(cluster.data);
  const binaries = await findBinaries(account);
  const onSocket = socketPathFits(cluster.data);
  const settings = {
    ...(await buildServerSettings((await readDiskSpace(cluster.data))?.freeBytes ?? Number.POSITIVE_INFINITY)),
    unix_socket_directories: onSocket ? '.' : '',
    listen_addresses: onSocket ? '' : '127.0.0.1',
    port: onSocket ? 5432 : await choosePort(cluster),
    ...overrides,
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = await openLog(cluster);
  try {
    const child = spawn(binaries.postgres, [...pathArguments(cluster.data, account), ...options], {
      ...placeAndIdentity(cluster.data, account),
      detached: true,
      stdio: ['ignore', log.file.fd, log.file.fd],
    });
    const exited = new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('exit', () => resolve(readLastWords(cluster, log.size)));
    });
    child.unref();
    return { exited };
  } finally {
    await log.file.close();
  }
}

/** The former port if it is free, so that processes that knew it find the database again. */
async function choosePort(cluster: Cluster): Promise<number> {
  const note = join(cluster.folder, 'port');
  const former = Number.parseInt(await readFile(note, 'utf8').catch(() => ''), 10);
  const port = await findFreePort(former > 0 && former < 65_536 ? former : 0).catch(() => findFreePort());
  await writeFile(note, `${port}\n`, { mode: 0o600 });
  return port;
}

const LOG_BYTES_MAX = 8 * 1024 * 1024;

async function openLog(cluster: Cluster): Promise<{ file: Awaited<ReturnType<typeof open>>; size: number }> {
  const path = join(cluster.folder, 'log');
  const written = await stat(path).catch(() => undefined);
  if (written !== undefined && written.size > LOG_BYTES_MAX) await rename(path, `${path}.1`);
  const file = await open(path, 'a', 0o600);
  return { file, size: (await file.stat()).size };
}

async function readLastWords(cluster: Cluster, from: number): Promise<string> {
  const written = await readFile(join(cluster.folder, 'log')).catch(() => Buffer.alloc(0));
  const text = written.subarray(from).toString('utf8');
  const lines = text.split('\n').filter((line) => line !== '');
  const fatal = lines.findLast((line) => /FATAL|PANIC/.test(line)) ?? lines.at(-1) ?? 'it said nothing';
  return fatal.replace(/^.*?(FATAL|PANIC):\s*/, '');
}

/** The address at which PostgreSQL answers, for the role that owns everything. */
export function buildClusterUrl(cluster: Cluster, { host, port }: Address): string {
  const folder = host === null ? `?host=${encodeURIComponent(cluster.data)}` : '';
  return `postgresql://${ROLE}:${cluster.password}@${host ?? 'localhost'}:${port}/${DATABASE}${folder}`;
}

/** The running PostgreSQL of this cluster; null when none runs. */
export async function findRunning(cluster: Cluster): Promise<Postmaster | null> {
  return await findPostmaster(cluster.data);
}

async function mkdirOrExplain(folder: string): Promise<void> {
  try {
    await mkdirWithParents(folder);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    throw new OperatorError(
      `cannot write to the data folder: ${words}; set TMDS_DATA_DIR to a folder that can be written`,
      { cause: error },
    );
  }
}

/** Node's own `recursive` never returns if an existing folder rejects new entries with ENOENT, as /proc does. */
async function mkdirWithParents(folder: string): Promise<void> {
  if (await exists(folder)) return void (await readdir(folder));
  if (!(await exists(dirname(folder)))) await mkdirWithParents(dirname(folder));
  await mkdir(folder, { mode: 0o700 }).catch(async (error: unknown) => {
    // Another process may have created it in the meantime.
    if (errorCode(error) !== 'EEXIST' || !(await exists(folder))) throw error;
  });
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}
