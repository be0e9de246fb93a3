/** The command line as a process: its words, its output and its exit status. Each command is a file in `cli/`. */
import { readFileSync } from 'node:fs';
import { buildContext } from './cli/context.ts';
import { runCommand } from './cli/program.ts';

// When a reader such as `head` closes the pipe, the command ends without an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
const exitStatus = await runCommand(process.argv.slice(2), buildContext(manifest.version));
// A finished command ends even when something, such as a dead connection, is still open.
process.stdout.write('', () => process.exit(exitStatus));
