/** What the operator reads: one moving line while catching up on a terminal, one line a poll afterwards. Pure text. */
import type { ReplicaStep } from './replicate.ts';
import { planStep } from './states.ts';

const BAR_WIDTH = 24;

/** Catching up: `[######      ] 25 %  250,000 of 1,000,000 records  26,041/s`; the share is left out when unknown. */
export function renderProgress(records: number, expected: number | null, perSecond: number): string {
  const rate = `${formatCount(Math.round(perSecond))}/s`;
  if (expected === null || expected < records) return `${formatCount(records)} records  ${rate}`;
  const share = expected === 0 ? 1 : records / expected;
  const filled = Math.floor(share * BAR_WIDTH);
  const bar = `[${'#'.repeat(filled)}${' '.repeat(BAR_WIDTH - filled)}]`;
  return `${bar} ${Math.floor(share * 100)} %  ${formatCount(records)} of ${formatCount(expected)} records  ${rate}`;
}

/** One poll, or one failure, as a line. */
export function renderStep(step: ReplicaStep, recordsSinceLast: number, pollMs: number | null): string {
  const { event, state } = step;
  if (event.kind === 'fault' || event.kind === 'refusal') {
    const next = planStep(state, pollMs, 0);
    const then = next.kind === 'stop' ? 'stopped' : `again in ${Math.ceil(next.waitMs / 1000)} s`;
    return `${describeError(event.error)}; ${then}`;
  }
  const { complete_to } = state.position;
  const changes = recordsSinceLast === 1 ? '1 change' : `${formatCount(recordsSinceLast)} changes`;
  return `caught up to ${complete_to ?? 'the horizon'}: ${changes}`;
}

export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, requestId } = error as { code?: unknown; requestId?: unknown };
  const prefix = typeof code === 'string' ? `${code}: ` : '';
  return `${prefix}${error.message}${typeof requestId === 'string' ? ` (request ${requestId})` : ''}`;
}

export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}
