/** The bounds of a customer's input about a key, what the agreement allows, and the pages' words about both. */

import { PRODUCTS, type Product } from '@tmds/contract/enums';
import { normalForm } from '@tmds/contract/text';
import type { Agreement } from '../../store/accounts/agreements.ts';
import { type CustomerKey, KEYS_MAX } from '../../store/accounts/portal-keys.ts';
import { checksField, sureField, textField } from '../frame/field-kinds.ts';
import { declareForm } from '../frame/forms.ts';
import { formatCount } from '../frame/pieces.ts';

const NAME_MAX = 100;
const QUOTA_MAX = 1_000_000_000_000;

export const NO_AGREEMENT = 'You have no agreement to take units from. Contact the operator of this service.';

const NAME = textField({
  label: 'Name',
  hint: 'What the key is for, such as “docketing, production”.',
  attributes: { required: true, maxlength: NAME_MAX },
  read: (text) => {
    const name = normalForm(text).replace(/\s+/g, ' ').trim();
    const isName = name !== '' && !/[\p{Cc}\p{Cs}]/u.test(name) && [...name].length <= NAME_MAX;
    return isName ? name : { fault: `A name has 1 to ${NAME_MAX} characters.` };
  },
});

/** Units a month; null = unlimited. */
export const quotaField = (fault: string) =>
  textField({
    label: 'Monthly limit in units',
    attributes: { inputmode: 'numeric' },
    read: (text) => {
      const digits = text.trim().replaceAll(/[ ,_]/g, '');
      if (digits === '') return null;
      return /^\d{1,13}$/.test(digits) && Number(digits) <= QUOTA_MAX ? Number(digits) : { fault };
    },
  });
const QUOTA = quotaField('The monthly limit must be a whole number, or empty.');

export const PRODUCT = checksField({
  label: 'Products',
  choices: PRODUCTS.map((value) => ({ value, label: value })),
  fault: 'Choose at least one product.',
});

export const ISSUE = declareForm({ name: NAME, product: PRODUCT, quota: QUOTA });
export const RENAME = declareForm({ name: NAME });
export const LIMIT = declareForm({ quota: QUOTA });
export const REVOKE = declareForm({ sure: sureField('Nothing needs this key any more') });

export function findIssueFault(
  terms: readonly Agreement[],
  products: readonly Product[],
  quota: number | null,
): string | null {
  if (terms.length < products.length) return 'Your agreement does not include all of these products.';
  if (terms.some((term) => term.live_keys >= KEYS_MAX)) return `There are ${KEYS_MAX} keys already. Revoke one first.`;
  return findQuotaFault(terms, quota, 0);
}

/** `given`: the key's present share of the agreement, which it may use again. */
export function findQuotaFault(terms: readonly Agreement[], quota: number | null, given: number): string | null {
  const bounded = terms.filter((term) => term.free !== null);
  if (bounded.length === 0) return null;
  const free = Math.min(...bounded.map((term) => term.free!)) + given;
  if (quota !== null && quota <= free && quota > 0) return null;
  if (free === 0)
    return 'All units of your agreement are assigned to keys. Lower the limit of a key or revoke it first.';
  return `Your agreement has ${free} units a month left. Enter a number up to that.`;
}

export function nameOf(key: Pick<CustomerKey, 'id' | 'name'>): string {
  return key.name === null || key.name === '' ? `Key ${key.id}` : key.name;
}

export function describeUsed({ used, quota }: { used: number; quota: number | null }): string {
  return `${formatCount(used)}${quota === null ? ', no limit' : ` of ${formatCount(quota)}`}`;
}

export function describeFree(agreements: readonly Agreement[]): string {
  const parts = agreements.map(({ product, free }) => `${product} ${free === null ? 'unlimited' : formatCount(free)}`);
  return `Left in your agreement: ${parts.join(', ')}. Empty means no limit, if the agreement has none.`;
}

export function listIssuable(agreements: readonly Agreement[]): readonly Agreement[] {
  return agreements.filter(({ free, live_keys }) => free !== 0 && live_keys < KEYS_MAX);
}

/** Why no key can be issued; null when one can. */
export function findIssueObstacle(agreements: readonly Agreement[]): string | null {
  if (listIssuable(agreements).length > 0) return null;
  if (agreements.length === 0) {
    return 'You have no agreement under which to issue keys. Contact the operator of this service.';
  }
  if (agreements.every(({ live_keys }) => live_keys >= KEYS_MAX)) {
    return `There are ${KEYS_MAX} keys already. Revoke one to issue another.`;
  }
  return 'All units of your agreement are assigned to keys. Lower the limit of a key or revoke it to issue another.';
}

/** Whether the customer may not know any secret of the key: others issued it, and no program has used it. */
export function isUnseen({ revoked_at, last_used_at, is_shown }: CustomerKey): boolean {
  return revoked_at === null && last_used_at === null && !is_shown;
}
