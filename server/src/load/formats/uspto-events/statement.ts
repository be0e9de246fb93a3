/**
 * What the two formats of events yield: a statement about one recorded assignment or one proceeding of the board, with
 * the cases that it names. It decides how a statement finds its cases, and which of two statements about the same event
 * is newer. A statement is never a record, and never a source of a record's own fields.
 */
import { markPart, registrationPart } from '../../../record/supplements.ts';
import type { XmlNode } from '../../xml/xml-node.ts';
import type { NamedMark, RecordEvent } from '../payload.ts';
import { compactDate, type Reading, raiseIssue, readText } from '../reading.ts';
import { buildCaseUid, parseRegistrationNumber, parseSerialNumber } from '../uspto-apc/identity.ts';

/** The register of the cases. */
export const REGISTER = 'US';

export interface EventStatement {
  /** Identifies the event among those of its format; short, without control characters. */
  key: string;
  /** Compared as text: the highest counts. */
  version: string;
  /** The office has taken the event out of its files. */
  isRemoved: boolean;
  /** It states nothing but the removal; the rest is as last stated. */
  isPartial: boolean;
  /** The same for every case. */
  event: RecordEvent;
  cases: NamedCase[];
}

export interface NamedCase {
  /** The part of supplements that leads to its record. */
  part: string;
  /** The case in the words of the statement; more than one if it is named in different words. */
  marks: NamedMark[];
}

/** Zeros say "none". A text that is not a number is kept as stated, but finds no case. */
export function readSerial(reading: Reading, node: XmlNode, path: string): string | null {
  const text = readText(reading, node, path);
  return text === null || /^0+$/.test(text) ? null : text;
}

/** Without its padding, which differs from file to file. */
export function readRegistration(reading: Reading, node: XmlNode, path: string): string | null {
  return parseRegistrationNumber(readText(reading, node, path));
}

/**
 * The cases of these marks, each once. A case is found by its serial number, or by its registration number if there is
 * no serial number. A mark that states neither raises an issue and is returned apart.
 */
export function groupByCase(
  reading: Reading,
  marks: readonly NamedMark[],
  path: string,
): { cases: NamedCase[]; unfindable: NamedMark[] } {
  const cases = new Map<string, NamedCase>();
  const unfindable: NamedMark[] = [];
  for (const mark of marks) {
    const part = findPart(mark);
    if (part === null) {
      raiseIssue(reading, 'unfindable_mark', path, JSON.stringify(mark));
      unfindable.push(mark);
      continue;
    }
    const known = cases.get(part);
    if (known === undefined) cases.set(part, { part, marks: [mark] });
    else if (!known.marks.some((each) => JSON.stringify(each) === JSON.stringify(mark))) known.marks.push(mark);
  }
  return { cases: [...cases.values()], unfindable };
}

function findPart({ number, registration_number }: NamedMark): string | null {
  const serial = parseSerialNumber(number ?? null);
  if (serial !== null) return markPart({ jurisdiction_code: REGISTER, uid: buildCaseUid(serial) });
  const isNumber = registration_number !== undefined && /^\d{1,13}$/.test(registration_number);
  return isNumber ? registrationPart({ jurisdiction_code: REGISTER, registration_number }) : null;
}

/** Older than any date. */
const UNDATED = '00000000';

/**
 * The version of a statement: the latest day that it states, then the day of its delivery, both `YYYYMMDD`. A date
 * after the delivery is a mistake or a plan, and orders nothing.
 */
export function orderEventVersion(happened: readonly (string | null)[], deliveredOn: string | null): string {
  const delivered = deliveredOn !== null && compactDate(deliveredOn) !== null ? deliveredOn : null;
  const days = happened.filter(
    (day): day is string => day !== null && compactDate(day) !== null && (delivered === null || day <= delivered),
  );
  const latest = days.reduce((a, b) => (a < b ? b : a), UNDATED);
  return `${latest}.${delivered ?? UNDATED}`;
}
