/**
 * `npm run shrinkwrap`: writes npm-shrinkwrap.json of the server, or of the workspace that is named. The packed server
 * and the packed tools bring it along, so that an installation has the very packages of the lock file. Packing runs it,
 * and takes the file away afterwards.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { buildCommand } from './command.ts';
import { buildShrinkwrap } from './locked-packages.ts';

const command = buildCommand(
  'npm run shrinkwrap --',
  'Writes npm-shrinkwrap.json of a workspace from package-lock.json.',
)
  .argument('[workspace]', 'server or mcp', 'server')
  .parse();
const [workspace = 'server'] = command.processedArgs as [string];
const lock = readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8');
writeFileSync(new URL(`../${workspace}/npm-shrinkwrap.json`, import.meta.url), buildShrinkwrap(lock, workspace));
