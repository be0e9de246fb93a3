/** What `replicate` drives: moves one page at a time from the service into a sink. */
import type { ChangesPage } from '@tmds/contract/record';
import type { TrademarkClient } from '../client.ts';
import type { Answer } from '../transport.ts';
import type { ReplicaScope, ReplicaSink } from './sink.ts';
import type { ReplicaEvent, ReplicaPosition } from './states.ts';

export interface FeedClient {
  changes(...call: Parameters<TrademarkClient['changes']>): Promise<Answer<ChangesPage>>;
}

/** The result of one page. */
export interface Taken {
  readonly event: Extract<ReplicaEvent, { kind: 'page_saved' | 'end_saved' }>;
  /** How many records were saved. */
  readonly records: number;
  /** Records that were removed: `US/97123456`. */
  readonly left: readonly string[];
}

export interface Reader {
  /** Fetches, checks and saves one page. After a failure, the next call tries the same page again. */
  take(): Promise<Taken>;
  /** The position of the sink; null when it has to be read again. */
  findHeld(): ReplicaPosition | null;
  /** Whether the service has answered in this run. */
  hasAnswered(): boolean;
}

export interface ReaderOptions {
  readonly sink: ReplicaSink;
  readonly scope: ReplicaScope;
  /** Records per page. */
  readonly limit: number;
  readonly signal: AbortSignal | undefined;
}
