/**
 * Runs an endpoint, for any caller, in the order of rule I-1: authentication, product, rate, quota, names and
 * declarations, meaning, the query. Parsing is pure and takes microseconds, so it runs first, and its refusal is held
 * back until the verdict is in. The verdict needs the database; if the call will probably be admitted, its query runs
 * meanwhile. A body is read and parsed after the verdict (rule I-46); its call takes a unit and gets it back if it is
 * refused. Invariant: no answer is sent before its unit is stored, and no failed call keeps its unit.
 */

import type { Product } from '@tmds/contract/enums';
import { hasTooManyMarks, MARKS_FAULT } from '@tmds/contract/text';
import { type Caller, keyRevoked } from '../access/authenticate.ts';
import type { Meter } from '../access/meter.ts';
import type { MeteredCall, Verdict } from '../access/verdict.ts';
import { ApiError, apiError } from '../base/errors.ts';
import { NoAnswer } from '../base/no-answer.ts';
import { isStorable } from '../database/driver/sql.ts';
import { checkDeclared, DECLARED, productOf } from '../parse/query.ts';
import { type Answer, isServed } from '../render/answer.ts';
import { quotaExceeded, rateLimited, toApiError } from '../render/failure.ts';
import type { Call } from './call.ts';
import type { AnyEndpoint, CallInput, PathValues, Services } from './endpoint.ts';

/** Either the answer, or why there is none. */
type Outcome = Answer | ApiError;

/** Reads the body of a call, and holds its place among those under way while the call is answered. */
export type WithBody = (customerId: string, answer: (body: Buffer) => Promise<Outcome>) => Promise<Outcome>;

/** A request of an endpoint. */
export interface EndpointRequest {
  readonly endpoint: AnyEndpoint;
  /** Throws ApiError for a caller without a valid key. Not called for an endpoint without keys. */
  readonly identify: () => Caller | Promise<Caller>;
  /** Called once the caller is known. */
  readonly readInput: () => CallInput;
  /** Null for an endpoint that takes no body. */
  readonly withBody: WithBody | null;
}

export interface MeteredServices extends Services {
  readonly meter: Meter;
}

/** Never rejects: the call notes its refusal. */
export async function runEndpoint(request: EndpointRequest, services: MeteredServices, call: Call): Promise<Answer> {
  let outcome: Outcome;
  try {
    outcome = DECLARED[request.endpoint.name].metered
      ? await answerMetered(request, services, call)
      : await answerInput(request.endpoint, request.readInput(), services, call);
  } catch (error) {
    outcome = toApiError(error);
  }
  if (!(outcome instanceof ApiError)) return outcome;
  // That a register has no such record means little without how complete the register is; of others nothing follows.
  if (outcome.code !== 'not_found') call.coverage = null;
  return call.refuse(outcome);
}

async function answerMetered(request: EndpointRequest, services: MeteredServices, call: Call): Promise<Outcome> {
  const { endpoint, identify, withBody } = request;
  const { index, meter } = services;
  const { timing } = call;
  const product = productOf(endpoint.name);
  call.product = product;
  const caller = await timing.measure('access', identify);
  call.caller = caller;
  const input = request.readInput();
  const { customerId, keyId, secretNumber } = caller;
  if (endpoint.makesWay !== true) call.whenSent(index.beginCall(customerId));
  const prepared = withBody === null ? prepare(endpoint, input, call) : null;
  const takesUnit = !(prepared instanceof ApiError);
  const metered: MeteredCall = { keyId, secretNumber, product, takesUnit };
  const serve = (): Promise<Outcome> => {
    if (withBody === null) return answerPrepared(endpoint, input.path, prepared!, services, call);
    return withBody(customerId, (body) => answerInput(endpoint, { ...input, body }, services, call));
  };
  const runsQueryNow = prepared !== null && endpoint.afterVerdict !== true && !meter.isTight(keyId, product);
  // The verdict is written to disk and usually takes longer than the query, so it starts first.
  const judging = timing.measure('access', () => meter.judge(metered, index.isCrowding(customerId)));
  call.judging = judging;
  const early = runsQueryNow ? serve() : null;
  const verdict = await judging;
  call.rate = verdict.rate;
  const outcome = findRefusal(verdict, product) ?? (await (early ?? serve()).catch(toApiError));
  const { unitDay } = verdict;
  if (unitDay === null) return outcome;
  call.takeUnit(() => meter.returnUnit(metered, unitDay));
  if (keepsUnit(outcome)) return outcome;
  const returned = call.returnUnit();
  // If the database is unavailable, waiting for it would only delay the answer that says so. The meter retries.
  if (!(outcome instanceof ApiError && outcome.code === 'unavailable')) await returned;
  return outcome;
}

function answerInput(endpoint: AnyEndpoint, input: CallInput, services: Services, call: Call): Promise<Outcome> {
  return answerPrepared(endpoint, input.path, prepare(endpoint, input, call), services, call);
}

/** What `read` gets. */
interface Prepared {
  readonly plan: unknown;
}

/** Parses and plans. */
function prepare(endpoint: AnyEndpoint, input: CallInput, { timing }: Call): Prepared | ApiError {
  // Written out, because taking the pairs out of the input would cost every call a microsecond.
  const { pairs, path, body, bodyType, breadth } = input;
  try {
    const request = timing.measure('parse', () =>
      endpoint.parse({ values: checkDeclared(endpoint.name, pairs), path, body, bodyType, breadth }),
    );
    const { plan } = endpoint;
    return { plan: plan === undefined ? request : timing.measure('plan', () => plan(request)) };
  } catch (error) {
    return toApiError(error);
  }
}

/** Reads and renders. Never rejects. */
async function answerPrepared(
  endpoint: AnyEndpoint,
  { register, uid }: Partial<PathValues>,
  prepared: Prepared | ApiError,
  services: Services,
  call: Call,
): Promise<Outcome> {
  if (prepared instanceof ApiError) return prepared;
  if (register !== undefined && !isStorable(register)) return toApiError(new NoAnswer('register_not_served'));
  const marked = isMarked(uid) ? 'uid' : isMarked(register) ? 'jurisdiction_code' : null;
  if (marked !== null) return apiError('invalid_parameter', `${marked} ${MARKS_FAULT}.`, { param: marked });
  const { plan } = prepared;
  if (endpoint.covers !== undefined) call.coverage = services.coverage.describe(endpoint.covers(plan));
  const { timing } = call;
  const read = () => endpoint.read(plan, services, call);
  try {
    const result = await (endpoint.isStaged === true ? read() : timing.measure('store', read));
    return timing.measure('render', () => endpoint.render(result, plan, call));
  } catch (error) {
    return toApiError(error);
  }
}

function isMarked(text: string | undefined): boolean {
  return text !== undefined && hasTooManyMarks(text);
}

export function productNotEnabled(product: Product): ApiError {
  const message =
    `The key is good, but its agreement does not include the product "${product}". Ask for the product to be added; ` +
    'do not rotate the key.';
  return apiError('product_not_enabled', message);
}

/** A call costs a unit if its answer is 2xx, or 404 for a record or register (rule I-28). */
function keepsUnit(outcome: Outcome): boolean {
  return outcome instanceof ApiError ? outcome.code === 'not_found' : isServed(outcome);
}

function findRefusal({ refusal, rate, quota }: Verdict, product: Product): ApiError | null {
  switch (refusal) {
    case null:
      return null;
    case 'key_revoked':
      return keyRevoked();
    case 'product_not_enabled':
      return productNotEnabled(product);
    case 'rate_limited':
      return rateLimited(rate!);
    case 'quota_exceeded':
      return quotaExceeded(quota!);
  }
}
