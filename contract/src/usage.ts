/** What the service says of itself and of its caller. `/v1/usage` is rule I-25; months are UTC calendar months. */
import type { Product } from './enums.ts';
import type { Instant } from './record.ts';
import type { Count, Month, Positive } from './values.ts';

/** The usage of the key this month. @schema */
export interface UsageReport {
  month: Month;
  /** When the month ends and the quotas reset. */
  resets_at: Instant;
  /** The calling key. */
  key: {
    /** The public part of the key. */
    id: string;
    /** As the customer calls it. */
    name: string | null;
    /** When it was issued. */
    created_at: Instant;
  };
  /** The products that the key is enabled for. */
  products: ProductUsage[];
}

export interface ProductUsage {
  /** Name of the product. */
  product: Product;
  /** Units metered this month, this call included. */
  calls: Count;
  /** Units per month; null if unlimited. */
  quota: Count | null;
  /** Null if unlimited. */
  remaining: Count | null;
  /** Calls that the key may make in a minute. */
  rate_limit_per_minute: Positive;
}

/** The service is up. @schema */
export interface Health {
  /** Calls are served. */
  status: 'ok';
  /** Version of the running program. */
  version: string;
}
