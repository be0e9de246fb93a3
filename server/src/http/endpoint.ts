/** An endpoint as its stages: what each gets, what it returns, and the services that it may use. */
import type { Clock } from '../base/clock.ts';
import type { Database } from '../database/driver/db.ts';
import type { SearchIndex } from '../follow/live-index.ts';
import type { DeclaredName, DeclaredValues, QueryPairs } from '../parse/query.ts';
import type { Breadth } from '../parse/search.ts';
import type { Answer } from '../render/answer.ts';
import type { RecordReader } from '../store/records/records.ts';
import type { RecordTexts } from '../store/records/search.ts';
import type { SnapshotShelf } from '../store/snapshots/folder.ts';
import type { SecretBox } from '../webhook/secrets.ts';
import type { Call } from './call.ts';
import type { CoverageBoard, Covered } from './coverage-board.ts';

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
  /** Whom to inform of a weakness; default: nobody is named. */
  readonly securityContact?: string | null;
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
  readonly snapshots: SnapshotShelf;
  /** Resolves if this process can serve; otherwise rejects with ApiError `unavailable` (rule I-39). */
  readonly checkHealth: () => Promise<void>;
  /** How complete the registers are, for the header of answers. */
  readonly coverage: CoverageBoard;
  /** Seals the secrets of webhooks. */
  readonly webhookSecrets: SecretBox;
  readonly clock: Clock;
  readonly config: HttpConfig;
  /** Version of the running program. */
  readonly version: string;
}

/** What stands in the path of an endpoint, percent-decoded. An endpoint reads only the names of its own path. */
export interface PathValues {
  readonly register: string;
  readonly uid: string;
  readonly version: string;
  readonly bucket: string;
  readonly snapshot: string;
  readonly file: string;
  readonly watch: string;
  readonly webhook: string;
}

/** The request, decoded but not yet checked. */
export interface CallInput {
  readonly pairs: QueryPairs;
  readonly path: PathValues;
  /** Empty until it is read, and for an endpoint that takes none. */
  readonly body: Buffer;
  /** Its Content-Type; undefined if it has none. */
  readonly bodyType: string | undefined;
  readonly breadth: Breadth;
}

/** What `parse` gets: the declared parameters, each well-formed and at most once, and the rest of the request. */
export interface ParseInput<Name extends DeclaredName> extends Omit<CallInput, 'pairs'> {
  readonly values: DeclaredValues<Name>;
}

/** An endpoint as its stages. `parse` and `plan` are pure and refuse what the request alone decides. */
export interface Endpoint<Name extends DeclaredName, Request, Plan, Result> {
  readonly name: Name;
  /** Throws ApiError. */
  readonly parse: (input: ParseInput<Name>) => Request;
  /** Throws ApiError. Default: the request is the plan. */
  readonly plan?: (request: Request) => Plan;
  /** Throws NoAnswer, ApiError. */
  readonly read: (plan: Plan, services: Services, call: Call) => Promise<Result>;
  readonly render: (result: Result, plan: Plan, call: Call) => Answer;
  /** The registers that the answer covers, also if it finds nothing in them. Default: it says nothing about them. */
  readonly covers?: (plan: Plan) => Covered;
  /** True if `read` times its own stages. */
  readonly isStaged?: boolean;
  /** True if the call waits for others, so that no other has to make way for it. */
  readonly makesWay?: boolean;
  /** True if the answer includes its own unit and so cannot be computed in parallel with the verdict (rule I-28). */
  readonly afterVerdict?: boolean;
}

/** An endpoint whose stages have been checked against each other: each only ever gets what the one before it made. */
export type AnyEndpoint = Endpoint<DeclaredName, unknown, unknown, unknown>;

export function defineEndpoint<Name extends DeclaredName, Request, Result, Plan = Request>(
  endpoint: Endpoint<Name, Request, Plan, Result>,
): AnyEndpoint {
  return endpoint as unknown as AnyEndpoint;
}
