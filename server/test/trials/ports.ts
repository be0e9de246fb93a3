/**
 * Ports that are chosen before something listens there, or where nothing does: not of the range from which systems hand
 * out ports themselves, so nobody takes one in the meantime.
 */
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
