/**
 * Notifies the people of a customer by mail that 80 % or all of a quota is used. Any number of processes may check;
 * each notice is sent by one of them. A mail whose answer is lost is sent again, under the same message id.
 */
import type { Log } from '../base/log.ts';
import type { Queryable } from '../database/driver/db.ts';
import {
  type ClaimedNotice,
  claimQuotaNotices,
  endQuotaNotice,
  insertQuotaNotices,
  noteFailedAttempt,
} from '../store/accounts/quota-notices.ts';
import type { Mailer, MailMessage } from './mailer.ts';

export interface QuotaMailOptions {
  readonly database: Queryable;
  readonly mailer: Mailer;
  /** Where browsers reach the portal, such as `https://api.example`; null = the mail has no link. */
  readonly publicUrl: string | null;
  readonly log: Log;
}

/** Shares of a quota that are reported, in percent. The portal mentions the lower one too. */
const PERCENTS = [80, 100];
const NOTICES_AT_ONCE = 20;
/** One minute, two, four … up to six hours: sixteen attempts take three days. */
const PAUSES = { firstPauseSeconds: 60, pauseSecondsMax: 6 * 3600 };
const ATTEMPTS_MAX = 20;

/** One check: notes the quotas that have been reached, and sends the notices that are due. */
export async function sendQuotaMail(options: QuotaMailOptions): Promise<void> {
  const { database } = options;
  await insertQuotaNotices(database, PERCENTS);
  for (;;) {
    const notices = await claimQuotaNotices(database, { limit: NOTICES_AT_ONCE, ...PAUSES });
    for (const notice of notices) await attempt(notice, options);
    if (notices.length < NOTICES_AT_ONCE) return;
  }
}

async function attempt(notice: ClaimedNotice, options: QuotaMailOptions): Promise<void> {
  const { database, mailer, log, publicUrl } = options;
  const about = { key_id: notice.key_id, product: notice.product, percent: notice.percent };
  if (notice.emails.length === 0) return await endQuotaNotice(database, notice, 'nobody of the customer has signed in');
  try {
    await mailer.send(writeQuotaMail(notice, publicUrl));
  } catch (error) {
    // The message of the mail server; it holds no password.
    const failure = error instanceof Error ? error.message : String(error);
    const isLast = notice.attempts >= ATTEMPTS_MAX;
    await (isLast ? endQuotaNotice : noteFailedAttempt)(database, notice, failure);
    const next = isLast ? 'it is not tried again' : 'it is tried again later';
    return log.warn({ ...about, attempts: notice.attempts, failure }, `a mail about a quota was not sent; ${next}`);
  }
  await endQuotaNotice(database, notice, null);
  log.info({ ...about, recipients: notice.emails.length }, 'a mail about a quota was sent');
}

const formatCount = (count: number): string => count.toLocaleString('en');

/** Always one line, whatever characters a name holds. */
const oneLine = (name: string): string => name.replace(/\s+/g, ' ').trim();

function writeQuotaMail(notice: ClaimedNotice, publicUrl: string | null): MailMessage {
  const { key_id, product, month, percent, quota, used, emails, customer_name } = notice;
  const key = oneLine(notice.key_name ?? key_id);
  const isUsedUp = percent >= 100;
  const said = isUsedUp ? 'is used up' : `is used to ${percent} %`;
  const then = isUsedUp
    ? 'Calls with this key are refused with quota_exceeded until the month ends (UTC).'
    : 'Once it is used up, calls with this key are refused with quota_exceeded until the month ends (UTC).';
  const link = publicUrl === null ? [] : [`${publicUrl}/portal/keys/${encodeURIComponent(key_id)}`, ''];
  return {
    to: emails,
    subject: `${isUsedUp ? 'Quota used up' : `${percent} % of the quota used`}: ${key} (${product})`,
    text: [
      `The quota of ${key} for ${product} ${said}:`,
      `${formatCount(used)} of ${formatCount(quota)} units in ${month.slice(0, 7)}.`,
      '',
      then,
      'In the portal you can divide the units of your agreement between your keys; for more units, ask your provider.',
      '',
      ...link,
      `This mail goes to everyone at ${oneLine(customer_name)} who signs in to the portal.`,
      '',
    ].join('\n'),
    messageId: `<quota-${key_id}-${product}-${month}-${percent}-${quota}@trademark-data-service>`,
  };
}
