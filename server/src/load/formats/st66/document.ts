/** The normalized document of a trademark: interpreted values by name, the rest of the mark unchanged. */
import { listChildren, type XmlNode } from '../../xml/xml-node.ts';
import {
  buildDocument,
  type GoodsAndServices,
  isSilent,
  joinWords,
  type LanguageText,
  type MarkImage,
  type NormalizedDocument,
  type Party,
  type Priority,
  type Publication,
  type RecordEvent,
  type StatedSource,
  stated,
} from '../payload.ts';
import {
  dashedDate,
  type PlainValue,
  type Reading,
  raiseIssue,
  readAttribute,
  readNode,
  readRest,
  readStatedDate,
  readText,
  readTexts,
} from '../reading.ts';
import { findSchemeOf } from '../schemes.ts';
import type { St66Dialect } from './dialect.ts';
import type { MarkTexts } from './mark.ts';
import { readEvents, readSeniorities } from './proceedings.ts';

/** Children of a mark that are kept unchanged, in `source`. A child that is neither read nor listed is an issue. */
const KEPT_ELEMENTS = [
  'ApplicationLanguageCode',
  'SecondLanguageCode',
  'ApplicationReference',
  'FileNumber',
  'FilingPlace',
  'ReceivingOfficeCode',
  'ReceivingOfficeDate',
  'ReceivingOfficeReference',
  'TradeDistinctivenessIndicator',
  'TradeDistinctivenessText',
  'AsItIsProtectionIndicator',
  'TotalMarkSeries',
  'MarkSeriesDetails',
  'OppositionPeriodStartDate',
  'UseRightDetails',
  'ExhibitionPriorityDetails',
  'TransformationPriorityDetails',
  'MarkSoundDetails',
  'MarkMultimediaDetails',
  'MarkFeatureDPMA',
  'InternationalMarkKey',
  'InternationalMark',
  'RelevantPriorityDate',
  'StartProtectionPeriod',
  'RestraintsDisposal',
  'RefusalGrounds',
  'ApplicationStatus',
  'Comment',
] as const;

/** International registrations based on the mark. */
export const BASED_REGISTRATIONS = 'InternationalMarkKey/Identifier';

/** Designations of the mark itself; those of earlier marks are under OppositionDetails. */
export const DESIGNATIONS = [
  'DesignatedCountryDetails/DesignatedCountryCode',
  'DesignatedCountryDetails/DesignatedCountry/DesignatedCountryCode',
] as const;

/** Relative to a group of goods and services. */
export const CLASS_DESCRIPTIONS = 'ClassDescriptionDetails/ClassDescription';

interface ReadParts {
  parties: readonly Party[];
  texts: MarkTexts;
  status: string | null;
  /** The number of the registration that the mark represents or belongs to. */
  international: string | null;
  removal: RecordEvent | null;
}

export function buildMarkDocument(
  reading: Reading,
  dialect: St66Dialect,
  { parties, texts, status, international, removal }: ReadParts,
): NormalizedDocument & { [key: string]: unknown } {
  const mark = reading.root;
  return buildDocument(readSource(reading, dialect, status), {
    parties: [...parties],
    mark: texts.section,
    goods_and_services: listChildren(mark, 'GoodsServicesDetails/GoodsServices').flatMap((group) =>
      readGoodsGroup(reading, group),
    ),
    publications: readPublications(reading),
    priorities: listChildren(mark, 'PriorityDetails/Priority').map((node) => readPriority(reading, node)),
    events: [...readEvents(reading, mark), ...(removal === null ? [] : [removal])],
    images: listChildren(mark, 'MarkImageDetails/MarkImage').map((node) => readImage(reading, node)),
    classification: stated({
      nice_version: readText(reading, mark, 'GoodsServicesDetails/GoodsServices/ClassificationVersion'),
      leading_class: readText(reading, mark, 'GoodsServicesDetails/GoodsServices/ProposedLeadingClassNumber'),
    }),
    international: stated({
      registration: stated({ number: international }),
      filings: readTexts(reading, mark, BASED_REGISTRATIONS).map((number) => ({ number })),
      designations: DESIGNATIONS.flatMap((path) => readTexts(reading, mark, path)),
    }),
    related_marks: readSeniorities(reading, mark),
  });
}

function readSource(reading: Reading, dialect: St66Dialect, status: string | null): StatedSource {
  const source: StatedSource = {
    format: dialect.format,
    status_code: null,
    status_text: status,
    kind_code: null,
    kind_text: readText(reading, reading.root, 'KindMark'),
    feature_code: null,
    feature_text: readText(reading, reading.root, 'MarkFeature'),
  };
  for (const node of listChildren(reading.root, 'MarkCurrentStatusCode')) {
    source.status_code = readAttribute(reading, node, 'status');
    source.milestone = readAttribute(reading, node, 'milestone');
  }
  for (const name of KEPT_ELEMENTS) {
    const values = listChildren(reading.root, name)
      .map((node) => readRest(reading, node))
      .filter((value): value is PlainValue => !isSilent(value));
    source[name] = values.length > 1 ? values : values[0];
  }
  return source;
}

/** A mark that the office deletes from its files is kept; the deletion becomes one of its events. */
export function readRemoval(reading: Reading): RecordEvent | null {
  const operation = readAttribute(reading, reading.root, 'operationCode');
  if (operation === 'Delete') return { kind: 'removal', code: operation };
  if (operation !== null && operation !== 'Insert' && operation !== 'Update') {
    raiseIssue(reading, 'unmapped_operation', 'TradeMark@operationCode', operation);
  }
  return null;
}

function readGoodsGroup(reading: Reading, group: XmlNode): GoodsAndServices[] {
  const classification = readText(reading, group, 'ClassificationKindCode');
  const edition = readText(reading, group, 'ClassificationVersion');
  const unclassified = readGoodsTexts(reading, group, 'GoodsServicesNotClassifiedDescription');
  return [
    ...listChildren(group, CLASS_DESCRIPTIONS).map((node) => readGoods(reading, node, { classification, edition })),
    ...(unclassified.length === 0 ? [] : [stated<GoodsAndServices>({ classification, texts: unclassified })]),
  ];
}

function readGoods(
  reading: Reading,
  node: XmlNode,
  { classification, edition }: { classification: string | null; edition: string | null },
): GoodsAndServices {
  const numbers = readTexts(reading, node, 'ClassNumber');
  return stated<GoodsAndServices>({
    scheme: numbers[0] === undefined ? null : findSchemeOf(numbers[0], classification),
    edition,
    classification,
    class: joinWords(numbers),
    texts: readGoodsTexts(reading, node, 'GoodsServicesDescription'),
    details: readRest(reading, node),
  });
}

function readGoodsTexts(reading: Reading, node: XmlNode, name: string): LanguageText[] {
  return listChildren(node, name).flatMap((description): LanguageText[] => {
    const language = readAttribute(reading, description, 'languageCode');
    const text = readNode(reading, description);
    return text === null ? [] : [stated<LanguageText>({ language, text })];
  });
}

/** The publications that a mark lists: of the application, and of the change that the file reports. */
function readPublications(reading: Reading): Publication[] {
  const mark = reading.root;
  const changed = readAttribute(reading, mark, 'PublicationDate');
  const change = stated<Publication>({
    kind: readAttribute(reading, mark, 'fr-TransactionDetails'),
    identifier: readAttribute(reading, mark, 'PublicationIdentifier'),
    date: changed === null ? null : (dashedDate(changed) ?? changed),
  });
  const application = readStatedDate(reading, mark, 'ApplicationPublicationDate', dashedDate);
  return [
    ...listChildren(mark, 'PublicationDetails/Publication').map((node) => readPublication(reading, node)),
    ...(application === null ? [] : [{ kind: 'application', date: application }]),
    ...(isSilent(change) ? [] : [change]),
  ];
}

function readPublication(reading: Reading, node: XmlNode): Publication {
  return stated<Publication>({
    identifier: readText(reading, node, 'PublicationIdentifier'),
    section: readText(reading, node, 'PublicationSection'),
    date: readStatedDate(reading, node, 'PublicationDate', dashedDate),
    page: readText(reading, node, 'PublicationPage'),
    details: readRest(reading, node),
  });
}

function readPriority(reading: Reading, node: XmlNode): Priority {
  return stated<Priority>({
    number: readTexts(reading, node, 'PriorityNumber').join(', ') || null,
    country: readText(reading, node, 'PriorityCountryCode'),
    date: readStatedDate(reading, node, 'PriorityDate', dashedDate),
    status: readText(reading, node, 'PriorityStatusCode'),
    details: readRest(reading, node),
  });
}

function readImage(reading: Reading, node: XmlNode): MarkImage {
  return stated<MarkImage>({
    identifier: readText(reading, node, 'MarkImageIdentifier'),
    format: readText(reading, node, 'MarkImageFileFormat'),
    uri: readText(reading, node, 'MarkImageURI'),
    vienna_codes: readTexts(reading, node, 'MarkImageCategory/CategoryCodeDetails/CategoryCode'),
    details: readRest(reading, node),
  });
}
