/** Plays a case and reports what it cost. Every request is accounted for separately, so that the worst can be named. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../src/base/clock.ts';
import { startTmds } from '../../support/process.ts';
import { type Bound, FILE_BOUND, type FileCase, SERVER_BOUND, type ServerCase, type World } from './hostile-case.ts';
import { forgetPeak, readPeakMb, readProcessorSeconds } from './process-use.ts';
import type { FeltTimes } from './quiet-caller.ts';
import { send } from './raw.ts';
import type { HostileTarget } from './world.ts';

export interface Outcome {
  readonly name: string;
  readonly title: string;
  readonly bound: Bound;
  /** Longest time that the event loop stood, and in which request; null for a command. */
  readonly pauseMs: number | null;
  readonly worst: string;
  readonly memoryMb: number;
  /** Processor time of the slowest command; null for a server. */
  readonly seconds: number | null;
  /** What a quiet caller felt in the meantime; null for a command. */
  readonly felt: FeltTimes | null;
  /** How many answers had which status; of commands, the statuses they ended with. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Sentences, one for each bound that was broken. */
  readonly broken: readonly string[];
}

/** Until the collector has had a chance, and what was opened is closed. */
const SETTLE_MS = 300;

export async function playServerCase(each: ServerCase, target: HostileTarget): Promise<Outcome> {
  const bound = { ...SERVER_BOUND, ...each.bound };
  const { pid } = target.server;
  const statuses: Record<string, number> = {};
  let pauseMs = 0;
  let worst = '';
  const count = (status: number): void => {
    statuses[status] = (statuses[status] ?? 0) + 1;
  };
  const during: World['during'] = async (label, work) => {
    const result = await work();
    const stood = await target.readPauseMs();
    if (stood > pauseMs) [pauseMs, worst] = [stood, label];
    return result;
  };
  const ask: World['ask'] = async (label, request) => {
    const status = await during(label, () => send(target.world.port, request));
    count(status);
    return status;
  };
  await systemClock.sleep(SETTLE_MS);
  await target.readPauseMs();
  await target.readFelt();
  await forgetPeak(pid);
  const beforeMb = await readPeakMb(pid);
  await each.play({ ...target.world, ask, during, count });
  const felt = await target.readFelt();
  const afterMb = await readPeakMb(pid);
  if (beforeMb === null || afterMb === null) {
    throw new Error(`the server ended during ${each.name}: ${target.server.stderr().slice(-2_000)}`);
  }
  const memoryMb = afterMb - beforeMb;
  const broken: string[] = [];
  if (pauseMs > (bound.pauseMs ?? 0)) broken.push(`the event loop stood ${Math.round(pauseMs)} ms`);
  if (memoryMb > bound.memoryMb) broken.push(`the server held ${Math.round(memoryMb)} MB more`);
  if (felt.failures.length > 0) broken.push(`calls of a quiet caller ended with ${felt.failures.join(', ')}`);
  for (const [status, answers] of Object.entries(statuses)) {
    if (Number(status) >= 500 && status !== '503') broken.push(`${answers} answers were ${status}`);
  }
  const { name, title } = each;
  return { name, title, bound, pauseMs, worst, memoryMb, seconds: null, felt, statuses, broken };
}

const POLL_MS = 50;

export async function playFileCase(each: FileCase, environment: Readonly<Record<string, string>>): Promise<Outcome> {
  const bound = { ...FILE_BOUND, ...each.bound };
  const secondsMax = bound.seconds ?? 0;
  const folder = await mkdtemp(join(tmpdir(), 'tmds-hostile-file-'));
  const statuses: Record<string, number> = {};
  const broken: string[] = [];
  let [seconds, memoryMb, worst] = [0, 0, ''];
  try {
    const path = join(folder, each.file);
    await each.write(path);
    for (const words of each.commands) {
      const used = await runMeasured([...words, path], { ...environment, TMDS_DATA_DIR: folder }, secondsMax * 2);
      const command = `tmds ${words[0]}`;
      if (used.seconds > seconds) [seconds, worst] = [used.seconds, command];
      memoryMb = Math.max(memoryMb, used.memoryMb);
      const status = String(used.status ?? 'killed');
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (used.seconds > secondsMax) broken.push(`${command} took ${used.seconds.toFixed(1)} s of a processor`);
      if (used.memoryMb > bound.memoryMb) broken.push(`${command} held ${Math.round(used.memoryMb)} MB`);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const { name, title } = each;
  return { name, title, bound, pauseMs: null, worst, memoryMb, seconds, felt: null, statuses, broken };
}

interface Used {
  readonly seconds: number;
  readonly memoryMb: number;
  /** Null: it was killed. */
  readonly status: number | null;
}

async function runMeasured(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  secondsMax: number,
): Promise<Used> {
  const running = startTmds({ after: () => undefined }, words, environment);
  let isOver = false;
  const ended = running.ended.finally(() => {
    isOver = true;
  });
  let [seconds, memoryMb] = [0, 0];
  while (!isOver) {
    seconds = (await readProcessorSeconds(running.pid)) ?? seconds;
    memoryMb = (await readPeakMb(running.pid)) ?? memoryMb;
    if (seconds > secondsMax) running.kill('SIGKILL');
    await Promise.race([ended, systemClock.sleep(POLL_MS)]);
  }
  return { seconds, memoryMb, status: (await ended).status };
}
