#!/usr/bin/env node
import { hidePasswords } from './hide-passwords.js';

hidePasswords(process);
const { runReplicaCommand } = await import('../dist/replica/cli.js');

const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => stop.abort(new Error(`stopped by ${name}`)));

const terminal = {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  live: process.stderr.isTTY === true,
};
process.exitCode = await runReplicaCommand(process.argv.slice(2), process.env, terminal, stop.signal);
