/**
 * Watches what a running server takes for granted of its machine: a clock that agrees with the database's and is not
 * set, memory, and room on the disk of the data folder. Each problem is reported before it does harm: stamps of a fast
 * clock lie in the future (docs/design/change-feed.md), and a process without memory ends.
 */
import { getHeapStatistics } from 'node:v8';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { NoAnswer } from '../../base/no-answer.ts';
import type { Queryable } from '../../database/driver/db.ts';
import { type DiskSpace, judgeDisk, readDiskSpace } from '../../database/embedded/disk-space.ts';
import { type Alarm, buildAlarmLog, type OpenAlarms } from './alarms.ts';
import { checkClock } from './checks.ts';

export interface MemoryUse {
  /** Bytes that V8 holds and may hold. */
  readonly heapBytes: number;
  readonly heapBytesMax: number;
  /** Bytes that the process holds, and that its container allows; null without a limit. */
  readonly residentBytes: number;
  readonly residentBytesMax: number | null;
}

export interface MachineWatchOptions {
  readonly database: Queryable;
  readonly clock: Clock;
  readonly log: Log;
  readonly alarms?: OpenAlarms;
  /** Default: the figures of this process. */
  readonly readMemory?: () => MemoryUse;
}

/** NTP slews a clock by less than this between two checks. */
const STEP_MS_MIN = 2_000;
/** How long a step stays an alarm, so that somebody who asks for open alarms now and then sees it. */
const STEP_TOLD_MS = 60_000;
const SHARE_MAX = 0.9;

/** One check; never rejects. */
export function buildMachineLook(options: MachineWatchOptions): () => Promise<void> {
  const { database, clock, log, readMemory = readProcessMemory } = options;
  const note = buildAlarmLog(options, 'the machine is in order again');
  const findStep = buildStepFinder(clock);
  return async () => {
    const findings = [findStep()];
    try {
      // A process that may open no file cannot read its own memory use.
      findings.push(judgeMemory(readMemory()));
      findings.push(await findDifference(database, clock));
    } catch (error) {
      // `liveness.ts` reports an unavailable database.
      if (!(error instanceof NoAnswer)) log.error({ err: error }, 'memory and clocks could not be checked');
    }
    note(findings.filter((finding) => finding !== null));
  };
}

/** Compares the clock with one that is never set. */
function buildStepFinder(clock: Clock): () => Alarm | null {
  let offsetMs = clock.nowMs() - clock.monotonicMs();
  let last: { readonly alarm: Alarm; readonly atMs: number } | null = null;
  return () => {
    const atMs = clock.monotonicMs();
    const stepMs = clock.nowMs() - atMs - offsetMs;
    offsetMs += stepMs;
    if (Math.abs(stepMs) >= STEP_MS_MIN) last = { alarm: describeStep(stepMs), atMs };
    return last !== null && atMs - last.atMs < STEP_TOLD_MS ? last.alarm : null;
  };
}

function describeStep(stepMs: number): Alarm {
  const direction = stepMs > 0 ? 'forward, or the machine slept' : 'back';
  return {
    check: 'clock_set',
    level: 'warning',
    seen: `the clock of this machine was set ${Math.round(Math.abs(stepMs) / 1000)} s ${direction}`,
    remedy: 'check that it is right (NTP); if changes were published while it was fast, see tmds clock repair',
  };
}

async function findDifference(database: Queryable, clock: Clock): Promise<Alarm | null> {
  const { seen, remedy } = await checkClock(database, clock);
  return remedy === null ? null : { check: 'clock_differs', level: 'warning', seen, remedy };
}

function readProcessMemory(): MemoryUse {
  const { used_heap_size, heap_size_limit } = getHeapStatistics();
  const limit = process.constrainedMemory();
  return {
    heapBytes: used_heap_size,
    heapBytesMax: heap_size_limit,
    residentBytes: process.memoryUsage.rss(),
    // Without a limit it is 0, or more than any machine has.
    residentBytesMax: limit > 0 && limit < 2 ** 50 ? limit : null,
  };
}

function judgeMemory({ heapBytes, heapBytesMax, residentBytes, residentBytesMax }: MemoryUse): Alarm | null {
  const find = (seen: string, remedy: string): Alarm => ({ check: 'memory_short', level: 'warning', seen, remedy });
  const show = (bytes: number): string => `${Math.round(bytes / 1024 ** 2).toLocaleString('en-US')} MB`;
  if (heapBytes > heapBytesMax * SHARE_MAX) {
    const seen = `the process holds ${show(heapBytes)} of the ${show(heapBytesMax)} that Node.js lets it hold`;
    return find(seen, 'give it more with NODE_OPTIONS=--max-old-space-size, or more memory to the machine');
  }
  if (residentBytesMax === null || residentBytes <= residentBytesMax * SHARE_MAX) return null;
  const seen = `the process holds ${show(residentBytes)} of the ${show(residentBytesMax)} that its container lets it hold`;
  return find(seen, 'raise the limit of the container; at the limit the system ends the process');
}

export interface DiskWatchOptions {
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly alarms?: OpenAlarms;
  /** Default: the function of the operating system. */
  readonly readSpace?: (folder: string) => Promise<DiskSpace | null>;
}

/** One check; never rejects. */
export function buildDiskLook(options: DiskWatchOptions): () => Promise<void> {
  const { folder, readSpace = readDiskSpace } = options;
  const note = buildAlarmLog(options, 'the disk has room again');
  return async () => {
    const space = await readSpace(folder);
    const finding = space === null ? null : judgeDisk(folder, space);
    note(finding === null ? [] : [finding]);
  };
}
