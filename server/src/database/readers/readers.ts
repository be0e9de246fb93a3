/**
 * Spreads reads of records over the standbys of a database, behind the interface of one database. Every statement needs
 * what the primary had committed when it was asked. A standby that has not replayed that is not asked, and if no
 * standby can answer, the primary does (docs/design/standbys-and-nodes.md).
 * Invariant: answers are never older than those of the primary, so that consecutive statements, on any servers, see
 * what they would see on one.
 */
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { startRounds } from '../../base/rounds.ts';
import type { Database, Queryable, StatementLimits } from '../driver/db.ts';
import { READING_SESSION_SETTINGS } from '../driver/session-settings.ts';
import { buildPosition, type Position, readServerState } from './server-state.ts';
import { hasGivenUp, Standby } from './standby.ts';

export interface ReadersOptions {
  /** Addresses of the standbys, with their names for operators. */
  readonly standbys: readonly { readonly url: string; readonly place: string }[];
  /** For everything that no standby answers, and for everything that is not a single statement. */
  readonly primary: Database;
  /** Null: to the primary. */
  readonly connect: (url: string | null, order: ConnectionOrder) => Promise<Database>;
  /** Most connections to each standby. */
  readonly poolMax: number;
  readonly statementTimeoutMs: number;
  /** Which standby an index prefers to follow, so that the indexes of many processes are spread. */
  readonly preferred: number;
  readonly clock: Clock;
  readonly log: Log;
}

export interface ConnectionOrder {
  readonly applicationName: string;
  readonly poolMax: number;
  readonly statementTimeoutMs: number;
  readonly settings?: Readonly<Record<string, string>>;
}

/** A standby as operators see it. */
export interface StandbyFigures {
  readonly place: string;
  /** Why nothing is read from it; null if it is read from. */
  readonly fault: string | null;
  /** Null: unknown. */
  readonly lagSeconds: number | null;
  readonly reads: number;
}

export interface ReaderFigures {
  readonly standbys: readonly StandbyFigures[];
  readonly primaryReads: number;
}

export interface Readers {
  /** Single statements go to a standby; transactions, sessions and copies to the primary. */
  readonly database: Database;
  /** For single statements that cost the primary no more than the question of its position. */
  readonly primary: Database;
  readonly figures: () => ReaderFigures;
  /** The address of the standby by which an index should follow the database; null: the index follows the primary. */
  readonly followed: () => string | null;
  /** Calls `act` when that changes. */
  readonly onFollowed: (act: (url: string | null) => void) => void;
  /** Stops the checks. The connections are closed by their owner. */
  readonly close: () => Promise<void>;
}

const LOOK_EVERY_MS = 250;
/** Searches wait for their index (I-41), so it follows no standby that lags by more. */
const FOLLOWED_LAG_MS_MAX = 500;
/** The primary and the standbys are asked small questions; one that takes this long is blocked. */
const LOOK_TIMEOUT_MS = 2_000;

/** Resolves when each standby has been checked once: a standby that is right by then is read from at once. */
export async function openReaders(options: ReadersOptions): Promise<Readers> {
  const { primary, connect, poolMax, statementTimeoutMs, clock, log } = options;
  if (options.standbys.length === 0) return readPrimary(primary);
  const small = { poolMax: 1, statementTimeoutMs: LOOK_TIMEOUT_MS };
  const asked = await connect(null, { applicationName: 'tmds serve position', ...small, poolMax: 2 });
  const standbys: Standby[] = [];
  for (const { url, place } of options.standbys) {
    const order = { applicationName: 'tmds serve reads', poolMax, statementTimeoutMs };
    const database = await connect(url, { ...order, settings: READING_SESSION_SETTINGS });
    const looks = await connect(url, { applicationName: 'tmds serve look', ...small });
    standbys.push(new Standby({ url, place, database, looks, clock, log }));
  }
  const position = buildPosition(asked, clock);
  let primaryReads = 0;
  const counted = countReads(primary, () => {
    primaryReads += 1;
  });
  let turn = 0;
  let followed: Standby | null = null;
  let tellFollowed: (url: string | null) => void = () => {};

  /** The least busy standby that shows the position; null if none does soon. */
  const choose = async (needed: Position): Promise<Standby | null> => {
    let level = standbys.filter((standby) => standby.shows(needed));
    if (level.length === 0) {
      await waitForAny(standbys.map((standby) => standby.reach(needed)));
      level = standbys.filter((standby) => standby.shows(needed));
    }
    turn += 1;
    const loads = level.map((standby, place) => ({
      standby,
      busy: busyOf(standby),
      place: (place + turn) % level.length,
    }));
    loads.sort((one, other) => one.busy - other.busy || one.place - other.place);
    return loads[0]?.standby ?? null;
  };

  const read = async <Answer>(
    limits: StatementLimits,
    ask: (db: Queryable, limits: StatementLimits) => Promise<Answer>,
  ): Promise<Answer> => {
    if (standbys.some(({ fault }) => fault === null)) {
      const needed = await position();
      limits.signal?.throwIfAborted();
      const standby = await choose(needed);
      try {
        if (standby !== null) return await standby.read(needed, ask, limits);
      } catch (error) {
        if (hasGivenUp(limits, clock)) throw error;
      }
    }
    return await ask(counted, limits);
  };

  /** An index stays with the standby that it follows for as long as that keeps up. */
  const chooseFollowed = (): void => {
    if (followed?.keepsUp(FOLLOWED_LAG_MS_MAX)) return;
    const { length } = standbys;
    const order = standbys.map((_, place) => standbys[(place + options.preferred) % length]!);
    const chosen = order.find((standby) => standby.keepsUp(0)) ?? null;
    if (chosen === followed) return;
    followed = chosen;
    tellFollowed(chosen?.url ?? null);
  };

  const look = async (): Promise<void> => {
    const states = await Promise.all(standbys.map((standby) => standby.look()));
    // While the primary is away, its standbys cannot be judged, and no call is answered.
    const state = await readServerState(asked).catch(() => null);
    if (state !== null) for (const [place, standby] of standbys.entries()) standby.judge(states[place]!, state);
    chooseFollowed();
  };
  await look();
  const looking = startRounds(clock, () => look().then(() => LOOK_EVERY_MS), LOOK_EVERY_MS);

  return {
    database: {
      ...primary,
      query: (statement, { prepare = true, ...limits } = {}) =>
        read(limits, (db, own) => db.query(statement, { ...own, prepare })),
      queryBytes: (statement, { prepare = true, ...limits } = {}) =>
        read(limits, (db, own) => db.queryBytes(statement, { ...own, prepare })),
      copyRows: (statement, limits = {}) => read(limits, (db, own) => db.copyRows(statement, own)),
    },
    primary: counted,
    figures: () => ({
      standbys: standbys.map(({ place, fault, lagMs, reads }) => ({
        place,
        fault,
        lagSeconds: lagMs === null ? null : lagMs / 1000,
        reads,
      })),
      primaryReads,
    }),
    followed: () => followed?.url ?? null,
    onFollowed: (act) => {
      tellFollowed = act;
    },
    close: () => looking.stop(),
  };
}

/** Without standbys there is nothing to check. */
function readPrimary(primary: Database): Readers {
  let primaryReads = 0;
  const counted = countReads(primary, () => {
    primaryReads += 1;
  });
  return {
    database: counted,
    primary: counted,
    figures: () => ({ standbys: [], primaryReads }),
    followed: () => null,
    onFollowed: () => {},
    close: async () => {},
  };
}

/** Calls `count` for each single statement. */
function countReads(database: Database, count: () => void): Database {
  return {
    ...database,
    query: (statement, limits) => {
      count();
      return database.query(statement, limits);
    },
    queryBytes: (statement, limits) => {
      count();
      return database.queryBytes(statement, limits);
    },
    copyRows: (statement, limits) => {
      count();
      return database.copyRows(statement, limits);
    },
  };
}

function busyOf({ database }: Standby): number {
  const { lent, waiting } = database.poolState();
  return lent + waiting;
}

/** Resolves as soon as one of them is true, or all are known. */
async function waitForAny(answers: readonly Promise<boolean>[]): Promise<void> {
  const found = answers.map(async (answer) => {
    if (!(await answer)) throw new Error('not this one');
  });
  await Promise.any(found).catch(() => undefined);
}
