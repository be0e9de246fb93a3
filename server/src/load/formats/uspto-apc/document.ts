/** The normalized document of a case-file: every value of the file that says something about the mark. */
import type { RecordContent } from '@tmds/contract/record';
import {
  buildDocument,
  type ClassEntry,
  type GoodsAndServices,
  type InternationalFiling,
  type InternationalRegistration,
  joinWords,
  type NormalizedDocument,
  newestFirst,
  type Priority,
  type Publication,
  type RecordEvent,
  type RelatedMark,
  type StatedSource,
  type Statement,
  stated,
} from '../document.ts';
import { day, type Element, type Mapping, texts } from '../element.ts';
import { findSchemeAmong } from '../meanings.ts';
import { isAssumedNice, KIND_INDICATORS, US_CLASSES } from './cases.ts';
import type { CaseParty } from './parties.ts';

/** Header values about the case itself, kept in `source`. */
const SOURCE: Mapping<Record<string, unknown>> = {
  cancellation_code: 'case-file-header/cancellation-code',
  attorney_docket_number: 'case-file-header/attorney-docket-number',
  law_office: 'case-file-header/law-office-assigned-location-code',
  current_location: 'case-file-header/current-location',
  employee_name: 'case-file-header/employee-name',
  abandonment_date: day('case-file-header/abandonment-date'),
  cancellation_date: day('case-file-header/cancellation-date'),
  amend_to_register_date: day('case-file-header/amend-to-register-date'),
  location_date: day('case-file-header/location-date'),
};

/** Counts that merely repeat the listed codes. */
const IGNORED_PATHS = [
  'classifications/classification/international-code-total-no',
  'classifications/classification/us-code-total-no',
];

const PUBLICATIONS = {
  'published for opposition': 'case-file-header/published-for-opposition-date',
  'republished under section 12(c)': 'case-file-header/republished-12c-date',
};

const PRIORITY: Mapping<Priority> = {
  number: 'application-number',
  registration_number: 'registration-number',
  country: 'country',
  date: day('filing-date'),
  claimed: flag('foreign-priority-claim-in'),
  details: (claim) =>
    claim.map({
      sequence: 'entry-number',
      other: 'other',
      renewal_number: 'renewal-number',
      registration_date: day('registration-date'),
      registration_expiration_date: day('registration-expiration-date'),
      registration_renewal_date: day('registration-renewal-date'),
      registration_renewal_expiration_date: day('registration-renewal-expiration-date'),
    }),
};

const EVENT: Mapping<RecordEvent> = {
  kind: () => 'history',
  code: 'code',
  type: 'type',
  text: 'description-text',
  date: day('date'),
};

const CLASS: Mapping<ClassEntry> = {
  international_codes: texts('international-code'),
  national_codes: texts('us-code'),
  primary_code: 'primary-code',
  status_code: 'status-code',
  status_date: day('status-date'),
  first_use_date: day('first-use-anywhere-date'),
  first_use_in_commerce_date: day('first-use-in-commerce-date'),
};

const REGISTRATION: Mapping<InternationalRegistration> = {
  number: 'international-registration-number',
  registration_date: day('international-registration-date'),
  publication_date: day('international-publication-date'),
  renewal_date: day('international-renewal-date'),
  auto_protection_date: day('auto-protection-date'),
  end_date: day('international-death-date'),
  status_code: 'international-status-code',
  status_date: day('international-status-date'),
  priority_claimed: flag('priority-claimed-in'),
  priority_date: day('priority-claimed-date'),
  first_refusal: flag('first-refusal-in'),
};

const FILING: Mapping<InternationalFiling> = {
  sequence: 'entry-number',
  reference_number: 'reference-number',
  filing_date: day('original-filing-date-uspto'),
  number: 'international-registration-number',
  registration_date: day('international-registration-date'),
  renewal_date: day('international-renewal-date'),
  status_code: 'international-status-code',
  status_date: day('international-status-date'),
  reply_by_date: day('irregularity-reply-by-date'),
  events: (filing) =>
    newestFirst(
      filing.mapAll<RecordEvent>('madrid-history-events/madrid-history-event', { ...EVENT, number: 'entry-number' }),
    ),
};

const RELATED: Mapping<RelatedMark> = {
  relationship: (related) => related.text('relationship-type') ?? 'related',
  number: 'number',
};

export function buildCaseDocument(
  root: Element,
  parties: readonly CaseParty[],
  content: RecordContent,
): NormalizedDocument & { [key: string]: unknown } {
  for (const path of IGNORED_PATHS) root.ignore(path);
  const classes = root.mapAll('classifications/classification', CLASS);
  const { goods, statements } = readStatements(root, classes, content.application_date);
  return buildDocument(readSource(root, content.tm5_status), {
    parties: parties.map(({ party }) => party),
    mark: content.mark_name === null ? null : { texts: [{ text: content.mark_name }] },
    goods_and_services: goods,
    publications: readPublications(root),
    priorities: root.mapAll('foreign-applications/foreign-application', PRIORITY),
    events: newestFirst(
      root.mapAll<RecordEvent>('case-file-event-statements/case-file-event-statement', { ...EVENT, number: 'number' }),
    ),
    classification: stated({ classes, design_codes: root.texts('design-searches/design-search/code') }),
    international: stated({
      registration: root.find('international-registration')?.map(REGISTRATION),
      filings: root.mapAll('madrid-international-filing-requests/madrid-international-filing-record', FILING),
    }),
    related_marks: root.mapAll('prior-registration-applications/prior-registration-application', RELATED),
    statements,
  });
}

function readSource(root: Element, statusText: string | null): StatedSource {
  const indicators = listIndicators(root);
  const source: StatedSource = {
    format: 'uspto-apc',
    status_code: root.text('case-file-header/status-code'),
    status_text: statusText,
    // The office states a kind as flags, and a feature as a code.
    kind_code: joinWords(indicators.filter((indicator) => KIND_NAMES.has(indicator))),
    kind_text: null,
    feature_code: root.text('case-file-header/mark-drawing-code'),
    feature_text: null,
    indicators,
  };
  return Object.assign(source, root.map(SOURCE));
}

const nameFlag = (element: string): string => element.slice(0, -'-in'.length).replaceAll('-', '_');

const KIND_NAMES: ReadonlySet<string> = new Set(KIND_INDICATORS.map(([indicator]) => nameFlag(indicator)));

/** Names of the header's flags that are T; to the office, F and a missing flag mean the same. */
function listIndicators(root: Element): string[] {
  const flags = [
    ...root.list('case-file-header').flatMap((header) => header.children),
    ...root.list('prior-registration-applications/other-related-in'),
  ].filter(({ name }) => name.endsWith('-in'));
  return flags.flatMap((each) => {
    const value = each.own();
    if (value !== 'T' && value !== 'F' && value !== null) root.raise('unmapped_indicator', each.name, value);
    return value === 'T' ? [nameFlag(each.name)] : [];
  });
}

/** Statements whose code starts with GS are goods and services: two letters, the class, and one digit for the kind. */
function readStatements(
  root: Element,
  classes: readonly ClassEntry[],
  filedOn: string | null,
): { goods: GoodsAndServices[]; statements: Statement[] } {
  const goods: GoodsAndServices[] = [];
  const statements: Statement[] = [];
  for (const node of root.list('case-file-statements/case-file-statement')) {
    const code = node.text('type-code');
    const listed = node.texts('text');
    if (code?.startsWith('GS')) {
      const number = code.slice(2, 5) || null;
      const scheme = number === null ? null : readScheme(root, number, classes, filedOn);
      goods.push(stated({ scheme, class: number, code, texts: listed.map((text) => ({ text })) }));
    } else {
      for (const text of listed) statements.push(stated({ code, text }));
    }
  }
  return { goods, statements };
}

/** The scheme of a class of goods; one that no classification of the case states is judged by the filing date. */
function readScheme(
  root: Element,
  number: string,
  classes: readonly ClassEntry[],
  filedOn: string | null,
): NonNullable<GoodsAndServices['scheme']> {
  if (US_CLASSES.test(number)) return 'national';
  const scheme = findSchemeAmong(number, classes);
  if (scheme !== 'unknown' || !isAssumedNice(number, filedOn)) return scheme;
  root.raise('assumed_nice_class', 'case-file-statements/case-file-statement/type-code', number);
  return 'nice';
}

function readPublications(root: Element): Publication[] {
  return Object.entries(PUBLICATIONS).flatMap(([kind, path]) => {
    const date = root.statedDay(path);
    return date === null ? [] : [{ kind, date }];
  });
}

function flag(path: string): (element: Element) => boolean | null {
  return (element) => {
    const value = element.text(path);
    if (value === 'T' || value === 'F') return value === 'T';
    if (value !== null) element.raise('unmapped_indicator', path, value);
    return null;
  };
}
