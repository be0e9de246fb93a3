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
  /** One register, or several sorted and separated by commas; null is all of them. */
  readonly jurisdiction_code: string | null;
  readonly expand: 'payload' | null;
  /** The filters of a search, as `normalizeSearch` writes them; null for a replica of registers. */
  readonly search: string | null;
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
   * Returns the saved position, `START` when there is none. Makes nothing: the first save does, so that a replica that
   * never got a page leaves nothing behind. Called again after a failure, it reads the position anew.
   *
   * @throws ReplicaError when the place holds a replica of another scope, or something that is no replica
   */
  open(scope: ReplicaScope): Promise<ReplicaPosition>;

  /**
   * Upserts the records by (`jurisdiction_code`, `uid`) and moves the position, atomically.
   *
   * @throws ReplicaError when the stored position is not `from`: another process moved it
   */
  save(items: readonly TrademarkDetail[], from: ReplicaPosition, to: ReplicaPosition): Promise<void>;

  /** Makes what queries are quick by, once the replica was caught up; nothing when it is there already. */
  index?(): Promise<void>;

  countRecords(): Promise<number>;

  /** Every record as delivered, payload left out, in any order; the state of one moment. */
  listRecords(): AsyncIterable<StoredRecord>;

  /** Lets `work` read the replica as it is at one moment, while others go on writing it. */
  read<Result>(work: (snapshot: ReplicaSnapshot) => Promise<Result>): Promise<Result>;

  /** Puts records right without moving the position; resolves to how many it changed. */
  repair(repairs: readonly Repair[]): Promise<number>;

  /** Gives room back that replaced records take; left out where the database does so itself. */
  compact?(): Promise<Compaction>;

  close(): Promise<void>;
}

/** A replica at one moment. */
export interface ReplicaSnapshot {
  readonly stored: StoredReplica | null;
  /** @param jurisdictionCode one register's records alone */
  listRecords(jurisdictionCode?: string): AsyncIterable<StoredRecord>;
  /** The texts of the payloads held of these records, by `nameIdentity`; null for a record without one. */
  findPayloads(identities: readonly RecordIdentity[]): Promise<Map<string, string | null>>;
}

export interface RecordIdentity {
  readonly jurisdiction_code: string;
  readonly uid: string;
}

/** One record to put right. */
export interface Repair extends RecordIdentity {
  /** `updated_at` of the record held when it was compared, null for none: one replaced since is left alone. */
  readonly seen: string | null;
  /** What the service holds; null when it holds none, and the record goes. */
  readonly record: TrademarkDetail | null;
}

export interface Compaction {
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

/** A record as a sink gives it back: what its digest is computed from. */
export type StoredRecord = Omit<TrademarkDetail, 'payload'>;

export interface ReplicaErrorOptions extends ErrorOptions {
  retryable?: boolean;
}

/** What is wrong with the place of the replica. The message says what to do. */
export class ReplicaError extends Error {
  override readonly name: string = 'ReplicaError';
  /** True when waiting can mend it: a lock, a database that is away, a full disk. */
  readonly retryable: boolean;

  constructor(message: string, { retryable = false, ...options }: ReplicaErrorOptions = {}) {
    super(message, options);
    this.retryable = retryable;
  }
}

/** A text that no other record has. */
export function nameIdentity({ jurisdiction_code, uid }: RecordIdentity): string {
  return `${jurisdiction_code}\n${uid}`;
}

/**
 * The form of what is stored; a change of it is a change of this number. Form 1 knew no searches, and could alter
 * numbers of payloads.
 */
export const FORM = 2;
export const FIRST_FORM = 1;

/** The stored state as sinks keep it: one flat row or object. */
export interface StateRow extends ReplicaScope, ReplicaPosition {
  readonly form: number;
}

/** @throws ReplicaError when the row is of another form */
export function readState(label: string, row: StateRow): StoredReplica {
  const { form, since, jurisdiction_code, expand, cursor, complete_to, delivered } = row;
  if (form === FIRST_FORM && expand !== null) {
    throw new ReplicaError(
      `${label} was made by a version of the client that could alter numbers of payloads: make it anew in another place`,
    );
  }
  if (form !== FORM && form !== FIRST_FORM) {
    throw new ReplicaError(`${label} was written by another version of the client: use that one, or another place`);
  }
  const search = row.search ?? null;
  return { scope: { since, jurisdiction_code, expand, search }, position: { cursor, complete_to, delivered } };
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

/** Another process saved a page. Going on from the position it left is safe; two that follow one place pay twice. */
export function buildMovedError(label: string): ReplicaError {
  return new ReplicaError(`${label} was moved on by another process; one is enough to write a replica`, {
    retryable: true,
  });
}

export function buildForeignError(label: string, what: string): ReplicaError {
  return new ReplicaError(`${label} ${what} and is no replica: it was left as it is; use another place`);
}
