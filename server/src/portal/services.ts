/** What the pages rely on: the database, the clock, calls of the public API and the settings. */
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Database } from '../store/driver/db.ts';
import type { FacetCounts } from './explorer/facets.ts';
import type { ApiAnswer } from './frame/call.ts';
import type { IdentitySettings } from './sign-in/identity.ts';

export interface PortalServices {
  /** Keys, usage and people: the primary. */
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  /** A call of the public API as the key of this id: judged and metered like any other. `target` starts at `/v1`. */
  readonly callApi: (keyId: string, target: string) => Promise<ApiAnswer>;
  /** Exact counts over the matches of a search of all registers; none where it is refused or takes too long. */
  readonly countFacets: (query: string) => Promise<readonly FacetCounts[]>;
  readonly recordPrefix: string;
  /** `https://api.example`, without a path; null = whatever address the browser used. */
  readonly publicUrl: string | null;
  /** Null where people sign in with passwords only. */
  readonly identity: Pick<IdentitySettings, 'issuer' | 'clientId' | 'clientSecret'> | null;
}
