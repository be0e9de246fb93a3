/** Real EU marks of the office's archive, read by hand. */
import type { CheckedMark } from './checked.ts';

const ARCHIVE = 'euipo/EUTM-sample.zip';
const EM = ['<RegistrationOfficeCode>EM</RegistrationOfficeCode>', { jurisdiction_code: 'EM', office: 'EM' }] as const;
const INDIVIDUAL = ['<KindMark>Individual</KindMark>', { kind_of_mark: 'Individual' }] as const;
const VERBAL = /<MarkVerbalElementText>([^<]+)/;

export const CHECKED_EU: readonly CheckedMark[] = [
  {
    file: ARCHIVE,
    member: '018229262.xml',
    facts: [
      EM,
      [
        '<ApplicationNumber>018229262</ApplicationNumber>',
        { uid: 'EM500000018229262', application_number: '018229262' },
      ],
      ['<ApplicationDate>2020-04-23</ApplicationDate>', { application_date: '2020-04-23' }],
      [
        '<MarkCurrentStatusCode milestone="2" status="3">Application withdrawn</MarkCurrentStatusCode>',
        { status: 'Abandoned', tm5_status: 'Application withdrawn' },
      ],
      ['<MarkCurrentStatusDate>2020-05-07</MarkCurrentStatusDate>', { status_date: '2020-05-07' }],
      INDIVIDUAL,
      // It has a word too, but the office calls it figurative.
      ['<MarkFeature>Figurative</MarkFeature>', { mark_feature: 'Figurative' }],
      [
        '<CategoryCode>27.05.21</CategoryCode><CategoryCode>27.99.04</CategoryCode>',
        { vienna_codes: ['27.05.21', '27.99.04'] },
      ],
      ['<ClassNumber>9</ClassNumber>', {}],
      ['<ClassNumber>25</ClassNumber>', { nice_classes: [9, 25] }],
      ['<PriorityNumber>88876026</PriorityNumber>', {}],
      ['<PriorityNumber>88876032</PriorityNumber>', { priority_numbers: ['88876026', '88876032'] }],
      // The name of the party is in another file.
      ['<RepresentativeKey><Identifier>17044</Identifier></RepresentativeKey>', {}],
    ],
    names: { mark_name: [VERBAL] },
  },
  {
    file: ARCHIVE,
    member: '018226511.xml',
    facts: [
      EM,
      [
        '<ApplicationNumber>018226511</ApplicationNumber>',
        { uid: 'EM500000018226511', application_number: '018226511', registration_number: '018226511' },
      ],
      ['<ApplicationDate>2020-04-16</ApplicationDate>', { application_date: '2020-04-16' }],
      ['<RegistrationDate>2020-08-15</RegistrationDate>', { registration_date: '2020-08-15' }],
      ['<ExpiryDate>2030-04-16</ExpiryDate>', { expiry_date: '2030-04-16' }],
      [
        '<MarkCurrentStatusCode milestone="23" status="1">Registered</MarkCurrentStatusCode>',
        { status: 'Registered', tm5_status: 'Registered' },
      ],
      ['<MarkCurrentStatusDate>2020-08-19</MarkCurrentStatusDate>', { status_date: '2020-08-19' }],
      INDIVIDUAL,
      ['<MarkFeature>Word</MarkFeature>', { mark_feature: 'Word' }],
      ['<ClassNumber>16</ClassNumber>', { nice_classes: [16] }],
      [
        '<PublicationSection>A.1</PublicationSection><PublicationDate>2020-05-08</PublicationDate>',
        { publication_date: '2020-05-08' },
      ],
      ['<PublicationSection>B.1</PublicationSection><PublicationDate>2020-08-18</PublicationDate>', {}],
      // An earlier national mark is no priority, and its number not one of this mark.
      ['<SeniorityRegistrationNumber>302019028374</SeniorityRegistrationNumber>', {}],
    ],
    names: { mark_name: [VERBAL] },
  },
  {
    file: ARCHIVE,
    member: '018222713.xml',
    facts: [
      EM,
      [
        '<ApplicationNumber>018222713</ApplicationNumber>',
        { uid: 'EM500000018222713', application_number: '018222713', registration_number: '018222713' },
      ],
      ['<ApplicationDate>2020-04-08</ApplicationDate>', { application_date: '2020-04-08' }],
      ['<RegistrationDate>2020-08-07</RegistrationDate>', { registration_date: '2020-08-07' }],
      ['<ExpiryDate>2030-04-08</ExpiryDate>', { expiry_date: '2030-04-08' }],
      [
        '<MarkCurrentStatusCode milestone="23" status="1">Registered</MarkCurrentStatusCode>',
        { status: 'Registered', tm5_status: 'Registered' },
      ],
      ['<MarkCurrentStatusDate>2020-08-11</MarkCurrentStatusDate>', { status_date: '2020-08-11' }],
      INDIVIDUAL,
      ['<MarkFeature>3D shape</MarkFeature>', { mark_feature: 'Three-dimensional' }],
      // The last one is the office's own, of two levels.
      ['<CategoryCode>19.07.02</CategoryCode>', {}],
      ['<CategoryCode>98.04</CategoryCode>', { vienna_codes: ['19.07.02', '19.07.10', '98.04'] }],
      ['<ClassNumber>33</ClassNumber>', { nice_classes: [33] }],
      [
        '<PublicationSection>A.1</PublicationSection><PublicationDate>2020-04-29</PublicationDate>',
        { publication_date: '2020-04-29' },
      ],
    ],
    names: { mark_name: [VERBAL] },
  },
  {
    file: ARCHIVE,
    member: '018229634.xml',
    facts: [
      EM,
      [
        '<ApplicationNumber>018229634</ApplicationNumber>',
        { uid: 'EM500000018229634', application_number: '018229634', registration_number: '018229634' },
      ],
      ['<ApplicationDate>2020-04-27</ApplicationDate>', { application_date: '2020-04-27' }],
      ['<RegistrationDate>2020-08-11</RegistrationDate>', { registration_date: '2020-08-11' }],
      ['<ExpiryDate>2030-04-27</ExpiryDate>', { expiry_date: '2030-04-27' }],
      // Attacked, but not fallen.
      [
        '<MarkCurrentStatusCode milestone="23" status="8">Registration cancellation pending</MarkCurrentStatusCode>',
        { status: 'Registered', tm5_status: 'Registration cancellation pending' },
      ],
      ['<MarkCurrentStatusDate>2020-10-14</MarkCurrentStatusDate>', { status_date: '2020-10-14' }],
      INDIVIDUAL,
      ['<MarkFeature>Figurative</MarkFeature>', { mark_feature: 'Figurative' }],
      [
        '<CategoryCode>27.05.01</CategoryCode><CategoryCode>29.01.02</CategoryCode>',
        { vienna_codes: ['27.05.01', '29.01.02'] },
      ],
      ['<ClassNumber>29</ClassNumber>', {}],
      ['<ClassNumber>30</ClassNumber>', { nice_classes: [29, 30] }],
      [
        '<PublicationSection>A.1</PublicationSection><PublicationDate>2020-05-04</PublicationDate>',
        { publication_date: '2020-05-04' },
      ],
      // The status of a proceeding is not the status of the mark.
      ['<RecordCurrentStatusCode>Adversarial proceedings</RecordCurrentStatusCode>', {}],
    ],
    names: { mark_name: [VERBAL] },
  },
];
