/**
 * Limits how many unknown keys a network may try. Below the limit nothing changes. Above it an unknown key gets
 * `rate_limited`, and keys that need a look-up are looked up one after the other, so that trying keys cannot keep the
 * database busy. It knows nothing of keys themselves. Invariants: a valid key is never refused for what others tried,
 * unless a hundred wait before it; memory is bounded.
 */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../base/clock.ts';
import { type ApiError, apiError } from '../base/errors.ts';
import { networkOf } from './network.ts';

const WINDOW_MS = 60_000;
/** Unknown keys of a network in a minute. A proxy that hides its callers is one network. */
const UNKNOWN_KEYS_MAX = 600;
/** Networks that are remembered; of more, those that tried longest ago are forgotten. */
const NETWORKS_MAX = 20_000;
/** Maximum number of waiting look-ups of a network above its limit. */
const WAITING_MAX = 100;

interface Tries {
  readonly sinceMs: number;
  count: number;
  /** Resolves when the look-up that was begun last has ended. */
  last: Promise<unknown>;
  waiting: number;
}

export interface UnknownKeys {
  /** Runs a look-up for a caller at this address: at once, or in its turn. Throws ApiError `rate_limited`. */
  lookUp<T>(address: string, work: () => Promise<T>): Promise<T>;
  /** Counts an unknown key. Returns the refusal if the address has tried too many; null if it has not. */
  note(address: string): ApiError | null;
}

export function limitUnknownKeys(clock: Clock, triesMax: number = UNKNOWN_KEYS_MAX): UnknownKeys {
  const networks = new LRUCache<string, Tries>({ max: NETWORKS_MAX });

  const find = (network: string): Tries | undefined => {
    const tries = networks.get(network);
    return tries === undefined || clock.monotonicMs() - tries.sinceMs >= WINDOW_MS ? undefined : tries;
  };
  const refuse = ({ sinceMs }: Tries): ApiError => {
    const seconds = Math.max(1, Math.ceil((sinceMs + WINDOW_MS - clock.monotonicMs()) / 1000));
    const headers = {
      'retry-after': String(seconds),
      'x-ratelimit-limit': String(triesMax),
      'x-ratelimit-remaining': '0',
    };
    const message = `More than ${triesMax} unknown keys came from this address in a minute. Check the key, then try again in ${seconds} seconds.`;
    return apiError('rate_limited', message, { headers });
  };

  return {
    lookUp: async (address, work) => {
      const tries = find(networkOf(address));
      if (tries === undefined || tries.count <= triesMax) return await work();
      if (tries.waiting >= WAITING_MAX) throw refuse(tries);
      tries.waiting += 1;
      const turn = tries.last.then(work);
      tries.last = turn.catch(() => undefined);
      try {
        return await turn;
      } finally {
        tries.waiting -= 1;
      }
    },
    note: (address) => {
      const network = networkOf(address);
      let tries = find(network);
      if (tries === undefined) {
        tries = { sinceMs: clock.monotonicMs(), count: 0, last: Promise.resolve(), waiting: 0 };
        networks.set(network, tries);
      }
      tries.count += 1;
      return tries.count > triesMax ? refuse(tries) : null;
    },
  };
}
