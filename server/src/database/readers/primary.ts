/**
 * Which of the servers of `DATABASE_URL` is the primary: the one that can be written. If two can, it is the one on the
 * later timeline, since each promotion begins a new one. All are asked twice a second
 * (docs/design/standbys-and-nodes.md).
 * Invariants: a server of another database is never chosen, nor one on an earlier timeline than the last primary's. So
 * a primary that comes back after another has taken its place is not chosen again.
 */
import type { Clock } from '../../base/clock.ts';
import { OperatorError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { NoAnswer } from '../../base/no-answer.ts';
import { startRounds } from '../../base/rounds.ts';
import { connectDatabase, type Database } from '../driver/db.ts';
import { errorCode } from '../driver/failures.ts';
import { explainUnreachable } from '../driver/unreachable.ts';
import { readIdentity, type ServerIdentity } from './server-state.ts';

export interface Server {
  readonly url: string;
  /** The server's name for operators. */
  readonly place: string;
}

/** A server's report about itself, or why it gave none. */
export interface SeenServer extends Server {
  readonly state: ServerIdentity | Error;
}

export interface FollowedPrimary {
  /** The address of the current primary, or of the last one while there is none. */
  readonly url: string;
  /** Calls `listener` whenever another server has become the primary. */
  onMoved(listener: (url: string) => void): void;
  close(): Promise<void>;
}

export interface LookOptions {
  readonly applicationName: string;
  readonly clock: Clock;
  readonly log: Log;
}

const LOOK_EVERY_MS = 500;
/** A server that takes longer than this to identify itself counts as not answering. */
const LOOK_MS_MAX = 1_000;
/** At a start: while none can be written and one does not answer, all are asked again, for half a minute. */
const FIRST_LOOKS_MS = [1_000, 2_000, 4_000, 8_000, 16_000] as const;

/** @throws OperatorError if no server can be written now, or they are not all of one database. */
export async function followPrimary(servers: readonly Server[], options: LookOptions): Promise<FollowedPrimary> {
  const { clock, log } = options;
  let current = await chooseFirst(servers, options);
  const looks = await openLooks(servers, options);
  const listeners: ((url: string) => void)[] = [];
  let rivals = '';
  const look = async (): Promise<void> => {
    const writable = listWritable(await looks.see()).filter(({ system }) => system === current.system);
    const places = writable.map(({ place }) => place).join(', ');
    if (writable.length > 1 && places !== rivals) {
      log.warn({ servers: places }, 'several servers of DATABASE_URL can be written; stop all but the last promoted');
    }
    rivals = writable.length > 1 ? places : '';
    const next = chooseNext(writable, current);
    if (next.url !== current.url) {
      log.warn({ from: current.place, to: next.place }, 'another server of DATABASE_URL is the primary now');
      for (const listener of listeners) listener(next.url);
    }
    current = next;
  };
  const looking = startRounds(clock, () => look().then(() => LOOK_EVERY_MS), LOOK_EVERY_MS);
  return {
    get url() {
      return current.url;
    },
    onMoved: (listener) => void listeners.push(listener),
    close: async () => {
      await looking.stop();
      await looks.close();
    },
  };
}

/** Every server once. */
export async function seeServers(
  servers: readonly Server[],
  options: LookOptions,
  lookMs: number = LOOK_MS_MAX,
): Promise<SeenServer[]> {
  const looks = await openLooks(servers, options, lookMs);
  try {
    return await looks.see();
  } finally {
    await looks.close();
  }
}

interface WritableServer extends Server {
  readonly system: string;
  readonly timeline: number;
}

/** The servers that can be written, in the order of `seen`. */
function listWritable(seen: readonly SeenServer[]): WritableServer[] {
  return seen.flatMap(({ url, place, state }) =>
    state instanceof Error || state.isStandby
      ? []
      : [{ url, place, system: state.system, timeline: state.timeline ?? 0 }],
  );
}

/** Stays with the current primary unless another server has a better claim. */
function chooseNext(writable: readonly WritableServer[], current: WritableServer): WritableServer {
  const latest = Math.max(current.timeline, ...writable.map(({ timeline }) => timeline));
  const claims = writable.filter(({ timeline }) => timeline === latest);
  return claims.find(({ url }) => url === current.url) ?? claims[0] ?? current;
}

async function openLooks(
  servers: readonly Server[],
  { applicationName, clock, log }: LookOptions,
  lookMs: number = LOOK_MS_MAX,
): Promise<{ readonly see: () => Promise<SeenServer[]>; readonly close: () => Promise<void> }> {
  const opened: { readonly server: Server; readonly database: Database }[] = [];
  for (const server of servers) {
    const database = await connectDatabase({
      url: server.url,
      applicationName: `${applicationName} look`,
      poolMax: 1,
      statementTimeoutMs: lookMs,
      acquireTimeoutMs: lookMs,
      connectTimeoutMs: lookMs,
      log,
    });
    opened.push({ server, database });
  }
  const seeOne = async (server: Server, database: Database): Promise<SeenServer> => {
    const deadlineMs = clock.monotonicMs() + lookMs;
    try {
      return { ...server, state: await readIdentity(database, { deadlineMs }) };
    } catch (error) {
      const cause = error instanceof NoAnswer && error.cause instanceof Error ? error.cause : error;
      return { ...server, state: cause instanceof Error ? cause : new Error(String(cause)) };
    }
  };
  return {
    see: () => Promise.all(opened.map(({ server, database }) => seeOne(server, database))),
    close: async () => void (await Promise.all(opened.map(({ database }) => database.close()))),
  };
}

async function chooseFirst(servers: readonly Server[], options: LookOptions): Promise<WritableServer> {
  let seen: SeenServer[] = [];
  for (const lookMs of FIRST_LOOKS_MS) {
    seen = await seeServers(servers, options, lookMs);
    if (listWritable(seen).length > 0 || !seen.some(({ state }) => isSilent(state))) break;
  }
  const writable = listWritable(seen);
  const systems = new Set(writable.map(({ system }) => system));
  if (systems.size > 1) {
    const places = writable.map(({ place }) => place).join(', ');
    throw new OperatorError(`DATABASE_URL names servers of different databases: ${places}; correct it`);
  }
  const [first] = writable;
  if (first !== undefined) return chooseNext(writable, { ...first, timeline: 0 });
  const states = seen.map(({ place, state }) => `${place} ${describeState(state)}`).join('; ');
  throw new OperatorError(
    `none of the servers of DATABASE_URL can be written: ${states}; start the primary, or promote a standby`,
  );
}

/** A refusal of the network or of the server has its own code. */
function isSilent(state: ServerIdentity | Error): boolean {
  return state instanceof NoAnswer || (state instanceof Error && errorCode(state) === undefined);
}

function describeState(state: ServerIdentity | Error): string {
  if (!(state instanceof Error)) return 'is a standby';
  const { seen, remedy } = explainUnreachable(state, 'DATABASE_URL');
  return `does not answer: ${seen}${remedy === null ? '' : ` (${remedy})`}`;
}
