/**
 * Alarms of periodic checks in the log of a server: when a finding appears or gets worse, as a reminder while it stays,
 * and when it has ended. It decides what to report, not what is wrong.
 */
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';

/** Every subject that an alarm can have; operators watch them by these names. */
export const ALARMS = [
  'announcement_overdue',
  'calls_refused',
  'clock_behind',
  'clock_differs',
  'clock_set',
  'database_disk_full',
  'disk_room',
  'memory_short',
  'prepared_transaction',
  'protocol_bypassed',
  'publish_overdue',
  'standby_behind',
] as const;

export type AlarmName = (typeof ALARMS)[number];

/** Alarms that are open in this process. */
export type OpenAlarms = Set<AlarmName>;

export interface Alarm {
  /** Its subject. There is one open alarm per subject. */
  readonly check: AlarmName;
  readonly level: 'error' | 'warning';
  readonly seen: string;
  readonly remedy: string;
}

const REMINDER_MS = 10 * 60 * 1000;

export interface AlarmLogOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Kept up to date, if the caller wants to know. */
  readonly alarms?: OpenAlarms;
}

/** @param recovered what is logged when a finding has ended */
export function buildAlarmLog(
  { clock, log, alarms = new Set() }: AlarmLogOptions,
  recovered: string,
): (findings: readonly Alarm[]) => void {
  const reported = new Map<AlarmName, { level: Alarm['level']; atMs: number }>();
  return (findings) => {
    for (const { check, level, seen, remedy } of findings) {
      alarms.add(check);
      const last = reported.get(check);
      const atMs = clock.monotonicMs();
      if (last?.level === level && atMs - last.atMs < REMINDER_MS) continue;
      reported.set(check, { level, atMs });
      log[level === 'error' ? 'error' : 'warn']({ alarm: check, remedy }, seen);
    }
    for (const check of reported.keys()) {
      if (findings.some((finding) => finding.check === check)) continue;
      reported.delete(check);
      alarms.delete(check);
      log.info({ alarm: check }, recovered);
    }
  };
}
