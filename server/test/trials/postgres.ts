/** A PostgreSQL of a trial's own, which the trial stops, kills, pauses and starts again as it likes. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { buildClusterUrl, createCluster, findRunning, startPostgres } from '../../src/database/embedded/cluster.ts';
import { migrate } from '../../src/database/schema/migrate.ts';
import { connectTortured } from '../torture/world.ts';

interface Context {
  after(work: () => Promise<void>): void;
}

export interface TrialPostgres {
  readonly url: string;
  /** Its connections come back on their own after a stop. */
  readonly db: Database;
  /** The folder above its data. */
  readonly dataDir: string;
  /** Resolves when it answers. */
  start(): Promise<void>;
  /** `fast` ends connections and writes everything out; `kill` is kill -9 of every process. */
  stop(method: 'fast' | 'kill'): Promise<void>;
  /** Stops every process of it with SIGSTOP. */
  pause(): Promise<void>;
  resume(): Promise<void>;
}

/**
 * A crash of a process loses nothing without `fsync`; a crash of the machine is no part of a trial. Files of the log
 * are created again, so that a full disk is met at once.
 */
const SETTINGS = { fsync: 'off', shared_buffers: '128MB', max_connections: 100, wal_recycle: 'off' };
const CONNECTIONS_MAX = 4;
const POLL_MS = 50;

/** Migrated. `within` is the folder to put it in, such as one on a small disk. */
export async function startTrialPostgres(t: Context, { within = tmpdir() } = {}): Promise<TrialPostgres> {
  const dataDir = await mkdtemp(join(within, 'tmds-trial-'));
  t.after(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }));
  const cluster = await createCluster(dataDir);
  await startPostgres(cluster, SETTINGS);
  const url = buildClusterUrl(cluster, await poll(async () => (await findRunning(cluster))?.address ?? null));
  const listPids = async (): Promise<number[]> => {
    const postmaster = await findRunning(cluster);
    if (postmaster === null) return [];
    const children = await readFile(`/proc/${postmaster.pid}/task/${postmaster.pid}/children`, 'utf8').catch(() => '');
    return [postmaster.pid, ...children.trim().split(' ').filter(Boolean).map(Number)];
  };
  const stop: TrialPostgres['stop'] = async (method) => {
    const pids = await listPids();
    if (method === 'fast') for (const pid of pids.slice(0, 1)) signal(pid, 'SIGINT');
    else for (const pid of pids) signal(pid, 'SIGKILL');
    await poll(async () => ((await findRunning(cluster)) === null ? true : null));
  };
  t.after(() => stop('kill'));
  const db = await connectTortured(url, CONNECTIONS_MAX);
  t.after(() => db.close());
  const answers = async (): Promise<true | null> => {
    return await db.query(sql`select 1 as one`).then(
      () => true as const,
      () => null,
    );
  };
  await poll(answers);
  await migrate(db);
  return {
    url,
    db,
    dataDir,
    stop,
    start: async () => {
      if ((await findRunning(cluster)) === null) await startPostgres(cluster, SETTINGS);
      await poll(answers);
    },
    pause: async () => {
      for (const pid of await listPids()) signal(pid, 'SIGSTOP');
    },
    resume: async () => {
      for (const pid of await listPids()) signal(pid, 'SIGCONT');
    },
  };
}

/** A process that has ended in the meantime is no failure. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {}
}

const POLLS_MAX = 1200;

/** Asks until the answer is not null; gives up after a minute. */
async function poll<T>(ask: () => Promise<T | null>): Promise<T> {
  for (let polls = 0; polls < POLLS_MAX; polls += 1) {
    const answer = await ask();
    if (answer !== null) return answer;
    await systemClock.sleep(POLL_MS);
  }
  throw new Error('the PostgreSQL of the trial did not get there within a minute');
}
