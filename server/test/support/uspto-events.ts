/** Writes assignment files and files of the trial and appeal board for tests, after their type definitions. */
import { type Element, writeElements } from './case-file.ts';

const HEADER = `<version><version-no>1.0</version-no><version-date>20130910</version-date></version>
<action-key-code>DA</action-key-code>`;

/** Null leaves the transaction date out. */
export function writeAssignments(entries: string, deliveredOn: string | null = '20260413'): string {
  const delivered = deliveredOn === null ? '' : `<transaction-date>${deliveredOn}</transaction-date>`;
  return `<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE trademark-assignments [<!ELEMENT version (version-no, version-date)>]>
<trademark-assignments>${HEADER}${delivered}<assignment-information>${entries}</assignment-information>
</trademark-assignments>`;
}

export function writeProceedings(entries: string, deliveredOn: string | null = '20260808'): string {
  const delivered = deliveredOn === null ? '' : `<transaction-date>${deliveredOn}</transaction-date>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<ttab-proceedings>${HEADER}${delivered}<proceeding-information>${entries}</proceeding-information>
</ttab-proceedings>`;
}

export interface AssignmentParts {
  reel?: string;
  frame?: string;
  updated?: string;
  purge?: string;
  conveyance?: string;
  /** Serial numbers. */
  serials?: readonly string[];
  /** Further properties. */
  properties?: readonly Element[];
}

/** An entry with what the type definition requires. */
export function writeAssignment(parts: AssignmentParts = {}): string {
  const { reel = '8001', frame = '0123', updated = '20260410', purge = 'N', conveyance = 'CHANGE OF NAME' } = parts;
  const { serials = ['97000001'], properties = [] } = parts;
  return writeElements([
    [
      'assignment-entry',
      [
        [
          'assignment',
          [
            ['reel-no', reel],
            ['frame-no', frame],
            ['last-update-date', updated],
            ['purge-indicator', purge],
            ['date-recorded', '20260401'],
            ['correspondent', [['person-or-organization-name', 'HARBOR LEGAL LLP']]],
            ['conveyance-text', conveyance],
          ],
        ],
        ['assignors', [['assignor', [['person-or-organization-name', 'OLD HARBOR CO.']]]]],
        ['assignees', [['assignee', [['person-or-organization-name', 'NEW HARBOR INC.']]]]],
        ['properties', [...serials.map((serial): Element => ['property', [['serial-no', serial]]]), ...properties]],
      ],
    ],
  ]);
}

/** An entry with every element of the type definition, each with its own text. */
export const FULL_ASSIGNMENT = `<assignment-entry>
<assignment><reel-no>8001</reel-no><frame-no>0123</frame-no><last-update-date>20260410</last-update-date>
<purge-indicator>N</purge-indicator><date-recorded>20260401</date-recorded><page-count>7</page-count>
<correspondent><person-or-organization-name>HARBOR LEGAL LLP</person-or-organization-name>
<address-1>1 QUAY</address-1><address-2>FLOOR 2</address-2><address-3>DEPT. 3</address-3>
<address-4>PORTLAND, ME 04101</address-4></correspondent>
<conveyance-text>ASSIGNS THE ENTIRE INTEREST</conveyance-text></assignment>
<assignors><assignor><person-or-organization-name>OLD HARBOR CO.</person-or-organization-name>
<formerly-statement>FORMERLY ANCIENT HARBOR CO.</formerly-statement>
<dba-aka-ta-statement>DBA HARBOR</dba-aka-ta-statement>
<composed-of-statement>COMPOSED OF <sub-party><name>A. PIER</name><entity code="01">INDIVIDUAL</entity>
<stctry code="ME">MAINE</stctry><composed-of><sub-party><name>B. JETTY</name><entity code="03">CORPORATION</entity>
<stctry code="DK">DENMARK</stctry></sub-party></composed-of></sub-party></composed-of-statement>
<address-1>2 QUAY</address-1><address-2>FLOOR 4</address-2><city>AARHUS</city><state>JUTLAND</state>
<country-name>DENMARK</country-name><postcode>8000</postcode><execution-date>20260301</execution-date>
<date-acknowledged>20260302</date-acknowledged><legal-entity-text>PARTNERSHIP</legal-entity-text>
<nationality>SWEDEN</nationality></assignor></assignors>
<assignees><assignee><person-or-organization-name>NEW HARBOR INC.</person-or-organization-name>
<address-1>3 QUAY</address-1><dba-aka-ta-statement>TA NEW H</dba-aka-ta-statement>
<composed-of-statement>COMPOSED OF C. DOCK</composed-of-statement>
<formerly-statement>FORMERLY NOVA HARBOR</formerly-statement><address-2>FLOOR 5</address-2><city>BATH</city>
<state>MAINE</state><country-name>UNITED STATES</country-name><postcode>04530</postcode>
<legal-entity-text>LIMITED COMPANY</legal-entity-text><nationality>NEW YORK</nationality></assignee></assignees>
<properties><property><serial-no>97000001</serial-no><registration-no>0700001</registration-no>
<trademark-law-treaty-property><tlt-mark-name>HARBOR</tlt-mark-name>
<tlt-mark-description>A BLUE ANCHOR</tlt-mark-description></trademark-law-treaty-property>
<intl-reg-no>1000001</intl-reg-no></property></properties></assignment-entry>`;

/** A proceeding with every element of the type definition, and the additional one that files have. */
export const FULL_PROCEEDING = `<proceeding-entry><number>91300001</number><type-code>OPP</type-code>
<filing-date>20250918</filing-date><employee-number>70001</employee-number>
<interlocutory-attorney-name>T. BENCH</interlocutory-attorney-name><location-code>845</location-code>
<day-in-location>20250919</day-in-location><charge-to-location-code>846</charge-to-location-code>
<charge-to-employee-name>U. BENCH</charge-to-employee-name><status-update-date>20260203</status-update-date>
<status-code>2</status-code><party-information>
<party><identifier>12</identifier><role-code>D</role-code><name>New Harbor Inc.</name><orgname>Harbor Group</orgname>
<property-information><property><identifier>22</identifier><serial-number>97000001</serial-number>
<registration-number>0700001</registration-number><mark-text>HARBOR</mark-text>
<tma-proceeding><proceeding-number>2025-100001</proceeding-number>
<proceeding-type-code>R</proceeding-type-code></tma-proceeding></property></property-information></party>
<party><identifier>11</identifier><role-code>P</role-code><name>Lighthouse Ltd.</name>
<property-information><property><identifier>21</identifier><serial-number>96000001</serial-number>
<mark-text>HARBOUR LIGHT</mark-text></property></property-information>
<address-information><proceeding-address><identifier>31</identifier><type-code>C</type-code><name>V. COUNSEL</name>
<orgname>COUNSEL LLP</orgname><address-1>4 QUAY</address-1><city>BATH</city><state>ME</state><country>US</country>
<postcode>04531</postcode></proceeding-address></address-information></party></party-information>
<prosecution-history><prosecution-entry><identifier>1</identifier><code>110</code><type-code>F</type-code>
<due-date>20251028</due-date><date>20250918</date><history-text>FILED AND FEE</history-text></prosecution-entry>
<prosecution-entry><identifier>2</identifier><code>125</code><type-code>X</type-code><date>20260203</date>
<history-text>PENDING, INSTITUTED</history-text></prosecution-entry></prosecution-history></proceeding-entry>`;

export interface ProceedingParts {
  number?: string;
  type?: string;
  status?: string;
  updated?: string;
  plaintiff?: readonly string[];
  defendant?: readonly string[];
}

export function writeProceeding(parts: ProceedingParts = {}): string {
  const { number = '91300001', type = 'OPP', status = '2', updated = '20260203' } = parts;
  const { plaintiff = ['96000001'], defendant = ['97000001'] } = parts;
  const party = (role: string, serials: readonly string[]): Element => [
    'party',
    [
      ['role-code', role],
      ['name', role === 'P' ? 'Lighthouse Ltd.' : 'New Harbor Inc.'],
      ['property-information', serials.map((serial): Element => ['property', [['serial-number', serial]]])],
    ],
  ];
  return writeElements([
    [
      'proceeding-entry',
      [
        ['number', number],
        ['type-code', type],
        ['filing-date', '20250918'],
        ['status-update-date', updated],
        ['status-code', status],
        ['party-information', [party('P', plaintiff), party('D', defendant)]],
      ],
    ],
  ]);
}
