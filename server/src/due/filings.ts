/**
 * Whether an office shows what somebody filed: a version after that day changes what such a filing changes. Only what
 * the office itself states counts, not what this service reads otherwise than before.
 */
import type { HistoryEvent } from '@tmds/contract/history';
import { addTerm, dayNumber } from '../dates/calendar.ts';
import type { FilingKind, OpenFiling } from '../store/dates/filings.ts';

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
