/** Everything that the application gives the portal, and the portal's part of the settings of the process. */

import type { WatchDiagnosis } from '@tmds/contract/diagnosis';
import type { TrademarkDetail } from '@tmds/contract/record';
import type { WatchDetail, WatchInput } from '@tmds/contract/watches';
import type { Clock } from '../base/clock.ts';
import type { ApiError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Database } from '../database/driver/db.ts';
import type { MatchReader } from '../due/watched-dates.ts';
import type { Finding } from '../monitor/doctor.ts';
import type { ServiceHealth } from '../monitor/health.ts';
import type { VersionEvent } from '../store/records/history.ts';
import type { RecordVersion } from '../store/records/versions.ts';
import type { WatchDefinition, WatchedRecord, WatchSubject } from '../store/watches/watches.ts';
import type { SecretBox } from '../webhook/secrets.ts';
import type { PrivateTargets } from '../webhook/target.ts';
import type { FacetCounts, FacetField } from './explorer/facets.ts';

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Null without a body. Numbers that a double cannot hold exactly are numbers of `lossless-json`. */
  readonly body: unknown;
  readonly bytes: number;
  /** Null if the call was served, also when nothing had changed. */
  readonly refusal: CallLimit | null;
}

export interface ApiOptions {
  /** `page`: more broadly than the API allows to a program. Default: `call`. */
  readonly breadth?: 'call' | 'page';
  /** Headers of the request, in lower case. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The part of a search that a call of the API may not do. */
export type CallLimit = Pick<ApiError, 'code' | 'message' | 'param'>;

export interface OperatorServices {
  readonly readHealth: () => Promise<ServiceHealth>;
  /** The checks of `tmds doctor`; they take seconds while a standby is behind. */
  readonly examine: () => Promise<readonly Finding[]>;
  readonly issueMeanings: Readonly<Record<string, string>>;
  readonly issueRemedies: Readonly<Record<string, string>>;
}

/** What a watch means, and how many records it matches; costs no unit. */
export interface WatchDesk extends MatchReader {
  /** @throws ApiError as the API would refuse the watch. */
  readonly define: (input: WatchInput) => WatchDefinition;
  /** Runs in a turn of the customer of this id; null when it takes too long. `watchId`: null for a new watch. */
  readonly preview: (
    customerId: string,
    subject: WatchSubject,
    watchId: string | null,
  ) => Promise<Pick<WatchDetail, 'matches_now' | 'months' | 'counted_from'> | null>;
  /** Why a record did or did not hit a watch of this id; null if the customer has no such watch. */
  readonly diagnose: (customerId: string, id: string, record: WatchedRecord) => Promise<WatchDiagnosis | null>;
  /** Matches of each now, in the order of the watches; null for those that would take too long. */
  readonly countMatches: (
    customerId: string,
    watches: readonly (() => Promise<WatchSubject>)[],
  ) => Promise<readonly (number | null)[]>;
}

/** What the provider of a sign-in knows the portal by. */
export interface IdentityClient {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | null;
}

export interface PortalServices {
  readonly operations: OperatorServices;
  /** The primary: keys, usage and people. */
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  /**
   * Calls the public API with the key of this id, judged and metered like any other call; null = without a key. `target`
   * starts at `/v1`.
   */
  readonly callApi: (keyId: string | null, target: string, options?: ApiOptions) => Promise<ApiAnswer>;
  /** Why the API refuses a call with this search, although a page may make it; null if both may, or neither. */
  readonly findCallLimit: (query: string) => CallLimit | null;
  /**
   * Exact counts over the matches of a search, however many registers it spans, in a turn of the customer of this id;
   * null when it is refused or takes too long.
   */
  readonly countFacets: (
    customerId: string,
    query: string,
    fields?: readonly FacetField[],
  ) => Promise<readonly FacetCounts[] | null>;
  /**
   * The first records of a search of all registers, at most `limitMax`, in a turn of the customer of this id; costs no
   * unit. Null when it is refused or takes too long.
   */
  readonly findRecords: (
    customerId: string,
    query: string,
    limitMax: number,
  ) => Promise<readonly TrademarkDetail[] | null>;
  /**
   * The changes in a version of a record, and until when it was the current one; costs no unit. Null if there is no
   * such version, or if it cannot be read in time.
   */
  readonly findChange: (name: RecordVersion) => Promise<VersionEvent | null>;
  readonly watches: WatchDesk;
  readonly recordPrefix: string;
  /** How far the change feed stays behind the current time. */
  readonly changeHorizonSeconds: number;
  /** `https://api.example`, without a path; null = the address that the browser used. */
  readonly publicUrl: string | null;
  /** Whether the service is only a demonstration: it then shows `/portal/components` too. */
  readonly isDemo: boolean;
  readonly sendsMail: boolean;
  readonly webhookSecrets: SecretBox;
  readonly webhookPrivate: PrivateTargets;
  /** Null when people can sign in only with a password. */
  readonly identity: IdentityClient | null;
}

type PortalSettings = Pick<
  PortalServices,
  'recordPrefix' | 'changeHorizonSeconds' | 'publicUrl' | 'identity' | 'sendsMail' | 'webhookPrivate'
>;

export function readPortalSettings(config: {
  recordPrefix: string;
  changeHorizonSeconds: number;
  publicUrl?: string | null;
  oidcIssuer?: string | null;
  oidcClientId?: string | null;
  oidcClientSecret?: string | null;
  smtpUrl?: string | null;
  webhookPrivate?: PrivateTargets;
}): PortalSettings {
  const { oidcIssuer: issuer = null, oidcClientId: clientId = null, oidcClientSecret: clientSecret = null } = config;
  return {
    recordPrefix: config.recordPrefix,
    changeHorizonSeconds: config.changeHorizonSeconds,
    publicUrl: config.publicUrl ?? null,
    sendsMail: (config.smtpUrl ?? null) !== null,
    webhookPrivate: config.webhookPrivate ?? 'refuse',
    identity: issuer === null || clientId === null ? null : { issuer, clientId, clientSecret },
  };
}
