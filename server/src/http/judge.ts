/**
 * Answers metered calls in the order of rule I-1: authentication, product, rate, quota, names and declarations,
 * meaning, the query. Parsing is pure and takes microseconds, so it runs first, and its refusal is held back until
 * the verdict is in. The verdict needs the database; if the call will probably be admitted, its query runs meanwhile.
 * A body is read and parsed after the verdict (rule I-46); its call takes a unit and gets it back if it is refused.
 * Invariant: no answer is sent before its unit is stored, and no failed call keeps its unit.
 */
import type { Product } from '@tmds/contract/enums';
import { hasTooManyMarks, MARKS_FAULT } from '@tmds/contract/text';
import { keyRevoked } from '../access/authenticate.ts';
import type { Meter, MeteredCall, Verdict } from '../access/meter.ts';
import { type ApiError, apiError } from '../base/errors.ts';
import { productOf } from '../parse/query.ts';
import type { Answer } from '../render/answer.ts';
import { isServed, renderFailure, toApiError } from '../render/failure.ts';
import { quotaExceeded, rateLimited, renderRateHeaders } from '../render/limits.ts';
import { isStorable } from '../store/driver/sql.ts';
import { registerNotServed } from '../store/records/registers.ts';
import {
  type AnyEndpoint,
  answerCall,
  type Call,
  type CallInput,
  type PathValues,
  prepareCall,
  type Services,
} from './call.ts';
import type { Timing } from './timing.ts';

/** The outcome of a call: the answer and, if it was refused, the refusal. */
export interface Judged {
  readonly answer: Answer;
  readonly refusal: ApiError | null;
  /** Headers with the caller's limits, in addition to those of the answer. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Returns the unit of the call, only once even if called again; absent if the call took none. */
  readonly giveBack?: () => Promise<void>;
}

/** Either what the endpoint's `read` gets, or why it is not called. */
type Prepared = { readonly plan: unknown } | { readonly refusal: ApiError };

/** Reads the body of a call, and holds its place among those under way while the call is answered. */
export type WithBody = (customerId: string, answer: (body: Buffer) => Promise<Judged>) => Promise<Judged>;

export interface MeteredServices extends Services {
  readonly meter: Meter;
}

/** Answers a call of an identified caller. `withBody`: null for an endpoint that takes none. Never rejects. */
export async function judgeCall(
  endpoint: AnyEndpoint,
  input: CallInput,
  withBody: WithBody | null,
  services: MeteredServices,
  call: Call,
): Promise<Judged> {
  const { index, meter } = services;
  const { asker, key, timing } = call;
  if (endpoint.makesWay !== true) asker.whenSent(index.beginCall(key.customerId));
  const product = productOf(endpoint.name);
  const prepared = withBody === null ? prepare(endpoint, input, timing) : null;
  const takesUnit = prepared === null || 'plan' in prepared;
  const { keyId, secretNumber } = key;
  const metered: MeteredCall = { keyId, secretNumber, product, takesUnit };
  const serve = (): Promise<Judged> =>
    prepared === null
      ? serveWithBody(endpoint, input, withBody!, services, call)
      : servePrepared(endpoint, input.path, prepared, services, call);
  const runsQueryNow = prepared !== null && endpoint.afterVerdict !== true && !meter.isTight(keyId, product);
  // The verdict is written to disk and usually takes longer than the query, so it starts first.
  const judging = timing.measureAsync('access', () => meter.judge(metered, index.isCrowding(key.customerId)));
  const early = runsQueryNow ? serve() : null;
  let verdict: Verdict;
  try {
    verdict = await judging;
  } catch (error) {
    return refuse(toApiError(error));
  }
  const refusal = findRefusal(verdict, product);
  const outcome = refusal === null ? await (early ?? serve()) : refuse(refusal);
  const judged = verdict.rate === null ? outcome : { ...outcome, headers: renderRateHeaders(product, verdict.rate) };
  const { unitDay } = verdict;
  return unitDay === null ? judged : settleUnit(judged, () => meter.returnUnit(metered, unitDay));
}

async function serveWithBody(
  endpoint: AnyEndpoint,
  input: CallInput,
  withBody: WithBody,
  services: Services,
  call: Call,
): Promise<Judged> {
  try {
    return await withBody(call.key.customerId, (body) =>
      servePrepared(endpoint, input.path, prepare(endpoint, { ...input, body }, call.timing), services, call),
    );
  } catch (error) {
    return refuse(toApiError(error));
  }
}

async function servePrepared(
  endpoint: AnyEndpoint,
  { register, uid }: Partial<PathValues>,
  prepared: Prepared,
  services: Services,
  call: Call,
): Promise<Judged> {
  if ('refusal' in prepared) return refuse(prepared.refusal);
  if (register !== undefined && !isStorable(register)) return refuse(toApiError(registerNotServed()));
  const marked = isMarked(uid) ? 'uid' : isMarked(register) ? 'jurisdiction_code' : null;
  if (marked !== null) return refuse(apiError('invalid_parameter', `${marked} ${MARKS_FAULT}.`, { param: marked }));
  try {
    return { answer: await answerCall(endpoint, prepared.plan, services, call), refusal: null };
  } catch (error) {
    return refuse(toApiError(error));
  }
}

function isMarked(text: string | undefined): boolean {
  return text !== undefined && hasTooManyMarks(text);
}

/** Returns the unit of a failed call; a served call keeps it, with the means to return it later. */
async function settleUnit(judged: Judged, returnUnit: () => Promise<void>): Promise<Judged> {
  let returned: Promise<void> | null = null;
  const giveBack = (): Promise<void> => {
    returned ??= returnUnit();
    return returned;
  };
  if (keepsUnit(judged)) return { ...judged, giveBack };
  // If the database is unavailable, waiting for it would only delay the answer that says so. The meter retries.
  if (judged.refusal?.code === 'unavailable') void giveBack();
  else await giveBack();
  return judged;
}

export function productNotEnabled(product: Product): ApiError {
  const message =
    `The key is good, but its agreement does not include the product "${product}". Ask for the product to be added; ` +
    'do not rotate the key.';
  return apiError('product_not_enabled', message);
}

export function refuse(refusal: ApiError): Judged {
  return { answer: renderFailure(refusal), refusal };
}

function prepare(endpoint: AnyEndpoint, input: CallInput, timing: Timing): Prepared {
  try {
    return { plan: prepareCall(endpoint, input, timing) };
  } catch (error) {
    return { refusal: toApiError(error) };
  }
}

/** A call costs a unit if its answer is 2xx, or 404 for a record or register (rule I-28). */
function keepsUnit({ answer, refusal }: Judged): boolean {
  return refusal === null ? isServed(answer) : refusal.code === 'not_found';
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
