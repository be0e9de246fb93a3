/** What `replicate` drives: something that takes one page at a time from the service into a sink. */
import type { ReplicaScope, ReplicaSink } from './sink.ts';
import type { ReplicaEvent, ReplicaPosition } from './states.ts';

/** What one page came to. */
export interface Taken {
  readonly event: Extract<ReplicaEvent, { kind: 'page_saved' | 'end_saved' }>;
  /** How many records were saved. */
  readonly records: number;
  /** The records that were taken out, by their names: `US/97123456`. */
  readonly left: readonly string[];
}

export interface Reader {
  /** Fetches one page, checks it and saves it. After a failure the next call does the same again. */
  take(): Promise<Taken>;
  /** The position as the sink has it; null when it has to be read. */
  findHeld(): ReplicaPosition | null;
  /** Whether the service has answered in this run. */
  hasAnswered(): boolean;
}

export interface ReaderOptions {
  readonly sink: ReplicaSink;
  readonly scope: ReplicaScope;
  /** Records a page. */
  readonly limit: number;
  readonly signal: AbortSignal | undefined;
}
