/**
 * The application: routes, hooks, limits of the connection, and the order in which they start and stop. It reads no
 * environment and opens no database; its caller owns both.
 */
import { HEADER_BYTES_MAX, URL_BYTES_MAX } from '@tmds/contract/limits';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { type Authenticator, buildAuthenticator } from './access/authenticate.ts';
import { buildJournal } from './access/journal.ts';
import { buildMeter, type Meter } from './access/meter.ts';
import type { Clock } from './base/clock.ts';
import type { Log } from './base/log.ts';
import type { Database } from './database/driver/db.ts';
import type { SearchIndex } from './follow/live-index.ts';
import type { SearchLimits } from './follow/search-pool.ts';
import { Traffic } from './http/call.ts';
import { CoverageBoard } from './http/coverage-board.ts';
import type { HttpConfig } from './http/endpoint.ts';
import { listObservers } from './http/observers.ts';
import type { AnswerOther } from './http/other-methods.ts';
import { buildKeyCalls, buildPageCalls } from './http/page-calls.ts';
import { countFieldValues, findCallLimit, findChangeInTime, findRecords } from './http/page-reads.ts';
import { registerProbes } from './http/probes.ts';
import { registerReference } from './http/reference.ts';
import { beginCall, ROUTER_OPTIONS, registerCalls, registerRoutes } from './http/routes.ts';
import { forgetBody, sendRefusal } from './http/send.ts';
import { registerTools } from './http/tools.ts';
import { countAllWithin, defineWatch, diagnoseWatch, previewWithin } from './http/watch-desk.ts';
import { buildMatchReader } from './http/watched-matches.ts';
import {
  answerBrokenRequest,
  badTarget,
  boundConnections,
  buildRequestId,
  CONNECTION_LIMITS,
  type ConnectionLimits,
  listServerOptions,
  normalizeTarget,
  REQUEST_METHODS,
  refuseTunnel,
  toRefusal,
  type WireCall,
} from './http/wire.ts';
import { ISSUE_MEANINGS, ISSUE_REMEDIES } from './load/formats/format.ts';
import { watchDatabaseOnly } from './monitor/health.ts';
import type { Metrics } from './monitor/metrics.ts';
import type { Traces } from './monitor/traced.ts';
import { FACET_FIELDS, type FacetField } from './portal/explorer/facets.ts';
import { registerPortal } from './portal/routes.ts';
import { type OperatorServices, type PortalServices, readPortalSettings, type WatchDesk } from './portal/services.ts';
import { parseExactly } from './record/digest.ts';
import { buildRecordReader } from './store/records/records.ts';
import { checkDatabase } from './store/records/registers.ts';
import { RecordTexts } from './store/records/search.ts';
import { openShelf, snapshotsFolder } from './store/snapshots/folder.ts';
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
    call: WireCall;
  }
  interface FastifyContextConfig {
    endpoint?: string;
    isProbe?: boolean;
    answerOther?: AnswerOther;
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
  /** Default: nothing is known, and answers say nothing. */
  readonly coverage?: CoverageBoard;
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
  const authenticator = options.access?.authenticator ?? buildAuthenticator({ database: accessDatabase, clock });
  const meter = options.access?.meter ?? buildMeter({ database: accessDatabase, clock, log });
  options.metrics?.watchMeter(() => meter.state());
  const journal = buildJournal({ database: accessDatabase, clock, log });
  const primary = options.primary ?? database;
  const records = buildRecordReader(database, primary, clock);
  const checkHealth = options.checkHealth ?? (() => checkDatabase(database));
  const webhookSecrets = buildSecretBox(accessDatabase, config.webhookKey ?? null);
  const services = {
    accounts: accessDatabase,
    authenticator,
    checkHealth,
    clock,
    config,
    coverage: options.coverage ?? new CoverageBoard(clock),
    database,
    primary,
    index: options.index,
    records,
    texts: new RecordTexts(),
    snapshots: openShelf(findSnapshotsFolder(config)),
    log,
    meter,
    version,
    webhookSecrets,
  };

  const { metrics = null, traces = null } = options;
  const observers = listObservers({ journal, log, clock, traces, metrics });
  const traffic = new Traffic({ clock, keepsRuns: traces !== null, observers });
  const begin = (request: FastifyRequest, reply: FastifyReply): unknown =>
    beginCall(request, reply, { services, traffic, place: request.routeOptions });
  const app = buildServer(begin, config.trustedProxies ?? [], options.connections ?? CONNECTION_LIMITS);
  const beginStopping = (): void => {
    traffic.isStopping = true;
  };
  app.decorate('isStopping', () => traffic.isStopping);
  app.decorate('beginStopping', beginStopping);
  app.decorate('countCallsInFlight', () => traffic.inFlight);
  app.addHook('preClose', async () => beginStopping());
  app.addHook('onClose', async () => {
    await meter.close();
    await journal.close();
  });
  registerCalls(app, services, traffic);
  app.setErrorHandler((error, request, reply) => {
    forgetBody(reply);
    sendRefusal(request, reply, toRefusal(error));
  });
  registerRoutes(app, services);
  registerProbes(app, services);
  registerReference(app, config, clock);
  registerTools(app, services, buildKeyCalls(services, traffic));
  const callApi = buildPageCalls(services, traffic, parseExactly);
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
    diagnose: (customerId, id, record) => diagnoseWatch(services.primary, { customerId, id, record }, PREVIEW_MS_MAX),
    ...buildMatchReader(services, (customerId) => limitPage(customerId, DATES_MS_MAX)),
    countMatches: (customerId, subjects) => countAllWithin(counted, subjects, limitPage(customerId, FACETS_MS_MAX)),
  };
  const calls = { callApi, findCallLimit, countFacets, findRecords: findListed, findChange, watches };
  const watched = options.operations ?? watchDatabaseOnly(accessDatabase, config.changeHorizonSeconds, version);
  const operations = { ...watched, issueMeanings: ISSUE_MEANINGS, issueRemedies: ISSUE_REMEDIES };
  const isDemo = options.isDemo ?? false;
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
      begin(request, reply);
      sendRefusal(request, reply, badTarget(error));
    },
    genReqId: buildRequestId,
    // checkRequest refuses a missing Host, with the error envelope.
    http: { ...http, maxHeaderSize: HEADER_BYTES_MAX + URL_BYTES_MAX, requireHostHeader: false },
    requestIdHeader: false,
    return503OnClosing: false,
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    rewriteUrl: normalizeTarget,
    routerOptions: ROUTER_OPTIONS,
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
