/**
 * Whether each connection has a server session to itself, as locks, settings and prepared statements require. A pooler
 * that lends sessions per transaction does not announce it, but two connections that take turns in this order expose
 * it, whether it lends from a stack, from a queue or at random (docs/design/postgresql.md).
 */
import type { PinnedSession, Queryable } from './db.ts';
import { listSessionSettings, type SessionChoice } from './session-settings.ts';
import { sql } from './sql.ts';

const LENT =
  'a pooler in front of it lends sessions for one transaction only, so locks and settings are lost; set its ' +
  'pool_mode to session, or point DATABASE_URL at the database itself';

/** Null if each of the two has a session to itself; else what is wrong and how to fix it. */
export async function checkOwnSessions(one: PinnedSession, other: PinnedSession): Promise<string | null> {
  const first = await identify(one);
  // A queue lends the next session.
  if ((await identify(one)) !== first) return LENT;
  await other.runScript('begin');
  try {
    // A stack lends the session that was returned last.
    if ((await identify(other)) === first) return LENT;
    // A session on loan cannot be lent to the other connection.
    return (await identify(one)) === first ? null : LENT;
  } finally {
    await other.runScript('commit');
  }
}

/** Identifies the server process behind a connection, even across restarts. */
async function identify(session: Queryable): Promise<string> {
  const [found] = await session.query<{ identity: string }>(
    sql`select pg_backend_pid() || ' of ' || pg_postmaster_start_time() as identity`,
  );
  return found!.identity;
}

interface Setting {
  name: string;
  value: string;
}

/** Null if the settings the session began with are in force; else what is wrong and how to fix it. */
export async function checkSettingsHold(session: Queryable, choice: SessionChoice): Promise<string | null> {
  const settings = listSessionSettings(choice);
  const listed = sql`unnest(${Object.keys(settings)}::text[], ${Object.values(settings)}::text[]) as setting (name, value)`;
  // Asking for its process keeps the statement in the session: a parallel worker does not know the client's connection.
  const found = await session.query<Setting>(
    sql`select name, current_setting(name) as value, pg_backend_pid() from ${listed}`,
  );
  // Normalized by PostgreSQL: 10000 becomes 10s.
  const wanted = await session.query<Setting>(sql`select name, set_config(name, value, false) as value from ${listed}`);
  const lost = wanted.filter(({ name, value }) => found.find((each) => each.name === name)?.value !== value);
  if (lost.length === 0) return null;
  const names = lost.map(({ name }) => name).join(', ');
  return `what a session sets is lost before its next statement (${names}); let the pooler in front of it keep sessions as they are, or point DATABASE_URL at the database itself`;
}
