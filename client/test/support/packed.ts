/** The client as a customer gets it: the file that packing makes, installed without a network. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const CLIENT = join(dirname(fileURLToPath(import.meta.url)), '../..');
const ROOT = join(CLIENT, '..');
const run = promisify(execFile);
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

/** Packing builds again; what is built here is in use by other tests. */
async function copyProject(): Promise<string> {
  await mkdir(join(ROOT, '.cache'), { recursive: true });
  const copy = await mkdtemp(join(ROOT, '.cache/test-packed-'));
  for (const name of ['package.json', 'tsconfig.base.json']) await cp(join(ROOT, name), join(copy, name));
  const filter = (path: string): boolean => !['dist', 'node_modules', 'test'].includes(basename(path));
  for (const name of ['client', 'contract']) await cp(join(ROOT, name), join(copy, name), { recursive: true, filter });
  await mkdir(join(copy, 'node_modules/@tmds'), { recursive: true });
  await symlink(join(copy, 'contract'), join(copy, 'node_modules/@tmds/contract'));
  await symlink(join(CLIENT, 'node_modules'), join(copy, 'client/node_modules'));
  return copy;
}

/** Packs the client into an empty folder, and returns the name of the file. */
export async function packClient(folder: string): Promise<string> {
  const copy = await copyProject();
  await run(npm, ['pack', '--silent', '--pack-destination', folder], { cwd: join(copy, 'client') });
  await rm(copy, { recursive: true });
  const [tarball = ''] = await readdir(folder);
  return tarball;
}

export async function installClient(folder: string, tarball: string): Promise<void> {
  await writeFile(join(folder, 'package.json'), '{"name":"consumer","version":"1.0.0","private":true}');
  const offline = ['install', '--offline', '--no-audit', '--no-fund', '--silent', `./${tarball}`];
  await run(npm, offline, { cwd: folder });
}
