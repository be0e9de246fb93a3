/**
 * The services that answer searches of the Korean register. They state the same facts about a mark under different
 * names, so a shape is a table of names and says how the service separates the entries of a list. One of them names its
 * entries `item` like another, and everything inside them like a third.
 */

import type { XmlNode } from '../../xml/xml-record.ts';
import { findChild } from '../element.ts';

export interface AnswerShape {
  /** Element names, by what they state. */
  names: Readonly<Record<StatedValue, string>>;
  /** Names are separated by spaces where there is no bar. */
  separatesByBlanks: boolean;
  /** Elements that say nothing about the mark. */
  ignored: readonly string[];
}

/** Of what an entry states, the names in `TradeMarkInfo` and in `item`. */
const NAMES = {
  number: ['ApplicationNumber', 'applicationNumber'],
  reference: ['AppReferenceNumber', 'appReferenceNumber'],
  applicationDate: ['ApplicationDate', 'applicationDate'],
  publicationNumber: ['PublicNumber', 'publicationNumber'],
  publicationDate: ['PublicDate', 'publicationDate'],
  registrationPublicationNumber: ['RegistrationPublicNumber', 'registrationPublicNumber'],
  registrationPublicationDate: ['RegistrationPublicDate', 'registrationPublicDate'],
  registrationNumber: ['RegistrationNumber', 'registrationNumber'],
  registrationReference: ['RegReferenceNumber', 'regReferenceNumber'],
  registrationDate: ['RegistrationDate', 'registrationDate'],
  priorityNumber: ['PriorityClaimNumber', 'priorityNumber'],
  priorityDate: ['PriorityClaimDate', 'priorityDate'],
  internationalNumber: ['InternationalRegisterNumber', 'internationalRegisterNumber'],
  internationalDate: ['InternationalRegisterDate', 'internationalRegisterDate'],
  status: ['ApplicationStatus', 'applicationStatus'],
  classes: ['GoodClassificationCode', 'classificationCode'],
  viennaCodes: ['ViennaCode', 'viennaCode'],
  applicants: ['ApplicantName', 'applicantName'],
  agents: ['AgentName', 'agentName'],
  holders: ['RegistrationRightholderName', 'regPrivilegeName'],
  title: ['Title', 'title'],
  drawingKind: ['DrawingKindName', 'drawingKindName'],
  division: ['TrademarkDivisionCode', 'trademarkDivisionCode'],
  similarGroups: ['SimilarCode', 'similarCode'],
  image: ['ImagePath', 'drawing'],
  thumbnail: ['ThumbnailPath', 'bigDrawing'],
} as const;

type StatedValue = keyof typeof NAMES;

const listNames = (service: 0 | 1): AnswerShape['names'] =>
  Object.fromEntries(Object.entries(NAMES).map(([value, names]) => [value, names[service]])) as AnswerShape['names'];

export const ANSWER_SHAPES = {
  // The position in the answer, and whether the service keeps the text of the gazette.
  TradeMarkInfo: { names: listNames(0), separatesByBlanks: false, ignored: ['SerialNumber', 'FulltextExistFlag'] },
  item: { names: listNames(1), separatesByBlanks: true, ignored: ['indexNo', 'fullText'] },
} as const satisfies Record<string, AnswerShape>;

/** The shape of an entry; `item` may have the names of either service. */
export function findShape(node: XmlNode): AnswerShape {
  const { TradeMarkInfo, item } = ANSWER_SHAPES;
  return node.name === 'TradeMarkInfo' || findChild(node, TradeMarkInfo.names.number) !== null ? TradeMarkInfo : item;
}
