/**
 * All mail of a server: every minute each kind checks for mail that is due. A kind that fails does not delay the
 * others.
 */
import type { Clock } from '../base/clock.ts';
import { failureForLog } from '../base/errors.ts';
import type { DatesReader } from '../due/watched-dates.ts';
import { startWatch } from '../store/health/alarms.ts';
import { sendDateReminders } from './date-reminder.ts';
import { sendFilingMail } from './filing-mail.ts';
import { type DigestOptions, sendHitDigests } from './hit-digest.ts';
import { openMailer } from './mailer.ts';
import { sendQuotaMail } from './quota-mail.ts';
import { sendWebhookMail } from './webhook-mail.ts';

interface MailOptions extends Omit<DigestOptions, 'mailer'> {
  /** `TMDS_SMTP_URL` and `TMDS_MAIL_FROM`; null = no mail is sent. */
  readonly smtpUrl: string | null;
  readonly mailFrom: string | null;
  readonly readDates: DatesReader;
  readonly clock: Clock;
}

const INTERVAL_MS = 60_000;

/** Resolves when the running checks have ended; null if no mail is sent. */
export function startMail({ smtpUrl, mailFrom, ...rest }: MailOptions): (() => Promise<void>) | null {
  if (smtpUrl === null || mailFrom === null) return null;
  const mailer = openMailer({ url: smtpUrl, from: mailFrom });
  const options = { ...rest, mailer };
  const kinds = [
    ['quotas', () => sendQuotaMail(options)],
    ['webhooks', () => sendWebhookMail(options)],
    ['digests', () => sendHitDigests(options)],
    ['reminders', () => sendDateReminders(options)],
    ['filings', () => sendFilingMail(options)],
  ] as const;
  const watches = kinds.map(([about, send]) =>
    startWatch(
      () =>
        send().catch((error: unknown) => {
          options.log.warn(
            { ...failureForLog(error), about },
            'mail that is due could not be checked; retried in a minute',
          );
        }),
      INTERVAL_MS,
      options.clock,
    ),
  );
  return async () => {
    await Promise.all(watches.map((watch) => watch.stop()));
    mailer.close();
  };
}
