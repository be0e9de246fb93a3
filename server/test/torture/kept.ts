/** Processes of a torture run that are started again whenever they die, and how they are brought to an end. */
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Database } from '../../src/database/driver/db.ts';
import { instantText, sql } from '../../src/database/driver/sql.ts';
import { isBehind } from '../../src/store/watches/matching.ts';
import { type Assignment, writeControl } from './world.ts';

const DRAIN_SECONDS_MAX = 300;
const ANSWER_TRIES_MAX = 120;

/** Writers end on their own; pollers are done when they have passed the last stamp. */
export async function drain(
  db: Database,
  folder: string,
  writers: readonly Kept[],
  pollers: readonly Kept[],
): Promise<void> {
  writeControl(folder, { phase: 'drain', until: null });
  await withDeadline(Promise.all(writers.map((writer) => writer.done)), 'the writers did not end');
  const [last] = await untilAnswered(() =>
    db.query<{ until: string }>(sql`select ${instantText(sql`max(updated_at)`)} as until from record`),
  );
  writeControl(folder, { phase: 'drain', until: last!.until });
  await withDeadline(Promise.all(pollers.map((poller) => poller.done)), 'the pollers did not catch up');
  await untilMatched(db);
}

/** By the server, which is not killed any more. */
async function untilMatched(db: Database): Promise<void> {
  for (let looks = 1; await untilAnswered(() => isBehind(db)); looks += 1) {
    if (looks > DRAIN_SECONDS_MAX * 10) throw new Error('the watches were not matched');
    await delay(100);
  }
}

/** The last blow may have hit the database, which then recovers for a moment. */
export async function untilAnswered<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (tries === ANSWER_TRIES_MAX) throw error;
      await delay(500);
    }
  }
}

async function withDeadline(work: Promise<unknown>, failure: string): Promise<void> {
  const deadline = new AbortController();
  const late = delay(DRAIN_SECONDS_MAX * 1000, undefined, { signal: deadline.signal }).then(() => {
    throw new Error(failure);
  });
  await Promise.race([work, late]);
  deadline.abort();
  await late.catch(() => undefined);
}

/** A process that is started again whenever it dies, until it ends well. */
export interface Kept {
  done: Promise<void>;
  deaths(): number;
  kill(): void;
  stop(): void;
}

export function keepAlive(program: 'writer' | 'poller' | 'server', assignment: Omit<Assignment, 'generation'>): Kept {
  const script = fileURLToPath(new URL(`./${program}.ts`, import.meta.url));
  let generation = 0;
  let stopped = false;
  let child: ChildProcess;
  let finish = (): void => {};
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const start = (): void => {
    const argument = JSON.stringify({ ...assignment, generation });
    child = spawn(process.execPath, ['--conditions=tmds-source', '--import', 'tsx', script, argument], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    child.once('exit', (code) => {
      if (stopped || code === 0) return finish();
      generation += 1;
      start();
    });
  };
  start();
  return {
    done,
    deaths: () => generation,
    kill: () => void child.kill('SIGKILL'),
    stop: () => {
      stopped = true;
      child.kill('SIGKILL');
    },
  };
}

export function countDeaths(kept: readonly Kept[]): number {
  return kept.reduce((sum, one) => sum + one.deaths(), 0);
}
