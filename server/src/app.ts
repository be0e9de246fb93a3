/**
 * The application: routes, hooks, limits of the wire, and the order in which they start and stop. It reads no
 * environment and opens no database; whoever builds it owns both.
 */
import { randomUUID } from 'node:crypto';
import { HEADER_BYTES_MAX, URL_BYTES_MAX } from '@tmds/contract/limits';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { type Authenticator, buildAuthenticator, type Caller } from './access/authenticate.ts';
import { buildDelegation } from './access/delegate.ts';
import { buildJournal, type Journal } from './access/journal.ts';
import { buildMeter, type Meter } from './access/meter.ts';
import type { Clock } from './base/clock.ts';
import { type ApiError, apiError } from './base/errors.ts';
import type { Log } from './base/log.ts';
import { type HttpConfig, SERVED_PRODUCT } from './http/call.ts';
import { allowOrigin } from './http/cors.ts';
import { refuse } from './http/judge.ts';
import { registerReference } from './http/reference.ts';
import { answerUnknownPath, registerRoutes } from './http/routes.ts';
import { SECURITY_HEADERS, sendAnswer, sendJudged } from './http/send.ts';
import {
  answerBrokenRequest,
  badTarget,
  checkRequest,
  normalizeTarget,
  REQUEST_METHODS,
  refuseTunnel,
} from './http/wire.ts';
import type { ApiAnswer, PortalServices } from './portal/call.ts';
import { registerPortal } from './portal/routes.ts';
import { toApiError } from './render/failure.ts';
import type { Database } from './store/db.ts';
import { buildRecordReader } from './store/records.ts';
import { openSearchStatistics } from './store/search-statistics.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** True once no new calls are taken. */
    isStopping(): boolean;
  }
  interface FastifyRequest {
    caller: Caller | null;
    refusal: ApiError | null;
  }
  interface FastifyContextConfig {
    endpoint?: string;
  }
}

export interface AppOptions {
  /** Where records are read. */
  readonly database: Database;
  /** Where keys are read and calls are counted: the primary, with connections that searches cannot use up. */
  readonly accessDatabase?: Database;
  readonly clock: Clock;
  readonly config: HttpConfig;
  readonly log: Log;
  /** Version of the running program, shown by `/v1/health`. */
  readonly version: string;
  /** Other judges of callers, for the benchmark that measures what ours cost. */
  readonly access?: { readonly authenticator: Authenticator; readonly meter: Meter };
}

/** A whole request has to arrive within this time, and its headers too. */
const REQUEST_TIMEOUT_MS = 30_000;
/** Longer than the idle time of common load balancers, so that they and not we close idle connections. */
const KEEP_ALIVE_MS = 72_000;
/** A client that takes nothing of its answer for this long is cut off. */
const STALLED_CLIENT_MS = 60_000;
const BODY_BYTES_MAX = 64 * 1024;

/** Built but not listening. `close()` lets calls in flight finish and refuses new ones. */
export function buildApp(options: AppOptions): FastifyInstance {
  const { clock, config, database, log, version } = options;
  const accessDatabase = options.accessDatabase ?? database;
  const judge = options.access?.authenticator ?? buildAuthenticator({ database: accessDatabase, clock });
  const delegation = buildDelegation(judge, accessDatabase);
  const { authenticator } = delegation;
  const meter = options.access?.meter ?? buildMeter({ database: accessDatabase, clock, log });
  const journal = buildJournal({ database: accessDatabase, clock, log });
  const records = buildRecordReader(database, clock);
  const searchStatistics = openSearchStatistics({ database, clock, log });
  const services = { authenticator, clock, config, database, records, searchStatistics, log, meter, version };

  const app = buildServer();
  app.decorateRequest('caller', null);
  app.decorateRequest('refusal', null);
  let stopping = false;
  app.decorate('isStopping', () => stopping);
  // Read before the first search needs them.
  app.addHook('onListen', async () => {
    searchStatistics.current();
  });
  app.addHook('preClose', async () => {
    stopping = true;
  });
  app.addHook('onClose', async () => {
    await meter.close();
    await journal.close();
  });
  const origins = config.corsOrigins ?? [];
  const answerEarly = (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> | null => {
    if (stopping) {
      return sendJudged(request, reply, refuse(apiError('unavailable', 'The service is shutting down. Try again.')));
    }
    const preflight = origins.length === 0 ? null : allowOrigin(request, reply, origins);
    if (preflight !== null) return sendAnswer(request, reply, preflight);
    const refusal = checkRequest(request.raw);
    if (refusal !== null) return sendJudged(request, reply, refuse(refusal));
    // Before the body is looked at: a path that does not exist takes none.
    return request.is404 ? answerUnknownPath(services, request, reply) : null;
  };
  // With callbacks, because a promise for each of these costs as much as what they do.
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(SECURITY_HEADERS).header('x-request-id', request.id);
    const answered = answerEarly(request, reply);
    if (answered === null) done();
    else answered.catch(done);
  });
  app.setErrorHandler((error, request, reply) => sendJudged(request, reply, refuse(toFailure(error))));
  app.addHook('onResponse', (request, reply, done) => {
    noteRefusal(journal, request);
    logCall(log, request, reply);
    done();
  });
  registerRoutes(app, services);
  registerReference(app, config);
  const callApi = (keyId: string, target: string): Promise<ApiAnswer> =>
    delegation.callAs(keyId, (headers) => callInside(app, `/${config.recordPrefix}${target}`, headers));
  const portal = { database: accessDatabase, clock, log, callApi, ...readPortalSettings(config) };
  app.register((scope) => registerPortal(scope, portal), { prefix: '/portal' });
  return app;
}

function readPortalSettings(config: HttpConfig): Omit<PortalServices, 'database' | 'clock' | 'log' | 'callApi'> {
  const { oidcIssuer: issuer = null, oidcClientId: clientId = null, oidcClientSecret: clientSecret = null } = config;
  return {
    recordPrefix: config.recordPrefix,
    publicUrl: config.publicUrl ?? null,
    trustedProxies: config.trustedProxies ?? [],
    identity: issuer === null || clientId === null ? null : { issuer, clientId, clientSecret },
  };
}

function buildServer(): FastifyInstance {
  const app = fastify({
    bodyLimit: BODY_BYTES_MAX,
    clientErrorHandler: answerBrokenRequest,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => {
      reply.headers(SECURITY_HEADERS).header('x-request-id', request.id);
      void sendJudged(request, reply, refuse(badTarget(error)));
    },
    genReqId: () => randomUUID(),
    // A missing Host is refused by checkRequest, in the envelope.
    http: { maxHeaderSize: HEADER_BYTES_MAX + URL_BYTES_MAX, requireHostHeader: false },
    connectionTimeout: STALLED_CLIENT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestIdHeader: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    return503OnClosing: false,
    rewriteUrl: (request) => normalizeTarget(request.url ?? '/'),
    routerOptions: { maxParamLength: URL_BYTES_MAX, querystringParser: () => ({}) },
  });
  for (const method of REQUEST_METHODS) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: true });
  }
  app.server.on('connect', refuseTunnel);
  // An expectation we do not know is no reason to refuse a request that we do.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  return app;
}

/** A call that passes every stage but the socket. */
async function callInside(app: FastifyInstance, url: string, headers: Record<string, string>): Promise<ApiAnswer> {
  const response = await app.inject({ method: 'GET', url, headers: { host: 'portal', ...headers } });
  const texts = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
  return { status: response.statusCode, headers: Object.fromEntries(texts), body: JSON.parse(response.body) };
}

/** Refusals of the framework itself are about the request; everything else that is thrown is ours. */
function toFailure(error: unknown): ApiError {
  const status = (error as { statusCode?: unknown } | null)?.statusCode;
  const isRequestFault = typeof status === 'number' && status < 500;
  return isRequestFault
    ? apiError('invalid_parameter', 'The request is not valid.', { cause: error })
    : toApiError(error);
}

/** A record that does not exist is an answer, not a refusal. */
function noteRefusal(journal: Journal, { id, caller, refusal }: FastifyRequest): void {
  if (caller === null || refusal === null || refusal.code === 'not_found') return;
  const { code, param } = refusal;
  journal.note({ keyId: caller.keyId, product: SERVED_PRODUCT, requestId: id, code, param });
}

function logCall(
  log: Log,
  request: {
    id: string;
    method: string;
    routeOptions: { url?: string | undefined };
    caller: Caller | null;
    refusal: ApiError | null;
  },
  reply: { statusCode: number; elapsedTime: number },
): void {
  const { refusal } = request;
  if (refusal === null && !log.isLevelEnabled('info')) return;
  const line = {
    request_id: request.id,
    method: request.method,
    route: request.routeOptions.url,
    status: reply.statusCode,
    duration_ms: Math.round(reply.elapsedTime * 10) / 10,
    key_id: request.caller?.keyId,
    code: refusal?.code,
    param: refusal?.param,
  };
  if (refusal?.code === 'internal_error') log.error({ ...line, err: refusal.cause }, 'call failed');
  else if (refusal?.code === 'unavailable') log.warn({ ...line, err: refusal.cause }, 'call refused');
  else log.info(line, refusal === null ? 'call served' : 'call refused');
}
