/** Asks the public API on behalf of a page: which key pays, what came back, and whether it was remembered. */
import { type CustomerKey, findCustomerKey } from '../../store/accounts/portal-keys.ts';
import type { MemberCall, PublicCall } from '../frame/call.ts';
import type { ApiAnswer, ApiOptions, PortalServices } from '../services.ts';
import type { KeyChoice } from './charged-key.ts';
import type { Answers, RememberedAnswer } from './remembered-answers.ts';

/** Everything that a page needs to ask the API. */
export interface Explorer {
  readonly services: PortalServices;
  readonly answers: Answers;
}

export interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly param: string | undefined;
  readonly requestId: string;
}

export interface Outcome extends RememberedAnswer {
  /** Null when the call was served, also when nothing had changed. */
  readonly refusal: Refusal | null;
  /** The key that paid, with its counts after the call. */
  readonly key: CustomerKey;
  /** Leads to this page with a new call. */
  readonly againPath: string;
}

/** Null when nothing was requested: no key is chosen yet, or a link on another site led here. */
export async function ask(
  call: MemberCall,
  { services, answers }: Explorer,
  { key }: KeyChoice,
  target: string,
  options: ApiOptions = {},
): Promise<Outcome | null> {
  if (key === null || call.fromElsewhere) return null;
  const stamp = call.query.get('asked') ?? '';
  const question = { keyId: key.id, target, stamp, ...options };
  const found = await answers.find(question, () => services.callApi(key.id, target, options));
  const counted = await findCustomerKey(services.database, call.user.customer_id, key.id);
  return {
    ...found,
    refusal: readRefusal(found.answer),
    key: counted ?? key,
    againPath: linkAgain(call, services),
  };
}

/**
 * How a page asks for a search: like a program, unless the API refuses that as too broad, so that every other one is
 * remembered for the console too.
 */
export function searchOptions(target: string, { findCallLimit }: Pick<PortalServices, 'findCallLimit'>): ApiOptions {
  return findCallLimit(target.split('?')[1] ?? '') === null ? {} : { breadth: 'page' };
}

export function readRefusal({ refusal, headers }: ApiAnswer): Refusal | null {
  if (refusal === null) return null;
  const { code, message, param } = refusal;
  return { code, message, param, requestId: headers['x-request-id'] ?? '' };
}

/** A stamp in the address makes it a new question; a reload of that address keeps the stamp and costs nothing. */
function linkAgain({ target }: MemberCall, { clock }: PortalServices): string {
  const [path = '', query = ''] = target.split('?');
  const fields = new URLSearchParams(query);
  fields.set('asked', clock.nowMs().toString(36));
  return `${path}?${fields.toString()}`;
}

const FROM_CHARACTERS_MAX = 2000;

/** The page that a record opened from here leads back to; null when its address is too long to pass on. */
export function fromOf({ target }: MemberCall): string | null {
  return target.length > FROM_CHARACTERS_MAX ? null : target;
}

/** Everything before `/v1` in the address of a call. */
export function baseUrlOf(call: PublicCall, { recordPrefix }: PortalServices): string {
  return `${call.origin}/${recordPrefix}`;
}
