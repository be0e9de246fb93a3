/** Reminds people who asked for it of dates among watched records, 90, 30 and 7 days before: one mail a day. */
import type { DueDate } from '../due/next-dates.ts';
import { type DatesReader, daysUntil, type Omissions, readReminded } from '../due/watched-dates.ts';
import { DISCLAIMER, describeDue, describeOmissions } from '../due/words.ts';
import { type ClaimedReminder, claimReminders, endReminder, noteFailedReminder } from '../store/dates/reminders.ts';
import { closeMail, type MailOptions, oneLine, sendDue } from './due-mail.ts';
import type { MailMessage } from './mailer.ts';

export interface ReminderOptions extends MailOptions {
  readonly readDates: DatesReader;
}

/** From this attempt on, watches that could not be read in time are left out, and the mail says so. */
const INCOMPLETE_ATTEMPTS = 5;
const DATES_SHOWN = 100;

/** One check: sends the reminders that are due. */
export async function sendDateReminders(options: ReminderOptions): Promise<void> {
  const { database, readDates, publicUrl } = options;
  await sendDue<ClaimedReminder>(
    {
      name: 'a reminder of dates',
      afterLast: 'the next one covers it',
      claim: (at) => claimReminders(database, at),
      write: async (reminder) => {
        const { customer_id, covered_through: after, sending_through: through, attempts } = reminder;
        const { dates, ...left } = await readReminded(readDates, customer_id, { after, through });
        if (left.isInterrupted && attempts < INCOMPLETE_ATTEMPTS) throw new Error('watches could not be read in time');
        if (dates.length > 0) return writeReminder(reminder, dates, left, publicUrl);
        await endReminder(database, reminder, 'empty');
        return null;
      },
      note: (reminder, { failure, isLast }) =>
        failure === null
          ? endReminder(database, reminder, 'sent')
          : noteFailedReminder(database, reminder, { failure, isLast }),
      about: ({ user_id }) => ({ user_id }),
    },
    options,
  );
}

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
      ...closeMail(publicUrl, '/portal#dates', [
        `You get this mail because you asked to be reminded of dates of the watches of ${oneLine(customer_name)}, 90, 30`,
        'and 7 days before. You can switch it off in the portal, on the page of your account.',
      ]),
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
