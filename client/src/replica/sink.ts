/**
 * Where a replica is kept. The one promise every sink makes, and the replica's safety rests on: records and position
 * are saved together or not at all, and only on top of the position they continue.
 */
import type { TrademarkDetail } from '@tmds/contract/record';
import type { ReplicaPosition } from './states.ts';

/** What a replica holds. Bound to it for life: the feed binds its cursors to `since` and scope (rule I-19). */
export interface ReplicaScope {
  /** Date or instant from which changes are taken; a whole replica starts at 1970-01-01. */
  readonly since: string;
  /** One register; null is all of them. */
  readonly jurisdiction_code: string | null;
  readonly expand: 'payload' | null;
}

export interface StoredReplica {
  readonly scope: ReplicaScope;
  readonly position: ReplicaPosition;
}

export interface ReplicaSink {
  /** For messages; without credentials. */
  readonly label: string;

  /** What is stored here, changing nothing; null when there is no replica. */
  find(): Promise<StoredReplica | null>;

  /**
   * Makes what is missing and returns the saved position, `START` when there is none.
   *
   * @throws ReplicaError when the sink holds a replica of another scope, or something else
   */
  open(scope: ReplicaScope): Promise<ReplicaPosition>;

  /**
   * Upserts the records by (`jurisdiction_code`, `uid`) and moves the position, atomically.
   *
   * @throws ReplicaError when the stored position is not `from`: another process moved it
   */
  save(items: readonly TrademarkDetail[], from: ReplicaPosition, to: ReplicaPosition): Promise<void>;

  countRecords(): Promise<number>;

  /** Every record as delivered, payload left out, in any order; the state of one moment. */
  listRecords(): AsyncIterable<StoredRecord>;

  close(): Promise<void>;
}

/** A record as a sink gives it back: what its digest is computed from. */
export type StoredRecord = Omit<TrademarkDetail, 'payload'>;

/** The replica cannot go on, and no repeat will change that. The message says what to do. */
export class ReplicaError extends Error {
  override readonly name = 'ReplicaError';
}

/** The form of the stored state; a change of it is a change of this number. */
export const FORM = 1;

/** The stored state as sinks keep it: one flat row or object. */
export interface StateRow extends ReplicaScope, ReplicaPosition {
  readonly form: number;
}

/** @throws ReplicaError when the row is of another form */
export function readState(label: string, row: StateRow): StoredReplica {
  if (row.form !== FORM) throw new ReplicaError(`${label} was written by another version of the client`);
  const { since, jurisdiction_code, expand, cursor, complete_to, delivered } = row;
  return { scope: { since, jurisdiction_code, expand }, position: { cursor, complete_to, delivered } };
}

/** @throws ReplicaError naming what differs */
export function checkScope(label: string, stored: ReplicaScope, asked: ReplicaScope): void {
  for (const name of ['since', 'jurisdiction_code', 'expand'] as const) {
    if (stored[name] === asked[name]) continue;
    throw new ReplicaError(
      `${label} holds a replica with ${name}=${stored[name] ?? '(none)'}, not ${asked[name] ?? '(none)'}; ` +
        'a replica keeps its scope: use the same settings, or another place',
    );
  }
}

export function buildMovedError(label: string): ReplicaError {
  return new ReplicaError(`${label} was moved on by another process; only one may write a replica at a time`);
}
