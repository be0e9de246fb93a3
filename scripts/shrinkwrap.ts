/**
 * `npm run shrinkwrap`: writes server/npm-shrinkwrap.json, which the packed server brings along so that an installation
 * of it has the very packages of the lock file. Packing runs it, and takes the file away afterwards.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { buildCommand } from './command.ts';
import { buildShrinkwrap } from './locked-packages.ts';

buildCommand('npm run shrinkwrap --', 'Writes server/npm-shrinkwrap.json from package-lock.json.').parse();
const lock = readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8');
writeFileSync(new URL('../server/npm-shrinkwrap.json', import.meta.url), buildShrinkwrap(lock, 'server'));
