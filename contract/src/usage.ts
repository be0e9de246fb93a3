import type { Product } from './enums.ts';

/** The answer of `/v1/usage` (rule I-25). Months are UTC calendar months. */
export interface UsageReport {
  /** `YYYY-MM`. */
  month: string;
  /** Date-time at which the month ends and quotas start anew. */
  resets_at: string;
  key: { id: string; name: string | null; created_at: string };
  products: ProductUsage[];
}

export interface ProductUsage {
  product: Product;
  /** Units metered this month, this call included. */
  calls: number;
  /** Units a month; null when unlimited. */
  quota: number | null;
  remaining: number | null;
  rate_limit_per_minute: number;
}
