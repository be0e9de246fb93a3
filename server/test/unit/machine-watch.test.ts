/**
 * A clock that is set, one that differs from the database's, and memory that runs out are named while a server
 * runs.
 */
import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { buildLog } from '../../src/base/log.ts';
import type { Queryable } from '../../src/database/driver/db.ts';
import { buildMachineLook, type MemoryUse } from '../../src/upkeep/health/machine-watch.ts';

const MEGABYTE = 1024 ** 2;
const ROOMY: MemoryUse = {
  heapBytes: 100 * MEGABYTE,
  heapBytesMax: 1000 * MEGABYTE,
  residentBytes: 300 * MEGABYTE,
  residentBytesMax: 1000 * MEGABYTE,
};

/** A machine and a database whose clocks and memory the test owns. */
function buildMachine() {
  const state = { nowMs: 1_800_000_000_000, monotonicMs: 5_000, databaseAheadMs: 0, memory: ROOMY };
  const clock: Clock = { ...systemClock, nowMs: () => state.nowMs, monotonicMs: () => state.monotonicMs };
  const query = async () => [{ now_ms: state.nowMs + state.databaseAheadMs }];
  const lines: string[] = [];
  const destination = new Writable({
    write: (line: Buffer, _encoding, done) => {
      const { alarm, msg } = JSON.parse(line.toString()) as { alarm: string; msg: string };
      lines.push(`${alarm}: ${msg}`);
      done();
    },
  });
  const look = buildMachineLook({
    database: { query } as unknown as Queryable,
    clock,
    log: buildLog({ level: 'info', destination }),
    readMemory: () => state.memory,
  });
  return {
    state,
    pass: (ms: number): void => {
      state.nowMs += ms;
      state.monotonicMs += ms;
    },
    /** Five seconds later: what is logged then. */
    look: async (): Promise<string[]> => {
      state.nowMs += 5_000;
      state.monotonicMs += 5_000;
      await look();
      return lines.splice(0);
    },
  };
}

test('a clock that is set, forward or back, is named once; one that runs is not', async () => {
  const { state, look, pass } = buildMachine();
  assert.deepEqual([await look(), await look()], [[], []]);
  state.nowMs += 3_600_000;
  assert.deepEqual(await look(), ['clock_set: the clock of this machine was set 3600 s forward, or the machine slept']);
  assert.deepEqual(await look(), []);
  pass(60_000);
  assert.deepEqual(await look(), ['clock_set: the machine is in order again']);
  state.nowMs -= 60_000;
  assert.deepEqual(await look(), ['clock_set: the clock of this machine was set 60 s back']);
  await look();
  state.nowMs += 500;
  assert.deepEqual(await look(), []);
});

test('clocks that differ are named as long as they do', async () => {
  const { state, look } = buildMachine();
  state.databaseAheadMs = -4_000;
  assert.deepEqual(await look(), ['clock_differs: the database is 4000 ms behind this machine']);
  assert.deepEqual(await look(), []);
  state.databaseAheadMs = 10;
  assert.deepEqual(await look(), ['clock_differs: the machine is in order again']);
});

test('memory is named before it ends: of the heap, and of the container', async () => {
  const { state, look } = buildMachine();
  state.memory = { ...ROOMY, heapBytes: 910 * MEGABYTE };
  assert.deepEqual(await look(), ['memory_short: the process holds 910 MB of the 1,000 MB that Node.js lets it hold']);
  state.memory = { ...ROOMY, residentBytes: 950 * MEGABYTE, residentBytesMax: null };
  assert.deepEqual(await look(), ['memory_short: the machine is in order again']);
  state.memory = { ...ROOMY, residentBytes: 950 * MEGABYTE };
  assert.deepEqual(await look(), [
    'memory_short: the process holds 950 MB of the 1,000 MB that its container lets it hold',
  ]);
});
