/**
 * Reads elements next to a trademark in its transaction that say something about it: appeals, and its relations to
 * other marks. They are added to the mark just read if they name that mark or no mark at all.
 */
import type { XmlNode } from '../../xml/xml-node.ts';
import { listChildren } from '../../xml/xml-node.ts';
import type { NormalizedDocument } from '../payload.ts';
import { openReading, raiseUnread, readTexts } from '../reading.ts';
import type { RecordItem } from '../xml-records.ts';
import { EVENT_SOURCES, readEvents, readRelations } from './proceedings.ts';

const APPEAL = 'AppealDetails';
const RELATION = 'TradeMarkRelationDetails';

export const SIBLING_ELEMENTS: ReadonlySet<string> = new Set([APPEAL, RELATION]);

/** False when the element names other marks only. */
export function addSibling(node: XmlNode, last: RecordItem): boolean {
  const document = last.record.payload as unknown as NormalizedDocument | null;
  const number = last.record.application_number;
  if (document === null || number === null) return false;
  const reading = openReading(node);
  if (!namesMark(node, number)) return false;
  if (node.name === APPEAL) {
    const parent: XmlNode = { name: '', attributes: {}, text: '', children: [node] };
    const events = readEvents(
      reading,
      parent,
      EVENT_SOURCES.filter(({ path }) => path.startsWith(APPEAL)),
    );
    document.events = [...(document.events ?? []), ...events];
  } else {
    document.related_marks = [...(document.related_marks ?? []), ...readRelations(reading, node, number)];
  }
  raiseUnread(reading);
  last.issues.push(...reading.issues);
  return true;
}

function namesMark(node: XmlNode, number: string): boolean {
  const reading = openReading(node);
  const named = [
    ...readTexts(reading, node, 'Appeal/CaseReferenceDetails/CaseReference'),
    ...listChildren(node, 'TradeMarkRelation').flatMap((relation) => [
      ...readTexts(reading, relation, 'TradeMarkIdentifier'),
      ...readTexts(reading, relation, 'RelatedTradeMarkIdentifier'),
    ]),
  ];
  return named.length === 0 || named.includes(number);
}
