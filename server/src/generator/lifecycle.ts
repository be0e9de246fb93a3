/**
 * The life of a filing up to the reference date: examination, publication, registration, renewals, end. Its dates agree
 * with each other and with its status, and only an expiry or the end of an opposition period may be after the reference
 * date. Times are day numbers; null is what the register does not state.
 */
import type { Status } from '@tmds/contract/enums';
import { OperatorError } from '../base/errors.ts';
import type { Random } from './random.ts';
import type { Register } from './registers.ts';

export type Stage =
  | 'filed'
  | 'examination'
  | 'published'
  | 'opposed'
  | 'registered'
  | 'renewed'
  | 'refused'
  | 'withdrawn'
  | 'expired'
  | 'surrendered'
  | 'invalidated'
  | 'unknown';

export interface LifeEvent {
  day: number;
  what: Stage | 'received' | 'formalities' | 'registration_published' | 'opposition_filed' | 'opposition_closed';
}

export interface Life {
  status: Status;
  stage: Stage;
  publication: number | null;
  registration: number | null;
  expiry: number | null;
  renewal: number | null;
  termination: number | null;
  oppositionEnd: number | null;
  statusDay: number | null;
  events: LifeEvent[];
}

const TERM_YEARS = 10;
const GRACE_MONTHS = 6;
const LONG_PENDING_SHARE = 0.009;
const STOPPED_EARLY_SHARE = 0.012;
const UNKNOWN_SHARE = 0.009;
/** Share of marks renewed at the end of a term. */
const RENEWED_SHARE = 0.6;

function startLife(applicationDay: number): Life {
  return {
    status: 'Pending',
    stage: 'filed',
    publication: null,
    registration: null,
    expiry: null,
    renewal: null,
    termination: null,
    oppositionEnd: null,
    statusDay: applicationDay,
    events: [{ day: applicationDay, what: 'received' }],
  };
}

function reach(life: Life, stage: Stage, day: number): void {
  life.stage = stage;
  life.statusDay = day;
  life.events.push({ day, what: stage });
}

function publish(life: Life, random: Random, register: Register, day: number): void {
  life.publication = day;
  reach(life, 'published', day);
  if (register.opposition > 0 && random.chance(0.97)) life.oppositionEnd = addMonths(day, register.opposition);
}

function abandon(life: Life, random: Random, day: number): void {
  life.status = 'Abandoned';
  life.termination = random.chance(0.72) ? day : null;
  reach(life, random.chance(0.55) ? 'refused' : 'withdrawn', day);
}

/** Runs the filing until its registration, its end or the reference date. Returns the registration day, or null. */
function examine(
  life: Life,
  random: Random,
  register: Register,
  applicationDay: number,
  asOfDay: number,
): number | null {
  const [shortest, longest] = register.examination;
  const days = Math.floor((shortest + (longest - shortest) * random.unit() * random.unit()) * 30.4) + random.below(28);
  const publicationDay = applicationDay + Math.floor(days * (0.35 + 0.3 * random.unit()));
  const examinationDay = applicationDay + Math.floor(days * 0.12);
  const fate = random.unit();
  if (examinationDay > asOfDay) return null;
  if (random.chance(0.5)) reach(life, 'examination', examinationDay);
  if (fate < register.refused * 0.6 || random.chance(STOPPED_EARLY_SHARE)) {
    const end = examinationDay + Math.floor(days * (0.3 + random.unit()));
    if (end <= asOfDay) abandon(life, random, end);
    return null;
  }
  if (publicationDay > asOfDay) return null;
  publish(life, random, register, publicationDay);
  if (random.chance(0.045)) {
    const opposedDay = publicationDay + random.between(10, 60);
    if (opposedDay <= asOfDay) reach(life, 'opposed', opposedDay);
  }
  if (fate < register.refused) {
    const end = publicationDay + random.between(70, 600);
    if (end <= asOfDay) abandon(life, random, end);
    return null;
  }
  const registrationDay = applicationDay + days;
  if (registrationDay > asOfDay || random.chance(LONG_PENDING_SHARE)) return null;
  return Math.max(registrationDay, publicationDay);
}

function end(life: Life, stage: 'expired' | 'surrendered' | 'invalidated', day: number): void {
  life.status = 'Cancelled';
  life.termination = day;
  reach(life, stage, day);
}

/** Runs the life after registration: terms of ten years, each perhaps renewed, and occasionally an early end. */
function keepAlive(life: Life, random: Random, register: Register, applicationDay: number, asOfDay: number): void {
  const registered = life.registration as number;
  const start = register.termFrom === 'application' ? applicationDay : registered;
  for (let term = 1; ; term += 1) {
    const expiry = addYears(start, term * TERM_YEARS);
    life.expiry = expiry;
    if (random.chance(0.035)) {
      const termStart = Math.max(registered, addYears(start, (term - 1) * TERM_YEARS));
      const day = termStart + random.between(40, 3400);
      if (day <= asOfDay && day < expiry) {
        end(life, random.chance(0.6) ? 'surrendered' : 'invalidated', day);
        return;
      }
    }
    if (expiry > asOfDay) return;
    if (!random.chance(RENEWED_SHARE)) {
      const lapse = addMonths(expiry, GRACE_MONTHS);
      if (lapse <= asOfDay) end(life, 'expired', random.chance(0.5) ? lapse : expiry);
      return;
    }
    const renewal = Math.max(registered, expiry - random.below(170));
    life.renewal = renewal;
    reach(life, 'renewed', renewal);
  }
}

/** The register does not state the status, or no longer does. */
function hideStatus(life: Life, random: Random): void {
  life.status = 'Unknown';
  life.stage = 'unknown';
  life.termination = null;
  if (random.chance(0.6)) life.statusDay = null;
  if (random.chance(0.5)) {
    life.registration = null;
    life.renewal = null;
    life.expiry = null;
  }
}

/** What the register leaves out although it happened. */
function omit(life: Life, random: Random, register: Register): void {
  if (!random.chance(register.statesExpiry)) life.expiry = null;
  if (life.status === 'Cancelled' && random.chance(0.12)) life.expiry = null;
  if (life.publication !== null && random.chance(0.05)) {
    life.publication = null;
    life.oppositionEnd = null;
  }
  if (life.renewal !== null && random.chance(0.25)) life.renewal = null;
  if (random.chance(0.03)) life.statusDay = null;
}

export function buildLife(random: Random, register: Register, applicationDay: number, asOfDay: number): Life {
  const life = startLife(applicationDay);
  const registrationDay = examine(life, random, register, applicationDay, asOfDay);
  if (registrationDay !== null) {
    life.status = 'Registered';
    life.registration = registrationDay;
    reach(life, 'registered', registrationDay);
    keepAlive(life, random, register, applicationDay, asOfDay);
  }
  if (random.chance(UNKNOWN_SHARE)) hideStatus(life, random);
  omit(life, random, register);
  return life;
}

const CUMULATIVE = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

function daysInMonth(year: number, month: number): number {
  return month === 2 && isLeap(year) ? 29 : (MONTH_DAYS[month - 1] as number);
}

/** The day number of 1 January. */
function yearStart(year: number): number {
  const before = year - 1;
  return before * 365 + Math.floor(before / 4) - Math.floor(before / 100) + Math.floor(before / 400) - 719_162;
}

export function dayOf(year: number, month: number, day: number): number {
  const leap = month > 2 && isLeap(year) ? 1 : 0;
  return yearStart(year) + (CUMULATIVE[month - 1] as number) + leap + day - 1;
}

export function splitDay(dayNumber: number): { year: number; month: number; day: number } {
  let year = 1970 + Math.floor(dayNumber / 365.2425);
  if (yearStart(year) > dayNumber) year -= 1;
  else if (yearStart(year + 1) <= dayNumber) year += 1;
  let rest = dayNumber - yearStart(year);
  let month = 1;
  while (rest >= daysInMonth(year, month)) {
    rest -= daysInMonth(year, month);
    month += 1;
  }
  return { year, month, day: rest + 1 };
}

export function yearOf(dayNumber: number): number {
  return splitDay(dayNumber).year;
}

/** The same day of the month `months` later, or the last day of that month. */
export function addMonths(dayNumber: number, months: number): number {
  const { year, month, day } = splitDay(dayNumber);
  const count = year * 12 + month - 1 + months;
  const newYear = Math.floor(count / 12);
  const newMonth = (count % 12) + 1;
  return dayOf(newYear, newMonth, Math.min(day, daysInMonth(newYear, newMonth)));
}

export function addYears(dayNumber: number, years: number): number {
  return addMonths(dayNumber, years * 12);
}

const FIRST_KEPT = dayOf(1890, 1, 1);
const LAST_KEPT = dayOf(2049, 12, 31);
const kept: string[] = new Array(LAST_KEPT - FIRST_KEPT + 1).fill('');

function printDay(dayNumber: number): string {
  const { year, month, day } = splitDay(dayNumber);
  return `${year}-${month < 10 ? '0' : ''}${month}-${day < 10 ? '0' : ''}${day}`;
}

/** `YYYY-MM-DD`. Caches the texts of common days, at most 58,440. */
export function dayText(dayNumber: number): string {
  if (dayNumber < FIRST_KEPT || dayNumber > LAST_KEPT) return printDay(dayNumber);
  const known = kept[dayNumber - FIRST_KEPT] as string;
  if (known !== '') return known;
  const text = printDay(dayNumber);
  kept[dayNumber - FIRST_KEPT] = text;
  return text;
}

/** The day number of `YYYY-MM-DD`; null when the text is not a day from 1800 to 2199. */
export function findDay(text: string): number | null {
  if (!/^(1[89]\d\d|2[01]\d\d)-\d\d-\d\d$/.test(text)) return null;
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return null;
  return dayOf(year, month, day);
}

/** @throws OperatorError when `text` is not a calendar day */
export function parseDay(text: string, name: string): number {
  const day = findDay(text);
  if (day === null) {
    throw new OperatorError(`${name} must be a calendar date such as 2026-11-01, not "${text}"`, { exitStatus: 2 });
  }
  return day;
}
