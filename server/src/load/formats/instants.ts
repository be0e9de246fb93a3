/**
 * Orders the versions of a record by an instant that their source states, compared as text. Whatever zone and precision
 * an office uses, the same instant gives the same text: UTC with nine fraction digits. An instant without a zone is
 * taken as UTC, and a date as the beginning of its day.
 */
import { isRegisterDate } from '../../record/dates.ts';

const DATE = '(\\d{4}-\\d{2}-\\d{2})';
const TIME = '([01]\\d|2[0-3]):([0-5]\\d)(?::([0-5]\\d)(?:[.,](\\d+))?)?';
const ZONE = 'Z|([+-])([01]\\d|2[0-3]):?([0-5]\\d)?';
const STATED = new RegExp(`^${DATE}(?:[T ]${TIME})?(?:${ZONE})?$`, 'i');
const FRACTION_DIGITS = 9;

/** Null when the text is not an instant. */
export function orderInstant(text: string | null): string | null {
  const match = STATED.exec(text?.trim() ?? '');
  if (match === null) return null;
  const [, date = '', hour = '00', minute = '00', second = '00', fraction = '', sign, zoneHour, zoneMinute] = match;
  if (!isRegisterDate(date)) return null;
  const east = sign === '-' ? -1 : 1;
  const offsetMinutes = east * (Number(zoneHour ?? 0) * 60 + Number(zoneMinute ?? 0));
  const ms = Date.parse(`${date}T${hour}:${minute}:${second}Z`) - offsetMinutes * 60_000;
  const digits = fraction.slice(0, FRACTION_DIGITS).padEnd(FRACTION_DIGITS, '0');
  return `${new Date(ms).toISOString().slice(0, -'.000Z'.length)}.${digits}Z`;
}
