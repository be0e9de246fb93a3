/**
 * Recent answers of the explorer, so that a reload or the back button costs nothing. They are kept in this process
 * only, separately for each key, up to a bound, and until the key is revoked. Refusals are not kept, because they cost
 * nothing. Simultaneous requests for the same page share one call.
 */
import { type Clock, isoInstant } from '../../base/clock.ts';
import type { ApiAnswer, ApiOptions } from '../services.ts';

export const REMEMBERED_MS = 5 * 60_000;
const ANSWERS_MAX = 200;
/** Bytes of all answers together; parsed, they take a few times as much memory. */
const BYTES_MAX = 16_000_000;

export interface RememberedAnswer {
  readonly answer: ApiAnswer;
  /** When it was requested; UTC. */
  readonly at: string;
  /** True when it was remembered, so that it cost nothing this time. */
  readonly repeated: boolean;
}

interface Question extends ApiOptions {
  readonly keyId: string;
  readonly target: string;
  /** A new stamp asks the same question again. */
  readonly stamp: string;
}

/** Whether a call with this answer costs a unit (docs/metering.md). */
export function costsUnit(status: number): boolean {
  return status === 200 || status === 206 || status === 304 || status === 404;
}

export interface Answers {
  find(question: Question, ask: () => Promise<ApiAnswer>): Promise<RememberedAnswer>;
  /** The remembered answer; null when there is none. Never makes a call. */
  recall(question: Question): Promise<ApiAnswer | null>;
  drop(keyId: string): void;
}

interface Kept {
  readonly keyId: string;
  readonly at: string;
  readonly askedMs: number;
  readonly answer: Promise<ApiAnswer>;
  bytes: number;
}

const nameOf = ({ keyId, target, stamp, breadth = 'call', headers = {} }: Question): string =>
  JSON.stringify([keyId, target, stamp, breadth, headers]);

export function buildAnswers(clock: Clock): Answers {
  const kept = new Map<string, Kept>();
  const prune = (): void => {
    const since = clock.monotonicMs() - REMEMBERED_MS;
    let bytes = [...kept.values()].reduce((sum, entry) => sum + entry.bytes, 0);
    for (const [name, entry] of kept) {
      // The map keeps the order of requests, so the first entries are the oldest.
      if (entry.askedMs > since && kept.size <= ANSWERS_MAX && bytes <= BYTES_MAX) break;
      kept.delete(name);
      bytes -= entry.bytes;
    }
  };
  return {
    recall: async (question) => {
      prune();
      const answer = await kept.get(nameOf(question))?.answer;
      return answer?.status === 200 ? answer : null;
    },
    find: async (question, ask) => {
      prune();
      const { keyId } = question;
      const name = nameOf(question);
      const known = kept.get(name);
      if (known !== undefined) return { answer: await known.answer, at: known.at, repeated: true };
      const entry: Kept = {
        keyId,
        at: isoInstant(clock.nowMs()),
        askedMs: clock.monotonicMs(),
        answer: ask(),
        bytes: 0,
      };
      kept.set(name, entry);
      const forget = (): void => {
        if (kept.get(name) === entry) kept.delete(name);
      };
      try {
        const answer = await entry.answer;
        entry.bytes = answer.bytes;
        if (!costsUnit(answer.status)) forget();
        prune();
        return { answer, at: entry.at, repeated: false };
      } catch (error) {
        forget();
        throw error;
      }
    },
    drop: (keyId) => {
      for (const [name, entry] of kept) if (entry.keyId === keyId) kept.delete(name);
    },
  };
}
