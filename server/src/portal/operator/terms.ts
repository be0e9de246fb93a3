/** An operator's input about customers and keys, within the same bounds as on the command line. */
import { PRODUCTS, type Product } from '@tmds/contract/enums';
import { RATE_LIMIT_DEFAULT } from '../../access/keys.ts';
import { parseQuota } from '../keys/terms.ts';

/** Characters of the name of a customer or a key. */
export const CUSTOMER_NAME_MAX = 200;
export const REASON_MAX = 500;
const RATE_MAX = 2_147_483_647;

export const NAME_FAULT = `A name has 1 to ${CUSTOMER_NAME_MAX} characters.`;
export const REASON_FAULT = `A reason has at most ${REASON_MAX} characters.`;

/** Null when it is no name. */
export function parseCustomerName(text: string | null): string | null {
  const name = (text ?? '').trim();
  return name === '' || name.length > CUSTOMER_NAME_MAX || /[\p{Cc}\p{Cs}]/u.test(name) ? null : name;
}

/** Null = none; undefined = too long. */
export function parseReason(text: string | null): string | null | undefined {
  const reason = (text ?? '').replace(/\s+/g, ' ').trim();
  if (reason === '') return null;
  return reason.length > REASON_MAX ? undefined : reason;
}

export interface Terms {
  readonly products: readonly Product[];
  readonly rateLimitPerMinute: number;
  /** Units a month for each product; null = unlimited. */
  readonly quota: number | null;
}

/** The terms of a key, or their fault. */
export function parseTerms(form: URLSearchParams): Terms | { readonly fault: string } {
  const products = PRODUCTS.filter((product) => form.getAll('product').includes(product));
  const quota = parseQuota(form.get('quota') ?? '');
  const rate = (form.get('rate') ?? '').trim().replaceAll(/[ ,_]/g, '');
  const rateLimitPerMinute = rate === '' ? RATE_LIMIT_DEFAULT : Number(rate);
  if (products.length === 0) return { fault: 'Choose at least one product.' };
  if (rate !== '' && (!/^\d{1,10}$/.test(rate) || rateLimitPerMinute < 1 || rateLimitPerMinute > RATE_MAX)) {
    return { fault: 'Calls a minute must be a whole number of at least 1, or empty.' };
  }
  if (quota === undefined) return { fault: 'The monthly limit must be a whole number, or empty for no limit.' };
  return { products, rateLimitPerMinute, quota };
}
