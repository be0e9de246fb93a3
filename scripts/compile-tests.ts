/**
 * Compiles test files, so that a whole run spends no time on TypeScript: tests and their support become one file per
 * process, and they import the built program instead of its sources. A test keeps the address of its source, from which
 * it finds fixtures and programs, and stack traces name the sources.
 */
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

/** Writes each entry, a module that imports test files, to `folder` as one module, and returns those modules. */
export async function compileTests(entries: readonly string[], folder: string): Promise<string[]> {
  await build({
    entryPoints: [...entries],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // Only those that Node.js knows: esbuild adds one more unless it gets a list.
    conditions: [],
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
    plugins: [useBuiltProgram, keepAddresses],
  });
  return entries.map((entry) => join(folder, basename(entry)));
}

const RESOLVED = Symbol('resolved');
const PROGRAM_SOURCE = /^(.*\/(?:contract|server|client|mcp)\/)src\/(.*)\.ts$/;

/** Packages are found from where they are imported; what is not a test, its support or a script is not compiled again. */
const useBuiltProgram: Plugin = {
  name: 'use the built program',
  setup: ({ onResolve, resolve }) => {
    onResolve({ filter: /^/ }, async ({ path, kind, pluginData, ...place }) => {
      if (kind === 'entry-point' || pluginData === RESOLVED) return undefined;
      if (path.startsWith('file:')) return { path: fileURLToPath(path) };
      const found = await resolve(path, { kind, ...place, pluginData: RESOLVED });
      if (found.errors.length > 0 || found.external) return found;
      const source = PROGRAM_SOURCE.exec(found.path.replaceAll('\\', '/'));
      if (source !== null) return { path: addressOf(`${source[1]}dist/${source[2]}.js`), external: true };
      return found.path.endsWith('.ts') ? found : { path: addressOf(found.path), external: true };
    });
  },
};

const keepAddresses: Plugin = {
  name: 'keep addresses',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const contents = text
        .replaceAll('import.meta.url', JSON.stringify(addressOf(path)))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)));
      return { contents, loader: 'ts' };
    });
  },
};

function addressOf(path: string): string {
  return pathToFileURL(path).href;
}
