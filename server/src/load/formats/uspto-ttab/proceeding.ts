/**
 * One proceeding of the Trademark Trial and Appeal Board: its parties with their marks, and what happened in it. It
 * becomes an event of each mark that a party brings in, which says whether the proceeding is about that mark or the
 * plaintiff relies on it. A proceeding does not change the status of a record: the case itself states the outcome.
 */
import type { Issue } from '../../../record/document.ts';
import { listChildren, type XmlNode } from '../../xml/xml-node.ts';
import { type EventParty, type NamedMark, type PartyName, type RecordEvent, stated } from '../payload.ts';
import {
  compactDate,
  openReading,
  type Reading,
  raiseIssue,
  raiseUnread,
  readStatedDate,
  readText,
} from '../reading.ts';
import { isZeros, parseSerialNumber } from '../uspto-apc/identity.ts';
import {
  type EventStatement,
  groupByCase,
  orderEventVersion,
  readRegistration,
  readSerial,
} from '../uspto-events/statement.ts';
import { UnreadableRecord } from '../xml-records.ts';
import { PARTY_ROLES, PROCEEDING_TYPES, type ProceedingType } from './types.ts';

/** The format, as events name it. */
export const TTAB = 'uspto-ttab' as const;

const HISTORY_PATH = 'prosecution-history/prosecution-entry';

/** Days on which something happened; due dates lie ahead. */
const HAPPENED_PATHS = ['filing-date', 'status-update-date', 'day-in-location', `${HISTORY_PATH}/date`] as const;

/** For a type that is not in the table: the roles of a proceeding without their meaning. */
const UNKNOWN_TYPE: ProceedingType = {
  kind: 'proceeding',
  text: null,
  plaintiff: 'named',
  defendant: 'named',
  isNumberedByCase: false,
};

/** `deliveredOn`: the transaction date of the file. Throws `UnreadableRecord` without a number. */
export function readProceeding(
  node: XmlNode,
  deliveredOn: string | null,
): { statement: EventStatement; issues: Issue[] } {
  const reading = openReading(node);
  const read = (path: string): string | null => readText(reading, node, path);
  const number = readNumber(reading);
  const code = read('type-code');
  const type = findType(reading, code);
  const parties = listChildren(node, 'party-information/party').map((party) =>
    readParty(reading, party, { type, number }),
  );
  parties.sort((a, b) => PARTY_ORDER.indexOf(a.role) - PARTY_ORDER.indexOf(b.role) || byIdentifier(a, b));
  const event = stated<RecordEvent>({
    kind: type.kind,
    source: TTAB,
    type: code,
    text: type.text,
    status: read('status-code'),
    status_date: readDay(reading, node, 'status-update-date'),
    date: readDay(reading, node, 'filing-date'),
    number,
    parties,
    history: readHistory(reading),
    details: stated({
      employee_number: read('employee-number'),
      interlocutory_attorney_name: read('interlocutory-attorney-name'),
      location_code: read('location-code'),
      location_date: readDay(reading, node, 'day-in-location'),
      charged_location_code: read('charge-to-location-code'),
      charged_employee_name: read('charge-to-employee-name'),
    }),
  });
  const marks = listMarks(type, number, parties);
  const { cases } = groupByCase(reading, marks, 'party-information/party');
  // Nothing would show the proceeding to anyone.
  if (marks.length === 0) raiseIssue(reading, 'unfindable_mark', 'proceeding-entry/number', number);
  const happened = HAPPENED_PATHS.flatMap((path) => listChildren(node, path).map(({ text }) => text.trim()));
  raiseUnread(reading);
  const version = orderEventVersion(happened, deliveredOn);
  // An appeal and an extension of time about one case have the same number.
  const key = `${code ?? 'untyped'} ${number}`;
  return { statement: { key, version, isRemoved: false, isPartial: false, event, cases }, issues: reading.issues };
}

function readNumber(reading: Reading): string {
  const text = readText(reading, reading.root, 'number');
  if (text === null) throw new UnreadableRecord('proceeding-entry has no number');
  if (!/^\d{1,13}$/.test(text)) throw new UnreadableRecord(`number must be digits, not ${JSON.stringify(text)}`);
  if (isZeros(text)) throw new UnreadableRecord(`number ${text} is zeros, which say that there is no number`);
  return text;
}

/** Throws `UnreadableRecord` for a text that is not a code: it could not identify the proceeding. */
function findType(reading: Reading, code: string | null): ProceedingType {
  if (code !== null && !/^[\w-]{1,20}$/.test(code)) {
    throw new UnreadableRecord(`type-code must be a short code, not ${JSON.stringify(code.slice(0, 100))}`);
  }
  const type = code !== null && Object.hasOwn(PROCEEDING_TYPES, code) ? PROCEEDING_TYPES[code] : undefined;
  if (type === undefined) raiseIssue(reading, 'unmapped_proceeding', 'type-code', code ?? '');
  return type ?? UNKNOWN_TYPE;
}

const readDay = (reading: Reading, node: XmlNode, path: string): string | null =>
  readStatedDate(reading, node, path, compactDate);

const PARTY_ORDER: readonly EventParty['role'][] = ['plaintiff', 'defendant', 'other'];

/** Deliveries may list the same things in another order. Entries without a number stay in the stated order. */
function byIdentifier(a: { identifier?: string }, b: { identifier?: string }): number {
  return Number(a.identifier) - Number(b.identifier) || 0;
}

function readParty(
  reading: Reading,
  node: XmlNode,
  { type, number }: { type: ProceedingType; number: string },
): EventParty {
  const code = readText(reading, node, 'role-code');
  const role = code !== null && Object.hasOwn(PARTY_ROLES, code) ? PARTY_ROLES[code] : undefined;
  if (role === undefined) raiseIssue(reading, 'unmapped_party_type', 'party-information/party/role-code', code ?? '');
  const sideRole = role === undefined ? 'named' : type[role];
  const marks = listChildren(node, 'property-information/property').map((property): NamedMark => {
    const mark = readMark(reading, property);
    return { role: type.isNumberedByCase && mark.number === number ? 'subject' : sideRole, ...mark };
  });
  const contacts = listChildren(node, 'address-information/proceeding-address').map((contact) =>
    readContact(reading, contact),
  );
  return stated<EventParty>({
    role: role ?? 'other',
    office_role: code,
    identifier: readText(reading, node, 'identifier'),
    names: readNames(reading, node),
    marks: marks.sort(byIdentifier),
    contacts: contacts.sort(byIdentifier),
  });
}

function readNames(reading: Reading, node: XmlNode): PartyName[] {
  const name = readText(reading, node, 'name');
  const organization = readText(reading, node, 'orgname');
  return [
    ...(name === null ? [] : [{ text: name }]),
    ...(organization === null ? [] : [{ text: organization, kind: 'organization' as const }]),
  ];
}

function readMark(reading: Reading, node: XmlNode): NamedMark {
  return stated<NamedMark>({
    identifier: readText(reading, node, 'identifier'),
    number: readSerial(reading, node, 'serial-number'),
    registration_number: readRegistration(reading, node, 'registration-number'),
    text: readText(reading, node, 'mark-text'),
    // Expungements and reexaminations by the office itself, named with some marks.
    details: listChildren(node, 'tma-proceeding').map((tma) =>
      stated({
        proceeding_number: readText(reading, tma, 'proceeding-number'),
        proceeding_type_code: readText(reading, tma, 'proceeding-type-code'),
      }),
    ),
  });
}

function readContact(reading: Reading, node: XmlNode): EventParty {
  const read = (path: string): string | null => readText(reading, node, path);
  const line = read('address-1');
  return stated<EventParty>({
    role: 'correspondent',
    office_role: read('type-code'),
    identifier: read('identifier'),
    names: readNames(reading, node),
    address: stated({
      lines: line === null ? null : [line],
      city: read('city'),
      region: read('state'),
      postcode: read('postcode'),
      country: read('country'),
    }),
  });
}

/** All of it, newest first; the order of a file is not the office's. */
function readHistory(reading: Reading): RecordEvent[] {
  const entries = listChildren(reading.root, HISTORY_PATH).map((node) => {
    const due = readDay(reading, node, 'due-date');
    return stated<RecordEvent>({
      kind: 'history',
      code: readText(reading, node, 'code'),
      type: readText(reading, node, 'type-code'),
      text: readText(reading, node, 'history-text'),
      date: readDay(reading, node, 'date'),
      number: readText(reading, node, 'identifier'),
      details: stated({ due_date: due }),
    });
  });
  return entries.sort(
    (a, b) => compareTexts(b.date ?? '', a.date ?? '') || Number(b.number ?? 0) - Number(a.number ?? 0) || 0,
  );
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The marks of all parties, and the case that the number itself names, if no party does. */
function listMarks(type: ProceedingType, number: string, parties: readonly EventParty[]): NamedMark[] {
  const marks = parties.flatMap((party) => party.marks ?? []);
  const isNamed = !type.isNumberedByCase || marks.some((mark) => mark.number === number);
  return isNamed || parseSerialNumber(number) === null ? marks : [...marks, { role: 'subject', number }];
}
