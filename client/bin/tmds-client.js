#!/usr/bin/env node
import { once } from 'node:events';
import { runShell } from '../dist/shell/cli.js';

const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => stop.abort(new Error(`stopped by ${name}`)));
// The reader of a pipe, such as `head`, may have had enough.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE')
    process.stderr.write(`tmds-client: standard output cannot be written: ${error.message}\n`);
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

const terminal = {
  out: (text) => process.stdout.write(text),
  write: async (text) => {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain');
  },
  err: (text) => process.stderr.write(text),
  live: process.stderr.isTTY === true,
  isRead: process.stdout.isTTY === true,
  columns: process.stdout.columns || 120,
};
process.exitCode = await runShell(process.argv.slice(2), process.env, terminal, stop.signal);
