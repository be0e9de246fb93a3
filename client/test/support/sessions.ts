/**
 * Sessions of the replica's command, most of them ended by kill -9 at a random moment: around a call and the save that
 * follows it, or while the process starts. The caller decides what happens at the service in the meantime.
 */
import type { Random } from '../../../server/test/torture/random.ts';
import type { ReplicaRun } from './host.ts';

const SESSIONS_MAX = 12;
const SESSIONS_MIN = 4;
const KILLS_PLANNED = 4;
const CALLS_BEFORE_KILL = 7;
/** A page of the tests is answered and saved well within it. */
const KILL_DELAY_MS = 15;
/** About as long as a process needs to its first call. */
const START_MS = 700;

export interface KilledSessions {
  /** Notified of every call when it comes in. */
  onCall(): void;
  /**
   * Runs sessions, four or more, until one has ended on its own; `between` follows each that another one follows.
   * Resolves to the number of sessions that a kill ended.
   */
  run(between: () => Promise<void> | void): Promise<number>;
}

/** @throws Error when a session that was not killed ends with a status other than 0 */
export function buildSessions(random: Random, start: () => ReplicaRun): KilledSessions {
  let onCall = (): void => undefined;

  function planKill({ child }: ReplicaRun): void {
    const kill = (): void => void child.kill('SIGKILL');
    if (random.chance(0.1)) {
      setTimeout(kill, random.next() * START_MS);
      return;
    }
    let callsLeft = random.integer(1, CALLS_BEFORE_KILL);
    const delayMs = random.next() * KILL_DELAY_MS;
    onCall = () => {
      callsLeft -= 1;
      if (callsLeft === 0) setTimeout(kill, delayMs);
    };
  }

  return {
    onCall: () => onCall(),
    async run(between) {
      let kills = 0;
      for (let session = 0; session < SESSIONS_MAX; session += 1) {
        const run = start();
        onCall = () => undefined;
        if (session < KILLS_PLANNED) planKill(run);
        const { status, err } = await run.ended;
        if (status === null) kills += 1;
        else if (status !== 0) throw new Error(`session ${session} failed: ${err}`);
        else if (session + 1 >= SESSIONS_MIN) break;
        await between();
      }
      onCall = () => undefined;
      return kills;
    },
  };
}
