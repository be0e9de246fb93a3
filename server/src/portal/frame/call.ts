/** What a request to the portal is for the pages: who asks, what was sent, and the two things that may come back. */
import type { PortalUser } from '../../store/accounts/portal.ts';

/** The answer of a public endpoint to a call that the explorer made. */
export interface ApiAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Numbers that no double holds are numbers of `lossless-json`. */
  readonly body: unknown;
  /** Of the body as it came. */
  readonly bytes: number;
}

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
interface Departure {
  readonly away: string;
  readonly attempt: string;
}

export type PortalAnswer = Page | Redirect | Departure;

export interface PublicCall {
  readonly user: PortalUser | null;
  /** Goes into every form. */
  readonly csrf: string;
  /** Another one for every form that changes something: the form does its work once. */
  readonly nextFormToken: () => string;
  /** True for a form that came with such a token of this browser, not too old; whether it was used is told later. */
  readonly isFormFresh: boolean;
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
  readonly token: string;
}

type PublicHandler = (call: PublicCall) => Promise<PortalAnswer>;
type MemberHandler = (call: MemberCall) => Promise<PortalAnswer>;

/** Of a route that takes a form: where the form stands, and what of it may be kept when it could not be taken. */
export interface FormPlace {
  /** The page of the form; it fills its fields from its query. */
  readonly page: (call: PublicCall) => string;
  /** Names of fields, none of them a secret or a confirmation. */
  readonly keeps: readonly string[];
}

interface Handlers {
  readonly url: string;
  readonly open?: PublicHandler;
  readonly members?: MemberHandler;
}

export type PortalRoute = Handlers &
  ({ readonly method: 'GET'; readonly form?: undefined } | { readonly method: 'POST'; readonly form: FormPlace });

/** A page instead of what was asked for; the message is for the person who asked. */
export class PageRefusal extends Error {
  readonly status: number;
  readonly title: string;
  /** A path of the portal to go on from. */
  readonly back: string;

  constructor(status: number, title: string, message: string, back = '/portal') {
    super(message);
    this.name = 'PageRefusal';
    this.status = status;
    this.title = title;
    this.back = back;
  }
}

export function pageNotFound(): PageRefusal {
  return new PageRefusal(404, 'Nothing here', 'There is no such page, or it is not yours to see.');
}

/** What stands in a field: as it was sent, as it was kept, or nothing. */
export function typedIn({ form, query }: Pick<PublicCall, 'form' | 'query'>, name: string): string | null {
  return form.get(name) ?? query.get(name);
}

/** Who did it, for the audit. */
export function actorOf(user: PortalUser): string {
  return `portal ${user.email}`;
}
