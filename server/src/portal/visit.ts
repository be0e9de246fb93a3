/** Turns a request to the portal into the call that its pages see: who asks, and what they sent. */
import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { buildToken } from '../access/secret.ts';
import type { PortalSession } from '../store/accounts/portal.ts';
import { type PublicCall, pageNotFound } from './frame/call.ts';
import { FORM_SECONDS } from './frame/once.ts';
import type { PortalServices } from './services.ts';
import { ATTEMPT_COOKIE, SESSION_COOKIE, type Sessions, VISITOR_COOKIE } from './sign-in/sessions.ts';
import type { ReceivedForm } from './upload.ts';

export interface Visit {
  readonly session: PortalSession | null;
  /** The token of the session or, for visitors, a random one. Empty only when the cookies could not be read. */
  readonly cookieToken: string;
  readonly token: string | null;
}

export const UNKNOWN_VISIT: Visit = { session: null, cookieToken: '', token: null };

export async function readVisit(request: FastifyRequest, sessions: Sessions): Promise<Visit> {
  const token = await sessions.readCookie(request.cookies[SESSION_COOKIE]);
  const session = token === null ? null : await sessions.find(token);
  if (token !== null && session !== null) return { session, cookieToken: token, token };
  const visitor = await sessions.readCookie(request.cookies[VISITOR_COOKIE]);
  return { session: null, cookieToken: visitor ?? buildToken().text, token };
}

export async function buildCall(
  request: FastifyRequest,
  visit: Visit,
  { services, sessions, received }: { services: PortalServices; sessions: Sessions; received: ReceivedForm | null },
): Promise<PublicCall> {
  const target = request.raw.url ?? '/portal';
  const params = request.params as Record<string, string>;
  const query = readQuery(target);
  const form = received?.form ?? new URLSearchParams(typeof request.body === 'string' ? request.body : '');
  // A PostgreSQL text cannot hold NUL, so no page can have one in its address or form.
  if ([...Object.values(params), ...query.values(), ...form.values()].some((text) => text.includes('\0'))) {
    throw pageNotFound();
  }
  const person = visit.session?.person ?? null;
  const user = visit.session?.user ?? null;
  return {
    person,
    user,
    isViewing: person?.is_operator === true && user !== null,
    token: visit.token,
    csrf: await sessions.csrfOf(visit.cookieToken),
    nextFormToken: await sessions.formTokensOf(visit.cookieToken),
    isFormFresh: await sessions.isFormToken(visit.cookieToken, form.get('once') ?? '', FORM_SECONDS),
    params,
    query,
    form,
    upload: received?.upload ?? null,
    target,
    origin: services.publicUrl ?? `http://${request.headers.host ?? 'localhost'}`,
    address: addressOf(request),
    languages: readLanguages(request.headers['accept-language']),
    attempt: await sessions.readCookie(request.cookies[ATTEMPT_COOKIE]),
    fromElsewhere: request.headers['sec-fetch-site'] === 'cross-site',
  };
}

function readQuery(target: string): URLSearchParams {
  const mark = target.indexOf('?');
  return new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1));
}

/** More languages than this help nobody. */
const LANGUAGES_MAX = 10;

/** `fr-CH, fr;q=0.9, en;q=0.8` in order of the weights. */
function readLanguages(header: string | undefined): string[] {
  const wishes = (header ?? '').split(',', LANGUAGES_MAX).flatMap((wish) => {
    const [, tag = '', weight = '1'] =
      /^([a-z]{2,3}(?:-[a-z\d]{2,8})*)(?:\s*;\s*q=([\d.]+))?$/i.exec(wish.trim()) ?? [];
    return tag === '' ? [] : [{ tag: tag.toLowerCase(), weight: Number(weight) }];
  });
  return wishes.sort((one, other) => other.weight - one.weight).map(({ tag }) => tag);
}

/** The address as far back as trusted proxies name it (Fastify's `trustProxy`), and never a text that is no address. */
function addressOf({ ip, socket }: FastifyRequest): string {
  return isIP(ip) === 0 ? (socket.remoteAddress ?? ip) : ip;
}
