/** What a serving process takes: to build its index, to keep it, to start with a snapshot, and to answer calls. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../../server/src/database/driver/db.ts';
import { sql } from '../../server/src/database/driver/sql.ts';
import { listStatuses, type ServerIndexStatus } from '../../server/src/follow/status.ts';
import { measureRate } from '../access/callers.ts';
import { CALLERS, measureCallers } from '../search/callers.ts';
import type { Pool } from '../search/pool.ts';
import { startServer } from '../server-process.ts';
import { findPostmaster, type Memory, readMemory, readProcessorSeconds } from './processor.ts';

/** A serving process is at rest when it has used less than this share of a processor for this long. */
const REST_SHARE = 0.1;
const REST_SECONDS = 5;
const REST_SECONDS_MAX = 1_200;
/** Records that are looked up in turn, from pages of the table here and there. */
const LOOKED_UP = 20_000;

export interface Serving {
  readonly child: ChildProcess;
  readonly port: number;
  readonly index: string;
}

export interface Started extends Memory {
  /** From its start until searches are answered. */
  readonly seconds: number;
  readonly processorSeconds: number;
  readonly databaseProcessorSeconds: number;
}

/** `url` of the database in `folder`; `index`: the folder of the index's snapshots. */
export async function startServing(
  { url, folder, index }: { readonly url: string; readonly folder: string; readonly index: string },
  searchers: number | null = null,
): Promise<{ serving: Serving; started: Started }> {
  const postmaster = findPostmaster(folder);
  const [begun, databaseBefore] = [performance.now(), readProcessorSeconds(postmaster)];
  const { child, port } = await startServer(url, 'metered', index, null, searchers);
  const started = {
    seconds: (performance.now() - begun) / 1000,
    processorSeconds: readProcessorSeconds(child.pid!),
    databaseProcessorSeconds: readProcessorSeconds(postmaster) - databaseBefore,
    ...readMemory(child.pid!),
  };
  return { serving: { child, port, index }, started };
}

export async function stopServing({ child }: Serving): Promise<void> {
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}

/** Resolves when merges and snapshots have ended. */
export async function waitForRest({ child }: Serving): Promise<void> {
  let used = readProcessorSeconds(child.pid!);
  for (let seconds = 0; seconds < REST_SECONDS_MAX; seconds += REST_SECONDS) {
    await new Promise((done) => setTimeout(done, REST_SECONDS * 1000));
    const now = readProcessorSeconds(child.pid!);
    if (now - used < REST_SHARE * REST_SECONDS) return;
    used = now;
  }
  throw new Error('the serving process did not come to rest');
}

export async function readStatus({ index, child }: Serving): Promise<ServerIndexStatus> {
  const status = (await listStatuses(index)).find(({ pid }) => pid === child.pid);
  if (status === undefined) throw new Error(`no status of the index in ${index}`);
  return status;
}

/** Bytes of the files of a folder. */
export async function measureFolder(folder: string): Promise<number> {
  const sizes = await Promise.all(
    (await readdir(folder, { recursive: true })).map(async (name) => {
      const found = await stat(join(folder, name)).catch(() => null);
      return found?.isFile() ? found.size : 0;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** What calls took, by the processor and by the clock. */
export interface CallCost {
  readonly callsPerSecond: number;
  readonly processMillis: number;
  readonly databaseMillis: number;
}

export async function measureSearches(
  { child, port }: Serving,
  folder: string,
  { pool, key, seconds }: { readonly pool: Pool; readonly key: string; readonly seconds: number },
): Promise<CallCost> {
  const headers = { 'x-api-key': key };
  // A new process runs code that is not optimized yet.
  await measureCallers({ port, headers }, pool, seconds / 2);
  return await costOf(child.pid!, folder, seconds, () => measureCallers({ port, headers }, pool, seconds));
}

export async function measureLookUps(
  { child, port }: Serving,
  folder: string,
  { db, key, seconds, records: stored }: { db: Database; key: string; seconds: number; records: number },
): Promise<CallCost> {
  const share = Math.min(100, (200 * LOOKED_UP) / stored);
  const records = await db.query<{ jurisdiction_code: string; uid: string }>(
    sql`select jurisdiction_code, uid from record tablesample system (${share}) limit ${LOOKED_UP}`,
  );
  const targets = records.map((each) => `/v1/${each.jurisdiction_code}/trademarks/${encodeURIComponent(each.uid)}`);
  return await costOf(child.pid!, folder, seconds, async () => {
    const rate = await measureRate(port, `x-api-key: ${key}\r\n`, targets, { connections: CALLERS, seconds });
    return rate.callsPerSecond;
  });
}

/** `measure` calls for some seconds, and returns how many answers there were a second. */
async function costOf(pid: number, folder: string, seconds: number, measure: () => Promise<number>): Promise<CallCost> {
  const postmaster = findPostmaster(folder);
  const [process, database] = [readProcessorSeconds(pid), readProcessorSeconds(postmaster)];
  const callsPerSecond = await measure();
  const calls = callsPerSecond * seconds;
  return {
    callsPerSecond,
    processMillis: ((readProcessorSeconds(pid) - process) * 1000) / calls,
    databaseMillis: ((readProcessorSeconds(postmaster) - database) * 1000) / calls,
  };
}
