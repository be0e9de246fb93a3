#!/usr/bin/env node
import { existsSync } from 'node:fs';

const built = new URL('../dist/cli.js', import.meta.url);
if (existsSync(built)) await import(built.href);
else {
  process.stderr.write('tmds: the program is not built yet; run: npm run build\n');
  process.exitCode = 1;
}
