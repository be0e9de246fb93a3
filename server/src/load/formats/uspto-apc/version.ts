/**
 * Orders the versions of one case, whichever of the office's two sources they come from (docs/design/statements.md).
 * Daily files state the day of the case's last transaction. TSDR states no date itself, but an answer cannot be older
 * than the latest event it contains. On the same day the daily file wins, because it closes the day. Compared as text.
 */

/** On the same day the higher number wins. */
const TSDR = 1;
const DAILY_FILE = 2;

/** For an answer without any dated event: older than anything that states a date. */
const UNDATED = '00000000';

/** A calendar date as `YYYYMMDD`. */
export function orderDailyVersion(transactionDate: string): string {
  return `${transactionDate}.${DAILY_FILE}`;
}

/** Dates as `YYYY-MM-DD`, in any order. */
export function orderTsdrVersion(happened: readonly string[]): string {
  const latest = happened.reduce((a, b) => (a < b ? b : a), '');
  return `${latest === '' ? UNDATED : latest.replaceAll('-', '')}.${TSDR}`;
}
