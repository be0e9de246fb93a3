/**
 * Notifies people that an office shows what they filed, or does not show it after the days that they chose. Any number
 * of processes may check; each notice is sent by one of them. A mail whose answer is lost is sent again, under the same
 * message id.
 */
import type { TrademarkDetail } from '@tmds/contract/record';
import type { Log } from '../base/log.ts';
import type { Queryable } from '../database/driver/db.ts';
import { FILING_WORDS } from '../due/words.ts';
import { type ClaimedFilingNotice, claimFilingNotices, noteFilingNotice } from '../store/dates/filings.ts';
import { listCurrentRecords } from '../store/records/current-records.ts';
import type { Mailer, MailMessage } from './mailer.ts';

export interface FilingMailOptions {
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
export async function sendFilingMail(options: FilingMailOptions): Promise<void> {
  const { database } = options;
  for (;;) {
    const notices = await claimFilingNotices(database, { limit: NOTICES_AT_ONCE, ...PAUSES });
    const records = await listCurrentRecords(database, notices);
    for (const notice of notices) await attempt(notice, records.find(isRecordOf(notice)) ?? null, options);
    if (notices.length < NOTICES_AT_ONCE) return;
  }
}

const isRecordOf =
  ({ jurisdiction_code, uid }: ClaimedFilingNotice) =>
  (record: TrademarkDetail): boolean =>
    record.jurisdiction_code === jurisdiction_code && record.uid === uid;

async function attempt(
  notice: ClaimedFilingNotice,
  record: TrademarkDetail | null,
  { database, mailer, publicUrl, log }: FilingMailOptions,
): Promise<void> {
  const { alarm_id: alarm, attempts } = notice;
  try {
    await mailer.send(writeNotice(notice, record, publicUrl));
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    const isOver = attempts >= ATTEMPTS_MAX;
    await noteFilingNotice(database, notice, { failure, isOver });
    const next = isOver ? 'abandoned' : 'tried again later';
    return log.warn({ alarm, attempts, failure }, `a mail about a filing was not sent; ${next}`);
  }
  await noteFilingNotice(database, notice, { failure: null, isOver: true });
  log.info({ alarm }, 'a mail about a filing was sent');
}

/** Always one line, whatever characters a name holds. */
const oneLine = (name: string): string => name.replace(/\s+/g, ' ').trim();

function writeNotice(
  notice: ClaimedFilingNotice,
  record: TrademarkDetail | null,
  publicUrl: string | null,
): MailMessage {
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
      ...(publicUrl === null ? [] : [`${publicUrl}/portal/filings`, '']),
      'You get this mail because you asked in the portal to be notified about this filing.',
      '',
    ].join('\n'),
    messageId: `<filing-${alarm_id}-${shown_in === null ? 'overdue' : 'shown'}@trademark-data-service>`,
  };
}
