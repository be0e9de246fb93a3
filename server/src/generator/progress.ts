/**
 * The progress of a run of known length: a bar with rate and remaining time on a terminal, elsewhere a line every few
 * seconds. It writes only to the given stream and reads only the given clock. There is no timer, so a bar costs nothing
 * between calls and a test controls the time.
 */
import type { Clock } from '../base/clock.ts';

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

function wholeNumber(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

export function durationText(seconds: number): string {
  if (!Number.isFinite(seconds)) return '?';
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** `120,000 of 1,000,000 records, 12 %, 61,200 records/s, 15 s left`. */
export function describeProgress(count: number, total: number, elapsedMs: number): string {
  const rate = elapsedMs === 0 ? 0 : (count * 1000) / elapsedMs;
  const share = total === 0 ? 100 : Math.floor((count * 100) / total);
  const left = rate === 0 ? '?' : durationText((total - count) / rate);
  const done = `${wholeNumber(count)} of ${wholeNumber(total)} records, ${share} %`;
  return `${done}, ${wholeNumber(rate)} records/s, ${left} left`;
}

function buildLines(total: number, screen: ProgressScreen, clock: Clock): Progress {
  const startMs = clock.monotonicMs();
  let shownMs = startMs;
  return {
    advance(count) {
      const nowMs = clock.monotonicMs();
      if (nowMs - shownMs < LINE_EVERY_MS) return;
      shownMs = nowMs;
      screen.write(`${describeProgress(count, total, nowMs - startMs)}\n`);
    },
    finish(count) {
      const seconds = (clock.monotonicMs() - startMs) / 1000;
      const rate = seconds === 0 ? count : count / seconds;
      const duration = seconds < 10 ? `${seconds.toFixed(1)} s` : durationText(seconds);
      screen.write(`${wholeNumber(count)} records in ${duration}, ${wholeNumber(rate)} records/s\n`);
    },
    stop: () => undefined,
  };
}

function drawBar(count: number, total: number): string {
  const filled = total === 0 ? BAR_WIDTH : Math.floor((count * BAR_WIDTH) / total);
  return '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
}

function buildBar(total: number, screen: ProgressScreen, clock: Clock): Progress {
  const startMs = clock.monotonicMs();
  let shownMs = startMs;
  const lines = buildLines(total, screen, clock);
  const stop = () => void screen.write(CLEAR_LINE);
  return {
    advance(count) {
      const nowMs = clock.monotonicMs();
      if (nowMs - shownMs < BAR_EVERY_MS) return;
      shownMs = nowMs;
      const text = `${drawBar(count, total)} ${describeProgress(count, total, nowMs - startMs)}`;
      screen.write(CLEAR_LINE + text.slice(0, (screen.columns ?? 120) - 1));
    },
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
