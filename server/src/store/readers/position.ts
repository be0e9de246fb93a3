/**
 * How far the primary is, for every call that reads from a standby: the last stamp, read by a statement that began
 * after the call. One statement runs at a time, and answers all who came before it was sent.
 * Invariant: whatever had committed when somebody asked is at or before the stamp that they are told.
 */
import type { Clock } from '../../base/clock.ts';
import type { Queryable } from '../driver/db.ts';
import { type Position, readPosition } from './server-state.ts';

/** The primary is asked no more often, however many calls there are. */
const ASK_EVERY_MS = 2;

/** The result rejects with ApiError `unavailable` while the primary is away. */
export function buildPosition(primary: Queryable, clock: Clock): () => Promise<Position> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<Position> | null = null;
  let sentMs = Number.NEGATIVE_INFINITY;
  const askNext = async (): Promise<Position> => {
    await running;
    const earlyMs = sentMs + ASK_EVERY_MS - clock.monotonicMs();
    if (earlyMs > 0) await clock.sleep(earlyMs);
    sentMs = clock.monotonicMs();
    // Whoever comes from here on needs a later statement.
    next = null;
    const answer = readPosition(primary);
    running = answer.catch(() => undefined);
    return await answer;
  };
  return () => {
    next ??= askNext();
    return next;
  };
}
