import type { Product } from './enums.ts';

/** The body of `/v1/usage` (rule I-25). Months are UTC calendar months. */
export interface UsageReport {
  /** `YYYY-MM`. */
  month: string;
  /** Instant at which the month ends and the quotas reset. */
  resets_at: string;
  key: { id: string; name: string | null; created_at: string };
  products: ProductUsage[];
}

export interface ProductUsage {
  product: Product;
  /** Units metered this month, this call included. */
  calls: number;
  /** Units per month; null = unlimited. */
  quota: number | null;
  remaining: number | null;
  rate_limit_per_minute: number;
}
