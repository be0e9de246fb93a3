/** A test's database whose clock the test owns. */
import { connectTestDatabase, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { installSkewedClock, stepClock } from './skew.ts';

export interface SkewedDatabase extends TestDatabase {
  /** Moves the clock that every statement from now on reads; negative = back. */
  step(seconds: number): Promise<void>;
}

export async function createSkewedDatabase(t: { after(work: () => Promise<void>): void }): Promise<SkewedDatabase> {
  const { url, db: first } = await createTestDatabase(t);
  await installSkewedClock(first);
  const db = await connectTestDatabase(url);
  t.after(() => db.close());
  return { url, db, step: (seconds) => stepClock(db, seconds) };
}
