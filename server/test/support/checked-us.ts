/** Real cases of the United States, read by hand: from daily files, and from answers in ST.96 and ST.66. */
import type { CheckedMark } from './checked.ts';

const US = { jurisdiction_code: 'US', office: 'US' } as const;
const TRADEMARK = ['<trademark-in>T</trademark-in>', { kind_of_mark: 'Trademark' }] as const;
const ATTORNEY = /<attorney-name>([^<]+)/;
const CORRESPONDENT = /<address-1>([^<]+)<\/address-1>(?:<address-\d>[^<]*<\/address-\d>)*<\/correspondent>/;

export const CHECKED_CASES: readonly CheckedMark[] = [
  {
    file: 'uspto/apc/case-file-71060608.xml',
    facts: [
      ['<serial-number>71060608</serial-number>', { ...US, uid: 'US500000071060608', application_number: '71060608' }],
      ['<registration-number>0098699</registration-number>', { registration_number: '98699' }],
      ['<transaction-date>20240909</transaction-date>', { external_update_date: '2024-09-09' }],
      ['<filing-date>19120104</filing-date>', { application_date: '1912-01-04' }],
      ['<registration-date>19140728</registration-date>', { registration_date: '1914-07-28' }],
      ['<status-code>800</status-code>', { status: 'Registered', tm5_status: 'REGISTERED AND RENEWED' }],
      ['<status-date>20240909</status-date>', { status_date: '2024-09-09' }],
      ['<mark-drawing-code>5</mark-drawing-code>', { mark_feature: 'Stylized characters' }],
      TRADEMARK,
      ['<renewal-date>20240728</renewal-date>', { renewal_date: '2024-07-28' }],
      // A second publication of an old registration is none of the application.
      ['<republished-12c-date>19480608</republished-12c-date>', {}],
      [
        '<international-code>006</international-code><international-code>020</international-code>',
        { nice_classes: [6, 20] },
      ],
      // Class 25 is one of the office's own classes here.
      ['<type-code>GS0251</type-code>', {}],
      ['<primary-code>025</primary-code>', {}],
      ['<state>CT</state><country>US</country><postcode>06511</postcode>', { owner_countries: ['US'] }],
    ],
    names: {
      mark_name: [/<mark-identification>([^<]+)/],
      owner_names: [
        /<party-type>43<\/party-type>.*?<party-name>([^<]+)/,
        /<party-type>30<\/party-type>.*?<party-name>([^<]+)/,
      ],
      representative_names: [ATTORNEY, CORRESPONDENT],
    },
  },
  {
    file: 'uspto/apc/case-file-60000001.xml',
    facts: [
      ['<serial-number>60000001</serial-number>', { ...US, uid: 'US500000060000001', application_number: '60000001' }],
      ['<registration-number>0000001</registration-number>', { registration_number: '1' }],
      ['<transaction-date>20160316</transaction-date>', { external_update_date: '2016-03-16' }],
      ['<registration-date>18701025</registration-date>', { registration_date: '1870-10-25' }],
      [
        '<status-code>626</status-code>',
        { status: 'Cancelled', tm5_status: 'REGISTERED - BACKFILE CANCELLED OR EXPIRED' },
      ],
      ['<status-date>20051011</status-date>', { status_date: '2005-10-11' }],
      // No drawing code, but standard characters, although no mark is stated.
      ['<mark-drawing-code>0</mark-drawing-code>', {}],
      ['<standard-characters-claimed-in>T</standard-characters-claimed-in>', { mark_feature: 'Word' }],
    ],
    names: {},
  },
  {
    file: 'uspto/apc/case-file-79366581.xml',
    facts: [
      [
        '<serial-number>79366581</serial-number>',
        { jurisdiction_code: 'US', uid: 'US500000079366581', application_number: '79366581' },
      ],
      ['<filing-basis-current-66a-in>T</filing-basis-current-66a-in>', { office: 'WO' }],
      ['<registration-number>0000000</registration-number>', {}],
      ['<transaction-date>20240925</transaction-date>', { external_update_date: '2024-09-25' }],
      ['<filing-date>20221227</filing-date>', { application_date: '2022-12-27' }],
      ['<status-code>686</status-code>', { status: 'Pending', tm5_status: 'PUBLISHED FOR OPPOSITION' }],
      ['<status-date>20240925</status-date>', { status_date: '2024-09-25' }],
      ['<mark-drawing-code>5</mark-drawing-code>', { mark_feature: 'Stylized characters' }],
      ['<published-for-opposition-date>20240220</published-for-opposition-date>', { publication_date: '2024-02-20' }],
      ['<service-mark-in>T</service-mark-in>', {}],
      TRADEMARK,
      ['<international-code>003</international-code>', {}],
      ['<international-code>035</international-code>', { nice_classes: [3, 18, 32, 35] }],
      // The citizenship is not the address.
      ['<nationality><country>GE</country></nationality>', {}],
      ['<country>TR</country></case-file-owner>', { owner_countries: ['TR'] }],
      [
        '<international-registration-number>1722108</international-registration-number>',
        { international_registration_numbers: ['1722108'] },
      ],
      // A priority without a number; the date of renewal is the one of the international registration.
      ['<priority-claimed-date>20221118</priority-claimed-date>', {}],
      ['<international-renewal-date>20321227</international-renewal-date>', {}],
    ],
    names: {
      mark_name: [/<mark-identification>([^<]+)/],
      owner_names: [/<party-name>([^<]+)/],
      representative_names: [ATTORNEY, CORRESPONDENT],
    },
  },
  {
    file: 'uspto/apc/apc180218-sample.xml',
    number: '72244388',
    facts: [
      ['<serial-number>72244388</serial-number>', { ...US, uid: 'US500000072244388', application_number: '72244388' }],
      ['<registration-number>0864928</registration-number>', { registration_number: '864928' }],
      ['<transaction-date>20180218</transaction-date>', { external_update_date: '2018-02-18' }],
      ['<filing-date>19660427</filing-date>', { application_date: '1966-04-27' }],
      ['<registration-date>19690218</registration-date>', { registration_date: '1969-02-18' }],
      ['<status-code>703</status-code>', { status: 'Registered', tm5_status: 'SECTION 15-ACKNOWLEDGED' }],
      ['<status-date>20090328</status-date>', { status_date: '2009-03-28' }],
      ['<mark-drawing-code>1000</mark-drawing-code>', { mark_feature: 'Word' }],
      TRADEMARK,
      ['<renewal-date>20090218</renewal-date>', { renewal_date: '2009-02-18' }],
      // A month without a day.
      ['<first-use-in-commerce-date>19480200</first-use-in-commerce-date>', {}],
      ['<international-code>007</international-code><us-code>023</us-code>', { nice_classes: [7] }],
      ['<country>NL</country><postcode>1382 JL</postcode>', { owner_countries: ['NL'] }],
    ],
    names: {
      mark_name: [/<mark-identification>([^<]+)/],
      owner_names: [
        /<party-type>40<\/party-type>.*?<party-name>([^<]+)/,
        /<party-type>30<\/party-type>.*?<party-name>([^<]+)/,
      ],
      // Attorney, domestic representative and correspondent are one person.
      representative_names: [ATTORNEY],
    },
  },
  {
    file: 'uspto/apc/revival-98186103-1-before.xml',
    facts: [
      ['<serial-number>98186103</serial-number>', { ...US, uid: 'US500000098186103', application_number: '98186103' }],
      ['<transaction-date>20240914</transaction-date>', { external_update_date: '2024-09-14' }],
      ['<filing-date>20230919</filing-date>', { application_date: '2023-09-19' }],
      [
        '<status-code>602</status-code>',
        { status: 'Abandoned', tm5_status: 'ABANDONED-FAILURE TO RESPOND OR LATE RESPONSE' },
      ],
      ['<status-date>20240829</status-date>', { status_date: '2024-08-29' }],
      ['<abandonment-date>20240815</abandonment-date>', { termination_date: '2024-08-15' }],
      ['<mark-drawing-code>3</mark-drawing-code>', {}],
      ['<drawing-3d-current-in>T</drawing-3d-current-in>', { mark_feature: 'Three-dimensional' }],
      TRADEMARK,
      ['<international-code>025</international-code>', { nice_classes: [25, 41, 42] }],
      // Codes of the office's own designs; a state alone is one of the United States.
      ['<design-search><code>181125</code></design-search>', {}],
      ['<city>Birmingham</city><state>MI</state><postcode>48009</postcode>', { owner_countries: ['US'] }],
    ],
    names: {
      mark_name: [/<mark-identification>([^<]+)/],
      owner_names: [/<party-name>([^<]+)/],
      representative_names: [ATTORNEY, CORRESPONDENT],
    },
  },
  {
    file: 'uspto/apc/revival-98186103-2-after.xml',
    facts: [
      ['<serial-number>98186103</serial-number>', { ...US, uid: 'US500000098186103', application_number: '98186103' }],
      ['<transaction-date>20240925</transaction-date>', { external_update_date: '2024-09-25' }],
      ['<filing-date>20230919</filing-date>', { application_date: '2023-09-19' }],
      // Revived: no longer abandoned, and without a date of its end.
      ['<status-code>616</status-code>', { status: 'Pending', tm5_status: 'REVIVED - AWAITING FURTHER ACTION' }],
      ['<status-date>20240925</status-date>', { status_date: '2024-09-25' }],
      ['<drawing-3d-current-in>T</drawing-3d-current-in>', { mark_feature: 'Three-dimensional' }],
      TRADEMARK,
      ['<international-code>041</international-code>', { nice_classes: [41, 42] }],
      ['<city>Birmingham</city><state>MI</state><postcode>48009</postcode>', { owner_countries: ['US'] }],
    ],
    names: {
      mark_name: [/<mark-identification>([^<]+)/],
      owner_names: [/<party-name>([^<]+)/],
      representative_names: [ATTORNEY, CORRESPONDENT],
    },
  },
  {
    file: 'uspto/apc/two-case-files-70011210-79001917.SHORTENED.xml',
    number: '79001917',
    facts: [
      [
        '<serial-number>79001917</serial-number>',
        { jurisdiction_code: 'US', uid: 'US500000079001917', application_number: '79001917' },
      ],
      ['<filing-basis-current-66a-in>T</filing-basis-current-66a-in>', { office: 'WO' }],
      ['<registration-number>2998412</registration-number>', { registration_number: '2998412' }],
      ['<transaction-date>20260108</transaction-date>', { external_update_date: '2026-01-08' }],
      ['<filing-date>20040324</filing-date>', { application_date: '2004-03-24' }],
      ['<registration-date>20050920</registration-date>', { registration_date: '2005-09-20' }],
      ['<published-for-opposition-date>20050628</published-for-opposition-date>', { publication_date: '2005-06-28' }],
      ['<status-code>706</status-code>', { status: 'Registered', tm5_status: 'SECTION 71 ACCEPTED' }],
      ['<status-date>20151214</status-date>', { status_date: '2015-12-14' }],
      ['<mark-drawing-code>4</mark-drawing-code>', { mark_feature: 'Word' }],
      ['<international-code>001</international-code>', { nice_classes: [1] }],
      ['<country>CH</country><postcode>CH1214</postcode>', { owner_countries: ['CH'] }],
      [
        '<international-registration-number>0822403</international-registration-number>',
        { international_registration_numbers: ['822403'] },
      ],
    ],
    names: {
      mark_name: [/<mark-identification>([^<]+)/],
      owner_names: [/<party-name>([^<]+)/],
      representative_names: [CORRESPONDENT],
    },
  },
];

const NAME = /<(?:\w+:)?PersonFullName>([^<]+)/.source;

export const CHECKED_ANSWERS: readonly CheckedMark[] = [
  {
    file: 'uspto/tsdr/sn77478018-ST96.xml',
    facts: [
      ['<ns1:RegistrationOfficeCode>US</ns1:RegistrationOfficeCode>', US],
      [
        '<ns1:ApplicationNumberText>77478018</ns1:ApplicationNumberText>',
        { uid: 'US500000077478018', application_number: '77478018' },
      ],
      ['<ns1:RegistrationNumber>3717416</ns1:RegistrationNumber>', { registration_number: '3717416' }],
      ['<ns2:ApplicationDate>2008-05-19-04:00</ns2:ApplicationDate>', { application_date: '2008-05-19' }],
      ['<ns1:RegistrationDate>2009-12-01</ns1:RegistrationDate>', { registration_date: '2009-12-01' }],
      ['<ns2:MarkCurrentStatusCode>701</ns2:MarkCurrentStatusCode>', { status: 'Registered' }],
      [
        '>A Section 8 declaration has been accepted.</ns2:MarkCurrentStatusExternalDescriptionText>',
        { tm5_status: 'A Section 8 declaration has been accepted.' },
      ],
      ['<ns2:MarkCurrentStatusDate>2015-04-14</ns2:MarkCurrentStatusDate>', { status_date: '2015-04-14' }],
      ['<ns2:MarkCategory>Trademark</ns2:MarkCategory>', { kind_of_mark: 'Trademark' }],
      ['<ns2:MarkFeatureCode>2</ns2:MarkFeatureCode>', { mark_feature: 'Figurative' }],
      // A drawing without words; the codes are of the office's own designs.
      ['<ns2:MarkVerbalElementText/>', {}],
      ['<ns2:NationalDesignCode>03.01.08</ns2:NationalDesignCode>', {}],
      ['<ns1:PublicationDate>2009-09-15</ns1:PublicationDate>', { publication_date: '2009-09-15' }],
      [
        '<ns2:ClassificationKindCode>Nice</ns2:ClassificationKindCode><ns2:ClassNumber>030</ns2:ClassNumber>',
        { nice_classes: [14, 25, 30] },
      ],
      // A class of the office.
      ['<ns2:NationalClassNumber>046</ns2:NationalClassNumber>', {}],
      ['<ns1:CountryCode>US</ns1:CountryCode>', { owner_countries: ['US'] }],
    ],
    names: {
      // Three stages of one firm.
      owner_names: [/<ns1:EntityName>([^<]+)/],
      representative_names: [
        new RegExp(`<ns2:RecordAttorney>.*?${NAME}`),
        /<ns2:NationalCorrespondent>.*?<ns1:OrganizationStandardName>([^<]+)/,
      ],
    },
  },
  {
    file: 'uspto/tsdr/rn2713476-ST96.xml',
    facts: [
      ['<ns1:RegistrationOfficeCode>US</ns1:RegistrationOfficeCode>', US],
      [
        '<ns1:ApplicationNumberText>78002299</ns1:ApplicationNumberText>',
        { uid: 'US500000078002299', application_number: '78002299' },
      ],
      ['<ns1:RegistrationNumber>2713476</ns1:RegistrationNumber>', { registration_number: '2713476' }],
      ['<ns2:ApplicationDate>2000-04-03-04:00</ns2:ApplicationDate>', { application_date: '2000-04-03' }],
      ['<ns1:RegistrationDate>2003-05-06</ns1:RegistrationDate>', { registration_date: '2003-05-06' }],
      ['<ns2:MarkCurrentStatusCode>800</ns2:MarkCurrentStatusCode>', { status: 'Registered' }],
      [
        '>The registration has been renewed.</ns2:MarkCurrentStatusExternalDescriptionText>',
        { tm5_status: 'The registration has been renewed.' },
      ],
      ['<ns2:MarkCurrentStatusDate>2013-03-23</ns2:MarkCurrentStatusDate>', { status_date: '2013-03-23' }],
      ['<ns2:RenewalDate>2013-05-06</ns2:RenewalDate>', { renewal_date: '2013-05-06' }],
      ['<ns2:MarkCategory>Trademark</ns2:MarkCategory>', { kind_of_mark: 'Trademark' }],
      ['<ns2:MarkFeatureCode>1</ns2:MarkFeatureCode>', { mark_feature: 'Word' }],
      ['<ns1:PublicationDate>2003-02-11</ns1:PublicationDate>', { publication_date: '2003-02-11' }],
      [
        '<ns2:ClassificationKindCode>Nice</ns2:ClassificationKindCode><ns2:ClassNumber>009</ns2:ClassNumber>',
        { nice_classes: [9] },
      ],
      ['<ns1:CountryCode>SE</ns1:CountryCode>', { owner_countries: ['SE'] }],
    ],
    names: {
      mark_name: [/<ns2:MarkVerbalElementText>([^<]+)/],
      // The stages 30, 20, 17 and 11 are of one firm.
      owner_names: ['30', '15', '13', '10'].map(
        (stage) => new RegExp(`sequenceNumber="${stage}">.*?<ns1:OrganizationStandardName>([^<]+)`),
      ),
      representative_names: [
        new RegExp(`<ns2:RecordAttorney>.*?${NAME}`),
        new RegExp(`<ns2:NationalRepresentative>.*?${NAME}`),
        /<ns2:NationalCorrespondent>.*?<ns1:OrganizationStandardName>([^<]+)/,
      ],
    },
  },
  {
    file: 'uspto/tsdr/sn76044902-ST96.xml',
    facts: [
      ['<ns1:RegistrationOfficeCode>US</ns1:RegistrationOfficeCode>', US],
      [
        '<ns1:ApplicationNumberText>76044902</ns1:ApplicationNumberText>',
        { uid: 'US500000076044902', application_number: '76044902' },
      ],
      ['<ns1:RegistrationNumber>2824281</ns1:RegistrationNumber>', { registration_number: '2824281' }],
      ['<ns2:ApplicationDate>2000-05-09-04:00</ns2:ApplicationDate>', { application_date: '2000-05-09' }],
      ['<ns1:RegistrationDate>2004-03-23</ns1:RegistrationDate>', { registration_date: '2004-03-23' }],
      ['<ns2:MarkCurrentStatusCode>800</ns2:MarkCurrentStatusCode>', { status: 'Registered' }],
      [
        '>The registration has been renewed.</ns2:MarkCurrentStatusExternalDescriptionText>',
        { tm5_status: 'The registration has been renewed.' },
      ],
      ['<ns2:MarkCurrentStatusDate>2014-02-10</ns2:MarkCurrentStatusDate>', { status_date: '2014-02-10' }],
      ['<ns2:RenewalDate>2014-03-23</ns2:RenewalDate>', { renewal_date: '2014-03-23' }],
      [
        '<ns2:MarkCategory>Trademark</ns2:MarkCategory><ns2:MarkCategory>Service mark</ns2:MarkCategory>',
        { kind_of_mark: 'Trademark' },
      ],
      ['<ns2:MarkFeatureCode>1</ns2:MarkFeatureCode>', { mark_feature: 'Word' }],
      ['<ns1:PublicationDate>2003-12-30</ns1:PublicationDate>', { publication_date: '2003-12-30' }],
      ['<ns2:ClassNumber>042</ns2:ClassNumber>', { nice_classes: [9, 42] }],
      ['<ns1:CountryCode>US</ns1:CountryCode>', { owner_countries: ['US'] }],
    ],
    names: {
      mark_name: [/<ns2:MarkVerbalElementText>([^<]+)/],
      owner_names: [/sequenceNumber="30">.*?<ns1:EntityName>([^<]+)/, /sequenceNumber="10">.*?<ns1:EntityName>([^<]+)/],
      representative_names: [
        new RegExp(`<ns2:RecordAttorney>.*?${NAME}`),
        /<ns2:NationalCorrespondent>.*?<ns1:OrganizationStandardName>([^<]+)/,
      ],
    },
  },
  {
    file: 'uspto/tsdr/sn76044902-ST66.xml',
    facts: [
      ['<RegistrationOfficeCode>US</RegistrationOfficeCode>', US],
      ['<ApplicationNumber>76044902</ApplicationNumber>', { uid: 'US500000076044902', application_number: '76044902' }],
      ['<ApplicationDate>2000-05-09-04:00</ApplicationDate>', { application_date: '2000-05-09' }],
      ['<RegistrationNumber>2824281</RegistrationNumber>', { registration_number: '2824281' }],
      ['<RegistrationDate>2004-03-23-05:00</RegistrationDate>', { registration_date: '2004-03-23' }],
      ['<MarkCurrentStatusCode>702</MarkCurrentStatusCode>', { status: 'Registered' }],
      [
        '>A Sections 8 and 15 combined declaration has been accepted and acknowledged.<',
        { tm5_status: 'A Sections 8 and 15 combined declaration has been accepted and acknowledged.' },
      ],
      ['<MarkCurrentStatusDate>2010-09-08-04:00</MarkCurrentStatusDate>', { status_date: '2010-09-08' }],
      ['<KindMark>Trademark, Service Mark</KindMark>', { kind_of_mark: 'Trademark' }],
      ['<MarkFeature>TYPESET WORD(S) /LETTER(S) /NUMBER(S)</MarkFeature>', { mark_feature: 'Word' }],
      ['<PublicationDate>2003-12-30-05:00</PublicationDate>', { publication_date: '2003-12-30' }],
      ['<ClassNumber>009</ClassNumber>', {}],
      ['<ClassNumber>042</ClassNumber>', { nice_classes: [9, 42] }],
      ['<FormattedAddressCountryCode>US</FormattedAddressCountryCode>', { owner_countries: ['US'] }],
    ],
    names: {
      mark_name: [/<MarkVerbalElementText>([^<]+)/],
      // The registrant, and the applicant before it.
      owner_names: [
        /<ApplicantDetails>.*?<FreeFormatNameLine [^>]*>([^<]+)/,
        /<ApplicantDetails>.*<FreeFormatNameLine [^>]*>([^<]+)/,
      ],
      representative_names: [
        /Attorney of Record<\/Comment>.*?<FreeFormatNameLine>([^<]+)/,
        /Domestic Correspondent<\/Comment>.*?<\/FreeFormatNameLine><FreeFormatNameLine>([^<]+)/,
      ],
    },
  },
];
