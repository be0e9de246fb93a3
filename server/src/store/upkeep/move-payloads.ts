/**
 * Moves documents to where they are to be held, while everything goes on. It keeps no books: a row says how it holds
 * its document, so a move that was killed goes on where the first row is that has not been moved. Invariant: a row
 * gives up a document only for one whose digest, read back from where it was brought, is that of the document that it
 * holds at that moment.
 */
import { OperatorError } from '../../base/errors.ts';
import { PAYLOAD_PLACES, type PayloadPlace } from '../../base/payload-places.ts';
import { refuseDistributed } from '../distributed/distribution.ts';
import { documentDigest, heldIn, PACKED_AS_NOTHING } from '../documents/held.ts';
import { admitPackedPayloads } from '../documents/older-programs.ts';
import { digestDocument } from '../documents/packing.ts';
import { carryHeld, readDocuments } from '../documents/read.ts';
import {
  DOCUMENT_TABLES,
  type DocumentTable,
  type HeldRow,
  isNamed,
  namedKeys,
  walkDocuments,
} from '../documents/tables.ts';
import { type WrittenDocument, writeDocuments } from '../documents/write.ts';
import type { Database, Queryable } from '../driver/db.ts';
import { identifier, type Statement, sql } from '../driver/sql.ts';
import { lockPublishing } from '../publish/publish-lock.ts';
import { LOCK_SPACE, OBJECTS_LOCK, PAYLOAD_MOVE_LOCK } from '../schema/locks.ts';

export type MoveStep = 'read' | 'brought' | 'moved';

export interface MoveOptions {
  /** Without a statement time limit, with at least three connections. */
  readonly db: Database;
  readonly to: PayloadPlace;
  readonly onProgress?: (moved: Moved) => void;
  /** Called after each step of a page; tests kill there. */
  readonly onStep?: (step: MoveStep) => Promise<void>;
  /** Default 500. */
  readonly pageRowsMax?: number;
}

export interface Moved {
  readonly documents: number;
  /** Of the documents as they are served. */
  readonly bytes: number;
}

/** Rows that were published meanwhile are looked for this often. */
const PASSES_MAX = 5;

/**
 * Throws OperatorError while another move, a sweep or an older program runs, or if a document does not come back as it
 * was brought; ObjectStoreAway. What was moved until then stays moved.
 */
export async function movePayloads(options: MoveOptions): Promise<Moved> {
  const { db, to } = options;
  await refuseDistributed(db, 'tmds payloads move');
  if (to !== 'database') await admitPackedPayloads(db);
  return await db.session(async (session) => {
    const [taken] = await session.query<{ alone: boolean; shared: boolean }>(sql`
      select pg_try_advisory_lock(${LOCK_SPACE}::int, ${PAYLOAD_MOVE_LOCK}::int) as alone,
        pg_try_advisory_lock_shared(${LOCK_SPACE}::int, ${OBJECTS_LOCK}::int) as shared`);
    if (!taken!.alone) throw new OperatorError('another tmds payloads move is running; it goes on by itself');
    if (!taken!.shared) throw new OperatorError('tmds payloads sweep is running; move when it has ended');
    let total: Moved = { documents: 0, bytes: 0 };
    const note = (documents: number, bytes: number): void => {
      total = { documents: total.documents + documents, bytes: total.bytes + bytes };
      options.onProgress?.(total);
    };
    for (let pass = 1; pass <= PASSES_MAX; pass += 1) {
      const before = total.documents;
      for (const table of DOCUMENT_TABLES) await moveTable(options, table, note);
      if (total.documents === before) break;
    }
    return total;
  });
}

async function moveTable(
  { db, to, onStep = async () => undefined, pageRowsMax = 500 }: MoveOptions,
  table: DocumentTable,
  note: (documents: number, bytes: number) => void,
): Promise<void> {
  const places = PAYLOAD_PLACES.filter((place) => place !== to);
  for await (const rows of walkDocuments(db, table, { places, pageRowsMax })) {
    const documents = await readRows(db, rows);
    await onStep('read');
    const change = to === 'database' ? asText(documents) : await asPacked(db, to, { rows, documents });
    await onStep('brought');
    const moved = await replaceHeld(db, table, { rows, change });
    await onStep('moved');
    note(
      moved,
      documents.reduce((sum, document) => sum + document.length, 0),
    );
  }
}

/** The documents as they are served. */
async function readRows(db: Queryable, rows: readonly HeldRow[]): Promise<Buffer[]> {
  const documents = (await readDocuments(
    db,
    rows.map(({ held }) => Buffer.from(held)),
  )) as Buffer[];
  for (const [position, { digest, key }] of rows.entries()) {
    if (digestDocument(documents[position]!).toString('hex') === digest) continue;
    throw new OperatorError(`the payload of ${key.slice(0, 2).join(' ')} could not be read as it is stored`);
  }
  return documents;
}

/** What is set in rows that are joined with `named`, whose `at` counts from 1. */
type Change = Statement;

function asText(documents: readonly Buffer[]): Change {
  const texts = documents.map((document) => document.toString());
  return sql`document = (${texts}::text[])[named.at], ${PACKED_AS_NOTHING}`;
}

async function asPacked(
  db: Database,
  to: Exclude<PayloadPlace, 'database'>,
  { rows, documents }: { rows: readonly HeldRow[]; documents: readonly Buffer[] },
): Promise<Change> {
  const written: WrittenDocument[] = await writeDocuments(
    db,
    to,
    rows.map(({ register }, position) => ({ register, text: documents[position]! })),
  );
  const back = await readDocuments(db, written.map(carryHeld));
  const lost = rows.find((_, position) => !documents[position]!.equals(back[position]!));
  if (lost !== undefined) {
    throw new OperatorError(`the payload of ${lost.key.slice(0, 2).join(' ')} did not come back as it was brought`);
  }
  return sql`document = null, document_packed = (${written.map(({ packed }) => packed)}::bytea[])[named.at],
    document_digest = (${written.map(({ digest }) => digest)}::bytea[])[named.at],
    document_bytes = (${written.map(({ bytes }) => bytes)}::int4[])[named.at]`;
}

/** Only where the row still holds the document that was read. Resolves to the number of rows. */
async function replaceHeld(
  db: Database,
  table: DocumentTable,
  { rows, change }: { rows: readonly HeldRow[]; change: Change },
): Promise<number> {
  const digests = rows.map(({ digest }) => digest);
  return await db.transaction(async (tx) => {
    // Publishes write the same rows in an order of their own.
    await lockPublishing(tx);
    const changed = await tx.query(
      sql`update ${identifier(table)} set ${change}
        from ${namedKeys(
          table,
          rows.map(({ key }) => key),
        )}
        where ${isNamed(table)}
          and ${documentDigest(heldIn(table))} = decode((${digests}::text[])[named.at], 'hex') returning 1`,
      { prepare: false },
    );
    return changed.length;
  });
}
