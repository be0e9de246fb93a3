/**
 * Events of a mark (history, recordals, assignments and proceedings) and the marks it is related to. Inside proceedings
 * the same element names refer to other marks and parties, so the rest of each is kept unchanged.
 */
import { listChildren, type XmlNode } from '../../xml/xml-node.ts';
import { newestFirst } from '../history.ts';
import { type RecordEvent, type RelatedMark, stated } from '../payload.ts';
import { type Reading, raiseIssue, readAttribute, readNode, readRest, readStatedDate, readText } from '../reading.ts';
import { foldValue } from '../st66/dialect.ts';
import type { St96Dialect } from './dialect.ts';
import { readProceedingParties } from './parties.ts';
import { statedDate } from './reading.ts';

interface EventSource {
  path: string;
  kind: RecordEvent['kind'];
  type?: string;
  /** Paths of the number; the first stated one counts. */
  number: readonly string[];
  date: readonly string[];
  code?: string;
  text?: string;
  status?: readonly string[];
}

const NATIONAL = 'NationalMarkEvent';

const EVENT_SOURCES: readonly EventSource[] = [
  {
    path: 'MarkEventBag/MarkEvent',
    kind: 'history',
    type: 'MarkEventCategory',
    code: `${NATIONAL}/MarkEventCode`,
    text: `${NATIONAL}/MarkEventDescriptionText`,
    number: [`${NATIONAL}/MarkEventEntryNumber`],
    date: ['MarkEventDate', 'MarkEventDateTime'],
  },
  {
    path: 'AssignmentBag/Assignment',
    kind: 'record',
    type: 'AssignmentGroupCategory',
    text: 'AssignmentConveyanceCategory',
    number: ['AssignmentIdentifier'],
    date: ['AssignmentRecordedDate'],
  },
  {
    path: 'MarkRecordBag/MarkRecord',
    kind: 'record',
    type: 'BasicRecord/BasicRecordCategory',
    number: ['BasicRecord/RecordIdentifier'],
    date: ['BasicRecord/RecordDate', 'BasicRecord/RecordCurrentStatusDate'],
    status: ['BasicRecord/RecordCurrentStatusCategory'],
  },
  {
    path: 'OppositionBag/Opposition',
    kind: 'opposition',
    number: ['OppositionIdentifier'],
    date: ['OppositionDate'],
    text: 'OppositionGroundText',
    status: ['OppositionCurrentStatusCategory'],
  },
];

/** Kinds of proceedings by the beginning of the element's name; any other name is its own kind of proceeding. */
const PROCEEDING_KINDS: readonly (readonly [beginning: string, kind: RecordEvent['kind']])[] = [
  ['Opposition', 'opposition'],
  ['Cancellation', 'cancellation'],
  ['Appeal', 'appeal'],
  ['ExParteAppeal', 'appeal'],
];

const PROCEEDING = {
  path: 'LegalProceedingsBag/LegalProceedings',
  number: ['OppositionIdentifier', 'LegalProceedingIdentifier'],
  date: ['OppositionDate', 'LegalProceedingFilingDate'],
  status: [
    'ProceedingStatus/NationalStatusExternalDescriptionText',
    'ProceedingStatus/NationalStatusInternalDescriptionText',
    'OppositionCurrentStatusCategory',
    'ProceedingStatus/NationalStatusCategory',
  ],
  statusDate: 'ProceedingStatus/NationalStatusDate',
} as const;

export function readEvents(reading: Reading, dialect: St96Dialect): RecordEvent[] {
  const events = EVENT_SOURCES.flatMap((source) =>
    listChildren(reading.root, source.path).map((node) => readEvent(reading, node, source)),
  );
  const kinds = [...new Set(events.map(({ kind }) => kind))];
  const sorted = kinds.flatMap((kind) => newestFirst(events.filter((event) => event.kind === kind)));
  return [...sorted, ...readProceedings(reading, dialect)];
}

function readEvent(reading: Reading, node: XmlNode, source: EventSource): RecordEvent {
  const read = (path: string | undefined): string | null => (path === undefined ? null : readText(reading, node, path));
  return stated<RecordEvent>({
    kind: source.kind,
    type: read(source.type),
    code: read(source.code),
    text: read(source.text),
    status: readFirst(reading, node, source.status ?? []),
    number: readFirst(reading, node, source.number),
    date: readFirstDate(reading, node, source.date),
    details: readRest(reading, node),
  });
}

function readProceedings(reading: Reading, dialect: St96Dialect): RecordEvent[] {
  return listChildren(reading.root, PROCEEDING.path)
    .flatMap(({ children }) => children)
    .map((node) => {
      const kind = PROCEEDING_KINDS.find(([beginning]) => node.name.startsWith(beginning))?.[1] ?? 'proceeding';
      const parties = readProceedingParties(reading, dialect, node);
      const status_date = readStatedDate(reading, node, PROCEEDING.statusDate, statedDate);
      const event = readEvent(reading, node, { ...PROCEEDING, kind });
      return stated<RecordEvent>({ ...event, type: node.name, status_date, parties });
    });
}

/** The first stated text. Later paths are not read, so their texts are kept with the rest. */
function readFirst(reading: Reading, node: XmlNode, paths: readonly string[]): string | null {
  for (const path of paths) {
    const text = readText(reading, node, path);
    if (text !== null) return text;
  }
  return null;
}

function readFirstDate(reading: Reading, node: XmlNode, paths: readonly string[]): string | null {
  for (const path of paths) {
    const date = readStatedDate(reading, node, path, statedDate);
    if (date !== null) return date;
  }
  return null;
}

/** Operations that a file requests for a record. Each file states the whole record, so only a removal matters. */
const OPERATIONS: ReadonlySet<string> = new Set(['create', 'insert', 'update', 'select']);

export function readRemoval(reading: Reading): RecordEvent | null {
  const operation = readAttribute(reading, reading.root, 'operationCategory');
  if (operation === null || OPERATIONS.has(foldValue(operation))) return null;
  if (foldValue(operation) === 'delete') return { kind: 'removal', code: operation };
  raiseIssue(reading, 'unmapped_operation', 'Trademark@operationCategory', operation);
  return null;
}

const RELATED_PATHS: readonly (readonly [path: string, relationship: string])[] = [
  ['AssociatedMarkBag/AssociatedMark', 'associated'],
  ['NationalAssociatedMarkBag/NationalAssociatedMark', 'associated'],
  ['NationalTrademarkInformation/NationalAssociatedMarkBag/NationalAssociatedMark', 'associated'],
  ['PreviousRegistrationBag/PreviousRegistration', 'previous registration'],
  ['DivisionalApplicationBag/DivisionalApplication', 'division of'],
  // An older edition states the one number in the bag itself; nothing is left there otherwise.
  ['DivisionalApplicationBag', 'division of'],
  ['SeniorityBag/Seniority', 'seniority'],
];

/** The names of number elements begin differently for each relation, so `readNumberNamed` goes by their endings. */
export function readRelatedMarks(reading: Reading, dialect: St96Dialect): RelatedMark[] {
  return RELATED_PATHS.flatMap(([path, relationship]) =>
    listChildren(reading.root, path).map((node) => readRelatedMark(reading, dialect, node, relationship)),
  ).filter((related) => Object.keys(related).length > 1);
}

function readRelatedMark(reading: Reading, dialect: St96Dialect, node: XmlNode, relationship: string): RelatedMark {
  return stated<RelatedMark>({
    relationship: readText(reading, node, 'AssociationCategory') ?? relationship,
    number: readNumberNamed(reading, dialect, node, 'ApplicationNumber'),
    registration_number: readNumberNamed(reading, dialect, node, 'RegistrationNumber'),
    country: readFirst(reading, node, ['RegistrationOfficeCode', 'SeniorityCountryCode']),
    date: readFirstDate(reading, node, ['InitialApplicationDate', 'PreviousRegistrationDate', 'SeniorityFilingDate']),
    details: readRest(reading, node),
  });
}

/** The first stated number, an ST.13 number in the office's own form; later numbers are kept with the rest. */
function readNumberNamed(reading: Reading, dialect: St96Dialect, node: XmlNode, ending: string): string | null {
  for (const child of node.children.filter(({ name }) => name.endsWith(ending))) {
    const st13 = readText(reading, child, 'ST13ApplicationNumber');
    if (st13 !== null) return dialect.parseNumber({ text: null, st13 }) ?? st13;
    const number = readText(reading, child, 'ApplicationNumberText') ?? readNode(reading, child);
    if (number !== null) return number;
  }
  return null;
}
