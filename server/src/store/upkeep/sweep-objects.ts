/**
 * Takes away objects that no row names: what failed publishes brought, and what was moved elsewhere. Invariant: no row
 * that is being written can name an object that is taken away, since whoever brings objects shares a lock until rows
 * name them, and the sweep holds it alone between its look at the rows and the end of the objects.
 */
import { OperatorError } from '../../base/errors.ts';
import { refuseDistributed } from '../distributed/distribution.ts';
import { OBJECT_PREFIX } from '../documents/read.ts';
import { requireObjects } from '../documents/write.ts';
import type { Database, Transaction } from '../driver/db.ts';
import { sql } from '../driver/sql.ts';
import type { StoredObject } from '../objects/object-store.ts';
import { LOCK_SPACE, OBJECTS_LOCK } from '../schema/locks.ts';

export interface SweepOptions {
  readonly db: Database;
  /** Objects that were written later stay; milliseconds since the Unix epoch, by the clock of the store. */
  readonly beforeMs: number;
  /** Only counts. */
  readonly dryRun: boolean;
  readonly onProgress?: (swept: Swept) => void;
}

export interface Swept {
  /** Seen in the store. */
  readonly objects: number;
  /** Of those, taken away, or with `dryRun` to be taken away. */
  readonly unnamed: number;
  readonly unnamedBytes: number;
  /** Not named either, but written later: a backup may name them, or what is going on. */
  readonly younger: number;
}

const NAME = new RegExp(`^${OBJECT_PREFIX}[0-9a-f]{2}/([0-9a-f]{64})$`);

/** Throws OperatorError while a load or a move runs; ObjectStoreAway. */
export async function sweepObjects({ db, beforeMs, dryRun, onProgress }: SweepOptions): Promise<Swept> {
  await refuseDistributed(db, 'tmds payloads sweep');
  const objects = requireObjects(db);
  let swept: Swept = { objects: 0, unnamed: 0, unnamedBytes: 0, younger: 0 };
  for await (const page of objects.list(OBJECT_PREFIX)) {
    const [unnamed, younger] = await db.transaction(async (tx) => {
      await claimObjects(tx);
      const found = await listUnnamed(
        tx,
        page.filter(({ name }) => NAME.test(name)),
      );
      const old = found.filter(({ writtenMs }) => writtenMs < beforeMs);
      if (!dryRun && old.length > 0) await objects.delete(old.map(({ name }) => name));
      return [old, found.length - old.length];
    });
    swept = {
      objects: swept.objects + page.length,
      unnamed: swept.unnamed + unnamed.length,
      unnamedBytes: swept.unnamedBytes + unnamed.reduce((sum, { bytes }) => sum + bytes, 0),
      younger: swept.younger + younger,
    };
    onProgress?.(swept);
  }
  return swept;
}

async function claimObjects(tx: Transaction): Promise<void> {
  const [taken] = await tx.query<{ alone: boolean }>(
    sql`select pg_try_advisory_xact_lock(${LOCK_SPACE}::int, ${OBJECTS_LOCK}::int) as alone`,
  );
  if (!taken!.alone) throw new OperatorError('a load or a move of payloads is running; sweep when it has ended');
}

async function listUnnamed(tx: Transaction, stored: readonly StoredObject[]): Promise<StoredObject[]> {
  if (stored.length === 0) return [];
  const digests = stored.map(({ name }) => NAME.exec(name)![1]!);
  const named = await tx.query<{ digest: string }>(sql`
    select wanted.digest from unnest(${digests}::text[]) as wanted (digest)
    where exists (select 1 from payload where document_digest = decode(wanted.digest, 'hex') and document_packed is null)
      or exists (select 1 from record_version
        where document_digest = decode(wanted.digest, 'hex') and document_packed is null)`);
  const kept = new Set(named.map(({ digest }) => digest));
  return stored.filter((_, position) => !kept.has(digests[position]!));
}
