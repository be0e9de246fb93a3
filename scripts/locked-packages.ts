/** The packages of the lock file: with their licences, as the documentation lists them, and those that one workspace needs. */

export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  /** As the package states it, in SPDX. */
  readonly licence: string;
  /** Used for building and testing only, so not part of what operators and customers install. */
  readonly isDev: boolean;
  readonly runsAtInstall: boolean;
}

type Ranges = Readonly<Record<string, string>>;

interface LockEntry {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Ranges;
  readonly optionalDependencies?: Ranges;
  readonly devDependencies?: Ranges;
  readonly peerDependencies?: Ranges;
}

/** Permissive for what is installed. */
const ALLOWED = [
  'MIT',
  'MIT-0',
  'Apache-2.0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Python-2.0',
  'Unlicense',
];
/** Also for tools that are not passed on. */
const ALLOWED_FOR_TOOLS = [...ALLOWED, 'MPL-2.0', 'PSF-2.0'];

/**
 * Stated where the lock file does not look: in the former field `licenses` of their manifests, the last two in their
 * readme files. Read on 2026-11-24.
 */
const STATED_ELSEWHERE: Readonly<Record<string, string>> = {
  buildcheck: 'MIT',
  busboy: 'MIT',
  'cpu-features': 'MIT',
  dicer: 'MIT',
  ssh2: 'MIT',
  streamsearch: 'MIT',
  'humanize-number': 'MIT',
  only: 'MIT',
};

/** Each name and version once, by name; the workspaces of this repository are left out. */
export function readLockedPackages(lock: string): LockedPackage[] {
  const { packages } = JSON.parse(lock) as { packages: Readonly<Record<string, LockEntry>> };
  const found = new Map<string, LockedPackage>();
  for (const [path, entry] of Object.entries(packages)) {
    const name = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path)?.[1];
    if (name === undefined || entry.link === true) continue;
    const { version = '', license: licence = STATED_ELSEWHERE[name] ?? 'unknown' } = entry;
    const key = `${name}@${version}`;
    const isDev = (entry.dev === true || entry.devOptional === true) && (found.get(key)?.isDev ?? true);
    found.set(key, { name, version, licence, isDev, runsAtInstall: entry.hasInstallScript === true });
  }
  return [...found.values()].sort((one, other) => compare(one.name, other.name) || compare(one.version, other.version));
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Packages none of whose licences is allowed. */
export function listRefused(packages: readonly LockedPackage[]): LockedPackage[] {
  return packages.filter(({ licence, isDev }) => {
    const allowed = isDev ? ALLOWED_FOR_TOOLS : ALLOWED;
    const choices = licence.replaceAll(/[()]/g, '').split(' OR ');
    return !choices.some((choice) => choice.split(' AND ').every((each) => allowed.includes(each.trim())));
  });
}

export function renderLicences(packages: readonly LockedPackage[]): string {
  const installed = packages.filter(({ isDev }) => !isDev);
  const tools = packages.filter(({ isDev }) => isDev);
  const counts = new Map<string, number>();
  for (const { licence } of tools) counts.set(licence, (counts.get(licence) ?? 0) + 1);
  const runs = packages.filter(({ runsAtInstall }) => runsAtInstall);
  return [
    '# Licences',
    '',
    'Made by `npm run licences` from `package-lock.json`; a test compares them. `npm run -s sbom` prints the same packages as',
    'CycloneDX.',
    '',
    '## What is installed with the service and the client',
    '',
    '| package | version | licence |',
    '|---|---|---|',
    ...installed.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`),
    '',
    '## Tools for building and testing',
    '',
    '| licence | packages |',
    '|---|---:|',
    ...[...counts].sort(([one], [other]) => compare(one, other)).map(([licence, count]) => `| ${licence} | ${count} |`),
    '',
    '## What may run at install',
    '',
    'Packages with an install script. `allowScripts` in `package.json` says of each whether npm may run it.',
    '',
    '| package | version | used for |',
    '|---|---|---|',
    ...runs.map(
      ({ name, version, isDev }) => `| ${name} | ${version} | ${isDev ? 'building and testing' : 'running'} |`,
    ),
    '',
  ].join('\n');
}

/**
 * The lock file of one workspace as a package: what it needs to run, at the versions and under the digests of the lock
 * file. Other workspaces, which are installed next to it, are left out, and so are marks of an install script, so that npm
 * neither runs one nor asks about it: none is needed to run.
 */
export function buildShrinkwrap(lock: string, workspace: string): string {
  const { lockfileVersion, packages } = JSON.parse(lock) as {
    lockfileVersion: number;
    packages: Readonly<Record<string, LockEntry>>;
  };
  const { devDependencies: _tools, ...root } = packages[workspace] ?? {};
  const found = new Map<string, LockEntry>([['', root]]);
  const waiting = [workspace];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const { dependencies, optionalDependencies, peerDependencies } = packages[path] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const target = locate(packages, path, name);
      if (target === null || packages[target]?.link === true) continue;
      const place = target.startsWith(`${workspace}/`) ? target.slice(workspace.length + 1) : target;
      const { hasInstallScript: _script, dev: _dev, devOptional: _devOptional, ...entry } = packages[target] ?? {};
      const known = found.get(place);
      if (known === undefined) waiting.push(target);
      else if (known.version !== entry.version) throw new Error(`two versions of ${name} would be at ${place}`);
      found.set(place, entry);
    }
  }
  const sorted = Object.fromEntries([...found].sort(([one], [other]) => compare(one, other)));
  const { name, version } = root;
  return `${JSON.stringify({ name, version, lockfileVersion, requires: true, packages: sorted }, null, 2)}\n`;
}

/** Where Node.js finds a package from another one; null if it is not installed, as an optional one may be. */
function locate(packages: Readonly<Record<string, LockEntry>>, from: string, name: string): string | null {
  for (let folder = from; ; folder = folder.replace(/(?:^|\/)(?:node_modules\/(?:@[^/]+\/)?)?[^/]+$/, '')) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (path in packages) return path;
    if (folder === '') return null;
  }
}
