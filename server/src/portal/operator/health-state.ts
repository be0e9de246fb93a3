/** What the operators' overview shows and judges. */

import type { ServiceHealth } from '../../monitor/health.ts';
import type { AccountTotals, QuotaUse } from '../../store/accounts/operator-customers.ts';
import type { OpenRejects } from '../../store/publish/findings.ts';
import type { LoadSummary } from '../../store/publish/loads.ts';
import type { RegisterRhythm } from '../../store/records/registers.ts';
import type { SourceReport } from '../../store/sync/source-reports.ts';

export interface HealthState {
  readonly nowMs: number;
  readonly health: ServiceHealth;
  readonly totals: AccountTotals;
  readonly registers: readonly RegisterRhythm[];
  readonly sources: readonly SourceReport[];
  /** The newest first. */
  readonly loads: readonly LoadSummary[];
  readonly openRejects: readonly OpenRejects[];
  /** Live keys whose quota is nearly used, the fullest first. */
  readonly nearQuota: readonly QuotaUse[];
  /** There are more of them. */
  readonly isQuotaCut: boolean;
  /** Findings of the quick checks of `tmds doctor`. */
  readonly wrong: readonly { readonly seen: string; readonly remedy: string }[];
}
