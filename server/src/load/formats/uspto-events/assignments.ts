/**
 * USPTO assignment files, daily ones and the file of all years alike. An entry is an instrument recorded at a reel and
 * frame, with its parties and its marks. It becomes an event of each of those marks. The owner of a record comes from
 * the case itself, once the office has recorded the assignment there.
 */
import type { Issue } from '../../../record/document.ts';
import type { XmlNode } from '../../xml/xml-record.ts';
import { compactDate } from '../dates.ts';
import {
  type Address,
  type EventParty,
  type EventPartyRole,
  type NamedMark,
  type PartyMember,
  type RecordEvent,
  stated,
} from '../document.ts';
import { day, type Element, type Mapping, openElement } from '../element.ts';
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
const ASSIGNMENTS = 'uspto-assignments';

export const usptoAssignmentsFormat = openEventFormat({
  name: ASSIGNMENTS,
  title: 'USPTO assignment XML',
  root: 'trademark-assignments',
  envelope: 'assignment-information',
  entry: 'assignment-entry',
  read: readAssignment,
});

/**
 * Orders the versions and is not part of the event: the file of all years gives every entry the day on which it was
 * written, and nothing else changes.
 */
const UPDATED = 'assignment/last-update-date';

/** Texts of a party that belong to its name, by the code under which they are kept. */
const NAME_STATEMENTS = {
  formerly: 'formerly-statement',
  trading_as: 'dba-aka-ta-statement',
  composed_of: 'composed-of-statement',
} as const;

const PROPERTY: Mapping<NamedMark> = {
  number: (property) => serial('serial-no')(property) ?? serial('serial-number')(property),
  registration_number: (property) =>
    registration('registration-no')(property) ?? registration('registration-number')(property),
  international_registration_number: 'intl-reg-no',
  text: 'trademark-law-treaty-property/tlt-mark-name',
  description: 'trademark-law-treaty-property/tlt-mark-description',
};

const PARTY: Mapping<Partial<EventParty>> = {
  names(party) {
    const name = party.first(['person-or-organization-name', 'name']);
    return name === null ? null : [{ text: name }];
  },
  statements: (party) =>
    Object.entries(NAME_STATEMENTS).flatMap(([code, element]) => {
      const text = party.text(element);
      return text === null ? [] : [{ code, text }];
    }),
  members: (party) => party.mapAll(`${NAME_STATEMENTS.composed_of}/sub-party`, MEMBER),
  entity: (party) => party.map<NonNullable<EventParty['entity']>>({ text: 'legal-entity-text' }),
  // A country in words, or a state of the United States.
  nationality: (party) => party.map<NonNullable<EventParty['nationality']>>({ other: 'nationality' }),
  address: (party) =>
    party.map<Address>({
      lines: () => [1, 2, 3, 4].flatMap((line) => party.text(`address-${line}`) ?? []),
      city: 'city',
      region: 'state',
      postcode: 'postcode',
      country: 'country-name',
    }),
  execution_date: day('execution-date'),
  acknowledgment_date: day('date-acknowledged'),
};

const MEMBER: Mapping<PartyMember> = {
  name: 'name',
  entity: coded('entity'),
  region: coded('stctry'),
  members: (member) => member.mapAll('composed-of/sub-party', MEMBER),
};

/** `deliveredOn`: the transaction date of the file. Throws `UnreadableRecord` without a reel and a frame. */
function readAssignment(node: XmlNode, deliveredOn: string | null): { statement: EventStatement; issues: Issue[] } {
  const root = openElement(node, compactDate);
  const number = readReelAndFrame(root);
  const isRemoved = readPurge(root);
  const marks = root.mapAll('properties/property', PROPERTY);
  const { cases, unfindable } = groupByCase(root, marks, 'properties/property');
  const event = stated<RecordEvent>({
    kind: 'record',
    source: ASSIGNMENTS,
    type: 'assignment',
    text: root.text('assignment/conveyance-text'),
    date: root.statedDay('assignment/date-recorded'),
    number,
    parties: [
      ...readParties(root, 'assignor', 'assignors/assignor'),
      ...readParties(root, 'assignee', 'assignees/assignee'),
      ...readParties(root, 'correspondent', 'assignment/correspondent'),
    ],
    details: stated({
      page_count: root.text('assignment/page-count'),
      marks: marks.length === 0 ? null : marks.length,
      unfindable_marks: unfindable,
    }),
  });
  const isPartial = isRemoved && marks.length === 0 && (event.parties ?? []).every(isCorrespondent);
  if (marks.length === 0 && !isPartial) root.raise('unfindable_mark', 'assignment-entry', number);
  const version = orderEventVersion([root.text(UPDATED)], deliveredOn);
  root.raiseUnread();
  return { statement: { key: number, version, isRemoved, isPartial, event, cases }, issues: root.issues };
}

const isCorrespondent = ({ role }: EventParty): boolean => role === 'correspondent';

/** Files pad both numbers differently; `1/0058` is how the office cites them. */
function readReelAndFrame(root: Element): string {
  const [reel, frame] = ['reel-no', 'frame-no'].map((name) => {
    const text = root.text(`assignment/${name}`);
    if (text !== null && /^\d{1,12}$/.test(text)) return String(Number(text));
    throw new UnreadableRecord(
      text === null ? `assignment-entry has no ${name}` : `${name} must be digits, not ${JSON.stringify(text)}`,
    );
  });
  return `${reel}/${frame?.padStart(4, '0')}`;
}

function readPurge(root: Element): boolean {
  const path = 'assignment/purge-indicator';
  const purge = root.text(path);
  if (purge !== 'Y' && purge !== 'N') root.raise('unmapped_indicator', path, purge ?? '');
  return purge === 'Y';
}

function readParties(root: Element, role: EventPartyRole, path: string): EventParty[] {
  return root.list(path).map((party) => ({ role, ...party.map(PARTY) }));
}

function coded(path: string): (element: Element) => { code?: string; text?: string } {
  return (element) =>
    element.find(path)?.map({ code: (each) => each.attribute('code'), text: (each) => each.own() }) ?? {};
}
