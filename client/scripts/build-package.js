/**
 * Builds what only the package needs (`prepack`): the compiled contract inside the client's `dist`, so that the package
 * can be installed alone, and a CommonJS build in `dist/cjs`.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const client = join(dirname(fileURLToPath(import.meta.url)), '..');
const root = join(client, '..');
const dist = join(client, 'dist');
// The repository's compiler; the client depends on the oldest one, which only tests its types.
const tsc = join(dirname(createRequire(join(root, 'package.json')).resolve('typescript/package.json')), 'bin/tsc');

function compile(...args) {
  execFileSync(process.execPath, [tsc, ...args], { cwd: root, stdio: 'inherit' });
}

/** Makes imports of the contract point to a folder, and declarations point to compiled files. */
function rewriteImports(folder, contract, extension) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(js|ts)$/.test(entry.name)) continue;
    const file = join(entry.parentPath, entry.name);
    const text = readFileSync(file, 'utf8');
    let local = text.replaceAll(/(['"])@tmds\/contract\/([\w/-]+)\1/g, (_whole, quote, name) => {
      const path = relative(entry.parentPath, join(contract, `${name}.${extension}`))
        .split(sep)
        .join('/');
      return `${quote}${path.startsWith('.') ? path : `./${path}`}${quote}`;
    });
    if (entry.name.endsWith('.d.ts'))
      local = local.replaceAll(/((?:from|import\()\s*['"]\.[^'"]*)\.ts(['"])/g, '$1.js$2');
    if (local !== text) writeFileSync(file, local);
  }
}

function buildModules() {
  // The compiler leaves what it made of sources that are gone.
  rmSync(dist, { recursive: true, force: true });
  compile('-b', 'client');
  const embedded = join(dist, 'contract');
  const isCode = (source) => !/\.map$|\.tsbuildinfo$/.test(source);
  cpSync(join(root, 'contract/dist'), embedded, { recursive: true, filter: isCode });
  rewriteImports(dist, embedded, 'js');
}

/** Compiles a copy of the sources in a folder whose package.json says CommonJS, because the nearest one decides. */
function buildCommonJs() {
  const copy = mkdtempSync(join(client, '.cjs-'));
  try {
    const source = join(copy, 'src');
    cpSync(join(client, 'src'), source, { recursive: true });
    cpSync(join(root, 'contract/src'), join(source, 'contract'), { recursive: true });
    rewriteImports(source, join(source, 'contract'), 'ts');
    writeFileSync(join(copy, 'package.json'), '{"type":"commonjs"}');
    const compilerOptions = {
      ...{ rootDir: 'src', outDir: join(dist, 'cjs'), composite: false, incremental: false, sourceMap: false },
      ...{ verbatimModuleSyntax: false, customConditions: [] },
    };
    const config = { extends: join(root, 'tsconfig.base.json'), compilerOptions, include: ['src'] };
    writeFileSync(join(copy, 'tsconfig.json'), JSON.stringify(config));
    compile('-p', copy);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
  mkdirSync(join(dist, 'cjs'), { recursive: true });
  writeFileSync(join(dist, 'cjs/package.json'), '{"type":"commonjs"}\n');
  rewriteImports(join(dist, 'cjs'), join(dist, 'cjs/contract'), 'js');
}

buildModules();
buildCommonJs();
