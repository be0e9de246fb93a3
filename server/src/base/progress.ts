/**
 * What a waiting person sees of long work: a note every so often, with counts, rates and durations written one way. It
 * reads only the given clock and has no timer, so it costs nothing between calls and a test controls the time.
 */
import type { Clock } from './clock.ts';

const NOTE_EVERY_MS = 10_000;

/** Called as often as there is news; `describe` is called only when a note is due. */
type Notes = (describe: (elapsedSeconds: number) => string) => void;

/** The first note comes after one interval. */
export function openNotes(clock: Clock, note: (line: string) => void, everyMs: number = NOTE_EVERY_MS): Notes {
  const startedMs = clock.monotonicMs();
  let notedMs = startedMs;
  return (describe) => {
    const nowMs = clock.monotonicMs();
    if (nowMs - notedMs < everyMs) return;
    notedMs = nowMs;
    note(describe((nowMs - startedMs) / 1000));
  };
}

/** `1,234,567` */
export function writeCount(count: number): string {
  return Math.round(count).toLocaleString('en-US');
}

/** `12 s`, `1 min 10 s`, `2 h 5 min`; a question mark for a time that nobody can know. */
export function writeDuration(seconds: number): string {
  if (!Number.isFinite(seconds)) return '?';
  const whole = Math.max(0, Math.ceil(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
