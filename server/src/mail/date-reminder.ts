/**
 * Reminds people who asked for it of dates among watched records, 90, 30 and 7 days before: one mail a day. Any number
 * of processes may check; each mail is sent by one of them. A mail whose answer is lost is sent again, under the same
 * message id.
 */
import type { Log } from '../base/log.ts';
import type { Queryable } from '../database/driver/db.ts';
import type { DueDate } from '../due/next-dates.ts';
import { type DatesReader, daysUntil, type Omissions, readReminded } from '../due/watched-dates.ts';
import { DISCLAIMER, describeDue, describeOmissions } from '../due/words.ts';
import { type ClaimedReminder, claimReminders, endReminder, noteFailedReminder } from '../store/dates/reminders.ts';
import type { Mailer, MailMessage } from './mailer.ts';

export interface ReminderOptions {
  readonly database: Queryable;
  readonly mailer: Mailer;
  readonly readDates: DatesReader;
  /** Where browsers reach the portal, such as `https://api.example`; null = the mail has no link. */
  readonly publicUrl: string | null;
  readonly log: Log;
}

const REMINDERS_AT_ONCE = 20;
/** One minute, two, four … up to six hours: sixteen attempts take three days. */
const PAUSES = { firstPauseSeconds: 60, pauseSecondsMax: 6 * 3600 };
const ATTEMPTS_MAX = 20;
/** From this attempt on, watches that could not be read in time are left out, and the mail says so. */
const INCOMPLETE_ATTEMPTS = 5;
const DATES_SHOWN = 100;

/** One check: sends the reminders that are due. */
export async function sendDateReminders(options: ReminderOptions): Promise<void> {
  for (;;) {
    const reminders = await claimReminders(options.database, { limit: REMINDERS_AT_ONCE, ...PAUSES });
    for (const reminder of reminders) await attempt(reminder, options);
    if (reminders.length < REMINDERS_AT_ONCE) return;
  }
}

async function attempt(reminder: ClaimedReminder, options: ReminderOptions): Promise<void> {
  const { database, mailer, readDates, publicUrl, log } = options;
  const { customer_id, covered_through: after, sending_through: through, attempts, user_id } = reminder;
  try {
    const { dates, ...left } = await readReminded(readDates, customer_id, { after, through });
    if (left.isInterrupted && attempts < INCOMPLETE_ATTEMPTS) throw new Error('watches could not be read in time');
    if (dates.length === 0) return await endReminder(database, reminder, 'empty');
    await mailer.send(writeReminder(reminder, dates, left, publicUrl));
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    const isLast = attempts >= ATTEMPTS_MAX;
    await noteFailedReminder(database, reminder, { failure, isLast });
    const next = isLast ? 'the next one covers it' : 'tried again later';
    return log.warn({ user_id, attempts, failure }, `a reminder of dates was not sent; ${next}`);
  }
  await endReminder(database, reminder, 'sent');
  log.info({ user_id }, 'a reminder of dates was sent');
}

/** Always one line, whatever characters a name holds. */
const oneLine = (name: string): string => name.replace(/\s+/g, ' ').trim();

function writeReminder(
  { user_id, email, customer_name, sending_through: today }: ClaimedReminder,
  dates: readonly DueDate[],
  left: Omissions,
  publicUrl: string | null,
): MailMessage {
  const shown = dates.slice(0, DATES_SHOWN);
  const more = dates.length - shown.length;
  return {
    to: [email],
    subject: dates.length === 1 ? '1 date comes due' : `${dates.length} dates come due`,
    text: [
      'Among the marks that your team watches:',
      '',
      ...shown.map((due) => describeDate(due, daysUntil(today, due.date))),
      ...(more > 0 ? [`… and ${more} later ones.`] : []),
      '',
      `“Computed” dates follow from a rule where the office states none. ${DISCLAIMER}`,
      ...describeOmissions(left),
      '',
      ...(publicUrl === null ? [] : [`${publicUrl}/portal#dates`, '']),
      `You get this mail because you asked to be reminded of dates of the watches of ${oneLine(customer_name)}, 90, 30`,
      'and 7 days before. You can switch it off in the portal, on the page of your account.',
      '',
    ].join('\n'),
    messageId: `<dates-${user_id}-${today.replace(/\D/g, '')}@trademark-data-service>`,
  };
}

function describeDate(due: DueDate, days: number): string {
  const { date, record, computed } = due;
  const ahead = days === 0 ? 'today' : days === 1 ? 'in 1 day' : `in ${days} days`;
  const number = record.registration_number ?? record.application_number ?? record.uid;
  const mark = oneLine(record.mark_name ?? 'mark without text');
  const kind = computed === null ? '' : ' (computed)';
  return `${date}, ${ahead}: ${describeDue(due)}${kind}: ${mark}, ${record.jurisdiction_code} ${oneLine(number)}`;
}
