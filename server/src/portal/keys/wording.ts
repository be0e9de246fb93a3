/** The pages' words about keys and about the unused part of their agreement. */
import type { Agreement } from '../../store/accounts/agreements.ts';
import { type CustomerKey, KEYS_MAX } from '../../store/accounts/portal-keys.ts';
import { formatCount } from '../frame/pieces.ts';

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

/** The agreements under which another key can be issued now. */
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
