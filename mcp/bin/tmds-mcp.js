#!/usr/bin/env node
import { runStdio } from '../dist/stdio.js';

const status = runStdio(
  process.argv.slice(2),
  process.env,
  (text) => process.stdout.write(text),
  (text) => process.stderr.write(text),
);
if (status !== null) process.exitCode = status;
