/**
 * Whether a connection is a session of its own, as locks, settings and prepared statements need it. A pooler that lends
 * a session for one transaction only does not say so, but shows it by what it lends: two connections take turns, in an
 * order in which every pooler gives itself away, whether it lends from a stack, from a queue or at random
 * (docs/decisions/0051).
 */
import type { PinnedSession, Queryable } from './db.ts';
import { listSessionSettings, type SessionChoice } from './session-settings.ts';
import { sql } from './sql.ts';

const LENT =
  'a pooler in front of it lends a session for one transaction only, so that locks and settings are lost; set its ' +
  'pool_mode to session, or point DATABASE_URL at the database itself';

/** Null when each of the two has a session to itself; else what is wrong and the way out. */
export async function checkOwnSessions(one: PinnedSession, other: PinnedSession): Promise<string | null> {
  const first = await identify(one);
  // From a queue the next one is lent.
  if ((await identify(one)) !== first) return LENT;
  await other.runScript('begin');
  try {
    // From a stack the one is lent that was given back last.
    if ((await identify(other)) === first) return LENT;
    // What is lent cannot be lent to another.
    return (await identify(one)) === first ? null : LENT;
  } finally {
    await other.runScript('commit');
  }
}

/** The server process behind a connection, of all there ever were. */
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

/** Null when what the session began with is in force; else what is wrong and the way out. */
export async function checkSettingsHold(session: Queryable, choice: SessionChoice): Promise<string | null> {
  const settings = listSessionSettings(choice);
  const listed = sql`unnest(${Object.keys(settings)}::text[], ${Object.values(settings)}::text[]) as setting (name, value)`;
  const found = await session.query<Setting>(sql`select name, current_setting(name) as value from ${listed}`);
  // As PostgreSQL writes them: 10000 is 10s.
  const wanted = await session.query<Setting>(sql`select name, set_config(name, value, false) as value from ${listed}`);
  const lost = wanted.filter(({ name, value }) => found.find((each) => each.name === name)?.value !== value);
  if (lost.length === 0) return null;
  const names = lost.map(({ name }) => name).join(', ');
  return `what a session sets is lost before its next statement (${names}); let the pooler in front of it keep sessions as they are, or point DATABASE_URL at the database itself`;
}
