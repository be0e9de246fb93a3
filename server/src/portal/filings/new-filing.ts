/** A new filing as it was typed: the record it is for, what was filed, when, and after how many days to warn. */
import type { DateText } from '@tmds/contract/record';
import { WATCH_ID_FORM } from '@tmds/contract/watches';
import { addTerm } from '../../dates/calendar.ts';
import { FILINGS, type FilingKind } from '../../store/dates/filings.ts';
import { typedIn } from '../frame/call.ts';

export const DAYS_DEFAULT = 60;
export const DAYS_MAX = 730;
/** A filing this long ago is no longer waited for. */
const EARLIEST = { years: 2 } as const;
const UID_LENGTH_MAX = 200;

export interface FilingAsked {
  readonly register: string;
  readonly uid: string;
  /** The id of the watch from whose hit it is made; empty without one. */
  readonly watch: string;
}

/** Null if the address names no record. */
export function readAsked(call: Parameters<typeof typedIn>[0]): FilingAsked | null {
  const [register, uid, watch] = ['register', 'uid', 'watch'].map((name) => typedIn(call, name) ?? '') as [
    string,
    string,
    string,
  ];
  if (!/^[A-Z]{2}$/.test(register) || uid === '' || uid.length > UID_LENGTH_MAX) return null;
  return { register, uid, watch: WATCH_ID_FORM.test(watch) ? watch : '' };
}

export interface TypedFiling {
  readonly filing: FilingKind;
  readonly filed_on: DateText;
  readonly warn_on: DateText;
}

export function readFiling(form: URLSearchParams, today: DateText): TypedFiling | { readonly fault: string } {
  const filing = FILINGS.find((kind) => kind === form.get('filing'));
  if (filing === undefined) return { fault: 'Choose what you filed.' };
  const filed = form.get('filed') ?? '';
  const isDate = /^\d{4}-\d\d-\d\d$/.test(filed) && addTerm(filed as DateText, { days: 0 }) === filed;
  if (!isDate || filed > today || filed < addTerm(today, { years: -EARLIEST.years })) {
    return { fault: `Give a day of the last ${EARLIEST.years} years, as in ${today}.` };
  }
  const days = /^\d{1,4}$/.test(form.get('days') ?? '') ? Number(form.get('days')) : 0;
  if (days < 1 || days > DAYS_MAX) return { fault: `Give a number of days from 1 to ${DAYS_MAX}.` };
  return { filing, filed_on: filed as DateText, warn_on: addTerm(filed as DateText, { days }) };
}
