/**
 * Progress of a load on standard error: on a terminal a bar with rate and remaining time, elsewhere a line every ten
 * seconds. It only watches; a load is the same without it.
 */
import { MultiBar, Presets, type SingleBar } from 'cli-progress';
import type { Clock } from '../../base/clock.ts';
import { writeCount, writeDuration } from '../../base/progress.ts';
import type { Source } from '../sources/source.ts';

export interface Progress {
  startReading(sources: readonly Source[], countRead: () => number): void;
  startPublishing(batches: number): void;
  notePublished(batch: number): void;
  stop(): void;
}

export const silentProgress: Progress = {
  startReading: () => {},
  startPublishing: () => {},
  notePublished: () => {},
  stop: () => {},
};

const LINE_EVERY_MS = 10_000;
const REDRAW_EVERY_MS = 250;

interface Phase {
  name: string;
  /** In the unit of `total`, which is null if unknown. */
  done: () => number;
  total: number | null;
  /** The count to show with its rate; null shows none. */
  records: (() => number) | null;
  startedMs: number;
}

/** Draws on `screen`; `schedule` calls back at an interval in milliseconds until the function it returns is called. */
export function openProgress(
  clock: Clock,
  screen: NodeJS.WriteStream,
  schedule: (tick: () => void, everyMs: number) => () => void = scheduleTimer,
): Progress {
  let phase: Phase | null = null;
  let bar: SingleBar | null = null;
  let published = 0;
  const bars = screen.isTTY ? openBars(screen) : null;

  const tick = (): void => {
    if (phase === null) return;
    if (bar === null) screen.write(`${describePhase(phase, clock.monotonicMs())}\n`);
    else bar.update(phase.done(), { detail: describeRate(phase, clock.monotonicMs()) });
  };
  const cancel = schedule(tick, bars === null ? LINE_EVERY_MS : REDRAW_EVERY_MS);
  const enter = (next: Omit<Phase, 'startedMs'>): void => {
    if (bar !== null) tick();
    phase = { ...next, startedMs: clock.monotonicMs() };
    bar?.stop();
    bar = bars?.create(Math.max(next.total ?? 0, 1), 0, { phase: next.name, detail: '' }) ?? null;
  };
  return {
    startReading(sources, countRead) {
      const totals = sources.map((source) => source.totalBytes);
      const total = totals.includes(null) ? null : totals.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0);
      const done = (): number => sources.reduce((sum, source) => sum + source.readBytes(), 0);
      enter({ name: 'reading', done, total, records: countRead });
    },
    startPublishing(batches) {
      enter({ name: 'publishing', done: () => published, total: batches, records: null });
    },
    notePublished(batch) {
      published = batch;
    },
    stop() {
      if (bar !== null) tick();
      cancel();
      bars?.stop();
      phase = null;
    },
  };
}

function openBars(screen: NodeJS.WriteStream): MultiBar {
  return new MultiBar(
    { stream: screen, format: '{phase} {bar} {percentage}% {detail}', clearOnComplete: false, hideCursor: true },
    Presets.shades_classic,
  );
}

function scheduleTimer(tick: () => void, everyMs: number): () => void {
  const timer = setInterval(tick, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** `reading: 41 % done, 812,000 records, 16,240/s, 1 min 10 s left` */
function describePhase(phase: Phase, nowMs: number): string {
  const share = phase.total === null || phase.total === 0 ? null : Math.min(phase.done() / phase.total, 1);
  const done = share === null ? 'under way' : `${Math.floor(share * 100)} % done`;
  return [`${phase.name}: ${done}`, describeRate(phase, nowMs)].filter((part) => part !== '').join(', ');
}

function describeRate(phase: Phase, nowMs: number): string {
  const seconds = (nowMs - phase.startedMs) / 1000;
  const parts: string[] = [];
  if (phase.records !== null) {
    const records = phase.records();
    parts.push(`${writeCount(records)} records`);
    if (seconds > 0) parts.push(`${writeCount(records / seconds)}/s`);
  }
  const share = phase.total === null || phase.total === 0 ? 0 : phase.done() / phase.total;
  if (share > 0 && seconds > 1) parts.push(`${writeDuration((seconds * (1 - share)) / share)} left`);
  return parts.join(', ');
}
