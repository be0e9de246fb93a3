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

type StatedValue =
  | 'number'
  | 'reference'
  | 'applicationDate'
  | 'publicationNumber'
  | 'publicationDate'
  | 'registrationPublicationNumber'
  | 'registrationPublicationDate'
  | 'registrationNumber'
  | 'registrationReference'
  | 'registrationDate'
  | 'priorityNumber'
  | 'priorityDate'
  | 'internationalNumber'
  | 'internationalDate'
  | 'status'
  | 'classes'
  | 'viennaCodes'
  | 'applicants'
  | 'agents'
  | 'holders'
  | 'title'
  | 'drawingKind'
  | 'division'
  | 'similarGroups'
  | 'image'
  | 'thumbnail';

export const ANSWER_SHAPES = {
  TradeMarkInfo: {
    names: {
      number: 'ApplicationNumber',
      reference: 'AppReferenceNumber',
      applicationDate: 'ApplicationDate',
      publicationNumber: 'PublicNumber',
      publicationDate: 'PublicDate',
      registrationPublicationNumber: 'RegistrationPublicNumber',
      registrationPublicationDate: 'RegistrationPublicDate',
      registrationNumber: 'RegistrationNumber',
      registrationReference: 'RegReferenceNumber',
      registrationDate: 'RegistrationDate',
      priorityNumber: 'PriorityClaimNumber',
      priorityDate: 'PriorityClaimDate',
      internationalNumber: 'InternationalRegisterNumber',
      internationalDate: 'InternationalRegisterDate',
      status: 'ApplicationStatus',
      classes: 'GoodClassificationCode',
      viennaCodes: 'ViennaCode',
      applicants: 'ApplicantName',
      agents: 'AgentName',
      holders: 'RegistrationRightholderName',
      title: 'Title',
      drawingKind: 'DrawingKindName',
      division: 'TrademarkDivisionCode',
      similarGroups: 'SimilarCode',
      image: 'ImagePath',
      thumbnail: 'ThumbnailPath',
    },
    separatesByBlanks: false,
    // The position in the answer, and whether the service keeps the text of the gazette.
    ignored: ['SerialNumber', 'FulltextExistFlag'],
  },
  item: {
    names: {
      number: 'applicationNumber',
      reference: 'appReferenceNumber',
      applicationDate: 'applicationDate',
      publicationNumber: 'publicationNumber',
      publicationDate: 'publicationDate',
      registrationPublicationNumber: 'registrationPublicNumber',
      registrationPublicationDate: 'registrationPublicDate',
      registrationNumber: 'registrationNumber',
      registrationReference: 'regReferenceNumber',
      registrationDate: 'registrationDate',
      priorityNumber: 'priorityNumber',
      priorityDate: 'priorityDate',
      internationalNumber: 'internationalRegisterNumber',
      internationalDate: 'internationalRegisterDate',
      status: 'applicationStatus',
      classes: 'classificationCode',
      viennaCodes: 'viennaCode',
      applicants: 'applicantName',
      agents: 'agentName',
      holders: 'regPrivilegeName',
      title: 'title',
      drawingKind: 'drawingKindName',
      division: 'trademarkDivisionCode',
      similarGroups: 'similarCode',
      image: 'drawing',
      thumbnail: 'bigDrawing',
    },
    separatesByBlanks: true,
    ignored: ['indexNo', 'fullText'],
  },
} as const satisfies Record<string, AnswerShape>;

/** The shape of an entry; `item` may have the names of either service. */
export function findShape(node: XmlNode): AnswerShape {
  const { TradeMarkInfo, item } = ANSWER_SHAPES;
  return node.name === 'TradeMarkInfo' || findChild(node, TradeMarkInfo.names.number) !== null ? TradeMarkInfo : item;
}
