/**
 * Reads the pseudo marks of records that were loaded before they were held, from their documents, while everything
 * keeps running. It stores no progress but its end: a killed run starts again, and finds what it wrote. Invariants: no
 * stamp, no digest and no delivered text changes; a row gets what its own document states, or stays unchanged.
 */
import type { Clock } from '../../base/clock.ts';
import { failureForLog } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { PAYLOAD_PLACES } from '../../base/payload-places.ts';
import type { Database, Queryable } from '../../database/driver/db.ts';
import { instantText, sql } from '../../database/driver/sql.ts';
import { RenderedContent } from '../../record/content.ts';
import { joinForms, mayStatePseudoMark, PSEUDO_REGISTER, splitVariants } from '../../record/row.ts';
import { documentDigest, heldIn, readDocuments } from '../../store/documents/read.ts';
import {
  type HeldRow,
  isNamed,
  namedKeys,
  onNodesOfKeys,
  type RowKey,
  walkDocuments,
} from '../../store/documents/tables.ts';
import { lockPublishing } from '../../store/publish/feed-clock.ts';

export interface HoldOptions {
  readonly db: Database;
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>;
  /** It rests as long as it has worked, so that it takes at most half of a connection. */
  readonly isPatient: boolean;
  readonly signal?: AbortSignal;
  /** Called with the records read so far. */
  readonly onProgress?: (read: number) => void;
  /** Default 500. */
  readonly pageRowsMax?: number;
}

export type HoldOutcome =
  /** Nothing was left to read. */
  | { readonly kind: 'held' }
  /** The role of this connection may not change records: their owner has to run it. */
  | { readonly kind: 'withheld' }
  | { readonly kind: 'done' | 'ended'; readonly read: number; readonly changed: number };

export async function holdPseudoMarks(options: HoldOptions): Promise<HoldOutcome> {
  const { db, clock, isPatient, signal, onProgress = () => undefined, pageRowsMax } = options;
  const [state] = await db.query<{ held: boolean; granted: boolean }>(sql`
    select pseudo_marks_held_at is not null as held,
      has_table_privilege('record', 'update') and has_table_privilege('publish_clock', 'update') as granted
    from publish_clock`);
  if (state!.held) return { kind: 'held' };
  if (!state!.granted) return { kind: 'withheld' };
  let read = 0;
  let changed = 0;
  const pages = walkDocuments(db, 'payload', {
    places: PAYLOAD_PLACES,
    register: PSEUDO_REGISTER,
    ...(pageRowsMax === undefined ? {} : { pageRowsMax }),
  });
  for (let begunMs = clock.monotonicMs(); ; begunMs = clock.monotonicMs()) {
    const { value: rows, done } = await pages.next();
    if (done === true) break;
    if (signal?.aborted === true) return { kind: 'ended', read, changed };
    changed += await holdPage(db, rows);
    read += rows.length;
    onProgress(read);
    if (isPatient) await clock.sleep(clock.monotonicMs() - begunMs, signal).catch(() => undefined);
  }
  await db.query(sql`update publish_clock set pseudo_marks_held_at = clock_timestamp()`);
  return { kind: 'done', read, changed };
}

interface RecordFound {
  readonly at: number;
  readonly updated_at: string;
  readonly detail: string;
  readonly mark_variants: string | null;
}

/** Resolves to the number of records that got pseudo marks. */
async function holdPage(db: Database, rows: readonly HeldRow[]): Promise<number> {
  const documents = await readDocuments(
    db,
    rows.map(({ held }) => Buffer.from(held)),
  );
  const stating: Stating[] = rows.flatMap((row, at) =>
    mayStatePseudoMark(documents[at]!) ? [{ row, document: documents[at]! }] : [],
  );
  if (stating.length === 0) return 0;
  const found = await findRecords(db, stating);
  const changes = found.flatMap(({ at, updated_at, detail, mark_variants }) => {
    const { row, document } = stating[at]!;
    const forms = joinForms({
      jurisdiction_code: PSEUDO_REGISTER,
      mark_name: new RenderedContent(detail).mark_name,
      mark_name_variants: splitVariants(mark_variants),
      payload: JSON.parse(document.toString()),
    });
    return forms === mark_variants ? [] : [{ key: row.key, updated_at, forms }];
  });
  return changes.length === 0 ? 0 : await writeForms(db, changes);
}

interface Stating {
  readonly row: Pick<HeldRow, 'key' | 'digest'>;
  readonly document: Buffer;
}

/** The records whose documents these are. */
export async function findRecords(db: Queryable, stating: readonly Pick<Stating, 'row'>[]): Promise<RecordFound[]> {
  const keys = stating.map(({ row }) => row.key);
  const digests = { name: 'held_digest', type: sql`text`, values: stating.map(({ row }) => row.digest) };
  const places = { name: 'at', type: sql`int4`, values: stating.map((_, at) => at) };
  // One statement, so that record and document are of one version.
  return await db.query<RecordFound>(
    sql`select named.at, ${instantText(sql`record.updated_at`)} as updated_at, record.detail, record.mark_variants
      from ${namedKeys('payload', keys, [places, digests])}
        join payload on ${isNamed('payload')}
        join record on record.jurisdiction_code = payload.jurisdiction_code and record.uid = payload.uid
      where ${onNodesOfKeys('payload', keys)} and ${documentDigest(heldIn('payload'))} = decode(named.held_digest, 'hex')`,
    { prepare: false },
  );
}

interface Change {
  readonly key: RowKey;
  readonly updated_at: string;
  readonly forms: string | null;
}

/** Resolves to the number of records that were changed. */
export async function writeForms(db: Database, changes: readonly Change[]): Promise<number> {
  const keys = changes.map(({ key }) => key);
  const stamps = { name: 'updated_at', type: sql`timestamptz`, values: changes.map(({ updated_at }) => updated_at) };
  const texts = { name: 'forms', type: sql`text`, values: changes.map(({ forms }) => forms) };
  // A record that was published since has another stamp, and its pseudo marks.
  return await db.transaction(async (tx) => {
    // Publishes and other servers write the same rows, each in its own order.
    await lockPublishing(tx);
    const written = await tx.query(
      sql`update record set mark_variants = named.forms from ${namedKeys('payload', keys, [stamps, texts])}
      where record.jurisdiction_code = named.jurisdiction_code and record.uid = named.uid
        and record.updated_at = named.updated_at and record.uid = any(${keys.map(([, uid]) => uid)}::text[])
      returning 1`,
      { prepare: false },
    );
    return written.length;
  });
}

export interface PseudoMarksWatchOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  /** Aborted once the server stops: failures from then on are not reported. */
  readonly signal: AbortSignal;
}

/** For a running server: one run, which is repeated until it has ended once; never rejects. */
export function buildPseudoMarksLook({
  database: db,
  clock,
  log,
  signal,
}: PseudoMarksWatchOptions): () => Promise<void> {
  let isOver = false;
  return async () => {
    if (isOver || signal.aborted) return;
    try {
      const outcome = await holdPseudoMarks({ db, clock, isPatient: true, signal });
      isOver = outcome.kind !== 'ended';
      if (outcome.kind === 'withheld') {
        log.warn('the role of this server may not change records: run tmds migrate as their owner for pseudo marks');
      }
      if (outcome.kind === 'done') {
        const { read, changed } = outcome;
        log.info({ documents: read, records: changed }, 'the pseudo marks of earlier loads are held');
      }
    } catch (error) {
      if (signal.aborted) return;
      log.warn(failureForLog(error), 'pseudo marks could not be read from documents; the next run tries again');
    }
  };
}
