/**
 * How far the primary is, for every call that reads from a standby: the last stamp, read by a statement that began
 * after the call. One statement runs at a time, and answers all callers that came before it was sent.
 * Invariant: everything that had committed when a caller asked is at or before the stamp that it gets.
 */
import type { Clock } from '../../base/clock.ts';
import type { Queryable } from '../driver/db.ts';
import { type Position, readPosition } from './server-state.ts';

/** The primary is asked no more often than this, for any number of calls. */
const ASK_EVERY_MS = 2;

/** The result rejects with NoAnswer while the primary is away. */
export function buildPosition(primary: Queryable, clock: Clock): () => Promise<Position> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<Position> | null = null;
  let sentMs = Number.NEGATIVE_INFINITY;
  const askNext = async (): Promise<Position> => {
    await running;
    const earlyMs = sentMs + ASK_EVERY_MS - clock.monotonicMs();
    if (earlyMs > 0) await clock.sleep(earlyMs);
    sentMs = clock.monotonicMs();
    // Callers from here on need a later statement.
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
