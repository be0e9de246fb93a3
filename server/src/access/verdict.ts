/** What a call is judged by, and the verdict. */
import type { Product } from '@tmds/contract/enums';
import type { Instant } from '@tmds/contract/record';

export interface MeteredCall {
  readonly keyId: string;
  readonly secretNumber: number;
  readonly product: Product;
  /** True if the call will be served when admitted; false if it is judged only, because its parameters are invalid. */
  readonly takesUnit: boolean;
}

export interface RateState {
  readonly limit: number;
  /** Calls left in the window after this one. */
  readonly remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  readonly resetSeconds: number;
}

interface QuotaState {
  readonly limit: number;
  readonly used: number;
  /** When the UTC month ends. */
  readonly resetsAt: Instant;
}

export type Refusal = 'key_revoked' | 'product_not_enabled' | 'rate_limited' | 'quota_exceeded';

export interface Verdict {
  readonly refusal: Refusal | null;
  /** Null if no limit applies, because the key is revoked or was not sold the product. */
  readonly rate: RateState | null;
  /** Null unless the quota is why the call is refused. */
  readonly quota: QuotaState | null;
  /** The UTC day on which the unit was counted; null if none was. */
  readonly unitDay: string | null;
  /** The last stamp of a publish, as it was after the call had arrived; null if it was not read. */
  readonly lastStamp: Instant | null;
}
