/**
 * The progress of a run of known length: a bar with rate and remaining time on a terminal, elsewhere a line every few
 * seconds. It writes only to the given stream and reads only the given clock. There is no timer, so a bar costs nothing
 * between calls and a test controls the time.
 */
import type { Clock } from '../base/clock.ts';
import { openNotes, writeCount, writeDuration } from '../base/progress.ts';

export interface Progress {
  advance(count: number): void;
  /** Reports how many and how fast. */
  finish(count: number): void;
  /** Ended early: removes the bar and reports nothing. */
  stop(): void;
}

/** Where progress is shown, usually standard error. */
export interface ProgressScreen extends NodeJS.WritableStream {
  isTTY?: boolean;
  columns?: number;
}

const LINE_EVERY_MS = 5000;
const BAR_EVERY_MS = 100;
const BAR_WIDTH = 24;
/** Erases the line and moves to its start. */
const CLEAR_LINE = '\r\u001b[2K';

export const SILENT: Progress = { advance: () => undefined, finish: () => undefined, stop: () => undefined };

/** `120,000 of 1,000,000 records, 12 %, 61,200 records/s, 15 s left`. */
export function describeProgress(count: number, total: number, elapsedMs: number): string {
  const rate = elapsedMs === 0 ? 0 : (count * 1000) / elapsedMs;
  const share = total === 0 ? 100 : Math.floor((count * 100) / total);
  const left = rate === 0 ? '?' : writeDuration((total - count) / rate);
  const done = `${writeCount(count)} of ${writeCount(total)} records, ${share} %`;
  return `${done}, ${writeCount(rate)} records/s, ${left} left`;
}

function buildLines(total: number, screen: ProgressScreen, clock: Clock): Progress {
  const startMs = clock.monotonicMs();
  const note = openNotes(clock, (line) => void screen.write(`${line}\n`), LINE_EVERY_MS);
  return {
    advance: (count) => note((seconds) => describeProgress(count, total, seconds * 1000)),
    finish(count) {
      const seconds = (clock.monotonicMs() - startMs) / 1000;
      const rate = seconds === 0 ? count : count / seconds;
      const duration = seconds < 10 ? `${seconds.toFixed(1)} s` : writeDuration(seconds);
      screen.write(`${writeCount(count)} records in ${duration}, ${writeCount(rate)} records/s\n`);
    },
    stop: () => undefined,
  };
}

function drawBar(count: number, total: number): string {
  const filled = total === 0 ? BAR_WIDTH : Math.floor((count * BAR_WIDTH) / total);
  return '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
}

function buildBar(total: number, screen: ProgressScreen, clock: Clock): Progress {
  const note = openNotes(
    clock,
    (text) => void screen.write(CLEAR_LINE + text.slice(0, (screen.columns ?? 120) - 1)),
    BAR_EVERY_MS,
  );
  const lines = buildLines(total, screen, clock);
  const stop = () => void screen.write(CLEAR_LINE);
  return {
    advance: (count) => note((seconds) => `${drawBar(count, total)} ${describeProgress(count, total, seconds * 1000)}`),
    finish(count) {
      stop();
      lines.finish(count);
    },
    stop,
  };
}

export function buildProgress(total: number, screen: ProgressScreen, clock: Clock): Progress {
  return screen.isTTY === true ? buildBar(total, screen, clock) : buildLines(total, screen, clock);
}
