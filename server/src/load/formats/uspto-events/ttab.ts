/**
 * Files of the USPTO's Trademark Trial and Appeal Board, daily ones and the file of all years alike. An entry is one
 * proceeding: its parties with their marks, and what happened in it. It becomes an event of each mark that a party
 * brings in, which says whether the proceeding is about that mark or the plaintiff relies on it. A proceeding does not
 * change the status of a record: the case itself states the outcome.
 */
import type { Issue } from '../../../record/document.ts';
import type { XmlNode } from '../../xml/xml-record.ts';
import { compactDate } from '../dates.ts';
import {
  type Address,
  type EventParty,
  type EventPartyRole,
  type MarkRole,
  type NamedMark,
  type PartyName,
  type RecordEvent,
  stated,
} from '../document.ts';
import { day, type Element, listed, type Mapping, openElement } from '../element.ts';
import { lookUp } from '../meanings.ts';
import { isZeros, parseSerialNumber } from '../uspto-apc/cases.ts';
import { UnreadableRecord } from '../xml-records.ts';
import {
  type EventStatement,
  groupByCase,
  openEventFormat,
  orderEventVersion,
  registration,
  serial,
} from './event-format.ts';

/** The format, as events name it. */
const TTAB = 'uspto-ttab';

export const usptoTtabFormat = openEventFormat({
  name: TTAB,
  title: 'USPTO TTAB proceedings XML',
  root: 'ttab-proceedings',
  envelope: 'proceeding-information',
  entry: 'proceeding-entry',
  read: readProceeding,
});

interface ProceedingType {
  kind: RecordEvent['kind'];
  text: string | null;
  /** The role of the marks of each side in the proceeding. */
  plaintiff: MarkRole;
  defendant: MarkRole;
  /** The number of the proceeding is the serial number of the case it is about. */
  isNumberedByCase?: true;
}

const INTER_PARTES = { plaintiff: 'relied_upon', defendant: 'subject' } as const;
const NAMED = { kind: 'proceeding', plaintiff: 'named', defendant: 'named' } as const;

/** The types of the board, as far as their meaning is known. */
const TYPES: Readonly<Record<string, ProceedingType>> = {
  OPP: { kind: 'opposition', text: 'Opposition', ...INTER_PARTES },
  CAN: { kind: 'cancellation', text: 'Cancellation', ...INTER_PARTES },
  EXA: { kind: 'appeal', text: 'Ex Parte Appeal', plaintiff: 'subject', defendant: 'subject', isNumberedByCase: true },
  EXT: { kind: 'opposition', text: 'Extension of Time', ...INTER_PARTES, isNumberedByCase: true },
  CNU: { ...NAMED, text: 'Concurrent Use' },
};

/** For a type that is not in the table: the roles of a proceeding without their meaning. */
const UNKNOWN_TYPE: ProceedingType = { ...NAMED, text: null };

const PARTY_ROLES: Readonly<Record<string, EventPartyRole & ('plaintiff' | 'defendant')>> = {
  P: 'plaintiff',
  D: 'defendant',
};

const HISTORY_PATH = 'prosecution-history/prosecution-entry';

/** Days on which something happened; due dates lie ahead. */
const HAPPENED_PATHS = ['filing-date', 'status-update-date', 'day-in-location', `${HISTORY_PATH}/date`] as const;

const MARK: Mapping<NamedMark> = {
  identifier: 'identifier',
  number: serial('serial-number'),
  registration_number: registration('registration-number'),
  text: 'mark-text',
  // Expungements and reexaminations by the office itself, named with some marks.
  details: (mark) =>
    mark.mapAll('tma-proceeding', {
      proceeding_number: 'proceeding-number',
      proceeding_type_code: 'proceeding-type-code',
    }),
};

const CONTACT: Mapping<EventParty> = {
  role: () => 'correspondent',
  office_role: 'type-code',
  identifier: 'identifier',
  names: readNames,
  address: (contact) =>
    contact.map<Address>({
      lines: listed('address-1'),
      city: 'city',
      region: 'state',
      postcode: 'postcode',
      country: 'country',
    }),
};

const HISTORY: Mapping<RecordEvent> = {
  kind: () => 'history',
  code: 'code',
  type: 'type-code',
  text: 'history-text',
  date: day('date'),
  number: 'identifier',
  details: (entry) => entry.map({ due_date: day('due-date') }),
};

/** `deliveredOn`: the transaction date of the file. Throws `UnreadableRecord` without a number. */
function readProceeding(node: XmlNode, deliveredOn: string | null): { statement: EventStatement; issues: Issue[] } {
  const root = openElement(node, compactDate);
  const number = readNumber(root);
  const code = root.text('type-code');
  const type = findType(root, code);
  const parties = root.list('party-information/party').map((party) => readParty(party, type, number));
  parties.sort((a, b) => PARTY_ORDER.indexOf(a.role) - PARTY_ORDER.indexOf(b.role) || byIdentifier(a, b));
  const event = stated<RecordEvent>({
    kind: type.kind,
    source: TTAB,
    type: code,
    text: type.text,
    status: root.text('status-code'),
    status_date: root.statedDay('status-update-date'),
    date: root.statedDay('filing-date'),
    number,
    parties,
    history: readHistory(root),
    details: root.map({
      employee_number: 'employee-number',
      interlocutory_attorney_name: 'interlocutory-attorney-name',
      location_code: 'location-code',
      location_date: day('day-in-location'),
      charged_location_code: 'charge-to-location-code',
      charged_employee_name: 'charge-to-employee-name',
    }),
  });
  const marks = listMarks(type, number, parties);
  const { cases } = groupByCase(root, marks, 'party-information/party');
  // Nothing would show the proceeding to anyone.
  if (marks.length === 0) root.raise('unfindable_mark', 'proceeding-entry/number', number);
  const happened = HAPPENED_PATHS.flatMap((path) => root.list(path).map((each) => each.node.text.trim()));
  root.raiseUnread();
  const version = orderEventVersion(happened, deliveredOn);
  // An appeal and an extension of time about one case have the same number.
  const key = `${code ?? 'untyped'} ${number}`;
  return { statement: { key, version, isRemoved: false, isPartial: false, event, cases }, issues: root.issues };
}

function readNumber(root: Element): string {
  const text = root.text('number');
  if (text === null) throw new UnreadableRecord('proceeding-entry has no number');
  if (!/^\d{1,13}$/.test(text)) throw new UnreadableRecord(`number must be digits, not ${JSON.stringify(text)}`);
  if (isZeros(text)) throw new UnreadableRecord(`number ${text} is zeros, which say that there is no number`);
  return text;
}

/** Throws `UnreadableRecord` for a text that is not a code: it could not identify the proceeding. */
function findType(root: Element, code: string | null): ProceedingType {
  if (code !== null && !/^[\w-]{1,20}$/.test(code)) {
    throw new UnreadableRecord(`type-code must be a short code, not ${JSON.stringify(code.slice(0, 100))}`);
  }
  const type = lookUp(TYPES, code);
  if (type === undefined) root.raise('unmapped_proceeding', 'type-code', code ?? '');
  return type ?? UNKNOWN_TYPE;
}

const PARTY_ORDER: readonly EventParty['role'][] = ['plaintiff', 'defendant', 'other'];

/** Deliveries may list the same things in another order. Entries without a number stay in the stated order. */
function byIdentifier(a: { identifier?: string }, b: { identifier?: string }): number {
  return Number(a.identifier) - Number(b.identifier) || 0;
}

function readParty(party: Element, type: ProceedingType, number: string): EventParty {
  const code = party.text('role-code');
  const role = lookUp(PARTY_ROLES, code);
  if (role === undefined) party.raise('unmapped_party_type', 'party-information/party/role-code', code ?? '');
  const sideRole = role === undefined ? 'named' : type[role];
  const marks = party.mapAll('property-information/property', MARK).map((mark): NamedMark => {
    return { role: type.isNumberedByCase && mark.number === number ? 'subject' : sideRole, ...mark };
  });
  const contacts = party.mapAll('address-information/proceeding-address', CONTACT);
  return stated<EventParty>({
    role: role ?? 'other',
    office_role: code,
    identifier: party.text('identifier'),
    names: readNames(party),
    marks: marks.sort(byIdentifier),
    contacts: contacts.sort(byIdentifier),
  });
}

function readNames(party: Element): PartyName[] {
  const name = party.text('name');
  const organization = party.text('orgname');
  return [
    ...(name === null ? [] : [{ text: name }]),
    ...(organization === null ? [] : [{ text: organization, kind: 'organization' as const }]),
  ];
}

/** All of it, newest first; the order of a file is not the office's. */
function readHistory(root: Element): RecordEvent[] {
  return root
    .mapAll(HISTORY_PATH, HISTORY)
    .sort((a, b) => compareTexts(b.date ?? '', a.date ?? '') || Number(b.number ?? 0) - Number(a.number ?? 0) || 0);
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The marks of all parties, and the case that the number itself names, if no party does. */
function listMarks(type: ProceedingType, number: string, parties: readonly EventParty[]): NamedMark[] {
  const marks = parties.flatMap((party) => party.marks ?? []);
  const isNamed = type.isNumberedByCase !== true || marks.some((mark) => mark.number === number);
  return isNamed || parseSerialNumber(number) === null ? marks : [...marks, { role: 'subject', number }];
}
