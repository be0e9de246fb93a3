/**
 * The portal as a scope of the service: its own parsers, headers and errors, and the only routes that take POST. Each
 * page has a folder with its routes, its data and its view; `frame` holds the parts that pages share.
 */

import { Readable } from 'node:stream';
import { constants } from 'node:zlib';
import fastifyCompress from '@fastify/compress';
import fastifyCookie from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { html } from 'htm/preact';
import { OperatorError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { toApiError } from '../render/failure.ts';
import { listAccountRoutes } from './account/routes.ts';
import { listCalendarRoutes } from './calendars/routes.ts';
import { registerCalendars } from './calendars/serve.ts';
import { listComponentRoutes } from './components/components-page.ts';
import { listConsoleRoutes } from './console/routes.ts';
import { listDatesRoutes } from './dates/routes.ts';
import { buildAnswers } from './explorer/remembered-answers.ts';
import { listExplorerRoutes } from './explorer/routes.ts';
import { listExportRoutes } from './export/routes.ts';
import { listFeedRoutes } from './feed/routes.ts';
import { listFilingRoutes } from './filings/routes.ts';
import { ASSETS, readAssets } from './frame/assets.ts';
import {
  type Page,
  PageRefusal,
  type PortalAnswer,
  type PortalRoute,
  type PublicCall,
  pageNotFound,
} from './frame/call.ts';
import { renderHeading, renderLinkButton } from './frame/components.ts';
import { THEMES } from './frame/layout.ts';
import { StaleForm } from './frame/once.ts';
import { parseNext } from './frame/pieces.ts';
import { within } from './frame/roles.ts';
import { SHORTCUT_ROUTES } from './frame/shortcuts.ts';
import { enter } from './gates.ts';
import { listHistoryRoutes } from './history/routes.ts';
import { listHomeRoutes } from './home/routes.ts';
import { listKeyRoutes } from './keys/routes.ts';
import { listLogRoutes } from './log/log-page.ts';
import { listMonitoringRoutes } from './monitoring/monitoring-page.ts';
import { listOperatorRoutes } from './operator/routes.ts';
import { buildComparisons, type Comparisons } from './reconcile/comparisons.ts';
import { listReconcileRoutes } from './reconcile/routes.ts';
import { listRecordRoutes } from './record/routes.ts';
import { listRegisterPageRoutes } from './registers/registers-page.ts';
import { listSearchRoutes } from './search/routes.ts';
import { listSavedSearchRoutes } from './searches/routes.ts';
import { sendAnswer } from './sending.ts';
import type { PortalServices } from './services.ts';
import { renderStale } from './sign-in/refused-form.ts';
import { listSignInRoutes } from './sign-in/routes.ts';
import { buildSessions, type Sessions } from './sign-in/sessions.ts';
import { listSimilarRoutes } from './similar/routes.ts';
import { listTeamRoutes } from './team/routes.ts';
import { type ReceivedForm, receiveForm } from './upload.ts';
import { listUsageRoutes } from './usage/usage-page.ts';
import { buildCall, readVisit, UNKNOWN_VISIT, type Visit } from './visit.ts';
import { listWatchRoutes } from './watches/routes.ts';
import { listWebhookRoutes } from './webhooks/routes.ts';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  // The call log requests its own page again while it is watched.
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Below this, compression costs more than it saves. */
const COMPRESSED_BYTES_MIN = 1400;
/** Every page is rendered for one reader, so speed counts for more than size. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

export async function registerPortal(app: FastifyInstance, services: PortalServices): Promise<void> {
  const { database, clock, log } = services;
  const sessions = buildSessions(database, clock);
  const secure = services.publicUrl?.startsWith('https:') ?? false;
  const { version: assetVersion, read: readAsset } = await readAssets();
  await prepareScope(app, secure);

  const send = (request: FastifyRequest, reply: FastifyReply, visit: Visit, answer: PortalAnswer) =>
    sendAnswer(answer, { request, reply, visit, sessions, secure, assetVersion });
  const answer = async (route: PortalRoute, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    let visit = UNKNOWN_VISIT;
    let call: PublicCall | null = null;
    let received: ReceivedForm | null = null;
    try {
      visit = await readVisit(request, sessions);
      received = await readFile(route, visit, request, reply);
      call = await buildCall(request, visit, { services, sessions, received });
      return await send(request, reply, visit, await enter(route, call, request, { services, sessions, visit }));
    } catch (error) {
      const page =
        error instanceof StaleForm && call !== null && route.form !== undefined
          ? renderStale(call, route.form, error.why)
          : explainFailure(error, request, log);
      return await send(request, reply, visit, page);
    } finally {
      await received?.discard();
    }
  };
  const comparisons = buildComparisons(services);
  app.addHook('onClose', () => comparisons.close());
  for (const route of listPortalRoutes(services, sessions, comparisons)) {
    app.route({
      method: route.method,
      url: route.url,
      handler: (request, reply) => answer(route, request, reply),
    });
  }
  registerCalendars(app, services);
  for (const { name, type } of ASSETS) {
    app.get(`/assets/${name}`, (_request, reply) =>
      reply.headers({ 'content-type': type, 'cache-control': 'public, max-age=86400' }).send(readAsset(name)),
    );
  }
  app.all('/*', (request, reply) => answer(UNKNOWN_PAGE, request, reply));
  app.setErrorHandler((error, request, reply) =>
    send(request, reply, UNKNOWN_VISIT, explainFailure(error, request, log)),
  );
}

/**
 * The form of a route that takes a file, if it came with one. Nothing is read from somebody who is not signed in: the
 * gates refuse the form.
 */
async function readFile(
  route: PortalRoute,
  { session }: Visit,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<ReceivedForm | null> {
  const { body } = request;
  if (!(body instanceof Readable)) return null;
  const isTaken = takesParts(route);
  if (isTaken && session !== null) {
    const { fieldBytesMax, takesFile } = route;
    const back = request.url.split('?')[0] ?? '/portal';
    return receiveForm(body, request.headers, { back, files: takesFile === true ? 1 : 0, fieldBytesMax });
  }
  // Unread bytes would come before the next request of the connection.
  reply.header('connection', 'close');
  if (isTaken) return null;
  throw new PageRefusal(415, 'No file is taken here', 'This form takes no file.');
}

function takesParts({ takesFile, fieldBytesMax }: PortalRoute): boolean {
  return takesFile === true || fieldBytesMax !== undefined;
}

/** Cookies, compression, the two kinds of body that are read, and the headers of every answer. */
async function prepareScope(app: FastifyInstance, secure: boolean): Promise<void> {
  await app.register(fastifyCookie);
  // Safe together with the tokens of forms: they are masked differently on every page, so its length reveals nothing
  // about them.
  await app.register(fastifyCompress, {
    encodings: ['br', 'gzip'],
    brotliOptions: BROTLI,
    threshold: COMPRESSED_BYTES_MIN,
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  );
  // Read only once the sender is known, up to a separate bound. Any other form has the server's bound.
  app.addContentTypeParser('multipart/form-data', (_request, body, done) => done(null, body));
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(portalHeaders(secure));
  });
}

function portalHeaders(secure: boolean): Record<string, string> {
  return {
    'content-security-policy': POLICY,
    'cache-control': 'no-store',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    // Under a stricter policy, browsers send forms without their Origin.
    'referrer-policy': 'same-origin',
    'x-frame-options': 'DENY',
    ...(secure ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
}

/** @throws Error for a route of members without an area: no role could be asked for it. */
export function listPortalRoutes(
  services: PortalServices,
  sessions: Sessions,
  comparisons: Comparisons,
): PortalRoute[] {
  const answers = buildAnswers(services.clock);
  const routes = [
    ...listHomeRoutes(services),
    ...listSignInRoutes(services, sessions),
    ...within('own', listAccountRoutes(services)),
    ...within(
      'keys',
      listKeyRoutes(services, (keyId) => answers.drop(keyId)),
    ),
    ...within('usage', listUsageRoutes(services)),
    ...within('usage', listMonitoringRoutes(services)),
    ...within('usage', listLogRoutes(services)),
    ...within('watches', listWatchRoutes(services)),
    ...listCalendarRoutes(services),
    ...within('watches', listFilingRoutes(services)),
    ...within('webhooks', listWebhookRoutes(services)),
    ...within('own', listRegisterPageRoutes(services)),
    ...within('own', listDatesRoutes()),
    ...within('team', listTeamRoutes(services)),
    ...within('search', listExplorerRoutes(services, answers)),
    ...within('search', listExportRoutes({ services, answers })),
    ...within('search', listRecordRoutes(services, answers)),
    ...within('search', listHistoryRoutes(services, answers)),
    ...within('search', listFeedRoutes(services, answers)),
    ...within('dockets', listReconcileRoutes(services, answers, comparisons)),
    ...within('api', listConsoleRoutes(services, answers)),
    ...within('search', listSearchRoutes(services)),
    ...within('search', listSavedSearchRoutes(services)),
    ...within('search', listSimilarRoutes(services, answers)),
    ...listOperatorRoutes(services, (keyId) => answers.drop(keyId)),
    ...listComponentRoutes(services),
    ...SHORTCUT_ROUTES,
    THEME,
  ];
  const lost = routes.find(({ members, area }) => members !== undefined && area === undefined);
  if (lost !== undefined) throw new Error(`the route ${lost.method} ${lost.url} belongs to no area`);
  return routes;
}

const THEME: PortalRoute = {
  method: 'POST',
  url: '/theme',
  form: { page: ({ form }) => parseNext(form.get('next')), keeps: [] },
  open: async ({ form }) => {
    const theme = THEMES.find((name) => name === form.get('theme')) ?? 'auto';
    return { to: parseNext(form.get('next')), theme };
  },
};

const UNKNOWN_PAGE: PortalRoute = {
  method: 'GET',
  url: '/*',
  open: async () => {
    throw pageNotFound();
  },
};

export function explainFailure(error: unknown, request: FastifyRequest, log: Log): Page {
  if (error instanceof PageRefusal) return renderTrouble(error.status, error.title, error.message, error.back);
  if (error instanceof OperatorError) return renderTrouble(409, 'That is not possible', error.message);
  const { code, cause } = toApiError(error);
  if (code === 'unavailable' || code === 'query_timeout') {
    const reason = (cause instanceof Error ? cause : (error as Error)).message;
    log.warn({ reason, request_id: request.id }, 'portal page refused');
    return renderTrouble(503, 'Not available', 'The service cannot answer right now. Try again shortly.');
  }
  if (code === 'not_found') return renderTrouble(404, 'Not found', 'There is no such register or record.');
  const status = (error as { statusCode?: unknown } | null)?.statusCode;
  if (typeof status === 'number' && status < 500) {
    return renderTrouble(status, 'Bad request', 'This page cannot handle that request.');
  }
  log.error({ err: error, request_id: request.id }, 'portal page failed');
  return renderTrouble(500, 'Something went wrong', `The fault is ours. Please report it with this id: ${request.id}`);
}

function renderTrouble(status: number, title: string, message: string, back = '/portal'): Page {
  const body = html`
    <section class="narrow">
      ${renderHeading(title)}
      <p>${message}</p>
      ${renderLinkButton(back === '/portal' ? 'To the start page' : 'Back', back, 'second')}
    </section>
  `;
  return { title, status, body };
}
