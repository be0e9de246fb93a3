/** Writes USPTO case-files for tests, as nested arrays of elements, so that a test can state repeats and order. */

export type Element = readonly [name: string, content: string | readonly Element[]];

export function writeElements(elements: readonly Element[]): string {
  return elements
    .map(([name, content]) => {
      const inner = typeof content === 'string' ? escapeText(content) : `\n${writeElements(content)}`;
      return `<${name}>${inner}</${name}>\n`;
    })
    .join('');
}

function escapeText(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
}

export interface CaseParts {
  serial?: string;
  header?: readonly Element[];
  before?: readonly Element[];
  after?: readonly Element[];
}

export function writeCase({ serial = '97000001', header = [], before = [], after = [] }: CaseParts = {}): string {
  return writeElements([
    [
      'case-file',
      [
        ['serial-number', serial],
        ['registration-number', '0000000'],
        ['transaction-date', '20260102'],
        ...before,
        ['case-file-header', [['status-code', '630'], ...header]],
        ...after,
      ],
    ],
  ]);
}

/** A whole daily file around case-files, as the office lays it out. */
export function writeDaily(caseFiles: string): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE trademark-applications-daily [<!-- it's long --><!ELEMENT version (version-no, version-date)>]>
<trademark-applications-daily><version><version-no>2.0</version-no><version-date>20041108</version-date></version>
<creation-datetime>202601022208</creation-datetime><application-information><file-segments>
<file-segment>TRMK</file-segment><action-keys><action-key>TX</action-key>${caseFiles}</action-keys></file-segments>
</application-information></trademark-applications-daily>`;
}

/** Every element that the office's type definition allows in a case-file (DTD 2.0 of 2005-04-01); leaves are null. */
export type Shape = { readonly [name: string]: Shape | null };

const leaves = (names: string): Shape =>
  Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, null]),
  );

export const CASE_SHAPE: Shape = {
  ...leaves('serial-number registration-number transaction-date'),
  'case-file-header': leaves(`filing-date registration-date status-code status-date mark-identification
    mark-drawing-code published-for-opposition-date amend-to-register-date abandonment-date cancellation-code
    cancellation-date republished-12c-date domestic-representative-name attorney-docket-number attorney-name
    principal-register-amended-in supplemental-register-amended-in trademark-in collective-trademark-in service-mark-in
    collective-service-mark-in collective-membership-mark-in certification-mark-in cancellation-pending-in
    published-concurrent-in concurrent-use-in concurrent-use-proceeding-in interference-pending-in
    opposition-pending-in section-12c-in section-2f-in section-2f-in-part-in renewal-filed-in section-8-filed-in
    section-8-partial-accept-in section-8-accepted-in section-15-acknowledged-in section-15-filed-in
    supplemental-register-in foreign-priority-in change-registration-in intent-to-use-in intent-to-use-current-in
    filed-as-use-application-in amended-to-use-application-in use-application-currently-in
    amended-to-itu-application-in filing-basis-filed-as-44d-in amended-to-44d-application-in
    filing-basis-current-44d-in filing-basis-filed-as-44e-in filing-basis-current-44e-in
    amended-to-44e-application-in without-basis-currently-in filing-current-no-basis-in color-drawing-filed-in
    color-drawing-current-in drawing-3d-filed-in drawing-3d-current-in standard-characters-claimed-in
    filing-basis-filed-as-66a-in filing-basis-current-66a-in renewal-date law-office-assigned-location-code
    current-location location-date employee-name`),
  'case-file-statements': { 'case-file-statement': leaves('type-code text') },
  'case-file-event-statements': {
    'case-file-event-statement': leaves('code type description-text date number'),
  },
  'prior-registration-applications': {
    'other-related-in': null,
    'prior-registration-application': leaves('relationship-type number'),
  },
  'foreign-applications': {
    'foreign-application': leaves(`filing-date registration-date registration-expiration-date registration-renewal-date
      registration-renewal-expiration-date entry-number application-number country other registration-number
      renewal-number foreign-priority-claim-in`),
  },
  classifications: {
    classification: leaves(`international-code-total-no us-code-total-no international-code us-code status-code
      status-date first-use-anywhere-date first-use-in-commerce-date primary-code`),
  },
  correspondent: leaves('address-1 address-2 address-3 address-4 address-5'),
  'case-file-owners': {
    'case-file-owner': {
      ...leaves('entry-number party-type'),
      nationality: leaves('state country other'),
      ...leaves(`legal-entity-type-code entity-statement party-name address-1 address-2 city state country other postcode
        dba-aka-text composed-of-statement name-change-explanation`),
    },
  },
  'design-searches': { 'design-search': leaves('code') },
  'international-registration': leaves(`international-registration-number international-registration-date
    international-publication-date international-renewal-date auto-protection-date international-death-date
    international-status-code international-status-date priority-claimed-in priority-claimed-date first-refusal-in`),
  'madrid-international-filing-requests': {
    'madrid-international-filing-record': {
      ...leaves(`entry-number reference-number original-filing-date-uspto international-registration-number
        international-registration-date international-status-code international-status-date
        irregularity-reply-by-date international-renewal-date`),
      'madrid-history-events': { 'madrid-history-event': leaves('code date description-text entry-number') },
    },
  },
};

/** A case-file with every element of the type definition, each leaf with its own value. */
export function writeFullCase(shape: Shape, path: string, values: Map<string, string>): Element[] {
  const fixed: Record<string, string> = {
    'serial-number': '97000001',
    'case-file-header/status-code': '630',
    'case-file-header/mark-drawing-code': '4000',
    'case-file-owners/case-file-owner/party-type': '31',
    'case-file-owners/case-file-owner/legal-entity-type-code': '03',
    'case-file-owners/case-file-owner/country': 'NO',
    'classifications/classification/international-code': '017',
    'classifications/classification/status-code': '6',
  };
  return Object.entries(shape).map(([name, inner]): Element => {
    const at = path === '' ? name : `${path}/${name}`;
    if (inner !== null) return [name, writeFullCase(inner, at, values)];
    const isDate = /(^|-)date(-|$)/.test(name);
    const value = fixed[at] ?? (name.endsWith('-in') ? 'T' : isDate ? `${1900 + values.size}0211` : `v${values.size}`);
    values.set(at, value);
    return [name, value];
  });
}

/** A daily file with that case. */
export const FULL_DAILY = writeDaily(writeElements([['case-file', writeFullCase(CASE_SHAPE, '', new Map())]]));
