/** Real Korean and Taiwanese marks, read by hand. */
import type { CheckedMark } from './checked.ts';

const KR = { jurisdiction_code: 'KR', office: 'KR' } as const;
const TW = { jurisdiction_code: 'TW', office: 'TW' } as const;
const TITLE = /<Title>([^<]+)/;
const AGENT = /<AgentName>([^<]+)/;
/** A right holder in Korean and Latin letters: as stated, and in each. */
const IN_TWO_SCRIPTS = [
  /<RegistrationRightholderName>([^<]+)/,
  /<RegistrationRightholderName>([^<A-Za-z]+) /,
  /<RegistrationRightholderName>[^<A-Za-z]+ ([^<]+)/,
];

export const CHECKED_KOREAN: readonly CheckedMark[] = [
  {
    file: 'kipris/applicant/120040373042.xml',
    number: '4020210116535',
    facts: [
      [
        '<ApplicationNumber>4020210116535</ApplicationNumber>',
        { ...KR, uid: 'KR504020210116535', application_number: '4020210116535' },
      ],
      ['<ApplicationDate>20210607</ApplicationDate>', { application_date: '2021-06-07' }],
      ['<PublicDate>20221006</PublicDate>', { publication_date: '2022-10-06' }],
      // The publication of the registration comes later.
      ['<RegistrationPublicDate>20230119</RegistrationPublicDate>', {}],
      ['<RegistrationNumber>4019625840000</RegistrationNumber>', { registration_number: '4019625840000' }],
      ['<RegistrationDate>20230117</RegistrationDate>', { registration_date: '2023-01-17' }],
      ['<ApplicationStatus>등록</ApplicationStatus>', { status: 'Registered', tm5_status: '등록' }],
      ['<GoodClassificationCode>07|09|35|42</GoodClassificationCode>', { nice_classes: [7, 9, 35, 42] }],
      ['<ViennaCode>260502|261111|270923</ViennaCode>', { vienna_codes: ['26.05.02', '26.11.11', '27.09.23'] }],
    ],
    names: { mark_name: [TITLE], owner_names: IN_TWO_SCRIPTS, representative_names: [AGENT] },
  },
  {
    file: 'kipris/applicant/120070353675.xml',
    number: '4020150074346',
    facts: [
      [
        '<ApplicationNumber>4020150074346</ApplicationNumber>',
        { ...KR, uid: 'KR504020150074346', application_number: '4020150074346' },
      ],
      ['<ApplicationDate>20151008</ApplicationDate>', { application_date: '2015-10-08' }],
      ['<PublicDate>20160324</PublicDate>', { publication_date: '2016-03-24' }],
      ['<RegistrationNumber>4011912190000</RegistrationNumber>', { registration_number: '4011912190000' }],
      ['<RegistrationDate>20160719</RegistrationDate>', { registration_date: '2016-07-19' }],
      // Given up after it had been registered.
      ['<ApplicationStatus>포기</ApplicationStatus>', { status: 'Cancelled', tm5_status: '포기' }],
      ['<GoodClassificationCode>31</GoodClassificationCode>', { nice_classes: [31] }],
      [
        '<ViennaCode>020116|020123|020133|260418</ViennaCode>',
        { vienna_codes: ['02.01.16', '02.01.23', '02.01.33', '26.04.18'] },
      ],
    ],
    names: { mark_name: [TITLE], owner_names: IN_TWO_SCRIPTS, representative_names: [AGENT] },
  },
  {
    file: 'kipris/applicant/120070509242.xml',
    number: '4220210000542',
    facts: [
      [
        '<ApplicationNumber>4220210000542</ApplicationNumber>',
        { ...KR, uid: 'KR504220210000542', application_number: '4220210000542' },
      ],
      ['<ApplicationDate>20211101</ApplicationDate>', { application_date: '2021-11-01' }],
      ['<PublicDate>20230608</PublicDate>', { publication_date: '2023-06-08' }],
      ['<RegistrationNumber>4200093630000</RegistrationNumber>', { registration_number: '4200093630000' }],
      ['<RegistrationDate>20231011</RegistrationDate>', { registration_date: '2023-10-11' }],
      ['<ApplicationStatus>등록</ApplicationStatus>', { status: 'Registered', tm5_status: '등록' }],
      // Blank: no class is stated.
      ['<GoodClassificationCode></GoodClassificationCode>', {}],
      ['<ViennaCode>010109|260113</ViennaCode>', { vienna_codes: ['01.01.09', '26.01.13'] }],
      ['<InternationalRegisterNumber></InternationalRegisterNumber>', {}],
    ],
    names: { mark_name: [TITLE], owner_names: IN_TWO_SCRIPTS, representative_names: [AGENT] },
  },
];

export const CHECKED_TAIWANESE: readonly CheckedMark[] = [
  {
    file: 'tipo/gazette-index.xml',
    number: '109088843',
    facts: [
      ['<CaseNo>109088843</CaseNo>', { ...TW, uid: 'TW500000109088843', application_number: '109088843' }],
      // The list is one of registrations.
      ['<RegisterNo>02207609</RegisterNo>', { registration_number: '02207609', status: 'Registered' }],
      ['<Trademark_Design>(墨色)(平面)</Trademark_Design>', {}],
      // Years of the Republic: 1911 more.
      ['<Filing_Date>109.12.15</Filing_Date>', { application_date: '2020-12-15' }],
      ['<SDate>111.03.16</SDate>', { registration_date: '2022-03-16' }],
      ['<EDate>121.03.15</EDate>', { expiry_date: '2032-03-15' }],
      ['<Mark_Type>0</Mark_Type><ServiceMark>false</ServiceMark>', { kind_of_mark: 'Trademark' }],
      ['<Class>001</Class>', { nice_classes: [1] }],
    ],
    names: {
      mark_name: [/<Trademark_Name>([^<]+)/],
      owner_names: [/<AChinese>([^<]+)/, /<AEnglish>([^<]+)/],
      representative_names: [/<BChinese>([^<]+)/],
    },
  },
  {
    file: 'tipo/gazette-index.xml',
    number: '110023458',
    facts: [
      ['<CaseNo>110023458</CaseNo>', { ...TW, uid: 'TW500000110023458', application_number: '110023458' }],
      ['<RegisterNo>02207635</RegisterNo>', { registration_number: '02207635', status: 'Registered' }],
      ['<Trademark_Design>(彩色)(立體)</Trademark_Design>', { mark_feature: 'Three-dimensional' }],
      ['<Filing_Date>110.04.07</Filing_Date>', { application_date: '2021-04-07' }],
      ['<SDate>111.03.16</SDate>', { registration_date: '2022-03-16' }],
      ['<EDate>121.03.15</EDate>', { expiry_date: '2032-03-15' }],
      ['<Mark_Type>0</Mark_Type>', { kind_of_mark: 'Trademark' }],
      ['<Class>003</Class>', { nice_classes: [3] }],
    ],
    names: {
      mark_name: [/<Trademark_Name>([^<]+)/],
      owner_names: [/<AChinese>([^<]+)/],
      representative_names: [/<BChinese>([^<]+)/, /<BChinese>.*?<BChinese>([^<]+)/],
    },
  },
  {
    file: 'tipo/gazette-index.xml',
    number: '110069524',
    facts: [
      ['<CaseNo>110069524</CaseNo>', { ...TW, uid: 'TW500000110069524', application_number: '110069524' }],
      ['<RegisterNo>02210042</RegisterNo>', { registration_number: '02210042', status: 'Registered' }],
      ['<Trademark_Design>(彩色)(平面)</Trademark_Design>', {}],
      ['<Filing_Date>110.09.25</Filing_Date>', { application_date: '2021-09-25' }],
      ['<SDate>111.03.16</SDate>', { registration_date: '2022-03-16' }],
      ['<EDate>121.03.15</EDate>', { expiry_date: '2032-03-15' }],
      // Its name says so too: 團體標章, a collective mark. It has no class.
      ['<Mark_Type>3</Mark_Type>', { kind_of_mark: 'Collective' }],
      ['<Class></Class>', {}],
    ],
    names: {
      mark_name: [/<Trademark_Name>([^<]+)/],
      owner_names: [/<AChinese>([^<]+)/],
      representative_names: [/<BChinese>([^<]+)/],
    },
  },
  {
    file: 'tipo/tmarkappl-100000001.xml',
    facts: [
      // Application data do not say what became of it.
      [
        '<appl-no>100000001</appl-no>',
        { ...TW, uid: 'TW500000100000001', application_number: '100000001', status: 'Unknown' },
      ],
      ['<appl-date>2011/01/03</appl-date>', { application_date: '2011-01-03' }],
      ['<tmark-class-desc>商標</tmark-class-desc>', { kind_of_mark: 'Trademark' }],
      ['<tmark-type-desc>平面</tmark-type-desc>', {}],
      ['<goodsclass-code>041</goodsclass-code>', { nice_classes: [41] }],
      ['<country-code>TW</country-code>', { owner_countries: ['TW'] }],
    ],
    names: {
      mark_name: [/<tmark-name>([^<]+)/],
      mark_name_variants: [/<tmark-draft-c>([^<]+)/, /<tmark-draft-e>([^<]+)/],
      owner_names: [/<applicant .*?<chinese-name>([^<\u3000]+)\u3000([^<]+)/],
      representative_names: [/<agent sequence="1"><chinese-name>([^<]+)/, /<agent sequence="2"><chinese-name>([^<]+)/],
    },
  },
  {
    file: 'tipo/tmarkappl-api.xml',
    number: '000000001',
    facts: [
      [
        '<appl-no>000000001</appl-no>',
        { ...TW, uid: 'TW500000000000001', application_number: '000000001', status: 'Unknown' },
      ],
      ['<appl-date>1951/02/27</appl-date>', { application_date: '1951-02-27' }],
      ['<tmark-class-desc>商標</tmark-class-desc>', { kind_of_mark: 'Trademark' }],
      // Hair cream: class 32 of the office's own classification, not the beers of Nice.
      ['<goodsclass-code>032</goodsclass-code><goods-name>美髮霜商品。</goods-name>', {}],
      ['<country-code>TW</country-code>', { owner_countries: ['TW'] }],
    ],
    names: {
      mark_name: [/<tmark-name>([^<]+)/],
      owner_names: [/<applicant .*?<chinese-name>([^<\u3000]+)\u3000([^<]+)/],
      representative_names: [/<agent sequence="1"><chinese-name>([^<]+)/],
    },
  },
];
