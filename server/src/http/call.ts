/** The types of a call on its way through the stages, and the services that endpoints use to answer it. */
import type { Product } from '@tmds/contract/enums';
import type { Caller } from '../access/authenticate.ts';
import type { Clock } from '../base/clock.ts';
import type { SearchIndex } from '../follow/live-index.ts';
import type { DeclaredName, QueryPairs } from '../parse/query.ts';
import type { Breadth } from '../parse/search.ts';
import type { Answer } from '../render/answer.ts';
import type { Database } from '../store/driver/db.ts';
import type { LastStamps } from '../store/records/last-stamps.ts';
import type { RecordTexts } from '../store/records/record-texts.ts';
import type { Asker, RecordReader } from '../store/records/records.ts';
import type { SnapshotShelf } from '../store/snapshots/folder.ts';
import type { Timing } from './timing.ts';

/** The product of all endpoints here; another host serves the other one (rule I-3). */
export const SERVED_PRODUCT: Product = 'records';

/** The settings of the process that the HTTP layer reads. */
export interface HttpConfig {
  readonly recordPrefix: string;
  readonly analyticsPrefix: string;
  readonly changeHorizonSeconds: number;
  /** Holds the snapshots, unless `snapshotsDir` does; default: there are none. */
  readonly dataDir?: string;
  readonly snapshotsDir?: string | null;
  /** Time limit of a whole search; default: the published limit. */
  readonly queryTimeoutSeconds?: number;
  /** Origins that may call from a browser; default: none. */
  readonly corsOrigins?: readonly string[];
  /** Where browsers reach the service, such as `https://api.example`; null = the address they use. */
  readonly publicUrl?: string | null;
  readonly trustedProxies?: readonly string[];
  readonly oidcIssuer?: string | null;
  readonly oidcClientId?: string | null;
  readonly oidcClientSecret?: string | null;
  /** The server that takes mail; null = none is sent. */
  readonly smtpUrl?: string | null;
  readonly webhookKey?: string | null;
  /** Default: refuse. */
  readonly webhookPrivate?: 'refuse' | 'allow';
}

export interface Services {
  /** For reading records: as current as the primary, wherever they are read. */
  readonly database: Database;
  /** For reading what no publish writes: loads, usage, hits of watches. */
  readonly primary: Database;
  /** For what belongs to customers: the primary, with connections that searches cannot exhaust. */
  readonly accounts: Database;
  /** Finds the matches of searches. */
  readonly index: SearchIndex;
  readonly records: RecordReader;
  /** Texts of records that pages delivered recently. */
  readonly texts: RecordTexts;
  /** The last stamps of `database`, as searches have read them. */
  readonly stamps: LastStamps;
  readonly snapshots: SnapshotShelf;
  /** Resolves if this process can serve; otherwise rejects with ApiError `unavailable` (rule I-39). */
  readonly checkHealth: () => Promise<void>;
  readonly clock: Clock;
  readonly config: HttpConfig;
  /** Version of the running program. */
  readonly version: string;
}

/** The request, decoded but not yet checked. */
export interface CallInput {
  readonly pairs: QueryPairs;
  /** Path parameters after percent-decoding; empty if the path has none. */
  readonly register: string;
  readonly uid: string;
  readonly version: string;
  readonly bucket: string;
  readonly snapshotId: string;
  readonly file: string;
  readonly watch: string;
  /** Empty for an endpoint that takes none. */
  readonly body: Buffer;
  /** Its Content-Type; undefined if it has none. */
  readonly bodyType: string | undefined;
  /** Set once the caller is known. */
  breadth: Breadth;
}

/** An endpoint: `prepare`, which is pure and refuses what the request alone decides, and `serve`, which answers. */
export interface Endpoint<Plan> {
  readonly name: DeclaredName;
  /** Parses and plans. Pure; throws ApiError. */
  readonly prepare: (input: CallInput, timing: Timing) => Plan;
  /** Reads and renders. Throws ApiError `not_found`, `query_timeout`, `unavailable`. */
  readonly serve: (
    plan: Plan,
    services: Services,
    caller: Caller | null,
    timing: Timing,
    asker: Asker,
  ) => Promise<Answer>;
  /** True if the answer includes its own unit and so cannot be computed in parallel with the verdict (rule I-28). */
  readonly afterVerdict?: boolean;
}
