/**
 * Moves documents to the places where they are to be held, while everything keeps running. It stores no progress: a row
 * says how it holds its document, so a killed move continues at the first row that has not been moved. Invariant: a row
 * replaces a document only by one whose digest, read back from its new place, is that of the document that the row
 * holds at that moment.
 */
import { OperatorError } from '../../base/errors.ts';
import { PAYLOAD_PLACES, type PayloadPlace } from '../../base/payload-places.ts';
import { groupByNode } from '../../database/distributed/by-key.ts';
import type { Database, Queryable, Transaction } from '../../database/driver/db.ts';
import { identifier, joinSql, type Statement, sql } from '../../database/driver/sql.ts';
import { LOCK_SPACE, OBJECTS_LOCK, PAYLOAD_MOVE_LOCK } from '../../database/schema/locks.ts';
import { digestDocument } from '../../store/documents/packing.ts';
import { carryHeld, documentDigest, heldIn, PACKED_AS_NOTHING, readDocuments } from '../../store/documents/read.ts';
import {
  DOCUMENT_TABLES,
  type DocumentTable,
  type HeldRow,
  isNamed,
  type NamedColumn,
  namedKeys,
  onNodesOfKeys,
  uidOf,
  walkDocuments,
} from '../../store/documents/tables.ts';
import { type WrittenDocument, writeDocuments } from '../../store/documents/write.ts';
import { lockPublishing } from '../../store/publish/feed-clock.ts';

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
  /** Bytes of the documents as served. */
  readonly bytes: number;
}

/** How often rows published during the move are looked for. */
const PASSES_MAX = 5;

/**
 * Throws OperatorError while another move, a sweep or an older program runs, or if a document does not come back
 * unchanged; ObjectStoreAway. Documents that were moved until then stay moved.
 */
export async function movePayloads(options: MoveOptions): Promise<Moved> {
  const { db } = options;
  return await db.session(async (session) => {
    const [taken] = await session.query<{ alone: boolean; shared: boolean }>(sql`
      select pg_try_advisory_lock(${LOCK_SPACE}::int, ${PAYLOAD_MOVE_LOCK}::int) as alone,
        pg_try_advisory_lock_shared(${LOCK_SPACE}::int, ${OBJECTS_LOCK}::int) as shared`);
    if (!taken!.alone) throw new OperatorError('another tmds payloads move is running; it continues on its own');
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
    const changes = await bringTo(db, to, rows, documents);
    await onStep('brought');
    const moved = await replaceHeld(db, table, to === 'database' ? AS_TEXT : AS_PACKED, changes);
    await onStep('moved');
    note(
      moved,
      documents.reduce((sum, document) => sum + document.length, 0),
    );
  }
}

/** Resolves to the documents as served. */
async function readRows(db: Queryable, rows: readonly HeldRow[]): Promise<Buffer[]> {
  const documents = (await readDocuments(
    db,
    rows.map(({ held }) => Buffer.from(held)),
  )) as Buffer[];
  for (const [position, { digest, key }] of rows.entries()) {
    if (digestDocument(documents[position]!).toString('hex') === digest) continue;
    throw new OperatorError(`the payload of ${key.slice(0, 2).join(' ')} could not be read from its place`);
  }
  return documents;
}

/** A row and its new values. */
interface Change {
  readonly row: HeldRow;
  /** Values by column of the table. */
  readonly given: Readonly<Record<string, unknown>>;
}

/** The columns that get values, those for documents as text and those for packed ones. */
const TEXT_TYPES = { document: sql`text` };
const PACKED_TYPES = { document_packed: sql`bytea`, document_digest: sql`bytea`, document_bytes: sql`int4` };

interface Place {
  readonly types: Readonly<Record<string, Statement>>;
  /** Set for all rows. */
  readonly cleared: Statement;
}

const AS_TEXT: Place = { types: TEXT_TYPES, cleared: PACKED_AS_NOTHING };
const AS_PACKED: Place = { types: PACKED_TYPES, cleared: sql`document = null` };

async function bringTo(
  db: Database,
  to: PayloadPlace,
  rows: readonly HeldRow[],
  documents: readonly Buffer[],
): Promise<Change[]> {
  if (to === 'database') return rows.map((row, at) => ({ row, given: { document: documents[at]!.toString() } }));
  const written: WrittenDocument[] = await writeDocuments(
    db,
    to,
    rows.map(({ register }, at) => ({ register, text: documents[at]! })),
  );
  const back = await readDocuments(db, written.map(carryHeld));
  return rows.map((row, at) => {
    const { packed, digest, bytes } = written[at]!;
    if (documents[at]!.equals(back[at]!)) {
      return { row, given: { document_packed: packed, document_digest: digest, document_bytes: bytes } };
    }
    throw new OperatorError(`the payload of ${row.key.slice(0, 2).join(' ')} did not come back unchanged`);
  });
}

/**
 * Changes a row only if it still holds the document that was read. Rows of different nodes are changed in separate
 * transactions, so that none is committed in part. Resolves to the number of rows.
 */
async function replaceHeld(
  db: Database,
  table: DocumentTable,
  place: Place,
  changes: readonly Change[],
): Promise<number> {
  let replaced = 0;
  for (const group of await groupByNode(db, changes, ({ row }) => uidOf(row.key))) {
    replaced += await replaceGroup(db, table, place, group);
  }
  return replaced;
}

async function replaceGroup(
  db: Database,
  table: DocumentTable,
  place: Place,
  changes: readonly Change[],
): Promise<number> {
  return await db.transaction(async (tx) => {
    // Publishes write the same rows, and nobody else does.
    await lockPublishing(tx);
    const unchanged = await listUnchanged(tx, table, changes);
    if (unchanged.length > 0) await setHeld(tx, table, place, unchanged);
    return unchanged.length;
  });
}

/** Separate from the update, because several nodes compute no digest of a text in an update. */
async function listUnchanged(tx: Transaction, table: DocumentTable, changes: readonly Change[]): Promise<Change[]> {
  const keys = changes.map(({ row }) => row.key);
  const columns: NamedColumn[] = [
    { name: 'at', type: sql`int4`, values: changes.map((_, at) => at) },
    { name: 'held_digest', type: sql`text`, values: changes.map(({ row }) => row.digest) },
  ];
  const found = await tx.query<{ at: number }>(
    sql`select named.at from ${namedKeys(table, keys, columns)} join ${identifier(table)} on ${isNamed(table)}
      where ${onNodesOfKeys(table, keys)} and ${documentDigest(heldIn(table))} = decode(named.held_digest, 'hex')`,
    { prepare: false },
  );
  return found.map(({ at }) => changes[at]!);
}

async function setHeld(
  tx: Transaction,
  table: DocumentTable,
  { types, cleared }: Place,
  changes: readonly Change[],
): Promise<void> {
  const keys = changes.map(({ row }) => row.key);
  const names = Object.keys(types);
  const columns = names.map((name): NamedColumn => {
    return { name, type: types[name]!, values: changes.map(({ given }) => given[name]) };
  });
  // Columns, not elements of lists: Citus 13.2 crashes when an update takes its values from elements.
  const set = names.map((name) => sql`${identifier(name)} = named.${identifier(name)}`);
  await tx.query(
    sql`update ${identifier(table)} set ${joinSql(set, ', ')}, ${cleared} from ${namedKeys(table, keys, columns)}
      where ${isNamed(table)} and ${onNodesOfKeys(table, keys)}`,
    { prepare: false },
  );
}
