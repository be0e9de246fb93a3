/** The normalized document of a case-file: every value of the file that says something about the mark. */
import type { RecordContent } from '@tmds/contract/record';
import { listChildren, type XmlNode } from '../../xml/xml-node.ts';
import { newestFirst } from '../history.ts';
import {
  buildDocument,
  type ClassEntry,
  type ClassScheme,
  type GoodsAndServices,
  type InternationalFiling,
  type InternationalRegistration,
  type InternationalSection,
  joinWords,
  type NormalizedDocument,
  type Priority,
  type Publication,
  type RecordEvent,
  type RelatedMark,
  type StatedSource,
  type Statement,
  stated,
} from '../payload.ts';
import { compactDate, ignore, type Reading, raiseIssue, readStatedDate, readText, readTexts } from '../reading.ts';
import { findSchemeAmong } from '../schemes.ts';
import { isAssumedNice, KIND_INDICATORS, US_CLASSES } from './lookups.ts';
import type { CaseParty } from './parties.ts';

/** Header values about the case itself, kept in `source`. */
const SOURCE_TEXTS = {
  cancellation_code: 'case-file-header/cancellation-code',
  attorney_docket_number: 'case-file-header/attorney-docket-number',
  law_office: 'case-file-header/law-office-assigned-location-code',
  current_location: 'case-file-header/current-location',
  employee_name: 'case-file-header/employee-name',
} as const;

const SOURCE_DATES = {
  abandonment_date: 'case-file-header/abandonment-date',
  cancellation_date: 'case-file-header/cancellation-date',
  amend_to_register_date: 'case-file-header/amend-to-register-date',
  location_date: 'case-file-header/location-date',
} as const;

/** Counts that merely repeat the listed codes. */
const IGNORED_PATHS = [
  'classifications/classification/international-code-total-no',
  'classifications/classification/us-code-total-no',
] as const;

export function buildCaseDocument(
  reading: Reading,
  parties: readonly CaseParty[],
  content: RecordContent,
): NormalizedDocument & { [key: string]: unknown } {
  for (const path of IGNORED_PATHS) ignore(reading, reading.root, path);
  const classes = listChildren(reading.root, 'classifications/classification').map((node) => readClass(reading, node));
  const { goods, statements } = readStatements(reading, classes, content.application_date);
  return buildDocument(readSource(reading, content.tm5_status), {
    parties: parties.map(({ party }) => party),
    mark: content.mark_name === null ? null : { texts: [{ text: content.mark_name }] },
    goods_and_services: goods,
    publications: readPublications(reading),
    priorities: listChildren(reading.root, 'foreign-applications/foreign-application').map((node) =>
      readPriority(reading, node),
    ),
    events: newestFirst(
      listChildren(reading.root, 'case-file-event-statements/case-file-event-statement').map((node) =>
        readEvent(reading, node, 'number'),
      ),
    ),
    classification: stated({
      classes,
      design_codes: readTexts(reading, reading.root, 'design-searches/design-search/code'),
    }),
    international: readInternational(reading),
    related_marks: readRelatedMarks(reading),
    statements,
  });
}

function readSource(reading: Reading, statusText: string | null): StatedSource {
  const indicators = listIndicators(reading);
  const source: StatedSource = {
    format: 'uspto-apc',
    status_code: readText(reading, reading.root, 'case-file-header/status-code'),
    status_text: statusText,
    // The office states a kind as flags, and a feature as a code.
    kind_code: joinWords(indicators.filter((indicator) => KIND_NAMES.has(indicator))),
    kind_text: null,
    feature_code: readText(reading, reading.root, 'case-file-header/mark-drawing-code'),
    feature_text: null,
    indicators,
  };
  for (const [key, path] of Object.entries(SOURCE_TEXTS)) source[key] = readText(reading, reading.root, path);
  for (const [key, path] of Object.entries(SOURCE_DATES)) {
    source[key] = readStatedDate(reading, reading.root, path, compactDate);
  }
  return source;
}

const nameFlag = (element: string): string => element.slice(0, -'-in'.length).replaceAll('-', '_');

const KIND_NAMES: ReadonlySet<string> = new Set(KIND_INDICATORS.map(([indicator]) => nameFlag(indicator)));

/** Names of the header's flags that are T; to the office, F and a missing flag mean the same. */
function listIndicators(reading: Reading): string[] {
  const flags = [
    ...listChildren(reading.root, 'case-file-header').flatMap((header) => header.children),
    ...listChildren(reading.root, 'prior-registration-applications/other-related-in'),
  ].filter(({ name }) => name.endsWith('-in'));
  const indicators: string[] = [];
  for (const flag of flags) {
    reading.read.add(flag);
    const value = flag.text.trim();
    if (value === 'T') indicators.push(nameFlag(flag.name));
    else if (value !== 'F' && value !== '') raiseIssue(reading, 'unmapped_indicator', flag.name, value);
  }
  return indicators;
}

/** Statements whose code starts with GS are goods and services: two letters, the class, and one digit for the kind. */
function readStatements(
  reading: Reading,
  classes: readonly ClassEntry[],
  filedOn: string | null,
): { goods: GoodsAndServices[]; statements: Statement[] } {
  const goods: GoodsAndServices[] = [];
  const statements: Statement[] = [];
  for (const node of listChildren(reading.root, 'case-file-statements/case-file-statement')) {
    const code = readText(reading, node, 'type-code');
    const texts = readTexts(reading, node, 'text');
    if (code?.startsWith('GS')) {
      const number = code.slice(2, 5) || null;
      const scheme = number === null ? null : readScheme(reading, number, classes, filedOn);
      goods.push(stated({ scheme, class: number, code, texts: texts.map((text) => ({ text })) }));
    } else {
      for (const text of texts) statements.push(stated({ code, text }));
    }
  }
  return { goods, statements };
}

/** The scheme of a class of goods; one that no classification of the case states is judged by the filing date. */
function readScheme(
  reading: Reading,
  number: string,
  classes: readonly ClassEntry[],
  filedOn: string | null,
): ClassScheme {
  if (US_CLASSES.test(number)) return 'national';
  const scheme = findSchemeAmong(number, classes);
  if (scheme !== 'unknown' || !isAssumedNice(number, filedOn)) return scheme;
  raiseIssue(reading, 'assumed_nice_class', 'case-file-statements/case-file-statement/type-code', number);
  return 'nice';
}

function readPublications(reading: Reading): Publication[] {
  const kinds = {
    'published for opposition': 'case-file-header/published-for-opposition-date',
    'republished under section 12(c)': 'case-file-header/republished-12c-date',
  };
  return Object.entries(kinds).flatMap(([kind, path]) => {
    const date = readStatedDate(reading, reading.root, path, compactDate);
    return date === null ? [] : [{ kind, date }];
  });
}

function readPriority(reading: Reading, node: XmlNode): Priority {
  const read = (path: string): string | null => readText(reading, node, path);
  const readDay = (path: string): string | null => readStatedDate(reading, node, path, compactDate);
  return stated<Priority>({
    number: read('application-number'),
    registration_number: read('registration-number'),
    country: read('country'),
    date: readDay('filing-date'),
    claimed: readFlag(reading, node, 'foreign-priority-claim-in'),
    details: stated({
      sequence: read('entry-number'),
      other: read('other'),
      renewal_number: read('renewal-number'),
      registration_date: readDay('registration-date'),
      registration_expiration_date: readDay('registration-expiration-date'),
      registration_renewal_date: readDay('registration-renewal-date'),
      registration_renewal_expiration_date: readDay('registration-renewal-expiration-date'),
    }),
  });
}

function readFlag(reading: Reading, node: XmlNode, path: string): boolean | null {
  const value = readText(reading, node, path);
  if (value === 'T' || value === 'F') return value === 'T';
  if (value !== null) raiseIssue(reading, 'unmapped_indicator', path, value);
  return null;
}

function readEvent(reading: Reading, node: XmlNode, numberPath: 'number' | 'entry-number'): RecordEvent {
  return stated<RecordEvent>({
    kind: 'history',
    code: readText(reading, node, 'code'),
    type: readText(reading, node, 'type'),
    text: readText(reading, node, 'description-text'),
    date: readStatedDate(reading, node, 'date', compactDate),
    number: readText(reading, node, numberPath),
  });
}

function readClass(reading: Reading, node: XmlNode): ClassEntry {
  const readDay = (path: string): string | null => readStatedDate(reading, node, path, compactDate);
  return stated<ClassEntry>({
    international_codes: readTexts(reading, node, 'international-code'),
    national_codes: readTexts(reading, node, 'us-code'),
    primary_code: readText(reading, node, 'primary-code'),
    status_code: readText(reading, node, 'status-code'),
    status_date: readDay('status-date'),
    first_use_date: readDay('first-use-anywhere-date'),
    first_use_in_commerce_date: readDay('first-use-in-commerce-date'),
  });
}

function readInternational(reading: Reading): InternationalSection {
  const registrations = listChildren(reading.root, 'international-registration');
  const filings = listChildren(reading.root, 'madrid-international-filing-requests/madrid-international-filing-record');
  return stated<InternationalSection>({
    registration: registrations[0] === undefined ? null : readRegistration(reading, registrations[0]),
    filings: filings.map((node) => readFiling(reading, node)),
  });
}

function readRegistration(reading: Reading, node: XmlNode): InternationalRegistration {
  const readDay = (path: string): string | null => readStatedDate(reading, node, path, compactDate);
  return stated<InternationalRegistration>({
    number: readText(reading, node, 'international-registration-number'),
    registration_date: readDay('international-registration-date'),
    publication_date: readDay('international-publication-date'),
    renewal_date: readDay('international-renewal-date'),
    auto_protection_date: readDay('auto-protection-date'),
    end_date: readDay('international-death-date'),
    status_code: readText(reading, node, 'international-status-code'),
    status_date: readDay('international-status-date'),
    priority_claimed: readFlag(reading, node, 'priority-claimed-in'),
    priority_date: readDay('priority-claimed-date'),
    first_refusal: readFlag(reading, node, 'first-refusal-in'),
  });
}

function readFiling(reading: Reading, node: XmlNode): InternationalFiling {
  const readDay = (path: string): string | null => readStatedDate(reading, node, path, compactDate);
  return stated<InternationalFiling>({
    sequence: readText(reading, node, 'entry-number'),
    reference_number: readText(reading, node, 'reference-number'),
    filing_date: readDay('original-filing-date-uspto'),
    number: readText(reading, node, 'international-registration-number'),
    registration_date: readDay('international-registration-date'),
    renewal_date: readDay('international-renewal-date'),
    status_code: readText(reading, node, 'international-status-code'),
    status_date: readDay('international-status-date'),
    reply_by_date: readDay('irregularity-reply-by-date'),
    events: newestFirst(
      listChildren(node, 'madrid-history-events/madrid-history-event').map((event) =>
        readEvent(reading, event, 'entry-number'),
      ),
    ),
  });
}

function readRelatedMarks(reading: Reading): RelatedMark[] {
  return listChildren(reading.root, 'prior-registration-applications/prior-registration-application').map((node) =>
    stated<RelatedMark>({
      relationship: readText(reading, node, 'relationship-type') ?? 'related',
      number: readText(reading, node, 'number'),
    }),
  );
}
