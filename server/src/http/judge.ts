/**
 * The order of rule I-1 for a metered call: authentication → product → rate → quota → names and declarations → meaning
 * → the query. Parsing is pure and costs microseconds, so it runs first and its refusal is kept back until the verdict
 * is in; the verdict, which needs the database, runs beside the query where it is likely to be kind.
 * Invariant: no answer leaves before its unit is stored, and no failed call keeps one.
 */
import type { Product } from '@tmds/contract/enums';
import { type Caller, keyRevoked } from '../access/authenticate.ts';
import type { Meter, MeteredCall, Verdict } from '../access/meter.ts';
import { type ApiError, apiError } from '../base/errors.ts';
import type { Answer } from '../render/answer.ts';
import { isServed, renderFailure, toApiError } from '../render/failure.ts';
import { quotaExceeded, rateLimited, renderRateHeaders } from '../render/limits.ts';
import type { Asker } from '../store/records/records.ts';
import { type CallInput, type Endpoint, SERVED_PRODUCT, type Services } from './call.ts';
import type { Timing } from './timing.ts';

/** How a call ended: the answer, and the refusal behind it if it was one. */
export interface Judged {
  readonly answer: Answer;
  readonly refusal: ApiError | null;
  /** Beside those of the answer: where the caller stands. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Returns the unit that the call has taken, however often it is called; absent where it has taken none. */
  readonly giveBack?: () => Promise<void>;
}

type Prepared<Plan> = { readonly plan: Plan } | { readonly refusal: ApiError };

/** Answers a call of a caller that is known. Never rejects. */
export async function judgeCall<Plan>(
  endpoint: Endpoint<Plan>,
  input: CallInput,
  caller: Caller,
  services: Services & { readonly meter: Meter },
  timing: Timing,
  asker: Asker,
): Promise<Judged> {
  const { meter } = services;
  const prepared = prepare(endpoint, input, timing);
  const takesUnit = 'plan' in prepared;
  const call: MeteredCall = {
    keyId: caller.keyId,
    secretNumber: caller.secretNumber,
    product: SERVED_PRODUCT,
    takesUnit,
  };
  const serve = async (): Promise<Judged> => {
    if ('refusal' in prepared) return refuse(prepared.refusal);
    // PostgreSQL's texts hold no NUL, so neither does any register code or uid.
    if (input.register.includes('\0') || input.uid.includes('\0')) return refuse(notFound());
    try {
      return { answer: await endpoint.serve(prepared.plan, services, caller, timing, asker), refusal: null };
    } catch (error) {
      return refuse(toApiError(error));
    }
  };
  const beside = !endpoint.afterVerdict && !meter.isTight(caller.keyId, SERVED_PRODUCT);
  // The verdict has to reach the disk, so it usually takes longer than the query and goes first.
  const judging = timing.measureAsync('access', () => meter.judge(call));
  const early = beside ? serve() : null;
  let verdict: Verdict;
  try {
    verdict = await judging;
  } catch (error) {
    return refuse(toApiError(error));
  }
  const refusal = findRefusal(verdict);
  const judged = refusal === null ? await (early ?? serve()) : refuse(refusal);
  const headers = verdict.rate === null ? {} : { headers: renderRateHeaders(SERVED_PRODUCT, verdict.rate) };
  const { unitDay } = verdict;
  if (unitDay === null) return { ...judged, ...headers };
  let returned: Promise<void> | null = null;
  const giveBack = (): Promise<void> => {
    returned ??= meter.returnUnit(call, unitDay);
    return returned;
  };
  if (keepsUnit(judged)) return { ...judged, ...headers, giveBack };
  // A database that is away would only hold up the answer that says so; the debt is remembered.
  if (judged.refusal?.code === 'unavailable') void giveBack();
  else await giveBack();
  return { ...judged, ...headers };
}

export function productNotEnabled(product: Product): ApiError {
  return apiError('product_not_enabled', `This key is valid but was not sold the product "${product}".`);
}

export function notFound(): ApiError {
  return apiError('not_found', 'There is no such record or register.');
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

/** A call is served when its answer is 2xx, or 404 for a record or register (rule I-28). */
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
