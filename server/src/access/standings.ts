/**
 * What the last verdicts on a key say about its next call: whether the call may be refused, so that its query waits for
 * its verdict, and whether other processes count calls of the same key.
 */
import type { JudgedGroup } from '../store/accounts/usage.ts';

/** What the last verdicts on a key say about its next call. */
interface Standing {
  readonly hasRoom: boolean;
  /** Calls in the window, including those of the verdict. */
  readonly windowCalls: number;
  readonly isShared: boolean;
}

/** With fewer calls or units left than this, a query waits for its verdict. */
const ROOM_MIN = 64;
const REMEMBERED_KEYS_MAX = 10_000;

/** By a name for key and product. Those without a recent verdict are forgotten. */
export class Standings {
  private readonly byName = new Map<string, Standing>();

  note(name: string, result: JudgedGroup): void {
    const before = this.byName.get(name);
    this.byName.delete(name);
    this.byName.set(name, judgeStanding(result, before));
    if (this.byName.size > REMEMBERED_KEYS_MAX) this.byName.delete(this.byName.keys().next().value!);
  }

  /** False if the next call may be refused. */
  hasRoom(name: string): boolean {
    return this.byName.get(name)?.hasRoom === true;
  }

  /** Whether other processes count calls of any of them. */
  isAnyShared(names: Iterable<string>): boolean {
    for (const name of names) if (this.byName.get(name)?.isShared === true) return true;
    return false;
  }
}

function judgeStanding(result: JudgedGroup, before: Standing | undefined): Standing {
  const windowCalls = result.window_calls + result.admitted;
  const hasRoom =
    result.rate_limit - windowCalls >= ROOM_MIN && (result.quota === null || result.quota - result.used >= ROOM_MIN);
  // A process that counts alone finds the count it left. A window that has just been opened shows nothing.
  const wasShared = before?.isShared ?? false;
  const isShared = result.window_calls === 0 ? wasShared : result.window_calls !== before?.windowCalls;
  return { hasRoom, windowCalls, isShared };
}
