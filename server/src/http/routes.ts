/**
 * The routes: every endpoint at `/v1/...` and `/<record prefix>/v1/...`, and the answers to all other paths (rules I-1
 * to I-3). It decides only which endpoint a request is for and whether it needs a key.
 */
import { ANALYTICS_ROOT } from '@tmds/contract/extras';
import { URL_BYTES_MAX } from '@tmds/contract/limits';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify';
import type { Authenticator } from '../access/authenticate.ts';
import { type ApiError, apiError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import {
  DECLARED,
  type DeclaredName,
  listMethods,
  methodOf,
  PATH_ENDS,
  productOf,
  readPathEnd,
  splitPathEnd,
  splitQuery,
} from '../parse/query.ts';
import type { Answer } from '../render/answer.ts';
import { toApiError } from '../render/failure.ts';
import type { Traffic } from './call.ts';
import { changesEndpoint, scopedChangesEndpoint } from './changes.ts';
import { allowOrigin } from './cors.ts';
import { dateRulesEndpoint, dueDatesEndpoint, recordDatesEndpoint } from './dates.ts';
import { bucketDigestsEndpoint, digestsEndpoint, registerDigestsEndpoint } from './digests.ts';
import type { AnyEndpoint, CallInput, HttpConfig, PathValues } from './endpoint.ts';
import { exportEndpoint } from './export.ts';
import { identitiesEndpoint, numbersEndpoint, registerNumbersEndpoint } from './find-many.ts';
import { historyEndpoint, recordHistoryEndpoint, recordVersionEndpoint, registerHistoryEndpoint } from './history.ts';
import { type MeteredServices, productNotEnabled, runEndpoint } from './judge.ts';
import { lookupEndpoint } from './look-up.ts';
import { OtherMethods, PATH_END, type Place, refuseOtherThan } from './other-methods.ts';
import { Bodies, leaveBodies } from './read-body.ts';
import { coverageEndpoint, healthEndpoint, jurisdictionsEndpoint, usageEndpoint } from './reports.ts';
import { scopedSearchEndpoint, searchEndpoint } from './search.ts';
import { SECURITY_HEADERS, sendAnswer, sendRefusal } from './send.ts';
import { similarEndpoint } from './similar.ts';
import { deltasEndpoint, snapshotFileEndpoint, snapshotsEndpoint } from './snapshots.ts';
import { goOn } from './stream-pages.ts';
import {
  endWatchEndpoint,
  putWatchEndpoint,
  watchDiagnosisEndpoint,
  watchEndpoint,
  watchesEndpoint,
  watchHitsEndpoint,
} from './watches.ts';
import {
  deleteWebhookEndpoint,
  putWebhookEndpoint,
  renewWebhookSecretEndpoint,
  testWebhookEndpoint,
  webhookDeliveriesEndpoint,
  webhookEndpoint,
  webhooksEndpoint,
} from './webhooks.ts';
import { checkRequest, REQUEST_METHODS, WireCall } from './wire.ts';

export interface RouteServices extends MeteredServices {
  readonly authenticator: Authenticator;
  readonly log: Log;
}

/** Every declared endpoint: one without a handler does not compile. */
export const ENDPOINTS_SERVED = {
  health: healthEndpoint,
  usage: usageEndpoint,
  jurisdictions: jurisdictionsEndpoint,
  search: searchEndpoint,
  scoped_search: scopedSearchEndpoint,
  lookup: lookupEndpoint,
  changes: changesEndpoint,
  scoped_changes: scopedChangesEndpoint,
  coverage: coverageEndpoint,
  digests: digestsEndpoint,
  register_digests: registerDigestsEndpoint,
  bucket_digests: bucketDigestsEndpoint,
  history: historyEndpoint,
  register_history: registerHistoryEndpoint,
  record_history: recordHistoryEndpoint,
  record_version: recordVersionEndpoint,
  register_numbers: registerNumbersEndpoint,
  numbers: numbersEndpoint,
  identities: identitiesEndpoint,
  export: exportEndpoint,
  snapshots: snapshotsEndpoint,
  deltas: deltasEndpoint,
  snapshot_file: snapshotFileEndpoint,
  watches: watchesEndpoint,
  watch: watchEndpoint,
  put_watch: putWatchEndpoint,
  end_watch: endWatchEndpoint,
  watch_hits: watchHitsEndpoint,
  watch_diagnosis: watchDiagnosisEndpoint,
  webhooks: webhooksEndpoint,
  webhook: webhookEndpoint,
  put_webhook: putWebhookEndpoint,
  delete_webhook: deleteWebhookEndpoint,
  webhook_deliveries: webhookDeliveriesEndpoint,
  renew_webhook_secret: renewWebhookSecretEndpoint,
  test_webhook: testWebhookEndpoint,
  similar: similarEndpoint,
  due_dates: dueDatesEndpoint,
  record_dates: recordDatesEndpoint,
  date_rules: dateRulesEndpoint,
} as const satisfies Record<DeclaredName, AnyEndpoint>;

const METHODS_SERVED = [...new Set((Object.keys(ENDPOINTS_SERVED) as DeclaredName[]).map(methodOf))];

/** As the router decodes them; `*` is a uid, which may contain slashes, and what follows it. */
type RouteParameters = Omit<PathValues, 'uid' | 'version'> & { readonly '*'?: string | undefined };

/** Where the tools for language models are served. */
export const TOOLS_PATH = '/mcp';

type Constraints = NonNullable<NonNullable<FastifyServerOptions['routerOptions']>['constraints']>;
type Handlers = ReturnType<Constraints[string]['storage']>;

/** Make the router tell the addresses of a record apart, which a wildcard for the uid cannot. */
const CONSTRAINTS: Constraints = {
  [PATH_END]: {
    name: PATH_END,
    storage: () => {
      const handlers = new Map<string, Parameters<Handlers['set']>[1]>();
      return { get: (end) => handlers.get(end) ?? null, set: (end, handler) => void handlers.set(end, handler) };
    },
    validate: () => undefined,
    // No route has an empty end, so the ones without an end match.
    deriveConstraint: ({ url = '' }) => readPathEnd(url.split('?', 1)[0]!) ?? '',
  },
};

/** Values of a query are read by `splitQuery`, and nothing of a path is too long for a parameter. */
export const ROUTER_OPTIONS: NonNullable<FastifyServerOptions['routerOptions']> = {
  maxParamLength: URL_BYTES_MAX,
  querystringParser: () => ({}),
  constraints: CONSTRAINTS,
};

/** Adds the eight endpoints of the specification and the extra ones to the application. */
export function registerRoutes(app: FastifyInstance, services: RouteServices): void {
  const bodies = new Bodies();
  for (const endpoint of Object.values<AnyEndpoint>(ENDPOINTS_SERVED)) {
    const { name } = endpoint;
    // Below the other product only one endpoint has a uid in its path.
    const pathEnd = productOf(name) === 'records' ? PATH_ENDS[name] : undefined;
    const constraints = pathEnd === undefined ? {} : { [PATH_END]: pathEnd };
    const method = methodOf(name);
    const methods = listMethods(DECLARED[name].path);
    const refuseOther = refuseOtherThan(methods);
    const answerOther = (request: FastifyRequest, reply: FastifyReply, rest?: string): void => {
      if (readPath(name, { '*': rest }).uid === '') void answerUnknownPath(services, request, reply);
      else refuseOther(request, reply);
    };
    const isFirst = method === methods[0];
    const config = { endpoint: name, ...(isFirst ? { answerOther } : {}) };
    for (const url of listRoutes(name, services.config)) {
      const handler = (request: FastifyRequest, reply: FastifyReply): void => {
        // Without a promise that the framework would wait for: it costs as much as a stage.
        answerRequest(endpoint, services, bodies, request, reply).catch((error) => reply.send(error));
      };
      if (method !== 'GET') {
        app.register(async (scope) => {
          leaveBodies(scope);
          scope.route({ method, url, config, constraints, handler });
        });
      } else app.route({ method, url, config, constraints, handler });
      const refused = METHODS_SERVED.filter((other) => !methods.includes(other));
      if (!isFirst || refused.length === 0) continue;
      // Or the router would find a more general path that takes the method.
      app.route({
        method: refused,
        url,
        config: { endpoint: name },
        constraints,
        onRequest: (request, reply) => answerOther(request, reply, (request.params as RouteParameters)['*']),
        handler: () => undefined,
      });
    }
  }
}

/** The paths of an endpoint, as the router takes them: of records without and with their prefix (rule I-3). */
export function listRoutes(
  name: DeclaredName,
  { recordPrefix, analyticsPrefix }: Pick<HttpConfig, 'recordPrefix' | 'analyticsPrefix'>,
): string[] {
  const path = DECLARED[name].path
    .replace(/\{uid\}.*/, '*')
    .replace('{jurisdiction_code}', ':register')
    .replace('{snapshot_id}', ':snapshot')
    .replace(/\{([a-z]+)\}/g, ':$1');
  if (productOf(name) === 'records') return [path, `/${recordPrefix}${path}`];
  return [path.replace(ANALYTICS_ROOT, `/${analyticsPrefix}`)];
}

/** The route of requests that no other route takes. */
const EVERY_PATH = '/*';
const NO_PLACE: Place = { config: {} };

/** Begins a call with every request, and answers at once what is no request of an endpoint. Before all other routes. */
export function registerCalls(app: FastifyInstance, services: RouteServices, traffic: Traffic): void {
  app.decorateRequest('call');
  const others = new OtherMethods();
  app.addHook('onRoute', (route) => others.add(route));
  // With a callback, because a promise would cost as much as the checks themselves.
  app.addHook('onRequest', (request, reply, done) => {
    // Once, because the framework builds them at each access.
    const { routeOptions } = request;
    const isOther = routeOptions.url === EVERY_PATH;
    const other = isOther ? others.find(request.url) : null;
    const place = isOther ? (other?.place ?? NO_PLACE) : routeOptions;
    const preflight = beginCall(request, reply, { services, traffic, place });
    if (traffic.isStopping) reply.header('connection', 'close');
    if (preflight !== null) return sendAnswer(request, reply, preflight);
    const refusal = checkRequest(request.raw);
    if (refusal !== null) return sendRefusal(request, reply, refusal);
    // Before the key is checked and a body is read.
    if (other !== null) other.place.config.answerOther!(request, reply, other.rest);
    else if (isOther || request.is404) answerUnknownPath(services, request, reply).catch(done);
    else done();
  });
  app.route({ method: REQUEST_METHODS, url: EVERY_PATH, handler: () => undefined });
}

interface Beginning {
  readonly services: { readonly config: Pick<HttpConfig, 'corsOrigins'> };
  readonly traffic: Traffic;
  readonly place: Place;
}

/** Returns the answer to a preflight request; null for any other request. */
export function beginCall(
  request: FastifyRequest,
  reply: FastifyReply,
  { services, traffic, place }: Beginning,
): Answer | null {
  const { corsOrigins = [] } = services.config;
  reply.headers(SECURITY_HEADERS).header('x-request-id', request.id);
  const call = new WireCall(request.id, request.raw, reply.raw, traffic);
  request.call = call;
  const { url, config } = place;
  call.route = url;
  call.isProbe = config.isProbe === true;
  if (config.endpoint !== undefined) call.endpoint = config.endpoint;
  else if (url === TOOLS_PATH) call.endpoint = 'mcp';
  else if (url !== undefined) call.endpoint = url.startsWith('/portal') ? 'portal' : 'reference';
  return corsOrigins.length === 0
    ? null
    : allowOrigin(request, reply, { origins: corsOrigins, endpoint: config.endpoint });
}

const NO_BODY = Buffer.alloc(0);

/**
 * What stands in the path. The router accepts any wildcard, but a path without a uid, or without the end that it
 * declares, is unknown: its uid is empty.
 */
function readPath(name: DeclaredName, params: Partial<RouteParameters>): PathValues {
  const rest = params['*'];
  if (rest === undefined) return params as PathValues;
  const { uid, version } = splitPathEnd(rest, PATH_ENDS[name] ?? null);
  return { register: params.register, uid, version } as PathValues;
}

async function answerRequest(
  endpoint: AnyEndpoint,
  services: RouteServices,
  bodies: Bodies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const path = readPath(endpoint.name, request.params as RouteParameters);
  if (path.uid === '') return await answerUnknownPath(services, request, reply);
  const { call } = request;
  const asked = {
    endpoint,
    identify: () => services.authenticator.identify(request),
    readInput: () => readInput(path, request),
    withBody: 'body' in DECLARED[endpoint.name] ? bodies.reader(request) : null,
  };
  const answer = await runEndpoint(asked, services, call);
  const stages = call.timing.render();
  if (stages !== '') reply.header('server-timing', stages);
  sendAnswer(request, reply, answer.pages === undefined ? answer : goOn(answer, asked, services, call));
}

function readInput(path: PathValues, request: FastifyRequest): CallInput {
  return {
    pairs: splitQuery(readQuery(request.call.target)),
    path,
    body: NO_BODY,
    bodyType: request.headers['content-type'],
    breadth: 'call',
  };
}

/** 404 for a path that is not an endpoint; below `/v1` and the product prefixes, only for callers with a key. */
async function answerUnknownPath(services: RouteServices, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { call } = request;
  const prefix = readPathPrefix(call.target);
  const { recordPrefix, analyticsPrefix } = services.config;
  try {
    if (prefix === analyticsPrefix || prefix === recordPrefix || prefix === 'v1') {
      const isAnalytics = prefix === analyticsPrefix;
      if (isAnalytics) call.product = 'analytics';
      call.caller = await services.authenticator.authenticate(request);
      if (isAnalytics && !call.caller.products.includes('analytics')) throw productNotEnabled('analytics');
    }
    throw noSuchPath();
  } catch (error) {
    sendRefusal(request, reply, toApiError(error));
  }
}

export function noSuchPath(): ApiError {
  return apiError('not_found', 'There is no such path on this host; /docs/api lists the endpoints.');
}

/** The decoded text between the first two slashes of a target; empty if it cannot be decoded. */
function readPathPrefix(target: string): string {
  const raw = /^\/(?<prefix>[^/?]*)/.exec(target)?.groups?.prefix ?? '';
  try {
    return decodeURIComponent(raw);
  } catch {
    return '';
  }
}

export function readQuery(target: string): string {
  const mark = target.indexOf('?');
  return mark < 0 ? '' : target.slice(mark + 1);
}
