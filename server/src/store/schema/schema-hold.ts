/**
 * Keeps servers and migrations apart by an advisory lock: a server holds it shared while it answers from the schema it
 * knows, a migration takes it exclusively. A server that sees a migration waiting stops answering, waits until running
 * statements are cut off, and releases the lock. So no statement of an older version meets a newer schema.
 */
import type { Clock } from '../../base/clock.ts';
import { OperatorError } from '../../base/errors.ts';
import type { PinnedSession } from '../driver/db.ts';
import { sql } from '../driver/sql.ts';
import { checkSchema, LOCK_SPACE, type Migration, SCHEMA_LOCK } from './migrate.ts';

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
  let isHeld = false;
  let leavingSinceMs: number | null = null;

  const take = async (): Promise<void> => {
    const [taken] = await session.query<{ held: boolean }>(
      sql`select pg_try_advisory_lock_shared(${LOCK_SPACE}::int, ${SCHEMA_LOCK}::int) as held`,
    );
    isHeld = taken!.held;
    if (!isHeld) throw beingChanged();
  };
  const leave = async (): Promise<void> => {
    await session.query(sql`select pg_advisory_unlock_shared(${LOCK_SPACE}::int, ${SCHEMA_LOCK}::int)`);
    isHeld = false;
    leavingSinceMs = null;
  };
  const isWantedAlone = async (): Promise<boolean> => {
    const [seen] = await session.query<{ wanted: boolean }>(sql`
      select exists (
        select from pg_locks where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())
          and classid::bigint = ${LOCK_SPACE} and objid::bigint = ${SCHEMA_LOCK} and objsubid = 2
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
