/**
 * What a replica does when the service has gone back (rule I-47): a backup was restored, or a fail-over lost changes.
 * Its cursor still works, but the replica may hold records that the service no longer has, and the feed never says so.
 * So the replica compares every register and corrects what differs. It keeps the lineage that it was last proven equal
 * to; a run that is killed before that starts over.
 */
import type { TrademarkClient } from '../client.ts';
import { repair } from './repair.ts';
import { EPOCH, ReplicaError, type ReplicaSink } from './sink.ts';
import type { ReplicaPosition } from './states.ts';
import { isWrong, type VerifyOptions, verify } from './verify.ts';

/** The calls that compare and correct. */
export type ReconcileClient = VerifyOptions['client'] & Pick<TrademarkClient, 'get'>;

interface ReconcileOptions {
  /** Null: the program's own client has no such calls. */
  readonly client: ReconcileClient | null;
  readonly sink: ReplicaSink;
  readonly since: string;
  readonly signal: AbortSignal | undefined;
  readonly note: (message: string) => void;
}

/** Resolves to whether the replica equals the service. */
export type Reconcile = () => Promise<boolean>;

const GONE_BACK = 'the service has gone back: a backup was restored, or a fail-over lost changes';

/** @throws TrademarkError when a call fails; ReplicaError, retryable, when records move while they are corrected */
export function buildReconcile({ client, sink, since, signal, note }: ReconcileOptions): Reconcile {
  let isNoted = false;
  return async () => {
    if (client === null || since !== EPOCH) {
      const why = client === null ? 'the client cannot compare' : `a replica since ${since} cannot be compared`;
      if (!isNoted) note(`${GONE_BACK}; ${why}: make a new replica in another place`);
      isNoted = true;
      return false;
    }
    note(`${GONE_BACK}; comparing every record`);
    let repaired = 0;
    for (;;) {
      // A change of a payload moves `updated_at`, which is compared.
      const { equal, differences, derived } = await verify({ client, sink, payloads: false, signal });
      if (equal) break;
      const tables = derived.filter(isWrong).map(({ table }) => table);
      const changed = await repair({ client, sink, differences, derived: tables, signal });
      if (changed === 0 && tables.length === 0) throw buildMovingError(sink.label);
      repaired += changed;
    }
    note(`the replica equals the service again: ${repaired.toLocaleString('en-US')} records repaired`);
    return true;
  };
}

function buildMovingError(label: string): ReplicaError {
  return new ReplicaError(`${label} differs from the service and could not be repaired: another process changes it`, {
    retryable: true,
  });
}

/** The position with this lineage; unchanged when the lineage is unknown. */
export function withLineage(position: ReplicaPosition, lineage: string | null | undefined): ReplicaPosition {
  return lineage == null ? position : { ...position, lineage };
}
