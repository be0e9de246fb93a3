/** What a call is on its way through the stages, and what every endpoint is given to answer it. */
import type { Product } from '@tmds/contract/enums';
import type { Caller } from '../access/authenticate.ts';
import type { Clock } from '../base/clock.ts';
import type { SearchIndex } from '../follow/live-index.ts';
import type { DeclaredName, QueryPairs } from '../parse/query.ts';
import type { Answer } from '../render/answer.ts';
import type { Database } from '../store/driver/db.ts';
import type { Asker, RecordReader } from '../store/records/records.ts';
import type { Timing } from './timing.ts';

/** The product of all eight endpoints; the other one is served elsewhere (rule I-3). */
export const SERVED_PRODUCT: Product = 'records';

/** The settings of the process that the HTTP layer reads. */
export interface HttpConfig {
  readonly recordPrefix: string;
  readonly analyticsPrefix: string;
  readonly changeHorizonSeconds: number;
  /** How long a whole search may take; the published limit unless configured. */
  readonly queryTimeoutSeconds?: number;
  /** Origins allowed to call from a browser; none unless configured. */
  readonly corsOrigins?: readonly string[];
  /** `https://api.example`: where browsers reach the service; null = at whatever address they used. */
  readonly publicUrl?: string | null;
  readonly trustedProxies?: readonly string[];
  readonly oidcIssuer?: string | null;
  readonly oidcClientId?: string | null;
  readonly oidcClientSecret?: string | null;
}

export interface Services {
  readonly database: Database;
  /** Where searches are matched. */
  readonly index: SearchIndex;
  readonly records: RecordReader;
  /** Resolves when this process can serve; rejects with ApiError `unavailable` (rule I-39). */
  readonly checkHealth: () => Promise<void>;
  readonly clock: Clock;
  readonly config: HttpConfig;
  /** Version of the running program. */
  readonly version: string;
}

/** What came in, decoded but not judged. */
export interface CallInput {
  readonly pairs: QueryPairs;
  /** Path parameters after percent-decoding; empty where the path has none. */
  readonly register: string;
  readonly uid: string;
  readonly bucket: string;
}

/** One of the eight endpoints: a pure stage that refuses what it can, and a stage that answers. */
export interface Endpoint<Plan> {
  readonly name: DeclaredName;
  /** Parse and plan. Pure; throws ApiError for everything that the request alone decides. */
  readonly prepare: (input: CallInput, timing: Timing) => Plan;
  /** Store and render. Throws ApiError `not_found`, `query_timeout`, `unavailable`. */
  readonly serve: (
    plan: Plan,
    services: Services,
    caller: Caller | null,
    timing: Timing,
    asker: Asker,
  ) => Promise<Answer>;
  /** True where the answer has to see its own unit counted (rule I-28). */
  readonly afterVerdict?: boolean;
}
