/**
 * Events of a mark (recordals, oppositions, cancellations, appeals) and the marks it claims or comes from. These
 * elements repeat the element names of the mark itself for other marks and parties, so each is read by its own paths
 * and the rest is kept unchanged. Appeals and relations may also be next to the mark in its transaction.
 */
import type { XmlNode } from '../../xml/xml-record.ts';
import { dashedDate } from '../dates.ts';
import type { NormalizedDocument, RecordEvent, RelatedMark } from '../document.ts';
import { day, type Element, type Mapping, openElement, rest } from '../element.ts';
import type { RecordItem } from '../xml-records.ts';

/** By the path of each event. */
const EVENTS: Readonly<Record<string, Mapping<RecordEvent>>> = {
  'MarkRecordDetails/MarkRecord': {
    kind: () => 'record',
    number: 'BasicRecord/RecordIdentifier',
    date: day('BasicRecord/RecordCurrentStatusDate'),
    text: 'BasicRecord/BasicRecordKind',
    status: 'BasicRecord/RecordCurrentStatusCode',
    details: rest,
  },
  'MarkEventDetails/MarkEvent': {
    kind: () => 'history',
    code: 'MarkEventCode',
    date: day('MarkEventDate'),
    text: 'MarkEventDescriptionText',
    details: rest,
  },
  'OppositionDetails/Opposition': {
    kind: () => 'opposition',
    number: 'OppositionIdentifier',
    date: day('OppositionDate'),
    text: 'OppositionGroundText',
    status: 'OppositionCurrentStatusCode',
    details: rest,
  },
  'CancellationDetails/Cancellation': {
    kind: () => 'cancellation',
    number: 'CancellationIdentifier',
    date: day('CancellationDate'),
    text: 'CancellationGroundText',
    status: 'CancellationCurrentStatusCode',
    details: rest,
  },
  'AppealDetails/Appeal': {
    kind: () => 'appeal',
    number: 'AppealIdentifier',
    date: day('AppealDate'),
    status: 'AppealCurrentStatusCode',
    details: rest,
  },
};

const SENIORITY: Mapping<RelatedMark> = {
  relationship: () => 'seniority',
  number: 'SeniorityApplicationNumber',
  registration_number: 'SeniorityRegistrationNumber',
  country: 'SeniorityCountryCode',
  date: day('SeniorityFilingDate'),
  details: rest,
};

export function readEvents(mark: Element): RecordEvent[] {
  return Object.entries(EVENTS).flatMap(([path, mapping]) => mark.mapAll(path, mapping));
}

/** Earlier marks whose seniority the mark claims. */
export function readSeniorities(mark: Element): RelatedMark[] {
  return mark.mapAll('SeniorityDetails/Seniority', SENIORITY);
}

const APPEALS = 'AppealDetails';

/** Elements next to a trademark that say something about it. */
export const SIBLING_ELEMENTS: ReadonlySet<string> = new Set([APPEALS, 'TradeMarkRelationDetails']);

/** Adds to the mark just read what names it, or no mark at all. False when the element names other marks only. */
export function addSibling(node: XmlNode, last: RecordItem): boolean {
  const document = last.record.payload as unknown as NormalizedDocument | null;
  const number = last.record.application_number;
  if (document === null || number === null || !namesMark(node, number)) return false;
  const root = openElement(node, dashedDate);
  if (node.name === APPEALS) {
    const appeals = root.mapAll('Appeal', EVENTS[`${APPEALS}/Appeal`] ?? {});
    document.events = [...(document.events ?? []), ...appeals];
  } else {
    document.related_marks = [...(document.related_marks ?? []), ...readRelations(root, number)];
  }
  root.raiseUnread();
  last.issues.push(...root.issues);
  return true;
}

const IDENTIFIERS = ['RelatedTradeMarkIdentifier', 'TradeMarkIdentifier'];

/** Relations to other marks of the register, such as the application from which this one was divided. */
function readRelations(root: Element, number: string): RelatedMark[] {
  return root.mapAll('TradeMarkRelation', {
    relationship: (relation) => relation.text('TradeMarkRelationKind') ?? 'related',
    number: (relation) =>
      IDENTIFIERS.map((path) => relation.text(path)).find((other) => other !== null && other !== number),
    details: rest,
  });
}

function namesMark(node: XmlNode, number: string): boolean {
  const root = openElement(node, dashedDate);
  const paths = [
    'Appeal/CaseReferenceDetails/CaseReference',
    ...IDENTIFIERS.map((name) => `TradeMarkRelation/${name}`),
  ];
  const named = paths.flatMap((path) => root.texts(path));
  return named.length === 0 || named.includes(number);
}
