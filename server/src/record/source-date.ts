/**
 * The day that a source itself gives to its statement of a record. It is read from what orders the versions of the
 * record (`SourceRecord.source_version`), which begins with that day in every format that states one.
 */
import type { DateText } from '@tmds/contract/record';
import { isRegisterDate } from './dates.ts';

/** `20260131.2` of the USPTO, `2026-01-31`, or an instant. */
const DAY = /^(\d{4})-?(\d{2})-?(\d{2})/;

/** Null if the source states no date. */
export function readSourceDate(sourceVersion: string | null): DateText | null {
  const [, year, month, day] = DAY.exec(sourceVersion ?? '') ?? [];
  const date = `${year}-${month}-${day}`;
  return isRegisterDate(date) ? date : null;
}
