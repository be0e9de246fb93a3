/**
 * Puts the compiled contract inside the client's own `dist`, so that the packed client installs alone. Runs at pack
 * time only (`prepack`); sources and tests import `@tmds/contract` as every other workspace does.
 */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const client = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(client, 'dist');
const embedded = join(dist, 'contract');

rmSync(embedded, { recursive: true, force: true });
cpSync(join(client, '..', 'contract', 'dist'), embedded, {
  recursive: true,
  filter: (source) => !/\.map$|\.tsbuildinfo$/.test(source),
});

for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !/\.(js|d\.ts)$/.test(entry.name)) continue;
  const file = join(entry.parentPath, entry.name);
  const text = readFileSync(file, 'utf8');
  const local = text.replaceAll(/(['"])@tmds\/contract\/(\w+)\1/g, (_whole, quote, name) => {
    const path = relative(entry.parentPath, join(embedded, `${name}.js`));
    return `${quote}${path.startsWith('.') ? path : `./${path}`}${quote}`;
  });
  if (local !== text) writeFileSync(file, local);
}
