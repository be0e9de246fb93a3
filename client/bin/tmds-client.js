#!/usr/bin/env node
import { runClientCommand } from '../dist/docket/cli.js';

const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => stop.abort(new Error(`stopped by ${name}`)));

const terminal = {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  live: process.stderr.isTTY === true,
};
process.exitCode = await runClientCommand(process.argv.slice(2), process.env, terminal, stop.signal);
