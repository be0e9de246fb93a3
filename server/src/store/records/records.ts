/**
 * One record by its identity (specification 4.5), as the bytes that are delivered. The uid is opaque and compared byte
 * for byte (rule I-24). Look-ups that arrive while others are under way wait for those to end and then share a
 * statement: what a look-up costs is mostly the way to the database and back. One that comes alone waits for nobody,
 * and none waits for long: a statement that has to fetch from disk does not hold up the next.
 */
import type { Clock } from '../../base/clock.ts';
import { type Queryable, withLimits } from '../driver/db.ts';
import { isStorable, sql } from '../driver/sql.ts';

export interface RecordReader {
  /**
   * The record as JSON text; null when there is no such record. A record belongs to a served register from the moment
   * it is published, so an absent register is an absent record. Rejects with ApiError `unavailable`, and once its
   * asker has gone.
   */
  find(register: string, uid: string, expandPayload: boolean, asker?: Asker): Promise<Buffer | null>;
}

/** Whoever waits for an answer, and may go away. */
export interface Asker {
  /** Aborted once nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** Calls `act` then; cheaper than the signal. */
  onGone(act: (reason: unknown) => void): void;
}

const STATEMENTS_MAX = 4;
/** A statement that takes longer than this no longer keeps the next one waiting. */
const PATIENCE_MS = 3;
/** Look-ups of one statement. */
const SHARED_MAX = 64;

interface WaitingLookup {
  readonly register: string;
  readonly uid: string;
  readonly resolve: (detail: Buffer | null) => void;
  readonly reject: (reason: unknown) => void;
  isGone: boolean;
}

/** Look-ups under way in one statement, which ends when all who asked for them have gone. */
interface RunningLookups {
  readonly lookups: readonly WaitingLookup[];
  readonly stop: AbortController;
}

export function buildRecordReader(db: Queryable, clock: Clock): RecordReader {
  const waiting: WaitingLookup[] = [];
  const underWay = new Set<RunningLookups>();
  /** Of those, the ones that others still wait for. */
  const awaited = new Set<RunningLookups>();
  let isScheduled = false;

  const runNext = async (): Promise<void> => {
    const lookups = waiting.splice(0, SHARED_MAX);
    const batch: RunningLookups = { lookups, stop: new AbortController() };
    underWay.add(batch);
    awaited.add(batch);
    const stopWaiting = clock.callAfter(PATIENCE_MS, () => {
      awaited.delete(batch);
      start();
    });
    try {
      const details = await findDetails(withLimits(db, { signal: batch.stop.signal }), lookups);
      for (const [position, { resolve }] of lookups.entries()) resolve(details[position] ?? null);
    } catch (error) {
      for (const { reject } of lookups) reject(error);
    }
    stopWaiting();
    awaited.delete(batch);
    underWay.delete(batch);
    start();
  };
  const start = (): void => {
    while (awaited.size === 0 && underWay.size < STATEMENTS_MAX && waiting.length > 0) void runNext();
  };
  /** After all that this turn of the event loop brings in. */
  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      start();
    });
  };

  const leave = (lookup: WaitingLookup, reason: unknown): void => {
    lookup.isGone = true;
    lookup.reject(reason);
    const place = waiting.indexOf(lookup);
    if (place >= 0) waiting.splice(place, 1);
    for (const { lookups, stop } of underWay) if (lookups.every(({ isGone }) => isGone)) stop.abort(reason);
  };

  return {
    find: async (register, uid, expandPayload, asker) => {
      if (!isStorable(register) || !isStorable(uid)) return null;
      if (expandPayload) return await findWithPayload(withLimits(db, { signal: asker?.signal }), register, uid);
      return await new Promise((resolve, reject) => {
        const lookup: WaitingLookup = { register, uid, resolve, reject, isGone: false };
        asker?.onGone((reason) => leave(lookup, reason));
        waiting.push(lookup);
        schedule();
      });
    },
  };
}

/** By position among the identities; undefined where there is no such record. */
async function findDetails(
  db: Queryable,
  identities: readonly { register: string; uid: string }[],
): Promise<(Buffer | undefined)[]> {
  const [first] = identities;
  if (identities.length === 1) {
    const [row] = await db.queryBytes(
      sql`select detail from record where jurisdiction_code = ${first!.register} and uid = ${first!.uid}`,
    );
    return [row?.[0] ?? undefined];
  }
  const rows = await db.queryBytes(sql`
    select wanted.position, record.detail
    from unnest(${identities.map(({ register }) => register)}::text[], ${identities.map(({ uid }) => uid)}::text[])
      with ordinality as wanted (register, uid, position)
    join record on record.jurisdiction_code = wanted.register and record.uid = wanted.uid`);
  const details: (Buffer | undefined)[] = new Array(identities.length).fill(undefined);
  for (const [position, detail] of rows) details[Number(position!.toString()) - 1] = detail!;
  return details;
}

const COMMA_PAYLOAD = Buffer.from(',"payload":');
const NULL = Buffer.from('null');
const BRACE = Buffer.from('}');

async function findWithPayload(db: Queryable, register: string, uid: string): Promise<Buffer | null> {
  const [row] = await db.queryBytes(sql`
    select record.detail, payload.document
    from record left join payload using (jurisdiction_code, uid)
    where jurisdiction_code = ${register} and uid = ${uid}`);
  if (row === undefined) return null;
  const [detail, document] = row;
  return Buffer.concat([detail!.subarray(0, -1), COMMA_PAYLOAD, document ?? NULL, BRACE]);
}
