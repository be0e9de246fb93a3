/** Processes that share a database, and which of them holds a duty. */
import assert from 'node:assert/strict';
import type { Database } from '../../src/database/driver/db.ts';
import { listHolders } from '../../src/store/duties/duties.ts';
import { connectTestDatabase, createTestDatabase } from './database.ts';

/** Two processes of one database. */
export async function openTwo(t: {
  after(work: () => Promise<void>): void;
}): Promise<{ db: Database; other: Database }> {
  const { db, url } = await createTestDatabase(t);
  const other = await connectTestDatabase(url);
  t.after(() => other.close());
  return { db, other };
}

/** The process of the database that holds the only duty that is held. */
export async function findPid(db: Database): Promise<number> {
  const holders = await listHolders(db);
  assert.equal(holders.length, 1);
  return holders[0]!.pid;
}
