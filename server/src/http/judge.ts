/**
 * Answers metered calls in the order of rule I-1: authentication, product, rate, quota, names and declarations,
 * meaning, the query. Parsing is pure and takes microseconds, so it runs first, and its refusal is held back until
 * the verdict is in. The verdict needs the database; if the call will probably be admitted, its query runs meanwhile.
 * A body is read and parsed after the verdict (rule I-46); its call takes a unit and gets it back if it is refused.
 * Invariant: no answer is sent before its unit is stored, and no failed call keeps its unit.
 */
import type { Product } from '@tmds/contract/enums';
import { hasTooManyMarks, MARKS_FAULT } from '@tmds/contract/text';
import { type Caller, keyRevoked } from '../access/authenticate.ts';
import type { Meter, MeteredCall, Verdict } from '../access/meter.ts';
import { type ApiError, apiError } from '../base/errors.ts';
import type { Answer } from '../render/answer.ts';
import { isServed, renderFailure, toApiError } from '../render/failure.ts';
import { quotaExceeded, rateLimited, renderRateHeaders } from '../render/limits.ts';
import { isStorable } from '../store/driver/sql.ts';
import type { Asker } from '../store/records/records.ts';
import { registerNotServed } from '../store/records/registers.ts';
import { type CallInput, type Endpoint, SERVED_PRODUCT, type Services } from './call.ts';
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

type Prepared<Plan> = { readonly plan: Plan } | { readonly refusal: ApiError };

/** Reads the body of a call, and holds its place among those under way while the call is answered. */
export type WithBody = (customerId: string, answer: (body: Buffer) => Promise<Judged>) => Promise<Judged>;

/** Answers a call of an identified caller. `withBody`: null for an endpoint that takes none. Never rejects. */
export async function judgeCall<Plan>(
  endpoint: Endpoint<Plan>,
  input: CallInput,
  withBody: WithBody | null,
  caller: Caller,
  services: Services & { readonly meter: Meter },
  timing: Timing,
  asker: Asker,
): Promise<Judged> {
  const { index, meter } = services;
  asker.whenSent(index.beginCall(caller.customerId));
  const prepared = withBody === null ? prepare(endpoint, input, timing) : null;
  const takesUnit = prepared === null || 'plan' in prepared;
  const call: MeteredCall = {
    keyId: caller.keyId,
    secretNumber: caller.secretNumber,
    product: SERVED_PRODUCT,
    takesUnit,
  };
  const servePrepared = async (ready: Prepared<Plan>): Promise<Judged> => {
    if ('refusal' in ready) return refuse(ready.refusal);
    if (!isStorable(input.register)) return refuse(toApiError(registerNotServed()));
    const marked = hasTooManyMarks(input.uid) ? 'uid' : hasTooManyMarks(input.register) ? 'jurisdiction_code' : null;
    if (marked !== null) return refuse(apiError('invalid_parameter', `${marked} ${MARKS_FAULT}.`, { param: marked }));
    try {
      return { answer: await endpoint.serve(ready.plan, services, caller, timing, asker), refusal: null };
    } catch (error) {
      return refuse(toApiError(error));
    }
  };
  const serve = async (): Promise<Judged> => {
    if (withBody === null) return servePrepared(prepared!);
    try {
      return await withBody(caller.customerId, (body) => servePrepared(prepare(endpoint, { ...input, body }, timing)));
    } catch (error) {
      return refuse(toApiError(error));
    }
  };
  const runsQueryNow = withBody === null && !endpoint.afterVerdict && !meter.isTight(caller.keyId, SERVED_PRODUCT);
  // The verdict is written to disk and usually takes longer than the query, so it starts first.
  const judging = timing.measureAsync('access', () => meter.judge(call, index.isCrowding(caller.customerId)));
  const early = runsQueryNow ? serve() : null;
  let verdict: Verdict;
  try {
    verdict = await judging;
  } catch (error) {
    return refuse(toApiError(error));
  }
  const refusal = findRefusal(verdict);
  const outcome = refusal === null ? await (early ?? serve()) : refuse(refusal);
  const headers = verdict.rate === null ? {} : { headers: renderRateHeaders(SERVED_PRODUCT, verdict.rate) };
  const judged = { ...outcome, ...headers };
  const { unitDay } = verdict;
  return unitDay === null ? judged : settleUnit(judged, () => meter.returnUnit(call, unitDay));
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

function prepare<Plan>(endpoint: Endpoint<Plan>, input: CallInput, timing: Timing): Prepared<Plan> {
  try {
    return { plan: endpoint.prepare(input, timing) };
  } catch (error) {
    return { refusal: toApiError(error) };
  }
}

/** A call costs a unit if its answer is 2xx, or 404 for a record or register (rule I-28). */
function keepsUnit({ answer, refusal }: Judged): boolean {
  return refusal === null ? isServed(answer) : refusal.code === 'not_found';
}

function findRefusal({ refusal, rate, quota }: Verdict): ApiError | null {
  switch (refusal) {
    case null:
      return null;
    case 'key_revoked':
      return keyRevoked();
    case 'product_not_enabled':
      return productNotEnabled(SERVED_PRODUCT);
    case 'rate_limited':
      return rateLimited(rate!);
    case 'quota_exceeded':
      return quotaExceeded(quota!);
  }
}
