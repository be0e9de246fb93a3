/**
 * Where a replica is stored. The replica's safety rests on one promise of every sink: records and position are saved
 * together or not at all, and only when the stored position is the one they continue.
 */
import type { TrademarkDetail } from '@tmds/contract/record';
import type { ReplicaPosition } from './states.ts';

/** Where a complete replica starts. */
export const EPOCH = '1970-01-01';

/** What a replica holds. It never changes, because the feed binds its cursors to `since` and scope (rule I-19). */
export interface ReplicaScope {
  /** The date or instant of the first changes; a complete replica starts at 1970-01-01. */
  readonly since: string;
  /** One register, or several sorted and separated by commas; null is all of them. */
  readonly jurisdiction_code: string | null;
  readonly expand: 'payload' | null;
  /** The filters of a search, as `normalizeSearch` writes them; null for a replica of registers. */
  readonly search: string | null;
}

export interface StoredReplica {
  readonly scope: ReplicaScope;
  readonly position: ReplicaPosition;
  /** How the latest verification of a follower ended; absent: there was none. */
  readonly verification?: VerificationOutcome;
}

/** How a verification ended that a follower made. */
export interface VerificationOutcome {
  /** By the clock of this machine. */
  readonly verified_at: string;
  /** The position of the feed at which the replica was compared. */
  readonly as_of: string;
  /** After the repair, if there was one. */
  readonly equal: boolean;
  readonly records: number;
  /** Records that differed before the repair, 10,000 at most. */
  readonly differences: number;
  /** Some of these: `US/97123456`. */
  readonly named: readonly string[];
  /** Derived tables that differed before the repair. */
  readonly derived: readonly string[];
  /** Records that were corrected; null: no repair was asked for. */
  readonly repaired: number | null;
  readonly payloads: 'compared' | 'partly' | 'left_out' | 'not_replicated';
  readonly calls: number;
}

export interface ReplicaSink {
  /** For messages; without credentials. */
  readonly label: string;

  /** Reads what is stored without changing anything; null when there is no replica. */
  find(): Promise<StoredReplica | null>;

  /**
   * Returns the saved position, or `START`. It creates nothing; the first save does, so that a replica that never got a
   * page leaves nothing behind. After a failure it is called again and rereads the position.
   *
   * @throws ReplicaError when there is a replica with a different scope, or something that is not a replica
   */
  open(scope: ReplicaScope): Promise<ReplicaPosition>;

  /**
   * Upserts the records by (`jurisdiction_code`, `uid`) and moves the position, atomically. A position without a
   * lineage keeps the one that is stored.
   *
   * @throws ReplicaError when the stored position is not `from`: another process moved it
   */
  save(items: readonly TrademarkDetail[], from: ReplicaPosition, to: ReplicaPosition): Promise<void>;

  /** Creates the indexes and derived tables for queries, once the replica has caught up; those that exist stay. */
  index?(): Promise<void>;

  /** Makes derived tables again from the records. */
  derive?(tables: readonly string[]): Promise<void>;

  /** Keeps how a verification ended; the position stays. Absent: status does not show it. */
  noteVerification?(outcome: VerificationOutcome): Promise<void>;

  countRecords(): Promise<number>;

  /** Every record without its payload, in any order, as of one moment. */
  listRecords(): AsyncIterable<StoredRecord>;

  /** Lets `work` read the replica as of one moment, while others keep writing. */
  read<Result>(work: (snapshot: ReplicaSnapshot) => Promise<Result>): Promise<Result>;

  /** Corrects records without moving the position; resolves to how many it changed. */
  repair(repairs: readonly Repair[]): Promise<number>;

  /** Frees the space of replaced records; absent when the database does so itself. */
  compact?(): Promise<Compaction>;

  close(): Promise<void>;
}

/** A replica at one moment. */
export interface ReplicaSnapshot {
  readonly stored: StoredReplica | null;
  /** @param jurisdictionCode one register's records alone */
  listRecords(jurisdictionCode?: string): AsyncIterable<StoredRecord>;
  /** The payload texts of these records by `nameIdentity`; null for a record without a payload. */
  findPayloads(identities: readonly RecordIdentity[]): Promise<Map<string, string | null>>;
  /** Compares each derived table with the records; absent when a sink derives none. */
  compareDerived?(): Promise<readonly DerivedTable[]>;
}

/** A table that a sink derives from the records. */
export interface DerivedTable {
  readonly table: string;
  /** The rows that follow from the records. */
  readonly rows: number;
  /** The columns among these that the table lacks. */
  readonly missing: number;
  /** The rows of the table that do not follow from the records. */
  readonly extra: number;
}

export interface RecordIdentity {
  readonly jurisdiction_code: string;
  readonly uid: string;
}

/** A record to correct. */
export interface Repair extends RecordIdentity {
  /**
   * `updated_at` of the replica's record when it was compared, null = it had none. If it has changed, nothing is done.
   */
  readonly seen: string | null;
  /** The service's record; null when it has none, so that the replica's is removed. */
  readonly record: TrademarkDetail | null;
}

export interface Compaction {
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

/** A record as a sink returns it, from which its digest is computed. */
export type StoredRecord = Omit<TrademarkDetail, 'payload'>;

export interface ReplicaErrorOptions extends ErrorOptions {
  retryable?: boolean;
}

/** A problem with where the replica is stored. The message says what to do. */
export class ReplicaError extends Error {
  override readonly name: string = 'ReplicaError';
  /** True when it may be temporary: a lock, an unreachable database, a full disk. */
  readonly retryable: boolean;

  constructor(message: string, { retryable = false, ...options }: ReplicaErrorOptions = {}) {
    super(message, options);
    this.retryable = retryable;
  }
}

/** Verification does not apply: the replica itself is in order. */
export class UnprovableError extends ReplicaError {}

/** A text that no other record has. */
export function nameIdentity({ jurisdiction_code, uid }: RecordIdentity): string {
  return `${jurisdiction_code}\n${uid}`;
}

/** `US/97123456`, for people. */
export function nameRecord({ jurisdiction_code, uid }: RecordIdentity): string {
  return `${jurisdiction_code}/${uid}`;
}

/**
 * The version of the stored form. Form 1 had no searches, and could alter numbers in payloads.
 */
export const FORM = 2;
const FIRST_FORM = 1;

/** The stored state as sinks keep it: one flat row or object. */
export interface StateRow extends ReplicaScope, ReplicaPosition {
  readonly form: number;
  /** The JSON of a `VerificationOutcome`. */
  readonly verification?: string | null;
}

/** @throws ReplicaError when the row is of another form */
export function readState(label: string, row: StateRow): StoredReplica {
  const { form, since, jurisdiction_code, expand, cursor, complete_to, delivered } = row;
  if (form === FIRST_FORM && expand !== null) {
    throw new ReplicaError(
      `${label} was made by a version of the client that could alter numbers in payloads: start again in another place`,
    );
  }
  if (form !== FORM && form !== FIRST_FORM) {
    throw new ReplicaError(`${label} was written by another version of the client: use that version, or another place`);
  }
  const search = row.search ?? null;
  const known = row.lineage == null ? {} : { lineage: row.lineage };
  return {
    scope: { since, jurisdiction_code, expand, search },
    position: { cursor, complete_to, delivered, ...known },
    ...(row.verification == null ? {} : { verification: JSON.parse(row.verification) as VerificationOutcome }),
  };
}

/** @throws ReplicaError naming what differs */
export function checkScope(label: string, stored: ReplicaScope, asked: ReplicaScope): void {
  for (const name of ['since', 'jurisdiction_code', 'expand', 'search'] as const) {
    if (stored[name] === asked[name]) continue;
    throw new ReplicaError(
      `${label} holds a replica with ${name}=${stored[name] ?? '(none)'}, not ${asked[name] ?? '(none)'}; ` +
        'a replica keeps its scope: use the same settings, or another place',
    );
  }
}

/** Another process saved a page. Continuing from its position is safe, but two followers pay twice. */
export function buildMovedError(label: string): ReplicaError {
  return new ReplicaError(`${label} was updated by another process; run only one process for a replica`, {
    retryable: true,
  });
}

export function buildForeignError(label: string, what: string): ReplicaError {
  return new ReplicaError(`${label} ${what} and is not a replica: it was not changed; use another place`);
}
