/**
 * Events of a mark (history, recordals, assignments and proceedings) and the marks it is related to. Inside proceedings
 * the same element names refer to other marks and parties, so the rest of each is kept unchanged.
 */
import { newestFirst, type RecordEvent, type RelatedMark, stated } from '../document.ts';
import { day, type Element, type Mapping, rest } from '../element.ts';
import { foldValue } from '../meanings.ts';
import type { St96Dialect } from './dialects.ts';
import { readProceedingParties } from './parties.ts';

const NATIONAL = 'NationalMarkEvent';

/** By the path of each event. */
const EVENTS: Readonly<Record<string, Mapping<RecordEvent>>> = {
  'MarkEventBag/MarkEvent': {
    kind: () => 'history',
    type: 'MarkEventCategory',
    code: `${NATIONAL}/MarkEventCode`,
    text: `${NATIONAL}/MarkEventDescriptionText`,
    number: `${NATIONAL}/MarkEventEntryNumber`,
    date: (event) => event.firstDay(['MarkEventDate', 'MarkEventDateTime']),
    details: rest,
  },
  'AssignmentBag/Assignment': {
    kind: () => 'record',
    type: 'AssignmentGroupCategory',
    text: 'AssignmentConveyanceCategory',
    number: 'AssignmentIdentifier',
    date: day('AssignmentRecordedDate'),
    details: rest,
  },
  'MarkRecordBag/MarkRecord': {
    kind: () => 'record',
    type: 'BasicRecord/BasicRecordCategory',
    status: 'BasicRecord/RecordCurrentStatusCategory',
    number: 'BasicRecord/RecordIdentifier',
    date: (event) => event.firstDay(['BasicRecord/RecordDate', 'BasicRecord/RecordCurrentStatusDate']),
    details: rest,
  },
  'OppositionBag/Opposition': {
    kind: () => 'opposition',
    text: 'OppositionGroundText',
    status: 'OppositionCurrentStatusCategory',
    number: 'OppositionIdentifier',
    date: day('OppositionDate'),
    details: rest,
  },
};

/** Kinds of proceedings by the beginning of the element's name; any other name is its own kind of proceeding. */
const PROCEEDING_KINDS: readonly (readonly [beginning: string, kind: RecordEvent['kind']])[] = [
  ['Opposition', 'opposition'],
  ['Cancellation', 'cancellation'],
  ['Appeal', 'appeal'],
  ['ExParteAppeal', 'appeal'],
];

const PROCEEDING: Mapping<RecordEvent> = {
  kind: ({ name }) => PROCEEDING_KINDS.find(([beginning]) => name.startsWith(beginning))?.[1] ?? 'proceeding',
  status: (proceeding) =>
    proceeding.first([
      'ProceedingStatus/NationalStatusExternalDescriptionText',
      'ProceedingStatus/NationalStatusInternalDescriptionText',
      'OppositionCurrentStatusCategory',
      'ProceedingStatus/NationalStatusCategory',
    ]),
  number: (proceeding) => proceeding.first(['OppositionIdentifier', 'LegalProceedingIdentifier']),
  date: (proceeding) => proceeding.firstDay(['OppositionDate', 'LegalProceedingFilingDate']),
  details: rest,
};

export function readEvents(mark: Element, dialect: St96Dialect): RecordEvent[] {
  const events = Object.entries(EVENTS).flatMap(([path, mapping]) => mark.mapAll(path, mapping));
  const kinds = [...new Set(events.map(({ kind }) => kind))];
  const sorted = kinds.flatMap((kind) => newestFirst(events.filter((event) => event.kind === kind)));
  return [...sorted, ...readProceedings(mark, dialect)];
}

function readProceedings(mark: Element, dialect: St96Dialect): RecordEvent[] {
  const proceedings = mark.list('LegalProceedingsBag/LegalProceedings').flatMap(({ children }) => children);
  return proceedings.map((proceeding) => {
    const parties = readProceedingParties(proceeding, dialect);
    const status_date = proceeding.statedDay('ProceedingStatus/NationalStatusDate');
    return stated<RecordEvent>({ ...proceeding.map(PROCEEDING), type: proceeding.name, status_date, parties });
  });
}

/** Operations that a file requests for a record. Each file states the whole record, so only a removal matters. */
const OPERATIONS: ReadonlySet<string> = new Set(['create', 'insert', 'update', 'select']);

export function readRemoval(mark: Element): RecordEvent | null {
  const operation = mark.attribute('operationCategory');
  if (operation === null || OPERATIONS.has(foldValue(operation))) return null;
  if (foldValue(operation) === 'delete') return { kind: 'removal', code: operation };
  mark.raise('unmapped_operation', 'Trademark@operationCategory', operation);
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
export function readRelatedMarks(mark: Element, dialect: St96Dialect): RelatedMark[] {
  return RELATED_PATHS.flatMap(([path, relationship]) =>
    mark.mapAll<RelatedMark>(path, {
      relationship: (related) => related.text('AssociationCategory') ?? relationship,
      number: (related) => readNumberNamed(related, dialect, 'ApplicationNumber'),
      registration_number: (related) => readNumberNamed(related, dialect, 'RegistrationNumber'),
      country: (related) => related.first(['RegistrationOfficeCode', 'SeniorityCountryCode']),
      date: (related) =>
        related.firstDay(['InitialApplicationDate', 'PreviousRegistrationDate', 'SeniorityFilingDate']),
      details: rest,
    }),
  ).filter((related) => Object.keys(related).length > 1);
}

/** The first stated number, an ST.13 number in the office's own form; later numbers are kept with the rest. */
function readNumberNamed(related: Element, dialect: St96Dialect, ending: string): string | null {
  for (const child of related.children.filter(({ name }) => name.endsWith(ending))) {
    const st13 = child.text('ST13ApplicationNumber');
    if (st13 !== null) return dialect.parseNumber({ text: null, st13 }) ?? st13;
    const number = child.text('ApplicationNumberText') ?? child.own();
    if (number !== null) return number;
  }
  return null;
}
