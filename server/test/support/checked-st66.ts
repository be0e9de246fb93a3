/** Real marks in ST.66, read by hand. */
import type { CheckedMark } from './checked.ts';

const VERBAL = /<MarkVerbalElementText(?: languageCode="\w+")?>(?:<!\[CDATA\[)?([^<\]]+)/;
const FREE_NAME = /<FreeFormatNameLine>([^<]+)/;

const WORD = ['<MarkFeature>Word</MarkFeature>', { mark_feature: 'Word' }] as const;
const INDIVIDUAL = ['<KindMark>Individual</KindMark>', { kind_of_mark: 'Individual' }] as const;

export const CHECKED_ST66: readonly CheckedMark[] = [
  {
    file: 'euipo/018222704.xml',
    facts: [
      ['<RegistrationOfficeCode>EM</RegistrationOfficeCode>', { jurisdiction_code: 'EM', office: 'EM' }],
      [
        '<ApplicationNumber>018222704</ApplicationNumber>',
        { uid: 'EM500000018222704', application_number: '018222704', registration_number: '018222704' },
      ],
      ['<ApplicationDate>2020-04-08</ApplicationDate>', { application_date: '2020-04-08' }],
      ['<RegistrationDate>2020-07-28</RegistrationDate>', { registration_date: '2020-07-28' }],
      ['<ExpiryDate>2030-04-08</ExpiryDate>', { expiry_date: '2030-04-08' }],
      [
        '<MarkCurrentStatusCode milestone="12" status="1">Registered</MarkCurrentStatusCode>',
        { status: 'Registered', tm5_status: 'Registered' },
      ],
      ['<MarkCurrentStatusDate>2020-07-28</MarkCurrentStatusDate>', { status_date: '2020-07-28' }],
      INDIVIDUAL,
      WORD,
      ['<ClassNumber>20</ClassNumber>', {}],
      ['<ClassNumber>21</ClassNumber>', { nice_classes: [20, 21] }],
      [
        '<PublicationSection>A.1</PublicationSection><PublicationDate>2020-04-17</PublicationDate>',
        { publication_date: '2020-04-17' },
      ],
    ],
    names: { mark_name: [VERBAL] },
  },
  {
    file: 'euipo/018222714.xml',
    facts: [
      ['<RegistrationOfficeCode>EM</RegistrationOfficeCode>', { jurisdiction_code: 'EM', office: 'EM' }],
      [
        '<ApplicationNumber>018222714</ApplicationNumber>',
        { uid: 'EM500000018222714', application_number: '018222714' },
      ],
      ['<ApplicationDate>2020-04-08</ApplicationDate>', { application_date: '2020-04-08' }],
      [
        '<MarkCurrentStatusCode milestone="2" status="4">Application refused</MarkCurrentStatusCode>',
        { status: 'Abandoned', tm5_status: 'Application refused' },
      ],
      ['<MarkCurrentStatusDate>2020-11-18</MarkCurrentStatusDate>', { status_date: '2020-11-18' }],
      INDIVIDUAL,
      ['<MarkFeature>Figurative</MarkFeature>', { mark_feature: 'Figurative' }],
      ['<CategoryCode>01.15.21</CategoryCode>', { vienna_codes: ['01.15.21'] }],
      ['<ClassNumber>41</ClassNumber>', { nice_classes: [41] }],
    ],
    names: {},
  },
  {
    file: 'euipo/018229061.xml',
    facts: [
      ['<RegistrationOfficeCode>EM</RegistrationOfficeCode>', { jurisdiction_code: 'EM', office: 'EM' }],
      [
        '<ApplicationNumber>018229061</ApplicationNumber>',
        { uid: 'EM500000018229061', application_number: '018229061' },
      ],
      ['<ApplicationDate>2020-04-23</ApplicationDate>', { application_date: '2020-04-23' }],
      [
        '<MarkCurrentStatusCode milestone="22" status="5">Application opposed</MarkCurrentStatusCode>',
        { status: 'Pending', tm5_status: 'Application opposed' },
      ],
      ['<MarkCurrentStatusDate>2020-07-24</MarkCurrentStatusDate>', { status_date: '2020-07-24' }],
      INDIVIDUAL,
      WORD,
      ['<ClassNumber>12</ClassNumber>', { nice_classes: [12] }],
      [
        '<PublicationSection>A.1</PublicationSection><PublicationDate>2020-05-15</PublicationDate>',
        { publication_date: '2020-05-15' },
      ],
      // Belongs to the earlier mark in the opposition, not to this one.
      ['<RegistrationDate>2016-09-19</RegistrationDate>', {}],
    ],
    names: { mark_name: [VERBAL] },
  },
  {
    file: 'ukipo/gb-tm-UK00003289573-data.xml',
    facts: [
      ['<RegistrationOfficeCode>GB</RegistrationOfficeCode>', { jurisdiction_code: 'GB', office: 'GB' }],
      [
        '<ApplicationNumber>UK00003289573</ApplicationNumber>',
        { uid: 'GB500000003289573', application_number: 'UK00003289573' },
      ],
      ['<ApplicationDate>2018-02-12</ApplicationDate>', { application_date: '2018-02-12' }],
      ['<RegistrationNumber>UK00003289573</RegistrationNumber>', { registration_number: 'UK00003289573' }],
      ['<RegistrationDate>2018-07-13</RegistrationDate>', { registration_date: '2018-07-13' }],
      ['<ExpiryDate>2028-02-12</ExpiryDate>', { expiry_date: '2028-02-12' }],
      ['<MarkCurrentStatusCode>Registered</MarkCurrentStatusCode>', { status: 'Registered', tm5_status: 'Registered' }],
      ['<MarkCurrentStatusDate>2018-02-12</MarkCurrentStatusDate>', { status_date: '2018-02-12' }],
      INDIVIDUAL,
      WORD,
      ['<OppositionPeriodEndDate>2018-07-04</OppositionPeriodEndDate>', { opposition_period_end: '2018-07-04' }],
      ['<ClassNumber>14</ClassNumber>', {}],
      ['<ClassNumber>18</ClassNumber>', {}],
      ['<ClassNumber>25</ClassNumber>', { nice_classes: [14, 18, 25] }],
    ],
    names: { mark_name: [VERBAL] },
  },
  {
    file: 'prv-se/se-62281.TRIMMED.xml',
    facts: [
      ['<RegistrationOfficeCode>SE</RegistrationOfficeCode>', { jurisdiction_code: 'SE', office: 'SE' }],
      [
        '<ApplicationNumber>1900-62281</ApplicationNumber>',
        { uid: 'SE501900000062281', application_number: '1900-62281' },
      ],
      ['<ApplicationDate>1946-04-04</ApplicationDate>', { application_date: '1946-04-04' }],
      ['<RegistrationNumber>62281</RegistrationNumber>', { registration_number: '62281' }],
      ['<RegistrationDate>1946-12-20</RegistrationDate>', { registration_date: '1946-12-20' }],
      ['<MarkCurrentStatusCode>Registered</MarkCurrentStatusCode>', { status: 'Registered', tm5_status: 'Registered' }],
      ['<ExpiryDate>2026-12-20</ExpiryDate>', { expiry_date: '2026-12-20' }],
      WORD,
      ['<ClassNumber>3</ClassNumber>', {}],
      ['<ClassNumber>5</ClassNumber>', { nice_classes: [3, 5] }],
    ],
    names: { mark_name: [VERBAL], owner_names: [/<FullName>([^<]+)/] },
  },
  {
    file: 'dpma/trademark_info.xml',
    facts: [
      ['<RegistrationOfficeCode>DE</RegistrationOfficeCode>', { jurisdiction_code: 'DE', office: 'DE' }],
      ['<ApplicationNumber>E17341</ApplicationNumber>', { uid: 'DE500000000E17341', application_number: 'E17341' }],
      ['<ApplicationDate>1974-01-25</ApplicationDate>', { application_date: '1974-01-25' }],
      ['<RegistrationNumber>919224</RegistrationNumber>', { registration_number: '919224' }],
      ['<RegistrationDate>1974-06-06</RegistrationDate>', { registration_date: '1974-06-06' }],
      ['<ExpiryDate>2014-01-31</ExpiryDate>', { expiry_date: '2014-01-31' }],
      ['<TerminationDate>2014-02-01</TerminationDate>', { termination_date: '2014-02-01' }],
      [
        '<MarkCurrentStatusCode>Akte vernichtet</MarkCurrentStatusCode>',
        { status: 'Cancelled', tm5_status: 'Akte vernichtet' },
      ],
      INDIVIDUAL,
      WORD,
      ['<OppositionPeriodEndDate>1974-10-31</OppositionPeriodEndDate>', { opposition_period_end: '1974-10-31' }],
      ['<ClassNumber>34</ClassNumber>', { nice_classes: [34] }],
      ['<Publication><PublicationDate>1974-07-31</PublicationDate>', { publication_date: '1974-07-31' }],
      ['<AddressCounty>DE</AddressCounty>', { owner_countries: ['DE'] }],
    ],
    // The former holder is under MarkRecordDetails.
    names: {
      mark_name: [VERBAL],
      owner_names: [/<ApplicantDetails><Applicant>.*?<FreeFormatNameLine>([^<]+)/],
      representative_names: [/<CorrespondenceAddress>.*?<FreeFormatNameLine>([^<]+)/],
    },
  },
  {
    file: 'inpi-fr/notice_FR5189659.xml',
    facts: [
      ['<RegistrationOfficeCode>FR</RegistrationOfficeCode>', { jurisdiction_code: 'FR', office: 'FR' }],
      ['<ApplicationNumber>5189659</ApplicationNumber>', { uid: 'FR500000005189659', application_number: '5189659' }],
      ['<ApplicationDate>2025-10-15</ApplicationDate>', { application_date: '2025-10-15' }],
      [
        '<MarkCurrentStatusCode>Marque enregistrée</MarkCurrentStatusCode>',
        { status: 'Registered', tm5_status: 'Marque enregistrée' },
      ],
      WORD,
      ['<ClassNumber>20</ClassNumber>', {}],
      ['<ClassNumber>42</ClassNumber>', { nice_classes: [20, 24, 30, 40, 41, 42] }],
      ['<AddressCountryCode><![CDATA[FR]]></AddressCountryCode>', { owner_countries: ['FR'] }],
      // Belongs to the amendment, not to the application.
      ['PublicationDate="2026-04-17"', {}],
    ],
    names: {
      mark_name: [VERBAL],
      owner_names: [/<fr-CurrentHolder .*?<OrganizationName><!\[CDATA\[([^\]]+)/],
      representative_names: [
        /<Representative .*?<OrganizationName><!\[CDATA\[([^\]]+)/,
        /<FirstName><!\[CDATA\[([^\]]+)\]\]><\/FirstName><LastName><!\[CDATA\[([^\]]+)/,
      ],
    },
  },
  {
    file: 'osim-ro/M-2012-00091.xml',
    facts: [
      ['<RegistrationOfficeCode>RO</RegistrationOfficeCode>', { jurisdiction_code: 'RO', office: 'RO' }],
      [
        '<ApplicationNumber>M 2012 00091</ApplicationNumber>',
        { uid: 'RO502012000000091', application_number: 'M 2012 00091' },
      ],
      ['<ApplicationDate>2012-01-10</ApplicationDate>', { application_date: '2012-01-10' }],
      ['<RegistrationNumber>119857</RegistrationNumber>', { registration_number: '119857' }],
      ['<RegistrationDate>2012-09-19</RegistrationDate>', { registration_date: '2012-09-19' }],
      ['<ExpiryDate>2022-01-10</ExpiryDate>', { expiry_date: '2022-01-10' }],
      ['<MarkCurrentStatusCode>Registered</MarkCurrentStatusCode>', { status: 'Registered', tm5_status: 'Registered' }],
      ['<MarkCurrentStatusDate>2016-04-23</MarkCurrentStatusDate>', { status_date: '2016-04-23' }],
      INDIVIDUAL,
      WORD,
      ['<OppositionPeriodEndDate>2012-03-31</OppositionPeriodEndDate>', { opposition_period_end: '2012-03-31' }],
      ['<ClassNumber>9</ClassNumber>', { nice_classes: [9, 16, 25, 28, 35, 42] }],
      [
        '<CategoryCode>18.01.01</CategoryCode><CategoryCode>18.01.01</CategoryCode>',
        {
          vienna_codes: [
            ...[1, 2, 3, 5, 7, 8, 9, 11, 12, 14, 15, 16, 17, 18, 19, 20, 21, 23, 25].map((code) => ['18.01', code]),
            ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17, 19, 21, 22, 23, 24, 25].map((code) => [
              '27.05',
              code,
            ]),
            ...[1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 14, 15].map((code) => ['29.01', code]),
          ].map(([section, code]) => `${section}.${String(code).padStart(2, '0')}`),
        },
      ],
      ['<AddressCountryCode>RO</AddressCountryCode>', { owner_countries: ['RO'] }],
    ],
    names: {
      mark_name: [VERBAL],
      owner_names: [/<Applicant>.*?<LastName>([^<]+)/],
      representative_names: [/<Representative>.*?<LastName>([^<]+)/],
    },
  },
  {
    file: 'inpi-fr/notice_EU19197838.SHORTENED.xml',
    facts: [
      ['<RegistrationOfficeCode>EM</RegistrationOfficeCode>', { jurisdiction_code: 'EM', office: 'EM' }],
      [
        '<ApplicationNumber>019197838</ApplicationNumber>',
        { uid: 'EM500000019197838', application_number: '019197838' },
      ],
      ['<MarkCurrentStatusCode>Registered</MarkCurrentStatusCode>', { status: 'Registered', tm5_status: 'Registered' }],
      ['<Applicant operationCode="Delete"><ApplicantIdentifier>2349167</ApplicantIdentifier></Applicant>', {}],
    ],
    names: { representative_names: [/<LastName>([^<]+)/] },
  },
  {
    file: 'inpi-fr/notice_WO1892865.SHORTENED.xml',
    facts: [
      ['<RegistrationOfficeCode>WO</RegistrationOfficeCode>', { jurisdiction_code: 'WO', office: 'WO' }],
      [
        '<ApplicationNumber>1892865</ApplicationNumber>',
        {
          uid: 'WO500000001892865',
          application_number: '1892865',
          international_registration_numbers: ['1892865'],
          status: 'Unknown',
        },
      ],
      WORD,
      ['<ClassNumber>09</ClassNumber>', { nice_classes: [9] }],
      ['<AddressCountryCode>DE</AddressCountryCode>', { owner_countries: ['DE'] }],
    ],
    names: { owner_names: [FREE_NAME] },
    issues: [{ code: 'unmapped_status', path: 'MarkCurrentStatusCode', value: '' }],
  },
];
