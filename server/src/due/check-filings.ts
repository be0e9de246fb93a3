/**
 * Checks the filings that are waited for: which records have new versions, and whether one of them shows the filing.
 * Any number of processes may check; they find the same, and write it once.
 */
import type { Clock } from '../base/clock.ts';
import { failureForLog } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Rounds } from '../base/rounds.ts';
import type { Queryable } from '../database/driver/db.ts';
import { listOpenFilings, noteChecked, noteOverdue, noteShown, type OpenFiling } from '../store/dates/filings.ts';
import { startJob } from '../store/duties/jobs.ts';
import { listCurrentStamps } from '../store/records/current-records.ts';
import { findEventsSince } from '../store/records/history.ts';
import { findShowing } from './filings.ts';

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
