/** Notifies the people of a customer by mail that 80 % or all of a quota is used. */
import {
  type ClaimedNotice,
  claimQuotaNotices,
  endQuotaNotice,
  insertQuotaNotices,
  noteFailedAttempt,
} from '../store/accounts/quota-notices.ts';
import { closeMail, type MailOptions, oneLine, sendDue } from './due-mail.ts';
import type { MailMessage } from './mailer.ts';

/** Shares of a quota that are reported, in percent. The portal mentions the lower one too. */
const PERCENTS = [80, 100];

/** One check: notes the quotas that have been reached, and sends the notices that are due. */
export async function sendQuotaMail(options: MailOptions): Promise<void> {
  const { database, publicUrl } = options;
  await insertQuotaNotices(database, PERCENTS);
  await sendDue<ClaimedNotice>(
    {
      name: 'a mail about a quota',
      afterLast: 'given up',
      claim: (at) => claimQuotaNotices(database, at),
      write: async (notice) => {
        if (notice.emails.length > 0) return writeQuotaMail(notice, publicUrl);
        await endQuotaNotice(database, notice, 'nobody of the customer has signed in');
        return null;
      },
      note: (notice, { failure, isLast }) =>
        isLast ? endQuotaNotice(database, notice, failure) : noteFailedAttempt(database, notice, failure ?? ''),
      about: ({ key_id, product, percent }, sent) => ({
        key_id,
        product,
        percent,
        ...(sent === null ? {} : { recipients: sent.to.length }),
      }),
    },
    options,
  );
}

const formatCount = (count: number): string => count.toLocaleString('en');

function writeQuotaMail(notice: ClaimedNotice, publicUrl: string | null): MailMessage {
  const { key_id, product, month, percent, quota, used, emails, customer_name } = notice;
  const key = oneLine(notice.key_name ?? key_id);
  const isUsedUp = percent >= 100;
  const said = isUsedUp ? 'is used up' : `is used to ${percent} %`;
  const then = isUsedUp
    ? 'Calls with this key are refused with quota_exceeded until the month ends (UTC).'
    : 'Once it is used up, calls with this key are refused with quota_exceeded until the month ends (UTC).';
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
      ...closeMail(publicUrl, `/portal/keys/${encodeURIComponent(key_id)}`, [
        `This mail goes to everyone at ${oneLine(customer_name)} who signs in to the portal.`,
      ]),
    ].join('\n'),
    messageId: `<quota-${key_id}-${product}-${month}-${percent}-${quota}@trademark-data-service>`,
  };
}
