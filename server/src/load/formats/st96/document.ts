/** The normalized document of a trademark: interpreted values by name, the rest of the mark unchanged. */
import { listChildren, type XmlNode } from '../../xml/xml-node.ts';
import {
  buildDocument,
  type ClassificationSection,
  type InternationalSection,
  joinWords,
  type MarkSection,
  type NormalizedDocument,
  type Priority,
  type Publication,
  type RecordEvent,
  type StatedSource,
  stated,
} from '../payload.ts';
import { type Reading, readRest, readStatedDate, readText, readTexts } from '../reading.ts';
import type { St96Dialect } from './dialect.ts';
import { readEvents, readRelatedMarks } from './events.ts';
import type { GoodsParts } from './goods.ts';
import { type MarkTexts, readDesignCodes, readImages, readMarkDetails } from './mark.ts';
import { FEATURE_CODE, FEATURE_TEXT } from './meanings.ts';
import type { MarkParty } from './parties.ts';
import { readKept, statedDate } from './reading.ts';

/**
 * Children of a mark whose unread rest is kept unchanged, in `source`. A child that is neither read nor listed is an
 * issue.
 */
const KEPT_ELEMENTS = [
  'ApplicationNumber',
  'ReceivingOfficeCode',
  'ReceivingOfficeDate',
  'ApplicationDateTime',
  'OtherDate',
  'FilingPlace',
  'ApplicantFileReference',
  'ApplicantSideCaseIdentifier',
  'ApplicationLanguageCode',
  'SecondLanguageCode',
  'CorrespondenceLanguageCode',
  'ExaminedApplicationNumber',
  'AssociatedApplicationNumber',
  'DesignatedCountryBag',
  'ConversionApplicationBag',
  'BasicRegistrationApplicationBag',
  'InternationalMarkIdentifierBag',
  'NonUseCancelledIndicator',
  'SpecialCircumstanceText',
  'MarkSeriesTotalQuantity',
  'TradeDistinctivenessIndicator',
  'TradeDistinctivenessText',
  'UseRight',
  'AsItIsProtectionIndicator',
  'UseRequirementText',
  'UseLimitationText',
  'CommentText',
  'OppositionPeriodStartDate',
  'ExhibitionPriorityBag',
  'StaffBag',
  'Authorization',
  'TrademarkDocumentBag',
  'MarkUserBag',
  'MarkFeatureDescription',
  'CHMarkCategory',
  'CorrespondenceAddress',
  'ApplicantBag',
  'AssignmentBag',
  'AssociatedMarkBag',
  'GoodsServicesBag',
  'LegalProceedingsBag',
  'MarkEventBag',
  'MarkRecordBag',
  'NationalAssociatedMarkBag',
  'OppositionBag',
  'PreviousRegistrationBag',
  'PriorityBag',
  'PublicationBag',
  'RepresentativeBag',
  'SeniorityBag',
  'NationalTrademarkInformation',
  'NationalGoodsServices',
  'NationalFilingBasis',
  'NationalCaseLocation',
  'Version',
] as const;

const SOURCE_DATES = {
  abandonment_date: 'NationalTrademarkInformation/ApplicationAbandonedDate',
  cancellation_date: 'NationalTrademarkInformation/RegistrationCancelledDate',
} as const;

interface ReadParts {
  parties: readonly MarkParty[];
  texts: MarkTexts;
  goods: GoodsParts;
  international: InternationalSection;
  statusText: string | null;
  removal: RecordEvent | null;
}

export function buildMarkDocument(
  reading: Reading,
  dialect: St96Dialect,
  { parties, texts, goods, international, statusText, removal }: ReadParts,
): NormalizedDocument & { [key: string]: unknown } {
  const mark = reading.root;
  const classification = stated<ClassificationSection>({
    nice_version: goods.niceVersion,
    classes: goods.classes,
    design_codes: readDesignCodes(reading),
  });
  const sections = {
    parties: parties.map(({ party }) => party),
    goods_and_services: goods.goods,
    publications: listChildren(mark, 'PublicationBag/Publication').map((node) => readPublication(reading, node)),
    priorities: listChildren(mark, 'PriorityBag/Priority').map((node) => readPriority(reading, node)),
    events: [...readEvents(reading, dialect), ...(removal === null ? [] : [removal])],
    images: readImages(reading),
    classification,
    international,
    related_marks: readRelatedMarks(reading, dialect),
  };
  const source = readSource(reading, dialect, statusText);
  const section = stated<MarkSection>({ ...texts.section, details: readMarkDetails(reading) });
  return buildDocument(source, { ...sections, mark: section });
}

function readSource(reading: Reading, dialect: St96Dialect, statusText: string | null): StatedSource {
  const source: StatedSource = {
    format: dialect.format,
    status_code: readText(reading, reading.root, 'MarkCurrentStatusCode'),
    status_text: statusText,
    kind_code: null,
    kind_text: joinWords(readTexts(reading, reading.root, 'MarkCategory')),
    feature_code: readText(reading, reading.root, FEATURE_CODE),
    feature_text: readText(reading, reading.root, FEATURE_TEXT),
  };
  for (const [key, path] of Object.entries(SOURCE_DATES)) {
    source[key] = readStatedDate(reading, reading.root, path, statedDate);
  }
  for (const name of KEPT_ELEMENTS) source[name] = readKept(reading, name);
  return source;
}

function readPublication(reading: Reading, node: XmlNode): Publication {
  return stated<Publication>({
    identifier: readText(reading, node, 'PublicationIdentifier'),
    section: readText(reading, node, 'PublicationSectionCategory'),
    kind: readText(reading, node, 'NationalPublication/PublicationStatusCategory'),
    date:
      readStatedDate(reading, node, 'PublicationDate', statedDate) ??
      readStatedDate(reading, node, 'NationalPublication/PublicationActionDate', statedDate),
    page: readText(reading, node, 'PublicationPage'),
    details: readRest(reading, node),
  });
}

function readPriority(reading: Reading, node: XmlNode): Priority {
  return stated<Priority>({
    number:
      readText(reading, node, 'ApplicationNumber/ApplicationNumberText') ??
      readText(reading, node, 'ApplicationNumber/ST13ApplicationNumber'),
    registration_number: readText(reading, node, 'PriorityRegistrationNumber'),
    country: readText(reading, node, 'PriorityCountryCode'),
    date: readStatedDate(reading, node, 'PriorityApplicationFilingDate', statedDate),
    status: readText(reading, node, 'PriorityStatusCategory'),
    details: readRest(reading, node),
  });
}
