/**
 * Events of a mark (recordals, oppositions, cancellations, appeals) and the marks it claims or comes from. These
 * elements repeat the element names of the mark itself for other marks and parties, so each is read by its own paths
 * and the rest is kept unchanged.
 */
import { listChildren, type XmlNode } from '../../xml/xml-node.ts';
import { type RecordEvent, type RelatedMark, stated } from '../payload.ts';
import { dashedDate, type Reading, readRest, readStatedDate, readText } from '../reading.ts';

interface EventSource {
  path: string;
  kind: RecordEvent['kind'];
  number?: string;
  date?: string;
  text?: string;
  status?: string;
  code?: string;
}

export const EVENT_SOURCES: readonly EventSource[] = [
  {
    path: 'MarkRecordDetails/MarkRecord',
    kind: 'record',
    number: 'BasicRecord/RecordIdentifier',
    date: 'BasicRecord/RecordCurrentStatusDate',
    text: 'BasicRecord/BasicRecordKind',
    status: 'BasicRecord/RecordCurrentStatusCode',
  },
  {
    path: 'MarkEventDetails/MarkEvent',
    kind: 'history',
    code: 'MarkEventCode',
    date: 'MarkEventDate',
    text: 'MarkEventDescriptionText',
  },
  {
    path: 'OppositionDetails/Opposition',
    kind: 'opposition',
    number: 'OppositionIdentifier',
    date: 'OppositionDate',
    text: 'OppositionGroundText',
    status: 'OppositionCurrentStatusCode',
  },
  {
    path: 'CancellationDetails/Cancellation',
    kind: 'cancellation',
    number: 'CancellationIdentifier',
    date: 'CancellationDate',
    text: 'CancellationGroundText',
    status: 'CancellationCurrentStatusCode',
  },
  {
    path: 'AppealDetails/Appeal',
    kind: 'appeal',
    number: 'AppealIdentifier',
    date: 'AppealDate',
    status: 'AppealCurrentStatusCode',
  },
];

export function readEvents(
  reading: Reading,
  mark: XmlNode,
  sources: readonly EventSource[] = EVENT_SOURCES,
): RecordEvent[] {
  return sources.flatMap((source) => {
    const read = (node: XmlNode, path: string | undefined): string | null =>
      path === undefined ? null : readText(reading, node, path);
    return listChildren(mark, source.path).map((node) =>
      stated<RecordEvent>({
        kind: source.kind,
        code: read(node, source.code),
        number: read(node, source.number),
        date: source.date === undefined ? null : readStatedDate(reading, node, source.date, dashedDate),
        text: read(node, source.text),
        status: read(node, source.status),
        details: readRest(reading, node),
      }),
    );
  });
}

/** Earlier marks whose seniority the mark claims. */
export function readSeniorities(reading: Reading, mark: XmlNode): RelatedMark[] {
  return listChildren(mark, 'SeniorityDetails/Seniority').map((node) =>
    stated<RelatedMark>({
      relationship: 'seniority',
      number: readText(reading, node, 'SeniorityApplicationNumber'),
      registration_number: readText(reading, node, 'SeniorityRegistrationNumber'),
      country: readText(reading, node, 'SeniorityCountryCode'),
      date: readStatedDate(reading, node, 'SeniorityFilingDate', dashedDate),
      details: readRest(reading, node),
    }),
  );
}

/** Relations to other marks of the register, such as the application from which this one was divided. */
export function readRelations(reading: Reading, details: XmlNode, number: string): RelatedMark[] {
  return listChildren(details, 'TradeMarkRelation').map((node) => {
    const numbers = ['RelatedTradeMarkIdentifier', 'TradeMarkIdentifier'].map((path) => readText(reading, node, path));
    return stated<RelatedMark>({
      relationship: readText(reading, node, 'TradeMarkRelationKind') ?? 'related',
      number: numbers.find((other) => other !== null && other !== number),
      details: readRest(reading, node),
    });
  });
}
