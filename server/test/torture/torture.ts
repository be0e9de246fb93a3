/**
 * One torture run of the change feed: writers, pollers, a server and a database, each in its own process, all of which
 * die and come back, under a clock that steps. Ends when enough changes are made and every poller is caught up.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { issueKey } from '../../src/access/keys.ts';
import { systemClock } from '../../src/base/clock.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { attachDatabase } from '../../src/database/embedded/attach.ts';
import { findFreePort } from '../../src/database/embedded/postmaster.ts';
import { migrate } from '../../src/database/schema/migrate.ts';
import { repairClock } from '../../src/store/publish/clock-repair.ts';
import { findFolder } from '../support/cluster.ts';
import { judgeRun, type Verdict } from './judge.ts';
import { countDeaths, drain, type Kept, keepAlive, untilAnswered } from './kept.ts';
import { buildRandom, type Random } from './random.ts';
import { installSkewedClock, stepClock } from './skew.ts';
import { putWatches } from './told-hits.ts';
import { connectTortured, countChanges, installOracle, silentLog, writeControl } from './world.ts';

export interface TortureOptions {
  seed: number;
  writers: number;
  pollers: number;
  /** Ends the writing, whichever comes first. */
  changesMax: number;
  secondsMax: number;
  /** Distinct records. */
  records: number;
  batchMax: number;
  horizonSeconds: number;
  /** Seconds between two blows: a killed server, a killed database process, a step of the clock. */
  blowSeconds: number;
  onProgress?: (changes: number, seconds: number) => void;
}

export interface TortureReport extends Verdict {
  seconds: number;
  /** Processes that died and were started again. */
  writerCrashes: number;
  pollerCrashes: number;
  serverCrashes: number;
  databaseCrashes: number;
  clockSteps: number;
  clockRepairs: number;
}

/** A crash of a process loses nothing here; a crash of the machine is not part of the run. */
const SERVER_SETTINGS = { fsync: 'off', shared_buffers: '256MB', max_connections: 200 };
const CLOCK_STEP_SECONDS = 3;
/** By how much the clock is fast at times: far more than a run takes to catch up with. */
const CLOCK_FAST_SECONDS = 86_400;

export async function runTorture(options: TortureOptions): Promise<TortureReport> {
  const folder = mkdtempSync(join(findFolder(), 'tmds-torture-'));
  const attached = await attachDatabase({
    dataDir: folder,
    databaseUrl: null,
    applicationName: 'tmds torture',
    clock: systemClock,
    log: silentLog,
    serverSettings: SERVER_SETTINGS,
  });
  try {
    await prepare(attached.url);
    return await tortureWorld(options, folder, attached.url);
  } finally {
    await attached.release();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function prepare(url: string): Promise<void> {
  const db = await connectTortured(url, 1);
  await migrate(db);
  await installOracle(db);
  await installSkewedClock(db);
  await db.close();
}

async function tortureWorld(options: TortureOptions, folder: string, url: string): Promise<TortureReport> {
  const startedMs = systemClock.monotonicMs();
  const seconds = (): number => (systemClock.monotonicMs() - startedMs) / 1000;
  const db = await connectTortured(url, 4);
  const { key } = await issueKey(db, {
    customer: 'torture',
    name: null,
    products: ['records'],
    rateLimitPerMinute: 1_000_000_000,
    quota: null,
    actor: 'torture',
  });
  await putWatches(db);
  writeControl(folder, { phase: 'write', until: null });
  const { seed, records, batchMax, horizonSeconds } = options;
  const common = { folder, databaseUrl: url, seed, records, batchMax, horizonSeconds, port: await findFreePort(), key };
  const server = keepAlive('server', { ...common, index: 0 });
  const pollers = times(options.pollers, (index) => keepAlive('poller', { ...common, index }));
  const writers = times(options.writers, (index) => keepAlive('writer', { ...common, index }));
  const blows: Blows = { databaseCrashes: 0, clockSteps: 0, clockRepairs: 0, isFast: false };
  const random = buildRandom(seed, 3);
  try {
    let changes = 0;
    while (changes < options.changesMax && seconds() < options.secondsMax) {
      await delay(options.blowSeconds * 1000 * (0.5 + random.next()));
      await strike(db, random, server, blows).catch(() => undefined);
      changes = await countChanges(db).catch(() => changes);
      options.onProgress?.(changes, seconds());
    }
    await untilAnswered(() => correctClock(db, blows));
    await drain(db, folder, writers, pollers);
    const { isFast: _isFast, ...struck } = blows;
    return {
      ...(await judgeRun(db, folder, options.pollers)),
      ...struck,
      seconds: seconds(),
      writerCrashes: countDeaths(writers),
      pollerCrashes: countDeaths(pollers),
      serverCrashes: countDeaths([server]),
    };
  } finally {
    for (const process of [server, ...pollers, ...writers]) process.stop();
    await db.close();
  }
}

interface Blows {
  databaseCrashes: number;
  clockSteps: number;
  clockRepairs: number;
  /** The clock is a day ahead, until it is corrected. */
  isFast: boolean;
}

async function strike(db: Database, random: Random, server: Kept, blows: Blows): Promise<void> {
  const blow = random.next();
  if (blows.isFast) await correctClock(db, blows);
  if (blow < 0.15) {
    blows.clockSteps += 1;
    await stepClock(db, CLOCK_FAST_SECONDS);
    blows.isFast = true;
  } else if (blow < 0.4) {
    blows.clockSteps += 1;
    await stepClock(db, random.integer(-CLOCK_STEP_SECONDS, CLOCK_STEP_SECONDS));
  } else if (blow < 0.8) server.kill();
  else {
    // One killed backend makes PostgreSQL drop every connection and recover from its log.
    const [backend] = await db.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    blows.databaseCrashes += 1;
    process.kill(backend!.pid, 'SIGKILL');
  }
}

/** Right again, and what was stamped in the meantime is reported. Harmless when repeated. */
async function correctClock(db: Database, blows: Blows): Promise<void> {
  if (blows.isFast) await stepClock(db, -CLOCK_FAST_SECONDS);
  blows.isFast = false;
  if ((await repairClock(db)) !== null) blows.clockRepairs += 1;
}

function times<T>(count: number, build: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => build(index));
}
