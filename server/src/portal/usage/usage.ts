/**
 * The data of the page of usage: the units of the month and their projection, the calls of the last day, and what needs
 * attention of keys and webhooks, the most pressing first. Everything is read from the database and costs no unit.
 */

import type { Product } from '@tmds/contract/enums';
import { listAgreements } from '../../store/accounts/agreements.ts';
import {
  type CallGroup,
  findLatency,
  type HourCalls,
  type Latency,
  listCallGroups,
  listCallHours,
} from '../../store/accounts/portal-calls.ts';
import { type CustomerKey, listCustomerKeys } from '../../store/accounts/portal-keys.ts';
import { type CustomerWebhook, listWebhooks } from '../../store/webhooks/webhooks.ts';
import { formatCount, formatInstant } from '../frame/pieces.ts';
import { nameOf } from '../keys/terms.ts';
import { parseFilter } from '../log/call-filter.ts';
import type { PortalServices } from '../services.ts';

export const HOURS_SHOWN = 24;
/** A smaller part of a month says nothing about the rest. */
const PROJECTED_DAYS_MIN = 1;
const DAY_MS = 86_400_000;

export interface ProductUnits {
  readonly product: Product;
  /** Units of all keys this month, revoked ones included. */
  readonly used: number;
  /** Units at the end of the month at the same rate; null on its first day. */
  readonly projected: number | null;
  /** Units a month that were agreed; null = unlimited. */
  readonly quota: number | null;
}

export interface Concerned {
  readonly keys: readonly CustomerKey[];
  /** Calls of the last day with secrets that are no longer valid. */
  readonly revokedCalls: readonly CallGroup[];
  readonly webhooks: readonly CustomerWebhook[];
}

export interface Usage extends Concerned {
  readonly products: readonly ProductUnits[];
  readonly hours: readonly HourCalls[];
  /** The current hour, as `hours` name theirs. */
  readonly nowMs: number;
  readonly latency: Latency;
}

export async function readConcerned({ database }: PortalServices, customerId: string): Promise<Concerned> {
  const revoked = { ...parseFilter(new URLSearchParams(), customerId, []), hours: HOURS_SHOWN, code: 'key_revoked' };
  const [keys, revokedCalls, webhooks] = await Promise.all([
    listCustomerKeys(database, customerId),
    listCallGroups(database, revoked),
    listWebhooks(database, customerId),
  ]);
  return { keys, revokedCalls, webhooks };
}

export async function readUsage(services: PortalServices, customerId: string): Promise<Usage> {
  const { database, clock } = services;
  const scope = { customerId, keyId: null, hours: HOURS_SHOWN };
  const [concerned, agreements, hours, latency] = await Promise.all([
    readConcerned(services, customerId),
    listAgreements(database, customerId),
    listCallHours(database, scope),
    findLatency(database, scope),
  ]);
  const nowMs = clock.nowMs();
  const products = agreements.map(({ product, quota }) => {
    const ofProduct = concerned.keys.flatMap((key) => key.products.filter((each) => each.product === product));
    const used = ofProduct.reduce((sum, each) => sum + each.used, 0);
    return { product, used, projected: projectUnits(used, nowMs), quota };
  });
  return { ...concerned, products, hours, nowMs, latency };
}

/** The units used so far, continued evenly to the end of the UTC month. */
export function projectUnits(used: number, nowMs: number): number | null {
  const now = new Date(nowMs);
  const firstMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1);
  const nextMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
  const elapsedMs = nowMs - firstMs;
  return elapsedMs < PROJECTED_DAYS_MIN * DAY_MS ? null : Math.round((used * (nextMs - firstMs)) / elapsedMs);
}

export interface Concern {
  readonly level: 'bad' | 'warn';
  readonly text: string;
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
