/**
 * Decides which processes use the embedded PostgreSQL, and so when it starts and stops. Each of them holds a shared
 * advisory lock in that PostgreSQL, on its own connection; the last one to leave takes the lock exclusively and stops
 * the server. Such locks end with the process, so a killed one leaves nothing to clean up, and a process cannot arrive
 * while another stops the server.
 */
import type { Clock } from '../../base/clock.ts';
import { failureForLog, OperatorError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { NoAnswer } from '../../base/no-answer.ts';
import { listServers } from '../../base/setting-values.ts';
import { describeAddress } from '../driver/address.ts';
import { openSession, type PinnedSession, type Queryable } from '../driver/db.ts';
import { errorCode } from '../driver/failures.ts';
import { sql } from '../driver/sql.ts';
import { followPrimary } from '../readers/primary.ts';
import { ATTACH_LOCK, LOCK_SPACE, SERVER_LOCK } from '../schema/locks.ts';
import { buildClusterUrl, type Cluster, createCluster, findCluster, findRunning, startPostgres } from './cluster.ts';
import { judgeDisk, readDiskSpace } from './disk-space.ts';
import type { Postmaster } from './postmaster.ts';
import type { ServerSettings } from './settings.ts';

export interface AttachOptions {
  /** Absolute. */
  dataDir: string;
  /** May name several servers. Null = embedded. */
  databaseUrl: string | null;
  /** The holder's name as other processes see it, such as `tmds load`; process id and address are added. */
  applicationName: string;
  clock: Clock;
  log: Log;
  /** Called once per step that may take seconds, with a description for a person. */
  onProgress?: (step: string) => void;
  /** Called before a database is created; throwing an error prevents it. The database does not exist yet. */
  beforeMaking?: () => Promise<void>;
  /** Default true. False: throws OperatorError if there is no embedded database yet. */
  mayCreate?: boolean;
  /** Settings of PostgreSQL that override the computed ones, for tests. */
  serverSettings?: ServerSettings;
}

export interface AttachedDatabase {
  /**
   * The current address: after a crash, an embedded database may return at another port; of several servers, another
   * may become the primary.
   */
  readonly url: string;
  readonly isEmbedded: boolean;
  /**
   * Makes this process the only server of the embedded database while it runs. Throws an OperatorError that names the
   * other process, and its address if known, if there is one. An external database may have any number of servers.
   */
  claimServer(): Promise<void>;
  /** Publishes where this server listens, for later claimants. */
  announceServer(address: string): Promise<void>;
  /** Calls `listener` whenever the database returns at another address. */
  onMoved(listener: (url: string) => void): void;
  /** Detaches, and stops the embedded PostgreSQL if no one else uses it. Close other connections first. */
  release(): Promise<void>;
}

const RETRY_MS = 25;
const CONNECT_TIMEOUT_MS = 10_000;
/** Half a minute of checks on a start that fails or reports nothing. A recovery is waited for without limit. */
const START_LOOKS_MAX = 1_200;
const WAITING_NOTE_MS = 5_000;
const STOP_DEADLINE_MS = 60_000;
const REATTACH_MS = 500;

/**
 * Starts the embedded PostgreSQL, or attaches to the running one. For an external database, follows the primary. Throws
 * OperatorError if that is not possible.
 */
export async function attachDatabase(options: AttachOptions): Promise<AttachedDatabase> {
  if (options.databaseUrl !== null) return await attachExternal(options.databaseUrl, options);
  const cluster = await findOrCreateCluster(options);
  let anchor = await dropAnchor(cluster, options);
  let isServer = false;
  let announced: string | undefined;
  const listeners: ((url: string) => void)[] = [];
  let released = false;

  const restoreClaims = async (): Promise<void> => {
    if (isServer) await lockServer(anchor.session, options.dataDir);
    if (announced !== undefined) await nameSession(anchor.session, announced);
  };
  const keepAnchor = async (): Promise<void> => {
    while (!released) {
      await anchor.session.ended;
      if (released) return;
      options.log.warn('the embedded database went away; starting it again');
      try {
        anchor = await dropAnchor(cluster, options);
        if (released) await leave(anchor, cluster, options);
        else {
          for (const listener of listeners) listener(anchor.url);
          await restoreClaims();
        }
      } catch (error) {
        options.log.warn(failureForLog(error), 'the embedded database could not be started again yet');
        await options.clock.sleep(REATTACH_MS);
      }
    }
  };
  void keepAnchor();

  return {
    get url() {
      return anchor.url;
    },
    isEmbedded: true,
    claimServer: async () => {
      await lockServer(anchor.session, options.dataDir);
      isServer = true;
    },
    announceServer: async (address) => {
      announced = `${options.applicationName} ${process.pid} ${address}`;
      await nameSession(anchor.session, announced);
    },
    onMoved: (listener) => void listeners.push(listener),
    release: async () => {
      released = true;
      await leave(anchor, cluster, options);
    },
  };
}

async function attachExternal(address: string, options: AttachOptions): Promise<AttachedDatabase> {
  const servers = listServers(address).map((url) => ({ url, place: describeAddress(url) }));
  const nothing = async (): Promise<void> => {};
  const stays = { url: address, onMoved: () => undefined, close: nothing };
  const primary = servers.length === 1 ? stays : await followPrimary(servers, options);
  return {
    get url() {
      return primary.url;
    },
    isEmbedded: false,
    claimServer: nothing,
    announceServer: nothing,
    onMoved: (listener) => primary.onMoved(listener),
    release: () => primary.close(),
  };
}

async function findOrCreateCluster(options: AttachOptions): Promise<Cluster> {
  const existing = await findCluster(options.dataDir);
  if (existing !== null) return existing;
  if (options.mayCreate === false) {
    throw new OperatorError(`there is no database below ${options.dataDir} yet; npm start or tmds serve creates it`);
  }
  await options.beforeMaking?.();
  options.onProgress?.('creating the embedded database');
  return await createCluster(options.dataDir);
}

interface Anchor {
  readonly session: PinnedSession;
  readonly url: string;
  readonly postmaster: Postmaster;
}

/** Loops until attached, since another process may start or stop the same PostgreSQL between any two steps. */
async function dropAnchor(cluster: Cluster, options: AttachOptions): Promise<Anchor> {
  const { clock } = options;
  const start = buildStarter(cluster, options);
  const noteWaiting = buildWaitingNote(options);
  let looks = 0;
  for (;;) {
    const postmaster = await findRunning(cluster);
    if (postmaster !== null) {
      const anchor = await tryAnchor(cluster, postmaster, options);
      if (anchor !== null) return anchor;
      // Recovery after a crash may take minutes.
      looks = 0;
      noteWaiting(postmaster);
    } else {
      const failure = await start();
      looks += 1;
      if (failure?.isFinal || looks > START_LOOKS_MAX) {
        const words = failure?.words ?? 'it does not respond';
        throw new OperatorError(
          `the embedded database does not start: ${words} (see ${cluster.folder}/log)${await explainRoom(cluster)}`,
        );
      }
    }
    await clock.sleep(RETRY_MS);
  }
}

/** On a full disk, PostgreSQL says what it could not do, but not always why. */
async function explainRoom(cluster: Cluster): Promise<string> {
  const space = await readDiskSpace(cluster.folder);
  const finding = space === null ? null : judgeDisk(cluster.folder, space);
  return finding === null ? '' : `; ${finding.seen}: ${finding.remedy}`;
}

/** Messages that PostgreSQL logs while another one is still stopping or just starting; trying again helps. */
const PASSING_FAILURES = /lock file|shared memory block/;
const START_ATTEMPTS_MAX = 3;

interface StartFailure {
  readonly words: string;
  readonly isFinal: boolean;
}

/** Starts PostgreSQL unless an attempt is in progress. Resolves to the failure of the last attempt; null if none. */
function buildStarter(cluster: Cluster, options: AttachOptions): () => Promise<StartFailure | null> {
  let isStarting = false;
  let attempts = 0;
  let failure: StartFailure | null = null;
  return async () => {
    if (isStarting || failure?.isFinal) return failure;
    if (attempts === 0) options.log.info('starting the embedded database');
    isStarting = true;
    attempts += 1;
    const { exited } = await startPostgres(cluster, options.serverSettings);
    void exited.then((words) => {
      failure = { words, isFinal: attempts >= START_ATTEMPTS_MAX && !PASSING_FAILURES.test(words) };
      isStarting = false;
    });
    return failure;
  };
}

function buildWaitingNote(options: AttachOptions): (postmaster: Postmaster) => void {
  let sinceMs: number | undefined;
  return (postmaster) => {
    sinceMs ??= options.clock.monotonicMs();
    if (options.clock.monotonicMs() - sinceMs < WAITING_NOTE_MS) return;
    sinceMs = Number.POSITIVE_INFINITY;
    options.onProgress?.(`waiting for the embedded database (process ${postmaster.pid}) to be ready`);
  };
}

/** Null while PostgreSQL is starting up or shutting down. */
async function tryAnchor(cluster: Cluster, postmaster: Postmaster, options: AttachOptions): Promise<Anchor | null> {
  if (postmaster.address === null) return null;
  const url = buildClusterUrl(cluster, postmaster.address);
  let session: PinnedSession | undefined;
  try {
    session = await openSession({
      url,
      statementTimeoutMs: 0,
      applicationName: `${options.applicationName} ${process.pid}`,
      acquireTimeoutMs: CONNECT_TIMEOUT_MS,
    });
    // Waits while a leaving process holds it exclusively. Its shutdown ends this session, and the caller tries again.
    await session.query(sql`select pg_advisory_lock_shared(${LOCK_SPACE}::int, ${ATTACH_LOCK}::int)`);
    return { session, url, postmaster };
  } catch (error) {
    await session?.close().catch(() => undefined);
    if (!(error instanceof NoAnswer)) throw error;
    if (!errorCode(error.cause)?.startsWith('28')) return null;
    const words = (error.cause as Error).message;
    throw new OperatorError(
      `the embedded database does not accept the password in ${cluster.folder}/password: ${words}; ` +
        'restore that file, or the whole data folder, from a backup',
      { cause: error },
    );
  }
}

async function lockServer(session: PinnedSession, dataDir: string): Promise<void> {
  const [answer] = await session.query<{ locked: boolean }>(
    sql`select pg_try_advisory_lock(${LOCK_SPACE}::int, ${SERVER_LOCK}::int) as locked`,
  );
  if (answer?.locked) return;
  const [pid, address] = await readHolder(session);
  const who = `process ${pid ?? 'unknown'}${address === undefined ? ', still starting' : `, ${address}`}`;
  throw new OperatorError(
    `another tmds serve (${who}) already serves the data folder ${dataDir}; stop it, or set another TMDS_DATA_DIR`,
  );
}

/** The address of the server of an embedded database; null if none serves it, and for any other database. */
export async function findServer(db: Queryable): Promise<string | null> {
  const [, address] = await readHolder(db);
  return address ?? null;
}

/** The server of the data folder: its process, and its address once it serves. */
async function readHolder(db: Pick<Queryable, 'query'>): Promise<string[]> {
  const [holder] = await db.query<{ name: string }>(sql`
    select activity.application_name as name
    from pg_locks as lock join pg_stat_activity as activity using (pid)
    where lock.locktype = 'advisory' and lock.granted
      and lock.classid::bigint = ${LOCK_SPACE} and lock.objid::bigint = ${SERVER_LOCK} and lock.objsubid = 2`);
  return (holder?.name ?? '')
    .split(' ')
    .slice(-2)
    .filter((word) => /^\d+$|^http/.test(word));
}

async function nameSession(session: PinnedSession, name: string): Promise<void> {
  await session.query(sql`select set_config('application_name', ${name}, false)`);
}

async function leave(anchor: Anchor, cluster: Cluster, options: AttachOptions): Promise<void> {
  try {
    await anchor.session.query(sql`select pg_advisory_unlock_shared(${LOCK_SPACE}::int, ${ATTACH_LOCK}::int)`);
    const [answer] = await anchor.session.query<{ alone: boolean }>(
      sql`select pg_try_advisory_lock(${LOCK_SPACE}::int, ${ATTACH_LOCK}::int) as alone`,
    );
    if (answer?.alone) {
      process.kill(anchor.postmaster.pid, 'SIGINT');
      await waitUntilStopped(cluster, anchor.postmaster, options.clock);
    }
  } catch (error) {
    // It is gone already, so there is nothing to stop.
    options.log.debug({ err: error }, 'the embedded database was gone before detaching');
  } finally {
    await anchor.session.close().catch(() => undefined);
  }
}

async function waitUntilStopped(cluster: Cluster, postmaster: Postmaster, clock: Clock): Promise<void> {
  const deadlineMs = clock.monotonicMs() + STOP_DEADLINE_MS;
  while ((await findRunning(cluster))?.pid === postmaster.pid && clock.monotonicMs() < deadlineMs) {
    await clock.sleep(RETRY_MS);
  }
}
