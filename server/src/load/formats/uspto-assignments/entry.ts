/**
 * One entry of the assignment files: an instrument recorded at a reel and frame, its parties and its marks. It becomes
 * an event of each of those marks. The owner of a record comes from the case itself, once the office has recorded the
 * assignment there.
 */
import type { Issue } from '../../../record/document.ts';
import { listChildren, type XmlNode } from '../../xml/xml-node.ts';
import {
  type EventParty,
  type EventPartyRole,
  type NamedMark,
  type PartyMember,
  type RecordEvent,
  type Statement,
  stated,
} from '../payload.ts';
import {
  compactDate,
  openReading,
  type Reading,
  raiseIssue,
  raiseUnread,
  readAttribute,
  readNode,
  readStatedDate,
  readText,
} from '../reading.ts';
import {
  type EventStatement,
  groupByCase,
  orderEventVersion,
  readRegistration,
  readSerial,
} from '../uspto-events/statement.ts';
import { UnreadableRecord } from '../xml-records.ts';

/** The format, as events name it. */
export const ASSIGNMENTS = 'uspto-assignments' as const;

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

/** `deliveredOn`: the transaction date of the file. Throws `UnreadableRecord` without a reel and a frame. */
export function readAssignment(
  node: XmlNode,
  deliveredOn: string | null,
): { statement: EventStatement; issues: Issue[] } {
  const reading = openReading(node);
  const number = readReelAndFrame(reading);
  const isRemoved = readPurge(reading);
  const marks = listChildren(node, 'properties/property').map((property) => readProperty(reading, property));
  const { cases, unfindable } = groupByCase(reading, marks, 'properties/property');
  const event = stated<RecordEvent>({
    kind: 'record',
    source: ASSIGNMENTS,
    type: 'assignment',
    text: readText(reading, node, 'assignment/conveyance-text'),
    date: readStatedDate(reading, node, 'assignment/date-recorded', compactDate),
    number,
    parties: [
      ...readParties(reading, 'assignor', 'assignors/assignor'),
      ...readParties(reading, 'assignee', 'assignees/assignee'),
      ...readParties(reading, 'correspondent', 'assignment/correspondent'),
    ],
    details: stated({
      page_count: readText(reading, node, 'assignment/page-count'),
      marks: marks.length === 0 ? null : marks.length,
      unfindable_marks: unfindable,
    }),
  });
  const isPartial = isRemoved && marks.length === 0 && (event.parties ?? []).every(isCorrespondent);
  if (marks.length === 0 && !isPartial) raiseIssue(reading, 'unfindable_mark', 'assignment-entry', number);
  const version = orderEventVersion([readText(reading, node, UPDATED)], deliveredOn);
  raiseUnread(reading);
  return { statement: { key: number, version, isRemoved, isPartial, event, cases }, issues: reading.issues };
}

const isCorrespondent = ({ role }: EventParty): boolean => role === 'correspondent';

/** Files pad both numbers differently; `1/0058` is how the office cites them. */
function readReelAndFrame(reading: Reading): string {
  const [reel, frame] = ['reel-no', 'frame-no'].map((name) => {
    const text = readText(reading, reading.root, `assignment/${name}`);
    if (text !== null && /^\d{1,12}$/.test(text)) return String(Number(text));
    throw new UnreadableRecord(
      text === null ? `assignment-entry has no ${name}` : `${name} must be digits, not ${JSON.stringify(text)}`,
    );
  });
  return `${reel}/${frame?.padStart(4, '0')}`;
}

function readPurge(reading: Reading): boolean {
  const path = 'assignment/purge-indicator';
  const purge = readText(reading, reading.root, path);
  if (purge !== 'Y' && purge !== 'N') raiseIssue(reading, 'unmapped_indicator', path, purge ?? '');
  return purge === 'Y';
}

function readProperty(reading: Reading, node: XmlNode): NamedMark {
  return stated<NamedMark>({
    number: readSerial(reading, node, 'serial-no') ?? readSerial(reading, node, 'serial-number'),
    registration_number:
      readRegistration(reading, node, 'registration-no') ?? readRegistration(reading, node, 'registration-number'),
    international_registration_number: readText(reading, node, 'intl-reg-no'),
    text: readText(reading, node, 'trademark-law-treaty-property/tlt-mark-name'),
    description: readText(reading, node, 'trademark-law-treaty-property/tlt-mark-description'),
  });
}

function readParties(reading: Reading, role: EventPartyRole, path: string): EventParty[] {
  return listChildren(reading.root, path).map((node) => {
    const read = (name: string): string | null => readText(reading, node, name);
    const name = read('person-or-organization-name') ?? read('name');
    return stated<EventParty>({
      role,
      names: name === null ? null : [{ text: name }],
      statements: Object.entries(NAME_STATEMENTS).flatMap(([code, element]): Statement[] => {
        const text = read(element);
        return text === null ? [] : [{ code, text }];
      }),
      members: readMembers(reading, node, `${NAME_STATEMENTS.composed_of}/sub-party`),
      entity: stated({ text: read('legal-entity-text') }),
      // A country in words, or a state of the United States.
      nationality: stated({ other: read('nationality') }),
      address: stated({
        lines: [1, 2, 3, 4].map((line) => read(`address-${line}`)).filter((line) => line !== null),
        city: read('city'),
        region: read('state'),
        postcode: read('postcode'),
        country: read('country-name'),
      }),
      execution_date: readStatedDate(reading, node, 'execution-date', compactDate),
      acknowledgment_date: readStatedDate(reading, node, 'date-acknowledged', compactDate),
    });
  });
}

function readMembers(reading: Reading, node: XmlNode, path: string): PartyMember[] {
  return listChildren(node, path).map((member) =>
    stated<PartyMember>({
      name: readText(reading, member, 'name'),
      entity: readCoded(reading, member, 'entity'),
      region: readCoded(reading, member, 'stctry'),
      members: readMembers(reading, member, 'composed-of/sub-party'),
    }),
  );
}

function readCoded(reading: Reading, node: XmlNode, path: string): { code?: string; text?: string } {
  const [coded] = listChildren(node, path);
  if (coded === undefined) return {};
  return stated({ code: readAttribute(reading, coded, 'code'), text: readNode(reading, coded) });
}
