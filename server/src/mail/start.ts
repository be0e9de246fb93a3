/** All mail of a server, by kind. A kind that fails does not delay the others. */
import type { Clock } from '../base/clock.ts';
import { failureForLog } from '../base/errors.ts';
import type { Rounds } from '../base/rounds.ts';
import { startJob } from '../store/duties/jobs.ts';
import { type ReminderOptions, sendDateReminders } from './date-reminder.ts';
import { sendFilingMail } from './filing-mail.ts';
import { sendHitDigests } from './hit-digest.ts';
import { openMailer } from './mailer.ts';
import { sendQuotaMail } from './quota-mail.ts';
import { sendWebhookMail } from './webhook-mail.ts';

interface StartOptions extends Omit<ReminderOptions, 'mailer'> {
  /** `TMDS_SMTP_URL` and `TMDS_MAIL_FROM`; null = no mail is sent. */
  readonly smtpUrl: string | null;
  readonly mailFrom: string | null;
  readonly clock: Clock;
}

export function startMail({ smtpUrl, mailFrom, ...rest }: StartOptions): Rounds | null {
  if (smtpUrl === null || mailFrom === null) return null;
  const mailer = openMailer({ url: smtpUrl, from: mailFrom });
  const options = { ...rest, mailer };
  const kinds = [
    ['quota_mail', 'quotas', () => sendQuotaMail(options)],
    ['webhook_mail', 'webhooks', () => sendWebhookMail(options)],
    ['hit_digests', 'digests', () => sendHitDigests(options)],
    ['date_reminders', 'reminders', () => sendDateReminders(options)],
    ['filing_mail', 'filings', () => sendFilingMail(options)],
  ] as const;
  const jobs = kinds.map(([name, about, send]) =>
    startJob(options.clock, name, () =>
      send().catch((error: unknown) => {
        options.log.warn(
          { ...failureForLog(error), about },
          'mail that is due could not be checked; retried in a minute',
        );
      }),
    ),
  );
  return {
    stop: async () => {
      await Promise.all(jobs.map((job) => job.stop()));
      mailer.close();
    },
  };
}
