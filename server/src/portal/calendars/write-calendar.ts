/**
 * Dates as an iCalendar file: one all-day event for each record, event and date, whose UID follows from the three, so
 * that a calendar which is read again repeats nothing.
 */
import { hash } from 'node:crypto';
import { ICalCalendar, ICalEventTransparency } from 'ical-generator';
import { type DueDate, nameDueDate } from '../../due/next-dates.ts';
import type { DatesAhead } from '../../due/watched-dates.ts';
import { DISCLAIMER, describeDue, describeOmissions } from '../../due/words.ts';
import { nameAndCode, registerName } from '../frame/registers.ts';

interface CalendarWritten {
  readonly name: string;
  readonly ahead: DatesAhead;
  /** When it was made: the stamp of all its events, so that the same dates are the same file. */
  readonly madeAt: string;
  /** Where browsers reach the portal; null = no links. */
  readonly publicUrl: string | null;
}

const RENEWED_SECONDS = 6 * 3600;

export function writeCalendar({ name, ahead, madeAt, publicUrl }: CalendarWritten): string {
  const said = [`Dates ahead of ${oneLine(name)}.`, DISCLAIMER, ...describeOmissions(ahead)].join(' ');
  const calendar = new ICalCalendar({
    prodId: { company: 'trademark-data-service', product: 'dates', language: 'EN' },
    name: escapeText(oneLine(name)),
    description: escapeText(said),
    ttl: RENEWED_SECONDS,
  });
  for (const due of ahead.dates) {
    const path = recordPathOf(due);
    calendar.createEvent({
      id: `${hash('sha256', nameDueDate(due), 'hex').slice(0, 32)}@trademark-data-service`,
      start: new Date(`${due.date}T00:00:00Z`),
      allDay: true,
      stamp: new Date(madeAt),
      transparency: ICalEventTransparency.TRANSPARENT,
      summary: oneLine(`${describeDue(due)}: ${nameMark(due)}${due.computed === null ? '' : ' (computed)'}`),
      description: describeEvent(due).map(oneLine).join('\n'),
      ...(publicUrl === null ? {} : { url: `${publicUrl}${path}` }),
    });
  }
  return calendar.toString();
}

/** The library escapes the texts of events, but not those of the calendar itself. */
const escapeText = (text: string): string => text.replace(/[\\;,]/g, '\\$&');

/** Names are text of offices and of customers, and a line break would begin another property. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();

const numberOf = ({ record }: DueDate): string => record.registration_number ?? record.application_number ?? record.uid;

function nameMark(due: DueDate): string {
  const { mark_name: name, mark_feature: feature, jurisdiction_code: code } = due.record;
  return `${name ?? `${feature ?? 'Mark'} without text`} (${registerName(code)} ${numberOf(due)})`;
}

function describeEvent(due: DueDate): string[] {
  const { record, computed } = due;
  return [
    `Mark: ${record.mark_name ?? 'without text'}`,
    `Register: ${nameAndCode(record.jurisdiction_code)}`,
    `Number: ${numberOf(due)}`,
    `What: ${describeDue(due)}`,
    ...(computed === null
      ? ['Stated by the office.']
      : [`Computed, since the office states none: ${computed.rule.text}`, `Source: ${computed.rule.source}`]),
    DISCLAIMER,
  ];
}

function recordPathOf({ record: { jurisdiction_code: register, uid } }: DueDate): string {
  return `/portal/explorer/records/${encodeURIComponent(register)}/${encodeURIComponent(uid)}`;
}
