/** The normalized document of a trademark: interpreted values by name, the rest of the mark unchanged. */

import type { XmlNode } from '../../xml/xml-record.ts';
import { dashedDate } from '../dates.ts';
import {
  buildDocument,
  type ClassificationSection,
  type GoodsAndServices,
  isSilent,
  joinWords,
  type LanguageText,
  type MarkImage,
  type MarkSection,
  type NormalizedDocument,
  type Party,
  type Priority,
  type Publication,
  type RecordEvent,
  type RelatedMark,
  type StatedSource,
  splitWords,
  stated,
} from '../document.ts';
import { day, type Element, type Mapping, openElement, rest, texts } from '../element.ts';
import { findSchemeOf } from '../meanings.ts';
import type { RecordItem } from '../xml-records.ts';
import type { St66Dialect } from './dialects.ts';

/** Children of a mark that are kept unchanged, in `source`. A child that is neither read nor listed is an issue. */
const KEPT_ELEMENTS = splitWords(`
  ApplicationLanguageCode SecondLanguageCode ApplicationReference FileNumber FilingPlace ReceivingOfficeCode
  ReceivingOfficeDate ReceivingOfficeReference TradeDistinctivenessIndicator TradeDistinctivenessText
  AsItIsProtectionIndicator TotalMarkSeries MarkSeriesDetails OppositionPeriodStartDate UseRightDetails
  ExhibitionPriorityDetails TransformationPriorityDetails MarkSoundDetails MarkMultimediaDetails MarkFeatureDPMA
  InternationalMarkKey InternationalMark RelevantPriorityDate StartProtectionPeriod RestraintsDisposal RefusalGrounds
  ApplicationStatus Comment
`);

/** International registrations based on the mark. */
export const BASED_REGISTRATIONS = 'InternationalMarkKey/Identifier';

/** Designations of the mark itself; those of earlier marks are under OppositionDetails. */
export const DESIGNATIONS = [
  'DesignatedCountryDetails/DesignatedCountryCode',
  'DesignatedCountryDetails/DesignatedCountry/DesignatedCountryCode',
] as const;

/** Relative to a group of goods and services. */
export const CLASS_DESCRIPTIONS = 'ClassDescriptionDetails/ClassDescription';

const PUBLICATION: Mapping<Publication> = {
  identifier: 'PublicationIdentifier',
  section: 'PublicationSection',
  date: day('PublicationDate'),
  page: 'PublicationPage',
  details: rest,
};

const PRIORITY: Mapping<Priority> = {
  number: (priority) => joinWords(priority.texts('PriorityNumber')),
  country: 'PriorityCountryCode',
  date: day('PriorityDate'),
  status: 'PriorityStatusCode',
  details: rest,
};

const IMAGE: Mapping<MarkImage> = {
  identifier: 'MarkImageIdentifier',
  format: 'MarkImageFileFormat',
  uri: 'MarkImageURI',
  vienna_codes: texts('MarkImageCategory/CategoryCodeDetails/CategoryCode'),
  details: rest,
};

interface MarkTexts {
  name: string | null;
  /** Every other text by which the mark can be found; null for none. */
  variants: string[] | null;
  section: MarkSection;
}

interface ReadParts {
  parties: readonly Party[];
  texts: MarkTexts;
  status: string | null;
  /** The number of the registration that the mark represents or belongs to. */
  international: string | null;
  removal: RecordEvent | null;
}

export function buildMarkDocument(
  mark: Element,
  dialect: St66Dialect,
  parts: ReadParts,
): NormalizedDocument & { [key: string]: unknown } {
  const { removal } = parts;
  return buildDocument(readSource(mark, dialect, parts.status), {
    parties: [...parts.parties],
    mark: parts.texts.section,
    goods_and_services: mark.list('GoodsServicesDetails/GoodsServices').flatMap(readGoodsGroup),
    publications: readPublications(mark),
    priorities: mark.mapAll('PriorityDetails/Priority', PRIORITY),
    events: [
      ...Object.entries(EVENTS).flatMap(([path, mapping]) => mark.mapAll(path, mapping)),
      ...(removal === null ? [] : [removal]),
    ],
    images: mark.mapAll('MarkImageDetails/MarkImage', IMAGE),
    classification: mark.map<ClassificationSection>({
      nice_version: 'GoodsServicesDetails/GoodsServices/ClassificationVersion',
      leading_class: 'GoodsServicesDetails/GoodsServices/ProposedLeadingClassNumber',
    }),
    international: stated({
      registration: stated({ number: parts.international }),
      filings: mark.texts(BASED_REGISTRATIONS).map((number) => ({ number })),
      designations: DESIGNATIONS.flatMap((path) => mark.texts(path)),
    }),
    related_marks: mark.mapAll('SeniorityDetails/Seniority', SENIORITY),
  });
}

function readSource(mark: Element, dialect: St66Dialect, status: string | null): StatedSource {
  const source: StatedSource = {
    format: dialect.format,
    status_code: null,
    status_text: status,
    kind_code: null,
    kind_text: mark.text('KindMark'),
    feature_code: null,
    feature_text: mark.text('MarkFeature'),
  };
  for (const code of mark.list('MarkCurrentStatusCode')) {
    source.status_code = code.attribute('status');
    source.milestone = code.attribute('milestone');
  }
  for (const name of KEPT_ELEMENTS) source[name] = mark.restOf(name);
  return source;
}

/** A mark that the office deletes from its files is kept; the deletion becomes one of its events. */
export function readRemoval(mark: Element): RecordEvent | null {
  const operation = mark.attribute('operationCode');
  if (operation === 'Delete') return { kind: 'removal', code: operation };
  if (operation !== null && operation !== 'Insert' && operation !== 'Update') {
    mark.raise('unmapped_operation', 'TradeMark@operationCode', operation);
  }
  return null;
}

/** The words of a mark. The first verbal element is the name; the office may repeat it in other languages. */
export function readMarkTexts(mark: Element): MarkTexts {
  const list = (path: string): LanguageText[] => mark.list(path).flatMap(readNestedTexts);
  const words = list('WordMarkSpecification/MarkVerbalElementText');
  const translations = list('WordMarkSpecification/MarkTranslation');
  const transliterations = list('WordMarkSpecification/MarkTransliteration');
  const name = words[0]?.text ?? null;
  const variants = [...words.slice(1), ...translations, ...transliterations].map(({ text }) => text);
  const others = [...new Set(variants)].filter((text) => text !== name);
  const details = mark.restOf('WordMarkSpecification');
  const section = stated<MarkSection>({
    texts: words,
    translations,
    transliterations,
    descriptions: list('MarkDescriptionDetails/MarkDescription'),
    disclaimers: list('MarkDisclaimerDetails/MarkDisclaimer'),
    details,
  });
  return { name, variants: others.length === 0 ? null : others, section };
}

/** The text of an element, or of its child elements where an office nests them once more. */
function readNestedTexts(element: Element): LanguageText[] {
  const language = element.attribute('languageCode');
  const text = element.own();
  const inner = element.children.flatMap(readNestedTexts);
  return [...(text === null ? [] : [stated<LanguageText>({ text, language })]), ...inner];
}

function readGoodsGroup(group: Element): GoodsAndServices[] {
  const classification = group.text('ClassificationKindCode');
  const edition = group.text('ClassificationVersion');
  const unclassified = readGoodsTexts(group, 'GoodsServicesNotClassifiedDescription');
  return [
    ...group.list(CLASS_DESCRIPTIONS).map((goods) => readGoods(goods, classification, edition)),
    ...(unclassified.length === 0 ? [] : [stated<GoodsAndServices>({ classification, texts: unclassified })]),
  ];
}

function readGoods(goods: Element, classification: string | null, edition: string | null): GoodsAndServices {
  const numbers = goods.texts('ClassNumber');
  return stated<GoodsAndServices>({
    scheme: numbers[0] === undefined ? null : findSchemeOf(numbers[0], classification),
    edition,
    classification,
    class: joinWords(numbers),
    texts: readGoodsTexts(goods, 'GoodsServicesDescription'),
    details: rest(goods),
  });
}

function readGoodsTexts(element: Element, name: string): LanguageText[] {
  return element.list(name).flatMap((description): LanguageText[] => {
    const language = description.attribute('languageCode');
    const text = description.own();
    return text === null ? [] : [stated<LanguageText>({ language, text })];
  });
}

/** The publications that a mark lists: of the application, and of the change that the file reports. */
function readPublications(mark: Element): Publication[] {
  const changed = mark.attribute('PublicationDate');
  const change = stated<Publication>({
    kind: mark.attribute('fr-TransactionDetails'),
    identifier: mark.attribute('PublicationIdentifier'),
    date: changed === null ? null : (dashedDate(changed) ?? changed),
  });
  const application = mark.statedDay('ApplicationPublicationDate');
  return [
    ...mark.mapAll('PublicationDetails/Publication', PUBLICATION),
    ...(application === null ? [] : [{ kind: 'application', date: application }]),
    ...(isSilent(change) ? [] : [change]),
  ];
}

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
