/** What a request to the portal is for the pages: who asks, what was sent, and the two things that may come back. */
import type { VNode } from 'preact';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Database } from '../store/db.ts';
import type { PortalUser } from '../store/portal.ts';
import type { IdentitySettings } from './identity.ts';

/** The answer of a public endpoint to a call that the explorer made. */
export interface ApiAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface PortalServices {
  /** Keys, usage and people: the primary. */
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  /** A call of the public API as the key of this id: judged and metered like any other. `target` starts at `/v1`. */
  readonly callApi: (keyId: string, target: string) => Promise<ApiAnswer>;
  readonly recordPrefix: string;
  /** `https://api.example`, without a path; null = whatever address the browser used. */
  readonly publicUrl: string | null;
  readonly trustedProxies: readonly string[];
  /** Null where people sign in with passwords only. */
  readonly identity: Pick<IdentitySettings, 'issuer' | 'clientId' | 'clientSecret'> | null;
}

export type View = VNode;

export type Section = 'explorer' | 'feed' | 'monitoring' | 'keys' | 'team' | 'account';

export interface Page {
  readonly title: string;
  readonly body: unknown;
  /** Default 200. */
  readonly status?: number;
  /** Which entry of the navigation is marked. */
  readonly section?: Section;
  /** For tables that need the room. */
  readonly wide?: boolean;
}

export interface Redirect {
  /** A path of the portal. */
  readonly to: string;
  /** A new session to hand out with it; null ends the session. */
  readonly session?: string | null;
  /** The appearance to remember. */
  readonly theme?: string;
}

/** To the identity provider, with what has to come back. */
export interface Departure {
  readonly away: string;
  readonly attempt: string;
}

export type PortalAnswer = Page | Redirect | Departure;

export interface PublicCall {
  readonly user: PortalUser | null;
  /** Goes into every form. */
  readonly csrf: string;
  /** Decoded path parameters. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly form: URLSearchParams;
  /** Path and query as requested. */
  readonly target: string;
  /** Scheme and authority under which the service is reached. */
  readonly origin: string;
  /** The network address that attempts are counted for. */
  readonly address: string;
  /** True when another site sent the browser here: nothing that costs anything is done then. */
  readonly fromElsewhere: boolean;
  /** The signed session token; null when nobody is signed in. */
  readonly token: string | null;
  /** A sign-in at the identity provider that is under way. */
  readonly attempt: string | null;
}

export interface MemberCall extends PublicCall {
  readonly user: PortalUser;
}

export type PublicHandler = (call: PublicCall) => Promise<PortalAnswer>;
export type MemberHandler = (call: MemberCall) => Promise<PortalAnswer>;

export interface PortalRoute {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly open?: PublicHandler;
  readonly members?: MemberHandler;
}

/** A page instead of what was asked for; the message is for the person who asked. */
export class PageRefusal extends Error {
  readonly status: number;
  readonly title: string;

  constructor(status: number, title: string, message: string) {
    super(message);
    this.name = 'PageRefusal';
    this.status = status;
    this.title = title;
  }
}

export function pageNotFound(): PageRefusal {
  return new PageRefusal(404, 'Nothing here', 'There is no such page, or it is not yours to see.');
}

/** Who did it, for the audit. */
export function actorOf(user: PortalUser): string {
  return `portal ${user.email}`;
}
