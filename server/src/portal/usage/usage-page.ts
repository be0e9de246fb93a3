/**
 * The page of usage: what needs attention of keys and webhooks, the most pressing first, the units of the month with
 * their projection, and the calls of the last day. Everything is read from the database and costs no unit.
 */

import type { Product } from '@tmds/contract/enums';
import { html } from 'htm/preact';
import { DAY_MS } from '../../base/clock.ts';
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
import type { Page, PortalRoute } from '../frame/call.ts';
import { type Bar, renderDayChart, renderLegend, renderQuotas } from '../frame/charts.ts';
import { renderDisclosure, renderEmpty, renderFacts, renderHeading, renderNotice } from '../frame/components.ts';
import { buildMemberRoutes } from '../frame/page-routes.ts';
import { formatCount, formatDate, formatInstant, renderInstant } from '../frame/pieces.ts';
import { renderTable } from '../frame/table.ts';
import { nameOf } from '../keys/terms.ts';
import { parseFilter } from '../log/call-filter.ts';
import { renderMonitoringTabs } from '../monitoring/monitoring-page.ts';
import type { PortalServices } from '../services.ts';

export function listUsageRoutes(services: PortalServices): PortalRoute[] {
  const { show } = buildMemberRoutes(services);
  return [show('/usage', async ({ user }) => renderUsage(await readUsage(services, user.customer_id)), true)];
}

function renderUsage(usage: Usage): Page {
  const concerns = listConcerns(usage);
  const body = html`
    ${renderHeading('Usage')}
    ${renderMonitoringTabs('usage')}
    <section>
      <h2>Needs attention</h2>
      ${concerns.length === 0 ? renderEmpty('All clear.') : renderConcerns(concerns)}
    </section>
    ${renderProducts(usage)}
    ${renderCallHours(usage)}
  `;
  return { title: 'Usage', body, section: 'usage' };
}

export function renderConcerns(concerns: readonly Concern[]): unknown {
  return concerns.map(({ level, text, href }) => renderNotice(level, html`<a href=${href}><bdi>${text}</bdi></a>`));
}

function renderProducts({ products }: Usage): unknown {
  return html`
    <section>
      <h2>Units this month</h2>
      ${products.length === 0 ? renderEmpty('No agreement yet.') : null}
      ${renderQuotas(
        products.map(({ product, used, projected, quota }) => ({
          label: product,
          name: html`${product} ${projected === null ? null : renderProjection(projected, quota)}`,
          used,
          quota,
        })),
      )}
      <p class="hint">All keys together. The projection continues the units used so far evenly to the end of the month
        (UTC). <a href="/portal/monitoring">By day and key</a></p>
    </section>
  `;
}

function renderProjection(projected: number, quota: number | null): unknown {
  const isOver = quota !== null && projected > quota;
  return html`<span class=${isOver ? 'over' : 'silent'}>
    on track for about ${formatCount(projected)} units this month${isOver ? ', more than the limit' : ''}</span>`;
}

const HOUR_MS = 3_600_000;

function renderCallHours({ hours: found, nowMs, latency }: Usage): unknown {
  const hours = fillHours(found, nowMs);
  const total = hours.reduce((sum, { calls }) => sum + calls, 0);
  const refused = hours.reduce((sum, hour) => sum + hour.refused, 0);
  if (total === 0) {
    const none = renderEmpty('There was no call in the last 24 hours.');
    return html`<section><h2>Last 24 hours</h2>${none}</section>`;
  }
  const share = ((refused / total) * 100).toFixed(refused * 1000 < total && refused > 0 ? 3 : 1);
  return html`
    <section>
      <h2>Last 24 hours</h2>
      ${renderFacts([
        ['Calls', formatCount(total)],
        ['Refused', `${formatCount(refused)} (${share} %)`],
        ['Latency, median', describeMs(latency.median_ms)],
        ['Latency, 99 %', describeMs(latency.slowest_hundredth_ms)],
      ])}
      ${renderLegend(SERIES)}
      ${renderDayChart(hours.map(buildBar), SERIES)}
      ${renderDisclosure('The same as a table', renderHourTable(hours))}
      <p class="hint">By UTC hour. Latency: of answered calls in the <a href="/portal/log">call log</a>, from the arrival
        of a call to the end of its answer.</p>
    </section>
  `;
}

const SERIES: readonly string[] = ['answered', 'refused'];

function renderHourTable(hours: readonly HourCalls[]): unknown {
  return renderTable<HourCalls>({
    label: 'Calls by hour',
    narrow: 'row',
    rows: hours,
    columns: [
      { label: 'Hour from', isHeader: true, cell: ({ hour }) => renderInstant(hour) },
      { label: 'Calls', style: 'number', cell: ({ calls }) => formatCount(calls) },
      { label: 'Refused', style: 'number', cell: ({ refused }) => formatCount(refused) },
    ],
  });
}

/** Hours without calls included, oldest first. */
function fillHours(found: readonly HourCalls[], nowMs: number): HourCalls[] {
  const byHour = new Map(found.map((hour) => [hour.hour.slice(0, 13), hour]));
  const currentMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
  return Array.from({ length: HOURS_SHOWN }, (_, position) => {
    const hour = new Date(currentMs - (HOURS_SHOWN - 1 - position) * HOUR_MS).toISOString();
    return byHour.get(hour.slice(0, 13)) ?? { hour, calls: 0, refused: 0, listed: 0 };
  });
}

function buildBar({ hour, calls, refused }: HourCalls): Bar {
  const label = hour.slice(11, 13);
  return { label, title: `${formatDate(hour.slice(0, 10))}, ${label}:00 UTC`, values: [calls - refused, refused] };
}

function describeMs(ms: number | null): string {
  return ms === null ? 'not known' : `${ms.toFixed(ms < 10 ? 1 : 0)} ms`;
}

const HOURS_SHOWN = 24;
/** A smaller part of a month says nothing about the rest. */
const PROJECTED_DAYS_MIN = 1;

export interface ProductUnits {
  readonly product: Product;
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

async function readUsage(services: PortalServices, customerId: string): Promise<Usage> {
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
