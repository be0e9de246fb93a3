/** Ports for servers that come back at the same one: not of the range from which systems hand out ports themselves. */
import { findFreePort } from '../../src/database/embedded/postmaster.ts';

const FIRST = 20_000;
const COUNT = 10_000;

let next = process.pid * 16;

export async function takePort(): Promise<number> {
  for (let tries = 0; tries < COUNT; tries += 1) {
    next += 1;
    const port = await findFreePort(FIRST + (next % COUNT)).catch(() => null);
    if (port !== null) return port;
  }
  throw new Error(`no port from ${FIRST} to ${FIRST + COUNT - 1} is free`);
}
