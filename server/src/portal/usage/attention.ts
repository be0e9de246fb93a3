/** What somebody should do about keys and webhooks now, the most pressing first. */
import { formatCount, formatInstant } from '../frame/pieces.ts';
import { nameOf } from '../keys/wording.ts';
import type { Concerned } from './usage.ts';

export interface Concern {
  readonly level: 'bad' | 'warn';
  readonly text: string;
  /** The page with more about it. */
  readonly href: string;
}

/** Attempts in a row: about ten minutes. */
const FAILURES_TOLD = 6;
/** The share of a quota from which it is mentioned. */
const QUOTA_SHARE = 0.8;

export function listConcerns(concerned: Concerned): Concern[] {
  const ofKeys = [...listQuotas(concerned), ...listRevoked(concerned), ...listGraces(concerned)];
  const concerns = [...ofKeys, ...listOff(concerned)];
  return [...concerns.filter(({ level }) => level === 'bad'), ...concerns.filter(({ level }) => level === 'warn')];
}

function listQuotas({ keys }: Concerned): Concern[] {
  return keys
    .filter((key) => key.revoked_at === null)
    .flatMap((key) =>
      key.products.flatMap(({ product, used, quota }): Concern[] => {
        if (quota === null || used < quota * QUOTA_SHARE) return [];
        const share = quota === 0 ? 100 : Math.floor((used / quota) * 100);
        const counts = `${formatCount(used)} of ${formatCount(quota)} units`;
        const text =
          used >= quota
            ? `${nameOf(key)}: the monthly limit for ${product} is used up (${counts}). Calls are refused until next month.`
            : `${nameOf(key)}: ${share} % of the monthly limit for ${product} is used (${counts}).`;
        return [{ level: used >= quota ? 'bad' : 'warn', text, href: `/portal/keys/${key.id}` }];
      }),
    );
}

function listRevoked({ keys, revokedCalls }: Concerned): Concern[] {
  const names = new Map(keys.map((key) => [key.id, nameOf(key)]));
  return revokedCalls.map(({ key_id, calls }) => ({
    level: 'bad',
    text: `${names.get(key_id) ?? key_id}: ${calls === 1 ? 'a call' : `${formatCount(calls)} calls`} in the last 24 hours with a secret that was revoked or replaced.`,
    href: `/portal/log?code=key_revoked&key=${encodeURIComponent(key_id)}`,
  }));
}

function listGraces({ keys }: Concerned): Concern[] {
  return keys
    .filter((key) => key.revoked_at === null && key.grace_ends_at !== null)
    .map((key) => ({
      level: 'warn',
      text: `${nameOf(key)}: the old secret stops working on ${formatInstant(key.grace_ends_at!)} UTC.`,
      href: `/portal/keys/${key.id}`,
    }));
}

/** Webhooks whose receivers have stopped taking deliveries, or fail now. */
function listOff({ webhooks }: Concerned): Concern[] {
  return webhooks.flatMap(({ webhook_id, url, off_reason, failures }): Concern[] => {
    const [{ host }, href] = [new URL(url), `/portal/webhooks/${webhook_id}`];
    if (off_reason === 'failed') {
      return [{ level: 'bad', text: `The webhook to ${host} is off: no delivery was accepted for three days.`, href }];
    }
    if (off_reason === 'gone') {
      return [{ level: 'bad', text: `The webhook to ${host} is off: the receiver answered 410.`, href }];
    }
    if (off_reason !== null || failures < FAILURES_TOLD) return [];
    return [
      { level: 'warn', text: `The webhook to ${host} has failed ${formatCount(failures)} times in a row.`, href },
    ];
  });
}
