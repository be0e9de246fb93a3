/**
 * The routes: every endpoint at `/v1/...` and `/<record prefix>/v1/...`, and the answers to all other paths (rules I-1
 * to I-3). It decides only which endpoint a request is for and whether it needs a key.
 */
import type { Method } from '@tmds/contract/extras';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify';
import type { Authenticator } from '../access/authenticate.ts';
import { apiError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import {
  addressOf,
  DECLARED,
  type DeclaredName,
  listMethods,
  methodOf,
  productOf,
  splitQuery,
} from '../parse/query.ts';
import { PATH_ENDS, readPathEnd, splitPathEnd } from '../parse/record-path.ts';
import type { Breadth } from '../parse/search.ts';
import { toApiError } from '../render/failure.ts';
import {
  type AnyEndpoint,
  answerCall,
  Call,
  type CallInput,
  type HttpConfig,
  type PathValues,
  prepareCall,
} from './call.ts';
import { changesEndpoint, scopedChangesEndpoint } from './changes.ts';
import { bucketDigestsEndpoint, digestsEndpoint, registerDigestsEndpoint } from './digests.ts';
import { historyEndpoint, recordHistoryEndpoint, recordVersionEndpoint, registerHistoryEndpoint } from './history.ts';
import { type Judged, judgeCall, type MeteredServices, productNotEnabled, refuse, type WithBody } from './judge.ts';
import { registerNumbersEndpoint } from './numbers.ts';
import { Bodies, leaveBodies } from './read-body.ts';
import { coverageEndpoint, healthEndpoint, jurisdictionsEndpoint, usageEndpoint } from './reports.ts';
import { lookupEndpoint, scopedSearchEndpoint, searchEndpoint } from './search.ts';
import { sendJudged } from './send.ts';
import { similarEndpoint } from './similar.ts';
import { snapshotFileEndpoint, snapshotsEndpoint } from './snapshots.ts';
import { startTiming, type Timing } from './timing.ts';
import { endWatchEndpoint, putWatchEndpoint, watchEndpoint, watchesEndpoint, watchHitsEndpoint } from './watches.ts';
import { REQUEST_METHODS } from './wire.ts';

export interface RouteServices extends MeteredServices {
  readonly authenticator: Authenticator;
  readonly log: Log;
  /** Whether each run of a stage is noted, for traces. */
  readonly keepsRuns: boolean;
}

/** Every declared endpoint: one without a handler does not compile. */
const SERVED = {
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
  snapshots: snapshotsEndpoint,
  snapshot_file: snapshotFileEndpoint,
  watches: watchesEndpoint,
  watch: watchEndpoint,
  put_watch: putWatchEndpoint,
  end_watch: endWatchEndpoint,
  watch_hits: watchHitsEndpoint,
  similar: similarEndpoint,
} as const satisfies Record<DeclaredName, AnyEndpoint>;

/** As the router decodes them; `*` is a uid, which may contain slashes, and what follows it. */
type RouteParameters = Omit<PathValues, 'uid' | 'version'> & { readonly '*'?: string };

/** The name under which the router keeps the end of a path, in addition to the path. */
const PATH_END = 'pathEnd';

type Constraints = NonNullable<NonNullable<FastifyServerOptions['routerOptions']>['constraints']>;
type Handlers = ReturnType<Constraints[string]['storage']>;

/** Make the router tell the addresses of a record apart, which a wildcard for the uid cannot. */
export const CONSTRAINTS: Constraints = {
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

/** Adds the eight endpoints of the specification and the extra ones to the application. */
export function registerRoutes(app: FastifyInstance, services: RouteServices): void {
  const bodies = new Bodies();
  for (const endpoint of Object.values<AnyEndpoint>(SERVED)) {
    const path = DECLARED[endpoint.name].path
      .replace(/\{uid\}.*/, '*')
      .replace('{jurisdiction_code}', ':register')
      .replace('{snapshot_id}', ':snapshot')
      .replace(/\{([a-z]+)\}/g, ':$1');
    const pathEnd = PATH_ENDS[endpoint.name];
    const constraints = pathEnd === undefined ? {} : { [PATH_END]: pathEnd };
    for (const url of listAddresses(endpoint.name, path, services.config)) {
      const config = { endpoint: endpoint.name };
      const handler = (request: FastifyRequest, reply: FastifyReply) =>
        answerRequest(endpoint, services, bodies, request, reply);
      const method = methodOf(endpoint.name);
      if (method !== 'GET') {
        app.register(async (scope) => {
          leaveBodies(scope);
          scope.route({ method, url, config, constraints, handler });
        });
        continue;
      }
      app.route({ method, url, config, constraints, handler });
      const methods = listMethods(DECLARED[endpoint.name].path);
      app.route({
        method: REQUEST_METHODS.filter((other) => !(methods as string[]).includes(other)),
        url,
        config,
        constraints,
        // In `onRequest`, so that it precedes the check of the key and any reading of a body.
        onRequest: (request, reply) => refuseMethod(methods, services, request, reply),
        handler: () => undefined,
      });
    }
  }
}

/** The paths of the other product have its prefix in the contract, where the setting can replace it. */
function listAddresses(name: DeclaredName, path: string, { recordPrefix, analyticsPrefix }: HttpConfig): string[] {
  if (productOf(name) === 'records') return [path, `/${recordPrefix}${path}`];
  return [addressOf(name, analyticsPrefix)];
}

const NO_BODY = Buffer.alloc(0);

function takesBody(name: DeclaredName): boolean {
  return 'body' in DECLARED[name];
}

/** The router accepts an empty wildcard, but a path without a uid is not a look-up. */
function isUnknownPath(request: FastifyRequest): boolean {
  return (request.params as RouteParameters)['*'] === '';
}

async function refuseMethod(
  methods: readonly Method[],
  services: RouteServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (isUnknownPath(request)) return answerUnknownPath(services, request, reply);
  const message = `${request.method} is not allowed here; this path takes ${methods.join(', ')}.`;
  const headers = { allow: methods.join(', ') };
  return sendJudged(request, reply, refuse(apiError('method_not_allowed', message, { headers })));
}

async function answerRequest(
  endpoint: AnyEndpoint,
  services: RouteServices,
  bodies: Bodies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (isUnknownPath(request)) return answerUnknownPath(services, request, reply);
  const timing = startTiming(services.clock, services.keepsRuns);
  request.timing = timing;
  const judged = DECLARED[endpoint.name].metered
    ? await answerMetered(endpoint, services, bodies, request, timing)
    : await answerOpen(endpoint, services, request, timing);
  const stages = timing.render();
  if (stages !== '') reply.header('server-timing', stages);
  return sendJudged(request, reply, judged);
}

async function answerMetered(
  endpoint: AnyEndpoint,
  services: RouteServices,
  bodies: Bodies,
  request: FastifyRequest,
  timing: Timing,
): Promise<Judged> {
  try {
    const caller = await timing.measureAsync('access', () =>
      services.authenticator.identify(request.headers, request.ip),
    );
    request.caller = caller;
    const call = new Call(caller, request.delivery, timing);
    const input = readInput(endpoint.name, request, caller.isBroad === true ? 'page' : 'call');
    const withBody: WithBody | null = takesBody(endpoint.name) ? (...held) => bodies.hold(request, ...held) : null;
    return await judgeCall(endpoint, input, withBody, services, call);
  } catch (error) {
    return refuse(toApiError(error));
  }
}

async function answerOpen(
  endpoint: AnyEndpoint,
  services: RouteServices,
  request: FastifyRequest,
  timing: Timing,
): Promise<Judged> {
  try {
    const plan = prepareCall(endpoint, readInput(endpoint.name, request, 'call'), timing);
    const call = new Call(null, request.delivery, timing);
    return { answer: await answerCall(endpoint, plan, services, call), refusal: null };
  } catch (error) {
    return refuse(toApiError(error));
  }
}

function readInput(name: DeclaredName, request: FastifyRequest, breadth: Breadth): CallInput {
  const params = request.params as RouteParameters;
  const rest = params['*'];
  const path = rest === undefined ? params : { ...params, ...splitPathEnd(rest, PATH_ENDS[name] ?? null) };
  return {
    pairs: splitQuery(readQuery(request)),
    path: path as PathValues,
    body: NO_BODY,
    bodyType: request.headers['content-type'],
    breadth,
  };
}

/** 404 for a path that is not an endpoint; below `/v1` and the product prefixes, only for callers with a key. */
export async function answerUnknownPath(
  services: RouteServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const prefix = readPathPrefix(request.raw.url ?? '');
  const { recordPrefix, analyticsPrefix } = services.config;
  try {
    if (prefix === analyticsPrefix || prefix === recordPrefix || prefix === 'v1') {
      const caller = await services.authenticator.authenticate(request.headers, request.ip);
      request.caller = caller;
      const isAnalytics = prefix === analyticsPrefix;
      if (isAnalytics && !caller.products.includes('analytics')) throw productNotEnabled('analytics');
    }
    throw apiError('not_found', 'There is no such path on this host; /docs/api lists the endpoints.');
  } catch (error) {
    return sendJudged(request, reply, refuse(toApiError(error)));
  }
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

function readQuery(request: FastifyRequest): string {
  const target = request.raw.url ?? '';
  const mark = target.indexOf('?');
  return mark < 0 ? '' : target.slice(mark + 1);
}
