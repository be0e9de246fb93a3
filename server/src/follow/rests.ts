/**
 * How patient threads make way. While other customers' calls are under way, a patient thread rests after each piece of
 * work, so that a processor is idle when one of them needs it. A low priority would not be enough: the system wakes a
 * thread on an idle processor, and a processor that does unimportant work is as busy as any other.
 */
import type { WayFlag } from './company.ts';

/**
 * Share of a thread's time that it works while it makes way. With 0.2, others wait longer (docs/design/fairness.md).
 */
const WORKING_SHARE = 0.1;
/** Work before a rest, in milliseconds. A rest costs the system some 0.1 ms. */
const WORK_MS = 0.5;
/** The longest rest, in milliseconds: a piece of work that could not be divided is not paid for in full. */
const REST_MS_MAX = 25;
/** Share of a search's time limit that it may rest in all: a search must not be refused because it makes way. */
const RESTING_SHARE_MAX = 0.5;
/** The rests of one thread. */
export class Rests {
  private readonly flag: Pick<WayFlag, 'isSet' | 'wait'>;
  private readonly now: () => number;
  private workedFromMs = 0;
  private lastRestMs = 0;
  /** How long the thread has rested in the task, in milliseconds. */
  restedMs = 0;

  /** `now` in milliseconds, from a clock that never goes backwards. */
  constructor(flag: Pick<WayFlag, 'isSet' | 'wait'>, now: () => number) {
    this.flag = flag;
    this.now = now;
  }

  /**
   * A task begins that has `budgetMs` milliseconds, with a rest if something is owed: `owedMs` milliseconds of work that
   * was done elsewhere, and that no rest has followed.
   */
  begin(owedMs: number, budgetMs: number): void {
    const nowMs = this.now();
    this.restedMs = 0;
    this.workedFromMs = nowMs - owedMs;
    this.lastRestMs = nowMs + budgetMs * RESTING_SHARE_MAX;
    this.pause();
  }

  /** Between two pieces of work. */
  pause(): void {
    const fromMs = this.now();
    const workedMs = fromMs - this.workedFromMs;
    if (workedMs < WORK_MS) return;
    this.workedFromMs = fromMs;
    const dueMs = Math.min(REST_MS_MAX, (workedMs * (1 - WORKING_SHARE)) / WORKING_SHARE);
    const restMs = Math.min(dueMs, this.lastRestMs - fromMs);
    if (restMs <= 0 || !this.flag.isSet) return;
    this.flag.wait(restMs);
    this.workedFromMs = this.now();
    this.restedMs += this.workedFromMs - fromMs;
  }
}
