/** Processes of the service that end by kill -9. In every fault, publishers and replicas die all the time too. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../../src/base/clock.ts';
import { sql } from '../../../src/database/driver/sql.ts';
import { generateLines } from '../../../src/generator/generate.ts';
import { countDeaths } from '../../torture/kept.ts';
import type { Fault } from './fault.ts';

const LOAD_STEPS = [
  'opened',
  'staged',
  'settled',
  'stamped',
  'written',
  'counted',
  'committed',
  'published',
  'finished',
];
const LOAD_RECORDS = 1_500;
const LOADER = fileURLToPath(new URL('../../support/load-process.ts', import.meta.url));
const SERVER_KILLS = 4;
const BETWEEN_MS = 2_000;
const CROWD_KILLS = 6;

function startLoad(words: readonly string[]): ChildProcess {
  const options = ['--conditions=tmds-source', '--import', 'tsx', LOADER];
  return spawn(process.execPath, [...options, ...words], { stdio: ['ignore', 'ignore', 'ignore'] });
}

export const PROCESS_FAULTS: readonly Fault[] = [
  {
    name: 'server-killed',
    title: `kill -9 of each server in turn, ${SERVER_KILLS} times`,
    strike: async ({ servers }) => {
      for (let killed = 0; killed < SERVER_KILLS; killed += 1) {
        const server = servers[killed % servers.length]!;
        server.signal('SIGKILL');
        await systemClock.sleep(BETWEEN_MS);
        await server.untilReady();
      }
    },
  },
  {
    name: 'load-killed',
    title: `kill -9 of a load at each of its ${LOAD_STEPS.length} steps, then the load once more`,
    strike: async ({ folder, postgres, db }, { lose }) => {
      const path = join(folder, 'records.ndjson');
      await writeFile(path, [...generateLines({ records: LOAD_RECORDS, seed: 'faults', payload: 'none' })].join(''));
      for (const step of LOAD_STEPS) {
        const [, signal] = await once(startLoad([postgres.url, path, step, '1']), 'exit');
        // What earlier attempts published leaves nothing to write, and so fewer steps.
        if (signal !== 'SIGKILL' && ['opened', 'staged', 'finished'].includes(step)) lose(`${step} was not reached`);
      }
      const [code] = await once(startLoad([postgres.url, path, 'none']), 'exit');
      if (code !== 0) lose(`the last load ended with ${code}`);
      const [row] = await db.query<{ records: number; open: number }>(sql`
        select (select count(*)::int4 from record where jurisdiction_code not in ('XA', 'XB', 'XC', 'XD', 'XS')) as records,
          (select count(*)::int4 from load where state = 'running' and format = 'ndjson' and source = 'records.ndjson') as open`);
      if (row!.records !== LOAD_RECORDS) lose(`${row!.records} of ${LOAD_RECORDS} records loaded`);
      if (row!.open !== 0) lose(`${row!.open} loads left open`);
    },
  },
  {
    name: 'crowd-killed',
    title: `kill -9 of publishers and replicas, also by themselves at each step of a publish and around saving a page`,
    strike: async ({ writers, pollers }, { note }) => {
      for (let killed = 0; killed < CROWD_KILLS; killed += 1) {
        for (const crowd of [writers, pollers]) crowd[killed % crowd.length]!.kill();
        await systemClock.sleep(BETWEEN_MS);
      }
      note(`${countDeaths(writers)} publishers and ${countDeaths(pollers)} replicas died`);
    },
  },
];
