/**
 * Checks the filings that are waited for: which records have new versions, and whether one of them shows the filing. A
 * version after that day shows it if it changes what such a filing changes. Only what the office itself states counts,
 * not what this service reads otherwise than before. Any number of processes may check; they find the same, and write
 * it once.
 */

import type { HistoryEvent } from '@tmds/contract/history';
import type { Clock } from '../base/clock.ts';
import { failureForLog } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Rounds } from '../base/rounds.ts';
import type { Queryable } from '../database/driver/db.ts';
import { addTerm, dayNumber } from '../dates/calendar.ts';
import {
  type FilingKind,
  listOpenFilings,
  noteChecked,
  noteOverdue,
  noteShown,
  type OpenFiling,
} from '../store/dates/filings.ts';
import { startJob } from '../store/duties/jobs.ts';
import { listCurrentStamps } from '../store/records/current-records.ts';
import { findEventsSince } from '../store/records/history.ts';

const AT_ONCE = 500;

interface FilingSources {
  readonly database: Queryable;
}

export async function checkFilings({ database }: FilingSources): Promise<void> {
  let after: string | null = null;
  do {
    const filings: OpenFiling[] = await listOpenFilings(database, after, AT_ONCE);
    const stamps = new Map(
      (await listCurrentStamps(database, filings)).map((each) => [nameOf(each), each.updated_at] as const),
    );
    for (const filing of filings) {
      const stamp = stamps.get(nameOf(filing));
      if (stamp !== undefined && stamp > filing.checked_through) await checkFiling(database, filing, stamp);
    }
    after = filings.length < AT_ONCE ? null : filings.at(-1)!.alarm_id;
  } while (after !== null);
  // Afterwards, so that nobody is warned of what is shown.
  await noteOverdue(database);
}

const nameOf = ({ jurisdiction_code, uid }: { jurisdiction_code: string; uid: string }): string =>
  `${jurisdiction_code} ${uid}`;

async function checkFiling(database: Queryable, filing: OpenFiling, stamp: string): Promise<void> {
  const { jurisdiction_code: register, uid, checked_through: since } = filing;
  const events = await findEventsSince(database, { register, uid, since });
  for (const event of [...events].reverse()) {
    const field = findShowing(event, filing);
    if (field !== null) return noteShown(database, filing.alarm_id, { version: event.version, field });
  }
  await noteChecked(database, filing.alarm_id, stamp);
}

export function startFilingChecks(sources: FilingSources & { readonly clock: Clock; readonly log: Log }): Rounds {
  const check = (): Promise<void> =>
    checkFilings(sources).catch((error: unknown) => {
      sources.log.warn(failureForLog(error), 'filings that are waited for could not be checked; retried in 5 minutes');
    });
  return startJob(sources.clock, 'filing_checks', check);
}

type Change = HistoryEvent['changes'][number];

/** A renewal moves the end of the term by years; an end that moves by less is a correction. */
const TERM_DAYS_MIN = 300;
/** A renewal that an office states first may lie this long before the day on which it was filed. */
const EARLIER_MAX = { years: 1 } as const;

const changesStatus = ({ field }: Change): boolean => ['status', 'tm5_status', 'status_date'].includes(field);

const changesEvents = (change: Change): boolean =>
  change.field === 'payload' && change.paths.some((path) => /^\/events(?:\/|$)/.test(path));

function renews(change: Change, { filed_on: filedOn }: Pick<OpenFiling, 'filed_on'>): boolean {
  if (change.field === 'renewal_date') {
    const { old, new: renewed } = change;
    if (renewed === null) return false;
    return old === null ? renewed >= addTerm(filedOn, { years: -EARLIER_MAX.years }) : renewed > old;
  }
  if (change.field === 'expiry_date') {
    const { old, new: expires } = change;
    return old !== null && expires !== null && dayNumber(expires) - dayNumber(old) >= TERM_DAYS_MIN;
  }
  return change.field === 'status' && change.new === 'Registered';
}

const SHOWS: Readonly<Record<FilingKind, (change: Change, filing: Pick<OpenFiling, 'filed_on'>) => boolean>> = {
  renewal: renews,
  use_declaration: (change) => changesStatus(change) || changesEvents(change),
  opposition: (change) => changesStatus(change) || change.field === 'opposition_period_end' || changesEvents(change),
  other: () => true,
};

/** The field that shows the filing; null if the event does not. */
export function findShowing(event: HistoryEvent, filing: Pick<OpenFiling, 'filing' | 'filed_on'>): string | null {
  if (event.cause !== 'office' && event.cause !== 'correction') return null;
  return event.changes.find((change) => SHOWS[filing.filing](change, filing))?.field ?? null;
}
