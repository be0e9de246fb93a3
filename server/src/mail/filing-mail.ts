/** Notifies people that an office shows what they filed, or does not show it after the days that they chose. */
import type { TrademarkDetail } from '@tmds/contract/record';
import { FILING_WORDS } from '../due/words.ts';
import { type ClaimedFilingNotice, claimFilingNotices, noteFilingNotice } from '../store/dates/filings.ts';
import { listCurrentRecords } from '../store/records/current-records.ts';
import { closeMail, type MailOptions, oneLine, sendDue } from './due-mail.ts';
import type { MailMessage } from './mailer.ts';

/** With the record that it is about, if a register has it. */
type Notice = ClaimedFilingNotice & { readonly record: TrademarkDetail | null };

/** One check: sends the notices that are due. */
export async function sendFilingMail(options: MailOptions): Promise<void> {
  const { database, publicUrl } = options;
  await sendDue<Notice>(
    {
      name: 'a mail about a filing',
      afterLast: 'abandoned',
      claim: async (at) => {
        const notices = await claimFilingNotices(database, at);
        const records = await listCurrentRecords(database, notices);
        return notices.map((notice) => ({ ...notice, record: records.find(isRecordOf(notice)) ?? null }));
      },
      write: async (notice) => writeNotice(notice, publicUrl),
      note: (notice, { failure, isLast }) => noteFilingNotice(database, notice, { failure, isOver: isLast }),
      about: ({ alarm_id }) => ({ alarm: alarm_id }),
    },
    options,
  );
}

const isRecordOf =
  ({ jurisdiction_code, uid }: ClaimedFilingNotice) =>
  (record: TrademarkDetail): boolean =>
    record.jurisdiction_code === jurisdiction_code && record.uid === uid;

function writeNotice({ record, ...notice }: Notice, publicUrl: string | null): MailMessage {
  const { alarm_id, jurisdiction_code: register, uid, filing, filed_on, warn_on, shown_in, email } = notice;
  const number = record?.registration_number ?? record?.application_number ?? uid;
  const mark = `${oneLine(record?.mark_name ?? 'mark without text')}, ${register} ${oneLine(number)}`;
  const what = FILING_WORDS[filing];
  const said =
    shown_in === null
      ? `The office does not show it yet; you wanted to be warned on ${warn_on}.`
      : `The office shows a change since ${shown_in.slice(0, 10)}. Check that it is the one you expect.`;
  return {
    to: [email],
    subject: `${shown_in === null ? 'Not shown yet' : 'Shown by the office'}: ${what}, ${mark}`,
    text: [
      `${what}, filed on ${filed_on}: ${mark}`,
      '',
      said,
      '',
      ...closeMail(publicUrl, '/portal/filings', [
        'You get this mail because you asked in the portal to be notified about this filing.',
      ]),
    ].join('\n'),
    messageId: `<filing-${alarm_id}-${shown_in === null ? 'overdue' : 'shown'}@trademark-data-service>`,
  };
}
