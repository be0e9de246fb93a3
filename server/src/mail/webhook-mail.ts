/** Notifies the people of a customer by mail that a webhook was switched off. */
import { type ClaimedOffNotice, claimOffNotices, noteOffNotice } from '../store/webhooks/messages.ts';
import { closeMail, type MailOptions, oneLine, sendDue } from './due-mail.ts';
import type { MailMessage } from './mailer.ts';

/** One check: sends the notices that are due. */
export async function sendWebhookMail(options: MailOptions): Promise<void> {
  const { database, publicUrl } = options;
  await sendDue<ClaimedOffNotice>(
    {
      name: 'a mail about a webhook',
      afterLast: 'given up',
      claim: (at) => claimOffNotices(database, at),
      write: async (notice) => {
        if (notice.emails.length > 0) return writeOffMail(notice, publicUrl);
        await noteOffNotice(database, notice, { failure: 'nobody of the customer has signed in', isOver: true });
        return null;
      },
      note: (notice, { failure, isLast }) => noteOffNotice(database, notice, { failure, isOver: isLast }),
      about: ({ webhook_id }, sent) => ({
        webhook: webhook_id,
        ...(sent === null ? {} : { recipients: sent.to.length }),
      }),
    },
    options,
  );
}

function writeOffMail(notice: ClaimedOffNotice, publicUrl: string | null): MailMessage {
  const { webhook_id, host, off_reason, off_since, customer_name, emails } = notice;
  const why =
    off_reason === 'gone'
      ? 'Your receiver answered 410, which means that it wants no more messages.'
      : 'Your receiver has accepted nothing for three days.';
  return {
    to: emails,
    subject: `Webhook switched off: ${host}`,
    text: [
      `The webhook to ${host} was switched off at ${off_since.slice(0, 10)} ${off_since.slice(11, 16)} UTC.`,
      why,
      '',
      'No hit of your watches is lost: the feeds have them all. Once the receiver works again, switch the webhook on',
      'in the portal; its first message says from where to read.',
      '',
      ...closeMail(publicUrl, `/portal/webhooks/${webhook_id}`, [
        `This mail goes to everyone at ${oneLine(customer_name)} who signs in to the portal.`,
      ]),
    ].join('\n'),
    messageId: `<webhook-${webhook_id}-${off_since.replace(/\D/g, '')}@trademark-data-service>`,
  };
}
