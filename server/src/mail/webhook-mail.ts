/**
 * Notifies the people of a customer by mail that a webhook was switched off. Any number of processes may check; each
 * notice is sent by one of them. A mail whose answer is lost is sent again, under the same message id.
 */
import type { Log } from '../base/log.ts';
import type { Queryable } from '../database/driver/db.ts';
import { type ClaimedOffNotice, claimOffNotices, noteOffNotice } from '../store/webhooks/off-notices.ts';
import type { Mailer, MailMessage } from './mailer.ts';

export interface WebhookMailOptions {
  readonly database: Queryable;
  readonly mailer: Mailer;
  /** Where browsers reach the portal, such as `https://api.example`; null = the mail has no link. */
  readonly publicUrl: string | null;
  readonly log: Log;
}

const NOTICES_AT_ONCE = 20;
/** One minute, two, four … up to six hours: sixteen attempts take three days. */
const PAUSES = { firstPauseSeconds: 60, pauseSecondsMax: 6 * 3600 };
const ATTEMPTS_MAX = 20;

/** One check: sends the notices that are due. */
export async function sendWebhookMail(options: WebhookMailOptions): Promise<void> {
  for (;;) {
    const notices = await claimOffNotices(options.database, { limit: NOTICES_AT_ONCE, ...PAUSES });
    for (const notice of notices) await attempt(notice, options);
    if (notices.length < NOTICES_AT_ONCE) return;
  }
}

async function attempt(
  notice: ClaimedOffNotice,
  { database, mailer, publicUrl, log }: WebhookMailOptions,
): Promise<void> {
  const { webhook_id, attempts, emails } = notice;
  if (emails.length === 0) {
    return await noteOffNotice(database, notice, { failure: 'nobody of the customer has signed in', isOver: true });
  }
  try {
    await mailer.send(writeOffMail(notice, publicUrl));
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    const isOver = attempts >= ATTEMPTS_MAX;
    await noteOffNotice(database, notice, { failure, isOver });
    const next = isOver ? 'it is not tried again' : 'it is tried again later';
    return log.warn({ webhook: webhook_id, attempts, failure }, `a mail about a webhook was not sent; ${next}`);
  }
  await noteOffNotice(database, notice, { failure: null, isOver: true });
  log.info({ webhook: webhook_id, recipients: emails.length }, 'a mail about a webhook was sent');
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
      ...(publicUrl === null ? [] : [`${publicUrl}/portal/webhooks/${webhook_id}`, '']),
      `This mail goes to everyone at ${customer_name.replace(/\s+/g, ' ').trim()} who signs in to the portal.`,
      '',
    ].join('\n'),
    messageId: `<webhook-${webhook_id}-${off_since.replace(/\D/g, '')}@trademark-data-service>`,
  };
}
