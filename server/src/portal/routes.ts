/**
 * The portal as a scope of the service: its own parsers, headers, errors and the only routes that take POST. Every
 * request passes the same three gates in the same order: who is it (cookie), may it (signed in, or an open page), and,
 * for POST, does it come from a page of ours (origin and CSRF token). Pages know none of this.
 */
import { isIP } from 'node:net';
import { constants } from 'node:zlib';
import fastifyCompress from '@fastify/compress';
import fastifyCookie from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { html } from 'htm/preact';
import { buildToken } from '../access/secret.ts';
import { ApiError, OperatorError } from '../base/errors.ts';
import { deleteOldSessions, type PortalUser } from '../store/accounts/portal.ts';
import { deleteOldForms } from '../store/accounts/portal-forms.ts';
import { ATTEMPT_WINDOW_SECONDS } from './account/account.ts';
import { listAccountRoutes } from './account/routes.ts';
import { listExplorerRoutes } from './explorer/routes.ts';
import { buildAnswers } from './frame/answers.ts';
import { ASSETS, readAssets } from './frame/assets.ts';
import {
  type Page,
  PageRefusal,
  type PortalAnswer,
  type PortalRoute,
  type PublicCall,
  pageNotFound,
} from './frame/call.ts';
import { renderDocument, THEMES, type Theme } from './frame/layout.ts';
import { FORM_SECONDS, StaleForm } from './frame/once.ts';
import { parseNext } from './frame/pieces.ts';
import { renderEnded, renderStale } from './frame/stale-page.ts';
import { listKeyRoutes } from './keys/routes.ts';
import { listMonitoringRoutes } from './monitoring/routes.ts';
import type { PortalServices } from './services.ts';
import { buildIdentityProvider } from './sign-in/identity.ts';
import { listIdentityRoutes } from './sign-in/routes.ts';
import {
  ATTEMPT_COOKIE,
  buildSessions,
  cookieOptions,
  SESSION_BOUNDS,
  SESSION_COOKIE,
  type Sessions,
  THEME_COOKIE,
  VISITOR_COOKIE,
} from './sign-in/session.ts';
import { listTeamRoutes } from './team/routes.ts';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** How long somebody may take at the identity provider. */
const DEPARTURE_SECONDS = 600;
const THEME_SECONDS = 365 * 86_400;
const RETENTION_MS = 3_600_000;
/** Below this, the bytes saved do not pay for the work. */
const COMPRESSED_BYTES_MIN = 1400;
/** Pages are made for one reader each: quick before small. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

interface Visit {
  readonly user: PortalUser | null;
  /** The session, or what stands for a visitor; never null, because every form needs a token. */
  readonly cookieToken: string;
  readonly token: string | null;
}

/** Adds everything under `/portal`. */
export async function registerPortal(app: FastifyInstance, services: PortalServices): Promise<void> {
  const sessions = buildSessions(services.database, services.clock);
  const assets = await readAssets();
  await app.register(fastifyCookie);
  // Tokens of forms are another text on every page, so the length of a page tells nothing of them.
  await app.register(fastifyCompress, {
    encodings: ['br', 'gzip'],
    brotliOptions: BROTLI,
    threshold: COMPRESSED_BYTES_MIN,
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  );
  const secure = services.publicUrl?.startsWith('https:') ?? false;
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(portalHeaders(secure));
  });
  const send = (
    request: FastifyRequest,
    reply: FastifyReply,
    visit: Visit,
    answer: PortalAnswer,
  ): Promise<FastifyReply> =>
    sendAnswer({ request, reply, visit, answer, sessions, secure, assetVersion: assets.version });

  const answer = async (route: PortalRoute, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    let visit: Visit = { user: null, cookieToken: '', token: null };
    let call: PublicCall | null = null;
    try {
      visit = await readVisit(request, sessions);
      call = await buildCall(request, services, sessions, visit);
      return await send(request, reply, visit, await enter(route, call, request, { services, sessions, visit }));
    } catch (error) {
      const page =
        error instanceof StaleForm && call !== null && route.form !== undefined
          ? renderStale(call, route.form, error.why)
          : explain(error, request, services);
      return await send(request, reply, visit, page);
    }
  };

  const theme: PortalRoute = {
    method: 'POST',
    url: '/theme',
    form: { page: ({ form }) => parseNext(form.get('next')), keeps: [] },
    open: async (call) => {
      const chosen = THEMES.find((name) => name === call.form.get('theme')) ?? 'auto';
      return { to: parseNext(call.form.get('next')), theme: chosen };
    },
  };
  const answers = buildAnswers(services.clock);
  const routes = [
    ...listAccountRoutes(services, sessions),
    ...listKeyRoutes(services, answers),
    ...listMonitoringRoutes(services),
    ...listTeamRoutes(services),
    ...listExplorerRoutes(services, answers),
    ...listIdentity(services, sessions),
    theme,
  ];
  for (const route of routes) {
    app.route({ method: route.method, url: route.url, handler: (request, reply) => answer(route, request, reply) });
  }
  for (const { name, type } of ASSETS) {
    app.get(`/assets/${name}`, (_request, reply) =>
      reply.headers({ 'content-type': type, 'cache-control': 'public, max-age=86400' }).send(assets.read(name)),
    );
  }
  const missing: PortalRoute = {
    method: 'GET',
    url: '/*',
    open: async () => {
      throw pageNotFound();
    },
  };
  app.all('/*', (request, reply) => answer(missing, request, reply));
  app.setErrorHandler(async (error, request, reply) => {
    const visit: Visit = { user: null, cookieToken: '', token: null };
    return send(request, reply, visit, explain(error, request, services));
  });
  scheduleRetention(app, services);
}

function listIdentity(services: PortalServices, sessions: Sessions): PortalRoute[] {
  const { identity, publicUrl } = services;
  if (identity === null || publicUrl === null) return [];
  const provider = buildIdentityProvider({ ...identity, returnUrl: `${publicUrl}/portal/identity/return` });
  return listIdentityRoutes(services, sessions, provider);
}

function portalHeaders(secure: boolean): Record<string, string> {
  return {
    'content-security-policy': POLICY,
    'cache-control': 'no-store',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    // Browsers leave the Origin of a form out under a stricter policy.
    'referrer-policy': 'same-origin',
    'x-frame-options': 'DENY',
    ...(secure ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
}

async function readVisit(request: FastifyRequest, sessions: Sessions): Promise<Visit> {
  const token = await sessions.readCookie(request.cookies[SESSION_COOKIE]);
  const user = token === null ? null : await sessions.findUser(token);
  if (token !== null && user !== null) return { user, cookieToken: token, token };
  const visitor = await sessions.readCookie(request.cookies[VISITOR_COOKIE]);
  return { user: null, cookieToken: visitor ?? buildToken().text, token };
}

async function buildCall(
  request: FastifyRequest,
  services: PortalServices,
  sessions: Sessions,
  visit: Visit,
): Promise<PublicCall> {
  const target = request.raw.url ?? '/portal';
  const mark = target.indexOf('?');
  const params = request.params as Record<string, string>;
  const query = new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1));
  const form = readForm(request);
  // PostgreSQL's texts hold no NUL, so no page does either.
  if ([...Object.values(params), ...query.values(), ...form.values()].some((text) => text.includes('\0'))) {
    throw pageNotFound();
  }
  return {
    user: visit.user,
    token: visit.token,
    csrf: await sessions.csrfOf(visit.cookieToken),
    nextFormToken: await sessions.formTokensOf(visit.cookieToken),
    isFormFresh: await sessions.isFormToken(visit.cookieToken, form.get('once') ?? '', FORM_SECONDS),
    params,
    query,
    form,
    target,
    origin: services.publicUrl ?? `http://${request.headers.host ?? 'localhost'}`,
    address: addressOf(request),
    attempt: await sessions.readCookie(request.cookies[ATTEMPT_COOKIE]),
    fromElsewhere: request.headers['sec-fetch-site'] === 'cross-site',
  };
}

/** As far back as trusted proxies name it (Fastify's `trustProxy`), and never a name that is no address. */
function addressOf({ ip, socket }: FastifyRequest): string {
  return isIP(ip) === 0 ? (socket.remoteAddress ?? ip) : ip;
}

function readForm(request: FastifyRequest): URLSearchParams {
  return new URLSearchParams(typeof request.body === 'string' ? request.body : '');
}

/** The gates: whose form it is, whether somebody is signed in, and then the page. */
async function enter(
  route: PortalRoute,
  call: PublicCall,
  request: FastifyRequest,
  { services, sessions, visit }: { services: PortalServices; sessions: Sessions; visit: Visit },
): Promise<PortalAnswer> {
  const { form } = route;
  const { user, token } = call;
  if (form !== undefined) {
    checkOrigin(call, request);
    if (user === null && route.members !== undefined) return renderEnded(call, services, form);
    if (!(await sessions.isCsrf(visit.cookieToken, call.form.get('csrf') ?? ''))) throw new StaleForm('old');
  }
  if (route.open !== undefined) return route.open(call);
  if (user === null || token === null) return { to: `/portal/sign-in?next=${encodeURIComponent(call.target)}` };
  return route.members!({ ...call, user, token });
}

/** Throws PageRefusal for a form that no page of ours sent. */
function checkOrigin(call: PublicCall, request: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  const host = URL.canParse(call.origin) ? new URL(call.origin).host : null;
  const foreign =
    (site !== undefined && site !== 'same-origin' && site !== 'none') ||
    (origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host));
  if (foreign) throw new PageRefusal(403, 'The form was not accepted', 'It was not a page of ours that sent it.');
}

interface Sending {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly visit: Visit;
  readonly answer: PortalAnswer;
  readonly sessions: Sessions;
  readonly secure: boolean;
  readonly assetVersion: string;
}

async function sendAnswer(sending: Sending): Promise<FastifyReply> {
  const { request, reply, visit, answer, sessions, secure } = sending;
  if ('away' in answer) {
    const signed = await sessions.signCookie(answer.attempt);
    reply.setCookie(ATTEMPT_COOKIE, signed, { ...cookieOptions(secure), maxAge: DEPARTURE_SECONDS });
    return reply.redirect(answer.away, 303);
  }
  if ('to' in answer) {
    // An attempt serves once, however it ended.
    if (request.cookies[ATTEMPT_COOKIE] !== undefined) reply.clearCookie(ATTEMPT_COOKIE, cookieOptions(secure));
    if (answer.session === null) reply.clearCookie(SESSION_COOKIE, cookieOptions(secure));
    else if (answer.session !== undefined) {
      const { absoluteSeconds } = SESSION_BOUNDS;
      const signed = await sessions.signCookie(answer.session);
      reply.setCookie(SESSION_COOKIE, signed, { ...cookieOptions(secure), maxAge: absoluteSeconds });
    }
    if (answer.theme !== undefined) {
      reply.setCookie(THEME_COOKIE, answer.theme, { ...cookieOptions(secure), maxAge: THEME_SECONDS });
    }
    return reply.redirect(answer.to, 303);
  }
  if (visit.user === null && visit.cookieToken !== '') {
    reply.setCookie(VISITOR_COOKIE, await sessions.signCookie(visit.cookieToken), cookieOptions(secure));
  }
  const csrf = visit.cookieToken === '' ? '' : await sessions.csrfOf(visit.cookieToken);
  const chosen = request.cookies?.[THEME_COOKIE];
  const theme: Theme = THEMES.find((name) => name === chosen) ?? 'auto';
  const target = request.method === 'GET' ? (request.raw.url ?? '/portal') : '/portal';
  const done = new URLSearchParams(target.split('?')[1] ?? '').get('done');
  const frame = { user: visit.user, csrf, theme, target, done, assetVersion: sending.assetVersion };
  const text = renderDocument(answer, frame);
  return reply
    .code(answer.status ?? 200)
    .type('text/html; charset=utf-8')
    .send(text);
}

/** What went wrong as a page; what only the operator may know goes to the log. */
function explain(error: unknown, request: FastifyRequest, { log }: PortalServices): Page {
  if (error instanceof PageRefusal) return renderTrouble(error.status, error.title, error.message, error.back);
  if (error instanceof OperatorError) return renderTrouble(409, 'That is not possible', error.message);
  if (error instanceof ApiError && (error.code === 'unavailable' || error.code === 'query_timeout')) {
    log.warn({ err: error, request_id: request.id }, 'portal page refused');
    return renderTrouble(503, 'Not available', 'The service cannot answer right now. Try again shortly.');
  }
  const status = (error as { statusCode?: unknown } | null)?.statusCode;
  if (typeof status === 'number' && status < 500) {
    return renderTrouble(status, 'Not understood', 'The request was not one that this page takes.');
  }
  log.error({ err: error, request_id: request.id }, 'portal page failed');
  return renderTrouble(500, 'Something broke', `The fault is ours. Report it with this id: ${request.id}`);
}

function renderTrouble(status: number, title: string, message: string, back = '/portal'): Page {
  const body = html`
    <section class="narrow">
      <h1>${title}</h1>
      <p>${message}</p>
      <p><a href=${back}>${back === '/portal' ? 'To the start page' : 'Back'}</a></p>
    </section>
  `;
  return { title, status, body };
}

/** Sessions, attempts and sent forms that ran out are removed every hour. */
function scheduleRetention(app: FastifyInstance, { database, clock, log }: PortalServices): void {
  const stop = new AbortController();
  app.addHook('onClose', async () => stop.abort());
  const run = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      await clock.sleep(RETENTION_MS, stop.signal);
      try {
        await deleteOldSessions(database, SESSION_BOUNDS, ATTEMPT_WINDOW_SECONDS);
        await deleteOldForms(database);
      } catch (error) {
        log.warn({ err: error }, 'ended sessions and forms were not removed');
      }
    }
  };
  run().catch(() => undefined);
}
