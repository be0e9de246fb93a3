/** The answers that report on the service: health, usage, registers (rules I-25 to I-27), and probes. */
import type { JurisdictionInfo, JurisdictionsPage } from '@tmds/contract/record';
import type { UsageReport } from '@tmds/contract/usage';
import type { MonthCount } from '../store/accounts/usage.ts';
import { type Answer, renderJson, renderTagged } from './answer.ts';

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
