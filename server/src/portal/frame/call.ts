/** A request to the portal as a page sees it: who asks and what they sent, and the answers that a page may give. */
import type { Actor } from '../../store/accounts/customers.ts';
import type { PortalPerson, PortalUser } from '../../store/accounts/portal.ts';

export type Section =
  | 'home'
  | 'explorer'
  | 'registers'
  | 'reconcile'
  | 'api'
  | 'usage'
  | 'keys'
  | 'watches'
  | 'webhooks'
  | 'team'
  | 'account'
  | 'operator'
  | 'operator/customers'
  | 'operator/keys'
  | 'operator/usage'
  | 'operator/registers'
  | 'operator/sources'
  | 'operator/loads'
  | 'operator/audit'
  | 'operator/doctor';

/** Parts of the portal, by which roles of a team differ. `own`: for everybody on the team. */
export type Area = 'own' | 'search' | 'watches' | 'dockets' | 'keys' | 'webhooks' | 'usage' | 'api' | 'team';

export interface Page {
  readonly title: string;
  readonly body: unknown;
  readonly status?: number;
  readonly section?: Section;
  /** The page has results, which a link at the top leads to. */
  readonly results?: boolean;
  /** After this many seconds the browser requests the page again, also without scripts. */
  readonly refreshSeconds?: number;
}

export interface Redirect {
  readonly to: string;
  /** The token of a new session; null ends the session. */
  readonly session?: string | null;
  readonly theme?: string;
}

export interface Departure {
  readonly away: string;
  /** Kept in a cookie until the person returns. */
  readonly attempt: string;
}

/** A file, which browsers save or show as an image and never run. It may be written while it is sent. */
export interface Download {
  /** The name of the file, in ASCII. */
  readonly download: string;
  readonly type: string;
  readonly chunks: AsyncIterable<string | Uint8Array> | Iterable<Uint8Array>;
}

export type PortalAnswer = Page | Redirect | Departure | Download;

export interface Upload {
  readonly path: string;
  /** As the browser names it, without folders. */
  readonly name: string;
  readonly bytes: number;
}

export interface PublicCall {
  readonly person: PortalPerson | null;
  /** The customer whose pages these are; null for visitors and for an operator who views no customer. */
  readonly user: PortalUser | null;
  /** The person is an operator who views the pages of a customer. */
  readonly isViewing: boolean;
  readonly csrf: string;
  /** A new token for each form that changes something, so that the form does its work once. */
  readonly nextFormToken: () => string;
  /** True when the form has such a token, made for this browser and not too old. It may have been used already. */
  readonly isFormFresh: boolean;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly form: URLSearchParams;
  /** The file that came with the form; null without one. It is there until the call is answered. */
  readonly upload: Upload | null;
  readonly target: string;
  readonly origin: string;
  readonly address: string;
  /** True when a link on another site led here; such a visit must not cost anything. */
  readonly fromElsewhere: boolean;
  /** The session token; null when nobody is signed in. */
  readonly token: string | null;
  /** Languages that the browser asks for, the best first; lower-case tags. */
  readonly languages: readonly string[];
  readonly attempt: string | null;
}

export interface SignedInCall extends PublicCall {
  readonly person: PortalPerson;
  readonly token: string;
}

export interface MemberCall extends SignedInCall {
  readonly user: PortalUser;
}

export type PublicHandler = (call: PublicCall) => Promise<PortalAnswer>;
export type SignedInHandler = (call: SignedInCall) => Promise<PortalAnswer>;
export type MemberHandler = (call: MemberCall) => Promise<PortalAnswer>;

/** The page a form is on, and which of its fields survive when the form could not be accepted. */
export interface FormPlace {
  /** The page fills its form from its query. */
  readonly page: (call: PublicCall) => string;
  /** Names of fields; never a secret or a confirmation. */
  readonly keeps: readonly string[];
}

/** The handler of a page: exactly one, named by its audience. */
interface Handlers {
  readonly url: string;
  readonly open?: PublicHandler;
  readonly people?: SignedInHandler;
  readonly operators?: SignedInHandler;
  readonly members?: MemberHandler;
  /** The part of the portal that a route for members belongs to, by which roles may open it. */
  readonly area?: Area;
  /** An operator who views the customer may see it too: it changes nothing and costs nothing. */
  readonly viewable?: boolean;
}

export type PortalRoute = Handlers &
  (
    | {
        readonly method: 'GET';
        readonly form?: undefined;
        readonly takesFile?: undefined;
        readonly fieldBytesMax?: undefined;
      }
    /** `takesFile`: the form may come with a file. */
    | {
        readonly method: 'POST';
        readonly form: FormPlace;
        readonly takesFile?: boolean;
        /** The form may come as `multipart/form-data`, with fields of up to this many bytes. */
        readonly fieldBytesMax?: number;
      }
  );

/** Shown instead of the page; the message is for the person who asked. */
export class PageRefusal extends Error {
  readonly status: number;
  readonly title: string;
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
  return new PageRefusal(404, 'Page not found', 'There is no such page, or you have no access to it.');
}

/** What was looked for. @throws PageRefusal if it is null: to this caller, it does not exist. */
export function orNotFound<Found>(found: Found | null | undefined): Found {
  if (found === null || found === undefined) throw pageNotFound();
  return found;
}

/** The text to put in a field: what was just sent, what an earlier form left in the query, or nothing. */
export function typedIn({ form, query }: Pick<PublicCall, 'form' | 'query'>, name: string): string | null {
  return form.get(name) ?? query.get(name);
}

export function actorOf({ person, address }: Pick<SignedInCall, 'person' | 'address'>): Actor {
  return { name: `${person.is_operator ? 'operator' : 'portal'} ${person.email}`, address };
}
