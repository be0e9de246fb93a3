/**
 * What the two formats of events share: the file around their entries, how a statement about one recorded assignment or
 * one proceeding of the board finds its cases, which of two statements about the same event is newer, and the rows in
 * which a statement is kept. A statement is never a record, and never a source of a record's own fields. One that names
 * hundreds of cases is kept once, with one short row for each case.
 */
import { createHash } from 'node:crypto';
import type { Issue } from '../../../record/document.ts';
import type { EventBody, MarksBody } from '../../../record/join-events.ts';
import { markPart, registrationPart } from '../../../record/supplements.ts';
import type { SupplementRow } from '../../kept/kept.ts';
import type { XmlNode } from '../../xml/xml-record.ts';
import { compactDate } from '../dates.ts';
import type { NamedMark, RecordEvent } from '../document.ts';
import { type Element, nodeText } from '../element.ts';
import type { Format } from '../format.ts';
import {
  buildCaseUid,
  OFFICE,
  parseRegistrationNumber,
  parseSerialNumber,
  readFileHeader,
} from '../uspto-apc/cases.ts';
import { openXmlFormat } from '../xml-records.ts';

/** The layout that is read, of both formats. */
const VERSION = '1.0';

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

interface NamedCase {
  /** The part of supplements that leads to its record. */
  part: string;
  /** The case in the words of the statement; more than one if it is named in different words. */
  marks: NamedMark[];
}

interface EventFormat {
  name: 'uspto-assignments' | 'uspto-ttab';
  title: string;
  root: string;
  /** The element around the entries. */
  envelope: string;
  entry: string;
  /** `deliveredOn`: the transaction date of the file, as written. Throws `UnreadableRecord`. */
  read(node: XmlNode, deliveredOn: string | null): { statement: EventStatement; issues: Issue[] };
}

export function openEventFormat({ name, title, root, envelope, entry, read }: EventFormat): Format {
  return openXmlFormat({
    name,
    title,
    register: OFFICE,
    roots: [root],
    envelope: [root, 'version', 'version-date', 'action-key-code', envelope],
    open(context) {
      let deliveredOn: string | null = null;
      return {
        elements: {
          ...readFileHeader(VERSION, context),
          'transaction-date'(node) {
            deliveredOn = nodeText(node);
            const day = compactDate(deliveredOn ?? '');
            if (day !== null) context.notePeriod?.(day);
          },
          [entry](node) {
            const { statement, issues } = read(node, deliveredOn);
            return { kind: 'supplement', rows: listRows(name, statement), issues };
          },
        },
      };
    },
  });
}

/** The statement itself, and a row for each case, which leads from the record to it. */
function listRows(kind: EventFormat['name'], statement: EventStatement): SupplementRow[] {
  const { key, version, event, cases, isRemoved, isPartial } = statement;
  const part = `${OFFICE} ${kind} ${key}`;
  const links = cases.map((named): SupplementRow => {
    const body: MarksBody = { marks: named.marks };
    return { kind, key: `${key} ${named.part}`, part: named.part, link: part, version, body };
  });
  const body: EventBody = {
    event: { ...event },
    named: digestNames(links.map((link) => link.part)),
    ...(isRemoved ? { removed: true } : {}),
    ...(isPartial ? { partial: true } : {}),
  };
  return [{ kind, key: isPartial ? `${key} removal` : key, part, link: null, version, body }, ...links];
}

/** Independent of the order of names. */
function digestNames(names: readonly string[]): string {
  return createHash('sha256')
    .update([...names].sort().join('\n'))
    .digest('base64url');
}

/** Zeros say "none". A text that is not a number is kept as stated, but finds no case. */
export const serial = (path: string) => (element: Element) => {
  const text = element.text(path);
  return text === null || /^0+$/.test(text) ? null : text;
};

/** Without its padding, which differs from file to file. */
export const registration = (path: string) => (element: Element) => parseRegistrationNumber(element.text(path));

/**
 * The cases of these marks, each once. A case is found by its serial number, or by its registration number if there is
 * no serial number. A mark that states neither raises an issue and is returned apart.
 */
export function groupByCase(
  root: Element,
  marks: readonly NamedMark[],
  path: string,
): { cases: NamedCase[]; unfindable: NamedMark[] } {
  const cases = new Map<string, NamedCase>();
  const unfindable: NamedMark[] = [];
  for (const mark of marks) {
    const part = findPart(mark);
    if (part === null) {
      root.raise('unfindable_mark', path, JSON.stringify(mark));
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
  const serialNumber = parseSerialNumber(number ?? null);
  if (serialNumber !== null) return markPart({ jurisdiction_code: OFFICE, uid: buildCaseUid(serialNumber) });
  const isNumber = registration_number !== undefined && /^\d{1,13}$/.test(registration_number);
  return isNumber ? registrationPart({ jurisdiction_code: OFFICE, registration_number }) : null;
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
