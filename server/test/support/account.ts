/** An account of PostgreSQL that logs in, and is dropped when its test ends. */
import { randomUUID } from 'node:crypto';
import type { Database } from '../../src/database/driver/db.ts';
import { identifier, sql } from '../../src/database/driver/sql.ts';
import { connectTestDatabase } from './database.ts';

/** `terms`: as of `create role`. */
export async function createAccount(
  t: { after: (work: () => Promise<void>) => void },
  db: Database,
  url: string,
  terms = '',
): Promise<{ name: string; url: string }> {
  const name = `t_${randomUUID().replaceAll('-', '').slice(0, 12)}`;
  await db.session((session) => session.runScript(`create role ${name} login password 'secret' ${terms}`));
  t.after(async () => {
    // The database of the test, with all that the account owned or was granted, is gone by now.
    const elsewhere = new URL(url);
    elsewhere.pathname = '/postgres';
    const admin = await connectTestDatabase(elsewhere.href, { poolMax: 1 });
    await admin.query(sql`drop role ${identifier(name)}`, { prepare: false });
    await admin.close();
  });
  const own = new URL(url);
  own.username = name;
  own.password = 'secret';
  return { name, url: own.href };
}
