/** Sends what a page answered: the document, a redirect inside the portal, or a redirect to the identity provider. */
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Departure, Download, Page, PortalAnswer, Redirect } from './frame/call.ts';
import { renderDocument, THEMES } from './frame/layout.ts';
import {
  ATTEMPT_COOKIE,
  cookieOptions,
  SESSION_COOKIE,
  SESSION_TERMS,
  type Sessions,
  THEME_COOKIE,
  VISITOR_COOKIE,
} from './sign-in/sessions.ts';
import type { Visit } from './visit.ts';

const DEPARTURE_SECONDS = 600;
const THEME_SECONDS = 365 * 86_400;

interface Sending {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly visit: Visit;
  readonly sessions: Sessions;
  readonly secure: boolean;
  readonly assetVersion: string;
}

export function sendAnswer(answer: PortalAnswer, sending: Sending): Promise<FastifyReply> {
  if ('download' in answer) return sendDownload(answer, sending);
  if ('away' in answer) return sendDeparture(answer, sending);
  return 'to' in answer ? sendRedirect(answer, sending) : sendPage(answer, sending);
}

async function sendDownload({ download, type, chunks }: Download, { reply }: Sending): Promise<FastifyReply> {
  const harmless = {
    'content-disposition': `attachment; filename="${download}"`,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  };
  return reply.headers(harmless).type(type).send(Readable.from(chunks));
}

async function sendDeparture(
  { away, attempt }: Departure,
  { reply, sessions, secure }: Sending,
): Promise<FastifyReply> {
  const signed = await sessions.signCookie(attempt);
  reply.setCookie(ATTEMPT_COOKIE, signed, { ...cookieOptions(secure), maxAge: DEPARTURE_SECONDS });
  return reply.redirect(away, 303);
}

async function sendRedirect(
  { to, session, theme }: Redirect,
  { request, reply, sessions, secure }: Sending,
): Promise<FastifyReply> {
  const options = cookieOptions(secure);
  // An attempt can be used once, whether it succeeded or not.
  if (request.cookies[ATTEMPT_COOKIE] !== undefined) reply.clearCookie(ATTEMPT_COOKIE, options);
  if (session === null) reply.clearCookie(SESSION_COOKIE, options);
  else if (session !== undefined) {
    const signed = await sessions.signCookie(session);
    reply.setCookie(SESSION_COOKIE, signed, { ...options, maxAge: SESSION_TERMS.people.absoluteSeconds });
  }
  if (theme !== undefined) reply.setCookie(THEME_COOKIE, theme, { ...options, maxAge: THEME_SECONDS });
  return reply.redirect(to, 303);
}

async function sendPage(page: Page, sending: Sending): Promise<FastifyReply> {
  const { request, reply, visit, sessions, secure, assetVersion } = sending;
  const { session, cookieToken } = visit;
  if (session === null && cookieToken !== '') {
    reply.setCookie(VISITOR_COOKIE, await sessions.signCookie(cookieToken), cookieOptions(secure));
  }
  const chosen = request.cookies?.[THEME_COOKIE];
  const target = request.method === 'GET' ? (request.raw.url ?? '/portal') : '/portal';
  const text = renderDocument(page, {
    session,
    csrf: cookieToken === '' ? '' : await sessions.csrfOf(cookieToken),
    theme: THEMES.find((name) => name === chosen) ?? 'auto',
    target,
    query: new URLSearchParams(target.split('?')[1] ?? ''),
    assetVersion,
  });
  if (page.refreshSeconds !== undefined) reply.header('refresh', String(page.refreshSeconds));
  return reply
    .code(page.status ?? 200)
    .type('text/html; charset=utf-8')
    .send(text);
}
