/** Dates in words, the same on pages, in mails and in calendars. */
import type { Anchor, DateEvent } from '@tmds/contract/dates';
import type { Rule } from '../dates/rule.ts';
import type { FilingKind } from '../store/dates/filings.ts';
import type { DueDate, DueKind } from './next-dates.ts';
import type { Omissions } from './watched-dates.ts';

/** The last day for something, or of something. */
export const EVENT_WORDS: Readonly<Record<DateEvent, string>> = {
  renewal: 'Renewal due',
  use_declaration: 'Declaration of use due',
  opposition_end: 'Opposition until',
  dependency_end: 'No longer depends on its basic mark',
};

export const ANCHOR_WORDS: Readonly<Record<Anchor, string>> = {
  application_date: 'the application date',
  registration_date: 'the registration date',
  publication_date: 'the publication date',
  priority_date: 'the priority date',
  international_registration_date: 'the day of the international registration',
  international_expiry_date: 'the end of term of the international registration',
};

export const DISCLAIMER = 'Data, not advice: the date of the office decides.';

/**
 * Whether the computed end may be too late: the part of an international registration ends with it, and its own day is
 * not known.
 */
export function mayEndEarlier({ event, route, jurisdiction, anchor }: Rule): boolean {
  return event === 'renewal' && route === 'madrid' && jurisdiction !== 'WO' && !anchor.startsWith('international_');
}

const DUE_WORDS: Readonly<Record<DueKind, string>> = {
  opposition: 'Opposition period ends',
  expiry: 'Protection ends unless renewed',
  renewal: 'Renewal',
  renewal_due: 'Renewal due',
  use_declaration: 'Declaration of use due',
  dependency_end: 'No longer depends on its basic mark',
};

/** What is due, without the date and the record. */
export function describeDue({ kind, isLate, computed }: DueDate): string {
  const late = isLate ? ', with a surcharge' : '';
  const earlier =
    computed !== null && mayEndEarlier(computed.rule) ? ', or earlier with its international registration' : '';
  return `${DUE_WORDS[kind]}${late}${earlier}`;
}

/** What a list of dates leaves out, a sentence each. */
export function describeOmissions({ isPartial, lacksComputed, isInterrupted }: Omissions): string[] {
  return [
    ...(isPartial ? ['More is watched than is read, so there may be others.'] : []),
    ...(lacksComputed ? ['Searches and owners with many matches may have more computed dates.'] : []),
    ...(isInterrupted ? ['Some watches could not be read in time.'] : []),
  ];
}

export const FILING_WORDS: Readonly<Record<FilingKind, string>> = {
  renewal: 'Renewal',
  use_declaration: 'Declaration of use',
  opposition: 'Opposition',
  other: 'Another filing',
};
