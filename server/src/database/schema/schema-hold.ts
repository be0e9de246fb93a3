/**
 * Keeps programs apart from migrations that they do not work with, by an advisory lock of their schema version. A
 * program holds it shared while it answers or loads; such a migration takes it exclusively. A server that sees a
 * migration waiting stops answering, waits until running statements are cut off, and releases the lock; a load keeps it
 * until it has ended. So no statement of an older version meets a schema that it does not understand.
 */
import type { Clock } from '../../base/clock.ts';
import { OperatorError } from '../../base/errors.ts';
import type { PinnedSession } from '../driver/db.ts';
import { isLockRefused } from '../driver/failures.ts';
import { sql } from '../driver/sql.ts';
import { PROGRAM_LOCK_SPACE } from './locks.ts';
import { checkSchema, type Migration, versionOf } from './migrate.ts';

/** By then, closed pools have cut off every running statement. */
const DRAIN_MS = 500;

export interface SchemaHold {
  /**
   * Resolves if this process may answer. Throws OperatorError if the schema is not that of `migrations`, or about to
   * change.
   */
  check(): Promise<void>;
}

/** The lock ends with the session. */
export function buildSchemaHold(session: PinnedSession, migrations: readonly Migration[], clock: Clock): SchemaHold {
  const version = versionOf(migrations);
  let isHeld = false;
  let leavingSinceMs: number | null = null;

  const take = async (): Promise<void> => {
    const [taken] = await session.query<{ held: boolean }>(
      sql`select pg_try_advisory_lock_shared(${PROGRAM_LOCK_SPACE}::int, ${version}::int) as held`,
    );
    isHeld = taken!.held;
    if (!isHeld) throw beingChanged();
  };
  const leave = async (): Promise<void> => {
    await session.query(sql`select pg_advisory_unlock_shared(${PROGRAM_LOCK_SPACE}::int, ${version}::int)`);
    isHeld = false;
    leavingSinceMs = null;
  };
  const isWantedAlone = async (): Promise<boolean> => {
    const [seen] = await session.query<{ wanted: boolean }>(sql`
      select exists (
        select from pg_locks where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())
          and classid::bigint = ${PROGRAM_LOCK_SPACE} and objid::bigint = ${version} and objsubid = 2
      ) as wanted`);
    return seen!.wanted;
  };

  return {
    check: async () => {
      if (!isHeld) await take();
      else if (leavingSinceMs !== null || (await isWantedAlone())) {
        leavingSinceMs ??= clock.monotonicMs();
        if (clock.monotonicMs() - leavingSinceMs >= DRAIN_MS) await leave();
        throw beingChanged();
      }
      await checkSchema(session, undefined, migrations);
    },
  };
}

function beingChanged(): OperatorError {
  return new OperatorError('a migration is changing the schema of the database');
}

/** How long a command waits for a migration to end. */
const COMMAND_WAIT_MS = 30_000;
const REOPEN_MS = 500;

export interface CommandHold {
  /** Rejects with OperatorError when the schema has become one that this program does not work with. */
  readonly lost: Promise<never>;
  release(): void;
}

/**
 * Holds the schema for a command until it is released, and again after a restart of the database. Throws OperatorError
 * if this program does not work with the schema.
 */
export async function holdSchema(
  connect: () => Promise<PinnedSession>,
  migrations: readonly Migration[],
  clock: Clock,
): Promise<CommandHold> {
  let isOver = false;
  const take = async (): Promise<PinnedSession> => {
    const opened = await connect();
    try {
      await opened.query(sql`select set_config('lock_timeout', ${String(COMMAND_WAIT_MS)}, false)`);
      await opened.query(
        sql`select pg_advisory_lock_shared(${PROGRAM_LOCK_SPACE}::int, ${versionOf(migrations)}::int)`,
      );
      await checkSchema(opened, undefined, migrations);
      return opened;
    } catch (error) {
      opened.destroy();
      throw isLockRefused(error) ? beingChanged() : error;
    }
  };
  let session = await take();
  const keep = async (): Promise<never> => {
    for (;;) {
      await session.ended;
      if (isOver) return await new Promise<never>(() => undefined);
      try {
        session = await take();
      } catch (error) {
        if (error instanceof OperatorError) throw error;
        // The database is away: the running work finds that out on its own.
        await clock.sleep(REOPEN_MS);
      }
    }
  };
  const lost = keep();
  lost.catch(() => undefined);
  const release = (): void => {
    isOver = true;
    session.destroy();
  };
  return { lost, release };
}
