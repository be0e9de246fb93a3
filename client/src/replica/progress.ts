/** The texts for the operator: a progress line while catching up, then one line for each poll. */
import { isApiError } from '../errors.ts';
import type { ReplicaStep } from './replicate.ts';
import type { ReplicaPosition } from './states.ts';

const BAR_WIDTH = 24;
/** Records that left a search, listed in one line. */
const LEFT_NAMED_MAX = 100;

/** `[######      ] 25 %  250,000 of 1,000,000 records  26,041/s`; without the share when the total is unknown. */
export function renderProgress(records: number, expected: number | null, perSecond: number): string {
  const rate = `${formatCount(Math.round(perSecond))}/s`;
  if (expected === null || expected < records) return `${formatCount(records)} records  ${rate}`;
  const share = expected === 0 ? 1 : records / expected;
  const filled = Math.floor(share * BAR_WIDTH);
  const bar = `[${'#'.repeat(filled)}${' '.repeat(BAR_WIDTH - filled)}]`;
  return `${bar} ${Math.floor(share * 100)} %  ${formatCount(records)} of ${formatCount(expected)} records  ${rate}`;
}

export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  /** True when a line can be overwritten. */
  readonly live: boolean;
}

/** A line of the log, as fields and as text. */
export interface LogEntry {
  readonly level: 'info' | 'warn' | 'error';
  readonly event: 'progress' | 'caught_up' | 'waiting' | 'stopped' | 'failed' | 'note';
  readonly message: string;
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** Describes the end of the feed, or a failure to wait out; null for any other step. */
export function describeStep(
  { event, state, left }: ReplicaStep,
  changes: number,
  kind: 'feed' | 'search',
): LogEntry | null {
  if (event.kind === 'fault' && state.kind !== 'failed') {
    const { faults, waitMs } = state;
    const seconds = Math.ceil(waitMs / 1000);
    const quota = isApiError(event.error, 'quota_exceeded') ? ' (the quota is used up until the month ends)' : '';
    return {
      level: 'warn',
      event: 'waiting',
      message: `${describeError(event.error)}; trying again in ${seconds} s${quota}`,
      fields: { ...describeFields(event.error), faults, wait_seconds: seconds },
    };
  }
  if (event.kind !== 'end_saved') return null;
  return kind === 'search' ? describeRefresh(state.position, changes, left) : describeEnd(state.position, changes);
}

function describeEnd({ complete_to, delivered }: ReplicaPosition, changes: number): LogEntry {
  const count = changes === 1 ? '1 change' : `${formatCount(changes)} changes`;
  return {
    level: 'info',
    event: 'caught_up',
    message: `caught up to ${complete_to ?? 'the horizon'}: ${count}`,
    fields: { complete_to, changes, delivered },
  };
}

function describeRefresh(position: ReplicaPosition, changes: number, left: readonly string[]): LogEntry {
  const { complete_to, delivered } = position;
  const named = left.slice(0, LEFT_NAMED_MAX);
  const more = left.length > named.length ? ' and others' : '';
  const gone = left.length === 0 ? '' : `: ${named.join(', ')}${more}`;
  return {
    level: 'info',
    event: 'caught_up',
    message: `refreshed at ${complete_to}: ${formatCount(changes)} new or changed, ${formatCount(left.length)} left${gone}`,
    fields: { complete_to, changes, delivered, left: left.length, left_records: named },
  };
}

/** One line: the time with the message, or JSON. */
export function renderEntry(entry: LogEntry, nowMs: number, form: 'text' | 'json'): string {
  const time = new Date(nowMs).toISOString();
  if (form === 'text') return `${time} ${entry.message}\n`;
  const { level, event, message, fields } = entry;
  return `${JSON.stringify({ time, level, event, message, ...fields })}\n`;
}

/** The fields of an error in the log. */
export function describeFields(error: unknown): Record<string, unknown> {
  const { name, code, status, requestId } = (error ?? {}) as Record<string, unknown>;
  return { error: name, code, status, request_id: requestId ?? undefined };
}

export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, requestId } = error as { code?: unknown; requestId?: unknown };
  // A message of the system already begins with its code.
  const isToldAlready = typeof code !== 'string' || error.message.startsWith(`${code}:`);
  const prefix = isToldAlready ? '' : `${code}: `;
  return `${prefix}${error.message}${typeof requestId === 'string' ? ` (request ${requestId})` : ''}`;
}

export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}
