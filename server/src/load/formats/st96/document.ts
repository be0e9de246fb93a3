/** The normalized document of a trademark: interpreted values by name, the rest of the mark unchanged. */
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
  splitWords,
  stated,
} from '../document.ts';
import { day, type Element, type Mapping, rest } from '../element.ts';
import type { St96Dialect } from './dialects.ts';
import { readEvents, readRelatedMarks } from './events.ts';
import type { GoodsParts } from './goods.ts';
import { FEATURE_CODE, FEATURE_TEXT, type MarkTexts, readDesignCodes, readImages, readMarkDetails } from './mark.ts';
import type { MarkParty } from './parties.ts';

/**
 * Children of a mark whose unread rest is kept unchanged, in `source`. A child that is neither read nor listed is an
 * issue.
 */
const KEPT_ELEMENTS = splitWords(`
  ApplicationNumber ReceivingOfficeCode ReceivingOfficeDate ApplicationDateTime OtherDate FilingPlace
  ApplicantFileReference ApplicantSideCaseIdentifier ApplicationLanguageCode SecondLanguageCode
  CorrespondenceLanguageCode ExaminedApplicationNumber AssociatedApplicationNumber DesignatedCountryBag
  ConversionApplicationBag BasicRegistrationApplicationBag InternationalMarkIdentifierBag NonUseCancelledIndicator
  SpecialCircumstanceText MarkSeriesTotalQuantity TradeDistinctivenessIndicator TradeDistinctivenessText UseRight
  AsItIsProtectionIndicator UseRequirementText UseLimitationText CommentText OppositionPeriodStartDate
  ExhibitionPriorityBag StaffBag Authorization TrademarkDocumentBag MarkUserBag MarkFeatureDescription CHMarkCategory
  CorrespondenceAddress ApplicantBag AssignmentBag AssociatedMarkBag GoodsServicesBag LegalProceedingsBag MarkEventBag
  MarkRecordBag NationalAssociatedMarkBag OppositionBag PreviousRegistrationBag PriorityBag PublicationBag
  RepresentativeBag SeniorityBag NationalTrademarkInformation NationalGoodsServices NationalFilingBasis
  NationalCaseLocation Version
`);

const PUBLICATION: Mapping<Publication> = {
  identifier: 'PublicationIdentifier',
  section: 'PublicationSectionCategory',
  kind: 'NationalPublication/PublicationStatusCategory',
  date: (publication) => publication.firstDay(['PublicationDate', 'NationalPublication/PublicationActionDate']),
  page: 'PublicationPage',
  details: rest,
};

const PRIORITY: Mapping<Priority> = {
  number: (priority) =>
    priority.first(['ApplicationNumber/ApplicationNumberText', 'ApplicationNumber/ST13ApplicationNumber']),
  registration_number: 'PriorityRegistrationNumber',
  country: 'PriorityCountryCode',
  date: day('PriorityApplicationFilingDate'),
  status: 'PriorityStatusCategory',
  details: rest,
};

interface ReadParts {
  parties: readonly MarkParty[];
  texts: MarkTexts;
  goods: GoodsParts;
  international: InternationalSection;
  statusText: string | null;
  removal: RecordEvent | null;
}

export function buildMarkDocument(
  mark: Element,
  dialect: St96Dialect,
  { parties, texts, goods, international, statusText, removal }: ReadParts,
): NormalizedDocument & { [key: string]: unknown } {
  const sections = {
    parties: parties.map(({ party }) => party),
    goods_and_services: goods.goods,
    publications: mark.mapAll('PublicationBag/Publication', PUBLICATION),
    priorities: mark.mapAll('PriorityBag/Priority', PRIORITY),
    events: [...readEvents(mark, dialect), ...(removal === null ? [] : [removal])],
    images: readImages(mark),
    classification: stated<ClassificationSection>({
      nice_version: goods.niceVersion,
      classes: goods.classes,
      design_codes: readDesignCodes(mark),
    }),
    international,
    related_marks: readRelatedMarks(mark, dialect),
  };
  const source = {
    format: dialect.format,
    status_code: mark.text('MarkCurrentStatusCode'),
    status_text: statusText,
    kind_code: null,
    kind_text: joinWords(mark.texts('MarkCategory')),
    feature_code: mark.text(FEATURE_CODE),
    feature_text: mark.text(FEATURE_TEXT),
    abandonment_date: mark.statedDay('NationalTrademarkInformation/ApplicationAbandonedDate'),
    cancellation_date: mark.statedDay('NationalTrademarkInformation/RegistrationCancelledDate'),
    ...Object.fromEntries(KEPT_ELEMENTS.map((name) => [name, mark.restOf(name)])),
  };
  const section = stated<MarkSection>({ ...texts.section, details: readMarkDetails(mark) });
  return buildDocument(source, { ...sections, mark: section });
}
