/**
 * The data of the page of usage: the units of the month and their projection, the calls of the last day, and what needs
 * attention of keys and webhooks. Everything is read from the database and costs no unit.
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
import { parseFilter } from '../log/call-filter.ts';
import type { PortalServices } from '../services.ts';

/** The hours covered by calls, errors and latency. */
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

/** What may need attention. */
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
