/**
 * One record by its identity (specification 4.5), as the bytes to deliver. The uid is opaque and compared byte for byte
 * (rule I-24). Most of the cost of a look-up is the round trip to the database, so look-ups that arrive during one wait
 * for its end and share the next statement. A lone look-up does not wait, and none waits for long: a statement that has
 * to read from disk does not hold up the next. With standbys, a lone one is answered by the primary: to ask it how far
 * it is, and then a standby, would cost it as much (docs/design/standbys-and-nodes.md).
 */
import type { Clock } from '../../base/clock.ts';
import { onNodesOf } from '../../database/distributed/by-key.ts';
import { type Queryable, withLimits } from '../../database/driver/db.ts';
import { isStorable, sql } from '../../database/driver/sql.ts';
import { expandDetail, heldDocument, heldIn, readDocuments } from '../documents/read.ts';

export interface RecordReader {
  /**
   * The record as JSON text; null if there is no such record. Publishing a record also makes its register served, so
   * no separate check of the register is needed. Rejects with NoAnswer, and when its caller has gone.
   */
  find(register: string, uid: string, expandPayload: boolean, asker?: Asker): Promise<Buffer | null>;
  /**
   * The records of a list, by position; null where there is no such record. Several statements, so that look-ups of
   * others come in between; each record is whole.
   */
  findAll(identities: readonly Identity[], signal: AbortSignal): Promise<(Buffer | null)[]>;
}

/** Waits for an answer, and may disconnect. */
export interface Asker {
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal;
  /** Calls `act` when the caller has gone; cheaper than the signal. */
  onGone(act: (reason: unknown) => void): void;
  /** Calls `act` once, when the answer has been given to the connection, or the caller has gone. */
  whenSent(act: () => void): void;
}

const STATEMENTS_MAX = 4;
/** How long a statement can keep the next one waiting. */
const PATIENCE_MS = 3;
/** Look-ups that share one statement. */
const BATCH_MAX = 64;

interface WaitingLookup {
  readonly register: string;
  readonly uid: string;
  readonly resolve: (detail: Buffer | null) => void;
  readonly reject: (reason: unknown) => void;
}

/** The look-ups of one statement. It takes microseconds, so it runs on when its callers have gone. */
type LookupBatch = readonly WaitingLookup[];

/** `db` may spread statements over standbys; `primary` is the server that decides how far they have to be. */
export function buildRecordReader(db: Queryable, primary: Queryable, clock: Clock): RecordReader {
  const waiting: WaitingLookup[] = [];
  let running = 0;
  /** Running statements that the next one still waits for. */
  const awaited = new Set<LookupBatch>();
  let isScheduled = false;

  const runNext = async (): Promise<void> => {
    const batch: LookupBatch = waiting.splice(0, BATCH_MAX);
    running += 1;
    awaited.add(batch);
    const stopWaiting = clock.callAfter(PATIENCE_MS, () => {
      awaited.delete(batch);
      start();
    });
    try {
      const details = await findDetails(batch.length === 1 ? primary : db, batch);
      for (const [position, { resolve }] of batch.entries()) resolve(details[position] ?? null);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    stopWaiting();
    awaited.delete(batch);
    running -= 1;
    start();
  };
  const start = (): void => {
    while (awaited.size === 0 && running < STATEMENTS_MAX && waiting.length > 0) void runNext();
  };
  /** At the end of this turn of the event loop, so that everything it brings in is batched. */
  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      start();
    });
  };

  const leave = (lookup: WaitingLookup, reason: unknown): void => {
    lookup.reject(reason);
    const place = waiting.indexOf(lookup);
    if (place >= 0) waiting.splice(place, 1);
  };

  return {
    find: async (register, uid, expandPayload, asker) => {
      if (!isStorable(register) || !isStorable(uid)) return null;
      if (expandPayload) return await findWithPayload(withLimits(db, { signal: asker?.signal }), { register, uid });
      return await new Promise((resolve, reject) => {
        const lookup: WaitingLookup = { register, uid, resolve, reject };
        asker?.onGone((reason) => leave(lookup, reason));
        waiting.push(lookup);
        schedule();
      });
    },
    findAll: async (identities, signal) => {
      const reader = withLimits(db, { signal });
      const found: (Buffer | null)[] = identities.map(() => null);
      const places = [...identities.keys()].filter((place) => isStorable(identities[place]!.uid));
      for (let from = 0; from < places.length; from += BATCH_MAX) {
        const batch = places.slice(from, from + BATCH_MAX);
        const details = await findDetails(
          reader,
          batch.map((place) => identities[place]!),
        );
        for (const [position, place] of batch.entries()) found[place] = details[position] ?? null;
      }
      return found;
    },
  };
}

export interface Identity {
  readonly register: string;
  readonly uid: string;
}

/** By position among the identities; undefined if there is no such record. */
async function findDetails(db: Queryable, identities: readonly Identity[]): Promise<(Buffer | undefined)[]> {
  if (identities.length === 1) return [await findDetail(db, identities[0]!)];
  const rows = await db.queryBytes<{ position: Buffer; detail: Buffer }>(
    sql`
    select wanted.position, record.detail
    from unnest(${identities.map(({ register }) => register)}::text[], ${identities.map(({ uid }) => uid)}::text[])
      with ordinality as wanted (register, uid, position)
    join record on record.jurisdiction_code = wanted.register and record.uid = wanted.uid
    where ${onNodesOf(identities, db.isDistributed)}`,
  );
  const details: (Buffer | undefined)[] = new Array(identities.length).fill(undefined);
  for (const { position, detail } of rows) details[Number(position.toString()) - 1] = detail;
  return details;
}

/** The common case, without arrays. */
async function findDetail(db: Queryable, { register, uid }: Identity): Promise<Buffer | undefined> {
  const [row] = await db.queryBytes<{ detail: Buffer }>(
    sql`select detail from record where jurisdiction_code = ${register} and uid = ${uid}`,
  );
  return row?.detail;
}

async function findWithPayload(db: Queryable, { register, uid }: Identity): Promise<Buffer | null> {
  const [row] = await db.queryBytes<{ detail: Buffer; held: Buffer | null }>(sql`
    select record.detail, ${heldDocument(heldIn('payload'))} as held
    from record left join payload using (jurisdiction_code, uid)
    where jurisdiction_code = ${register} and uid = ${uid}`);
  if (row === undefined) return null;
  const { detail, held } = row;
  const [document] = await readDocuments(db, [held]);
  return Buffer.concat(expandDetail(detail, document));
}
