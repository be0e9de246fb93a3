/** The packages as they would be published: packed by npm, unpacked into a folder that knows nothing of the project. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);

export interface PackageManifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/**
 * Installs packages of the project below `folder`: their own files come from what `npm pack` makes of the built ones, and
 * each package that a manifest declares is a link to the one installed here. Nothing else can be imported.
 */
export async function installPacked(folder: string, workspaces: readonly string[]): Promise<PackageManifest[]> {
  const manifests: PackageManifest[] = [];
  await writeFile(join(folder, 'package.json'), '{"name":"operator","version":"1.0.0","private":true}\n');
  for (const workspace of workspaces) {
    const unpacked = await unpack(folder, workspace);
    const manifest = JSON.parse(await readFile(join(unpacked, 'package.json'), 'utf8')) as PackageManifest;
    await mkdir(join(folder, 'node_modules', dirname(manifest.name)), { recursive: true });
    await cp(unpacked, join(folder, 'node_modules', manifest.name), { recursive: true });
    manifests.push(manifest);
  }
  const own = new Set(manifests.map(({ name }) => name));
  for (const [index, { dependencies = {}, bin = {}, name }] of manifests.entries()) {
    const declared = Object.keys(dependencies).filter((dependency) => !own.has(dependency));
    for (const dependency of declared) await linkDependency(folder, workspaces[index] ?? '', dependency);
    for (const [command, file] of Object.entries(bin)) {
      await mkdir(join(folder, 'node_modules/.bin'), { recursive: true });
      await symlink(join('..', name, file), join(folder, 'node_modules/.bin', command));
    }
  }
  return manifests;
}

/**
 * Its scripts do nothing but the shrinkwrap and the pages: the test run has built everything, and others use it at the
 * same time.
 */
async function unpack(folder: string, workspace: string): Promise<string> {
  const packed = await mkdtemp(join(tmpdir(), 'tmds-pack-'));
  const isPinned = workspace === 'server' || workspace === 'mcp';
  try {
    if (isPinned) await run('npm', ['run', 'shrinkwrap', '--', workspace], { cwd: ROOT });
    if (workspace === 'server') await run('npm', ['run', 'pages'], { cwd: ROOT });
    const options = ['pack', '--silent', '--ignore-scripts', '--pack-destination', packed];
    await run('npm', options, { cwd: join(ROOT, workspace) });
    const [tarball = ''] = await readdir(packed);
    await run('tar', ['-xzf', join(packed, tarball), '-C', packed]);
    const unpacked = join(folder, 'unpacked', workspace);
    await cp(join(packed, 'package'), unpacked, { recursive: true });
    return unpacked;
  } finally {
    for (const made of isPinned ? ['npm-shrinkwrap.json', 'pages'] : []) {
      await rm(join(ROOT, workspace, made), { recursive: true, force: true });
    }
    await rm(packed, { recursive: true, force: true });
  }
}

async function linkDependency(folder: string, workspace: string, name: string): Promise<void> {
  const paths = createRequire(join(ROOT, workspace, 'package.json')).resolve.paths(name) ?? [];
  const link = join(folder, 'node_modules', name);
  await mkdir(dirname(link), { recursive: true });
  for (const path of paths) {
    const found = await readFile(join(path, name, 'package.json')).catch(() => null);
    if (found !== null) return await symlink(join(path, name), link);
  }
  throw new Error(`${name} is not installed`);
}
