/**
 * What orders the versions of one case, whichever of the office's two sources told of it (decision 0065). Both state a
 * date of their own: the daily files the day of the case's last transaction; TSDR none outright, but no answer is older
 * than the latest thing it says has happened. Of one day the daily file counts: it closes the day. Compared as text.
 */

/** Later wins of one day. */
const TSDR = 1;
const DAILY_FILE = 2;

/** No dated thing has happened: older than whatever states a date. */
const UNDATED = '00000000';

/** `YYYYMMDD`, a calendar date. */
export function orderDailyVersion(transactionDate: string): string {
  return `${transactionDate}.${DAILY_FILE}`;
}

/** `YYYY-MM-DD` each, in any order. */
export function orderTsdrVersion(happened: readonly string[]): string {
  const latest = happened.reduce((a, b) => (a < b ? b : a), '');
  return `${latest === '' ? UNDATED : latest.replaceAll('-', '')}.${TSDR}`;
}
