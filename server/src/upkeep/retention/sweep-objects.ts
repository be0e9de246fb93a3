/**
 * Removes objects that no row names: those that failed publishes brought, and those that were moved elsewhere.
 * Invariant: no row that is being written can name a removed object. Everything that brings objects shares a lock until
 * rows name them, and the sweep holds the lock exclusively from its check of the rows to the removal of the objects.
 */
import { OperatorError } from '../../base/errors.ts';
import type { Database, Transaction } from '../../database/driver/db.ts';
import { identifier, sql } from '../../database/driver/sql.ts';
import { LOCK_SPACE, OBJECTS_LOCK } from '../../database/schema/locks.ts';
import type { StoredObject } from '../../objects/object-store.ts';
import { OBJECT_PREFIX } from '../../store/documents/read.ts';
import { DOCUMENT_TABLES } from '../../store/documents/tables.ts';
import { requireObjects } from '../../store/documents/write.ts';
import { announcePublish } from '../../store/publish/announce.ts';

export interface SweepOptions {
  /** Two connections or more. */
  readonly db: Database;
  /** Objects that were written later stay; milliseconds since the Unix epoch, by the clock of the store. */
  readonly beforeMs: number;
  /** Only counts. */
  readonly dryRun: boolean;
  readonly onProgress?: (swept: Swept) => void;
}

export interface Swept {
  /** Objects seen in the store. */
  readonly objects: number;
  /** Those among them that were removed, or with `dryRun` would be. */
  readonly unnamed: number;
  readonly unnamedBytes: number;
  /** Objects that no row names either, but that were written later: a backup or running work may name them. */
  readonly younger: number;
}

const NAME = new RegExp(`^${OBJECT_PREFIX}[0-9a-f]{2}/([0-9a-f]{64})$`);

/** Throws OperatorError while a load or a move runs; ObjectStoreAway; NoAnswer while a node is away. */
export async function sweepObjects({ db, beforeMs, dryRun, onProgress }: SweepOptions): Promise<Swept> {
  const objects = requireObjects(db);
  let swept: Swept = { objects: 0, unnamed: 0, unnamedBytes: 0, younger: 0 };
  for await (const page of objects.list(OBJECT_PREFIX)) {
    const [unnamed, younger] = await db.transaction(async (tx) => {
      await claimObjects(tx);
      // On several nodes a publish that has ended may still be hidden on one of them, with the objects that it names.
      await announcePublish(db);
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
  const kept = new Set<string>();
  for (const table of DOCUMENT_TABLES) {
    const named = await tx.query<{ digest: string }>(sql`
      select distinct encode(document_digest, 'hex') as digest from ${identifier(table)}
      where document_packed is null and document_digest = any(${digests.map((hex) => Buffer.from(hex, 'hex'))}::bytea[])`);
    for (const { digest } of named) kept.add(digest);
  }
  return stored.filter((_, position) => !kept.has(digests[position]!));
}
