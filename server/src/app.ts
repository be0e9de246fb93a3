/**
 * The application: routes, hooks, limits of the connection, and the order in which they start and stop. It reads no
 * environment and opens no database; its caller owns both.
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
import type { SearchIndex } from './follow/live-index.ts';
import type { SearchLimits } from './follow/search-pool.ts';
import type { HttpConfig } from './http/call.ts';
import { findCallLimit } from './http/call-limits.ts';
import { boundConnections, CONNECTION_LIMITS, type ConnectionLimits, listServerOptions } from './http/connections.ts';
import { allowOrigin } from './http/cors.ts';
import { countFieldValues } from './http/count-facets.ts';
import { Delivery } from './http/delivery.ts';
import { type CallObserver, describeEnd } from './http/ended-call.ts';
import { findChangeInTime } from './http/find-change.ts';
import { findRecords } from './http/find-records.ts';
import { refuse } from './http/judge.ts';
import { buildCallLog } from './http/log-call.ts';
import { registerProbes } from './http/probes.ts';
import { registerReference } from './http/reference.ts';
import { answerUnknownPath, CONSTRAINTS, registerRoutes } from './http/routes.ts';
import { forgetBody, SECURITY_HEADERS, sendAnswer, sendJudged } from './http/send.ts';
import type { Timing } from './http/timing.ts';
import { countAllWithin, defineWatch, previewWithin } from './http/watch-desk.ts';
import { buildMatchReader } from './http/watched-matches.ts';
import {
  answerBrokenRequest,
  badTarget,
  checkRequest,
  normalizeTarget,
  REQUEST_METHODS,
  refuseTunnel,
} from './http/wire.ts';
import { ISSUE_MEANINGS } from './load/formats/issues.ts';
import { FACET_FIELDS, type FacetField } from './portal/explorer/facet-fields.ts';
import { registerPortal } from './portal/routes.ts';
import type { ApiAnswer, OperatorServices, PortalServices, WatchDesk } from './portal/services.ts';
import { readPortalSettings } from './portal/settings.ts';
import { parseExactly } from './record/exact.ts';
import { type Answer, JSON_TYPE } from './render/answer.ts';
import { toApiError } from './render/failure.ts';
import type { Database } from './store/driver/db.ts';
import { LastStamps } from './store/records/last-stamps.ts';
import { RecordTexts } from './store/records/record-texts.ts';
import { buildRecordReader } from './store/records/records.ts';
import { checkDatabase } from './store/records/registers.ts';
import { openShelf, snapshotsFolder } from './store/snapshots/folder.ts';
import { watchDatabaseOnly } from './watch/health.ts';
import type { Metrics } from './watch/metrics.ts';
import type { Traces } from './watch/traced.ts';
import { buildSecretBox } from './webhook/secrets.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** True once the server is stopping: it still serves, and every answer ends its connection. */
    isStopping(): boolean;
    beginStopping(): void;
    /** Calls whose answer is not delivered yet, probes included. */
    countCallsInFlight(): number;
  }
  interface FastifyRequest {
    caller: Caller | null;
    refusal: ApiError | null;
    /** What the call costs, unless its answer is not delivered. */
    units: number;
    delivery: Delivery;
    /** Null until an endpoint has been found. */
    timing: Timing | null;
  }
  interface FastifyContextConfig {
    endpoint?: string;
    isProbe?: boolean;
  }
}

export interface AppOptions {
  /** For reading records. */
  readonly database: Database;
  /** For reads that standbys would serve too late or that would not relieve the primary; default: `database`. */
  readonly primary?: Database;
  /** For keys and metering: the primary, with connections that searches cannot exhaust. */
  readonly accessDatabase?: Database;
  /** For searches. */
  readonly index: SearchIndex;
  /** Rejects when the process cannot serve; by default, when `database` does not answer. */
  readonly checkHealth?: () => Promise<void>;
  readonly clock: Clock;
  readonly config: HttpConfig;
  readonly log: Log;
  /** The version that `/v1/health` reports. */
  readonly version: string;
  /** Serves `/portal/components`, which shows the components of pages; default: false. */
  readonly isDemo?: boolean;
  /** Where calls are counted; default: nowhere. */
  readonly metrics?: Metrics;
  /** Default: calls are not traced. */
  readonly traces?: Traces | null;
  /** What operators see about the process and may check; default: what the database alone shows. */
  readonly operations?: Pick<OperatorServices, 'readHealth' | 'examine'>;
  /** Default: the service's own. */
  readonly connections?: ConnectionLimits;
  /** Replaces authentication and metering, for the benchmark that measures their cost. */
  readonly access?: { readonly authenticator: Authenticator; readonly meter: Meter };
}

const BODY_BYTES_MAX = 64 * 1024;
/** A page of the explorer waits this long for its facet counts, then is shown without them. */
const FACETS_MS_MAX = 2_000;
/** Likewise, the page of a record for its family. */
const FAMILY_MS_MAX = 2_000;
/** Likewise, for what changed in it. */
const CHANGE_MS_MAX = 2_000;
/** The first page waits this long for dates among the matches of watches. */
const DATES_MS_MAX = 1_000;
/** A preview of a watch costs as much as thirteen counts. */
const PREVIEW_MS_MAX = 5_000;
/** Pages of the portal take turns with the keys of their customer, as one of them. */
const PORTAL_TURN = 'portal';

/** Does not listen yet. `close()` accepts nothing more and lets calls in flight finish (`http/stop.ts`). */
export function buildApp(options: AppOptions): FastifyInstance {
  const { clock, config, database, log, version } = options;
  const accessDatabase = options.accessDatabase ?? database;
  const judge = options.access?.authenticator ?? buildAuthenticator({ database: accessDatabase, clock });
  const delegation = buildDelegation(judge, accessDatabase);
  const { authenticator } = delegation;
  const meter = options.access?.meter ?? buildMeter({ database: accessDatabase, clock, log });
  options.metrics?.watchMeter(() => meter.state());
  const journal = buildJournal({ database: accessDatabase, clock, log });
  const primary = options.primary ?? database;
  const records = buildRecordReader(database, primary, clock);
  const checkHealth = options.checkHealth ?? (() => checkDatabase(database));
  const services = {
    accounts: accessDatabase,
    authenticator,
    checkHealth,
    clock,
    config,
    database,
    primary,
    index: options.index,
    records,
    texts: new RecordTexts(),
    stamps: new LastStamps(),
    snapshots: openShelf(findSnapshotsFolder(config)),
    log,
    meter,
    version,
    keepsRuns: options.traces != null,
  };

  const origins = config.corsOrigins ?? [];
  /** The answer to a preflight request; null for any other request. */
  let callsInFlight = 0;
  const { metrics, traces } = options;
  const observers: CallObserver[] = [
    journalCalls(journal),
    buildCallLog(log, clock),
    ...(traces == null ? [] : [traceCalls(traces)]),
    ...(metrics === undefined ? [] : [metrics.noteCall]),
  ];
  const begin = (request: FastifyRequest, reply: FastifyReply): Answer | null => {
    reply.headers(SECURITY_HEADERS).header('x-request-id', request.id);
    request.delivery = new Delivery(request.raw, reply.raw, clock);
    callsInFlight += 1;
    request.delivery.whenOver(() => {
      callsInFlight -= 1;
      const call = describeEnd(request, reply, config);
      for (const observe of observers) observe(call);
    });
    return origins.length === 0 ? null : allowOrigin(request, reply, origins);
  };
  const app = buildServer(begin, config.trustedProxies ?? [], options.connections ?? CONNECTION_LIMITS);
  app.decorateRequest('caller', null);
  app.decorateRequest('refusal', null);
  app.decorateRequest('units', 0);
  app.decorateRequest('timing', null);
  app.decorateRequest('delivery');
  let stopping = false;
  const beginStopping = (): void => {
    stopping = true;
  };
  app.decorate('isStopping', () => stopping);
  app.decorate('beginStopping', beginStopping);
  app.decorate('countCallsInFlight', () => callsInFlight);
  app.addHook('preClose', async () => beginStopping());
  app.addHook('onClose', async () => {
    await meter.close();
    await journal.close();
  });
  const answerEarly = (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> | null => {
    const preflight = begin(request, reply);
    if (stopping) reply.header('connection', 'close');
    if (preflight !== null) return sendAnswer(request, reply, preflight);
    const refusal = checkRequest(request.raw);
    if (refusal !== null) return sendJudged(request, reply, refuse(refusal));
    // Before the body is read: an unknown path has none to read.
    return request.is404 ? answerUnknownPath(services, request, reply) : null;
  };
  // With a callback, because a promise would cost as much as the checks themselves.
  app.addHook('onRequest', (request, reply, done) => {
    const answered = answerEarly(request, reply);
    if (answered === null) done();
    else answered.catch(done);
  });
  app.setErrorHandler((error, request, reply) => {
    forgetBody(reply);
    return sendJudged(request, reply, refuse(toFailure(error)));
  });
  registerRoutes(app, services);
  registerProbes(app, services);
  registerReference(app, config);
  const callApi: PortalServices['callApi'] = (keyId, target, asked = {}) => {
    const call = (headers: Readonly<Record<string, string>>): Promise<ApiAnswer> =>
      callInside(app, `/${config.recordPrefix}${target}`, { ...asked, ...headers });
    return keyId === null ? call({}) : delegation.callAs(keyId, call);
  };
  const fields = Object.keys(FACET_FIELDS) as FacetField[];
  const limitPage = (customer: string, millisMax: number): SearchLimits => ({
    deadlineMs: clock.monotonicMs() + millisMax,
    turn: { customer, key: PORTAL_TURN },
  });
  const countFacets: PortalServices['countFacets'] = (customerId, query, counted = fields) =>
    countFieldValues(options.index, query, counted, limitPage(customerId, FACETS_MS_MAX));
  const findListed: PortalServices['findRecords'] = (customerId, query, limitMax) =>
    findRecords(services, `${query}&limit=${limitMax}`, limitPage(customerId, FAMILY_MS_MAX));
  const findChange: PortalServices['findChange'] = (name) =>
    findChangeInTime(database, name, clock.monotonicMs() + CHANGE_MS_MAX);
  const counted = { ...services, database: services.primary };
  const watches: WatchDesk = {
    define: defineWatch,
    preview: (customerId, subject, watchId) =>
      previewWithin(counted, subject, watchId, limitPage(customerId, PREVIEW_MS_MAX)),
    ...buildMatchReader(services, (customerId) => limitPage(customerId, DATES_MS_MAX)),
    countMatches: (customerId, subjects) => countAllWithin(counted, subjects, limitPage(customerId, FACETS_MS_MAX)),
  };
  const calls = { callApi, findCallLimit, countFacets, findRecords: findListed, findChange, watches };
  const watched = options.operations ?? watchDatabaseOnly(accessDatabase, config.changeHorizonSeconds, version);
  const operations = { ...watched, issueMeanings: ISSUE_MEANINGS };
  const isDemo = options.isDemo ?? false;
  const webhookSecrets = buildSecretBox(accessDatabase, config.webhookKey ?? null);
  const given = { database: accessDatabase, clock, log, isDemo, operations, webhookSecrets };
  const portal = { ...given, ...calls, ...readPortalSettings(config) };
  app.register((scope) => registerPortal(scope, portal), { prefix: '/portal' });
  return app;
}

function findSnapshotsFolder({ dataDir, snapshotsDir = null }: HttpConfig): string | null {
  return dataDir === undefined ? snapshotsDir : snapshotsFolder({ dataDir, snapshotsDir });
}

function buildServer(
  begin: (request: FastifyRequest, reply: FastifyReply) => unknown,
  trustedProxies: readonly string[],
  connections: ConnectionLimits,
): FastifyInstance {
  const { http, ...timeouts } = listServerOptions(connections);
  const app = fastify({
    ...timeouts,
    bodyLimit: BODY_BYTES_MAX,
    clientErrorHandler: answerBrokenRequest,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => {
      // This request lacks the decorators of the application.
      begin(Object.assign(request, { caller: null, refusal: null, units: 0, timing: null }), reply);
      void sendJudged(request, reply, refuse(badTarget(error)));
    },
    genReqId: () => randomUUID(),
    // checkRequest refuses a missing Host, with the error envelope.
    http: { ...http, maxHeaderSize: HEADER_BYTES_MAX + URL_BYTES_MAX, requireHostHeader: false },
    requestIdHeader: false,
    return503OnClosing: false,
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    rewriteUrl: (request) => normalizeTarget(request.url ?? '/'),
    routerOptions: { maxParamLength: URL_BYTES_MAX, querystringParser: () => ({}), constraints: CONSTRAINTS },
  });
  for (const method of REQUEST_METHODS) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: true });
  }
  boundConnections(app.server, connections);
  app.server.on('connect', refuseTunnel);
  // An unknown expectation is no reason to refuse a request that we can answer.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  return app;
}

/** A call that passes every stage except the socket. */
async function callInside(
  app: FastifyInstance,
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<ApiAnswer> {
  const response = await app.inject({ method: 'GET', url, headers: { host: 'portal', ...headers } });
  const texts = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
  const isJson = response.headers['content-type'] === JSON_TYPE && response.rawPayload.length > 0;
  const body = isJson ? parseExactly(response.body) : null;
  return { status: response.statusCode, headers: Object.fromEntries(texts), body, bytes: response.rawPayload.length };
}

/** The framework throws errors about the request; everything else is our failure. */
function toFailure(error: unknown): ApiError {
  const status = (error as { statusCode?: unknown } | null)?.statusCode;
  const isRequestFault = typeof status === 'number' && status < 500;
  return isRequestFault
    ? apiError('invalid_parameter', 'The request is not valid.', { cause: error })
    : toApiError(error);
}

/** Only calls with a known key belong to a customer. */
function journalCalls(journal: Journal): CallObserver {
  return (call) => {
    const keyId = call.caller?.keyId ?? call.refusal?.keyId;
    if (keyId !== undefined) journal.note(keyId, call);
  };
}

/** Probes come every few seconds and carry no information. */
function traceCalls(traces: Traces): CallObserver {
  return (call) => {
    if (!call.isProbe) traces.noteCall(call);
  };
}
