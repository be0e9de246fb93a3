/**
 * The answers that report on the service: health, usage, registers (rules I-25 to I-27), and probes; the answer at
 * `/`, which redirects browsers to the portal and gives programs the addresses of the API; and those of the port for
 * metrics: their text, and short refusals for people who open it.
 */
import type { JurisdictionInfo, JurisdictionsPage } from '@tmds/contract/record';
import type { UsageReport } from '@tmds/contract/usage';
import type { MonthCount } from '../store/accounts/usage.ts';
import { type Answer, JSON_TYPE, renderJson, renderTagged } from './answer.ts';

export function renderHealth(version: string): Answer {
  return renderJson(JSON.stringify({ status: 'ok', version }));
}

export function renderProbe(status: 'alive' | 'ready'): Answer {
  return renderJson(JSON.stringify({ status }));
}

export function renderJurisdictions(items: JurisdictionInfo[]): Answer {
  const page: JurisdictionsPage = { items };
  return renderTagged(JSON.stringify(page));
}

export function renderUsage(count: MonthCount, key: UsageReport['key']): Answer {
  const report: UsageReport = {
    month: count.month,
    resets_at: count.resets_at,
    key,
    products: count.products.map(({ product, calls, quota, rate_limit_per_minute }) => ({
      product,
      calls,
      quota,
      remaining: quota === null ? null : Math.max(0, quota - calls),
      rate_limit_per_minute,
    })),
  };
  return renderJson(JSON.stringify(report));
}

export function renderRoot({ recordPrefix }: { readonly recordPrefix: string }, accepted: string): Answer {
  // Browsers ask for text/html by name; programs send `*/*` or nothing.
  if (/\btext\/html\b/i.test(accepted))
    return { status: 303, headers: { 'cache-control': 'no-store', location: '/portal' }, body: '' };
  const places = {
    api: `/${recordPrefix}/v1`,
    health: `/${recordPrefix}/v1/health`,
    openapi: '/openapi.json',
    reference: '/docs',
    llms: '/llms.txt',
    portal: '/portal',
  };
  return {
    status: 200,
    headers: { 'cache-control': 'no-store', 'content-type': JSON_TYPE },
    body: JSON.stringify(places),
  };
}

function renderText(status: number, text: string, type: string): Answer {
  return { status, headers: { 'content-type': type, 'cache-control': 'no-store' }, body: text };
}

const PLAIN = 'text/plain; charset=utf-8';

export function renderMetrics({ text, type }: { readonly text: string; readonly type: string }): Answer {
  return renderText(200, text, type);
}

export function renderNoMetrics(): Answer {
  return renderText(404, 'The metrics are at /metrics, for GET.\n', PLAIN);
}

export function renderMetricsFailed(): Answer {
  return renderText(500, 'The metrics could not be read; the log says why.\n', PLAIN);
}
