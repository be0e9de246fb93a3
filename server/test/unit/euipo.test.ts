import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OperatorError } from '../../src/base/errors.ts';
import { parseViennaCode } from '../../src/load/formats/meanings.ts';
import { euipoFormat, openSt66Format } from '../../src/load/formats/st66/adapter.ts';
import { EUIPO_DIALECT, type St66Dialect } from '../../src/load/formats/st66/dialects.ts';
import { digestContent } from '../../src/record/digest.ts';
import type { SourceRecord } from '../../src/record/document.ts';
import { normalizeRecord } from '../../src/record/normalize.ts';
import { documentOf, listItems, type ReadResult, readOne } from '../support/formats.ts';
import { type MarkParts, writeMark, writeTransaction } from '../support/trade-mark.ts';

const readMark = (parts: MarkParts): Promise<ReadResult> => readOne(euipoFormat, writeTransaction(parts));

/** The record of a mark that raises no issue. */
async function readBody(body: string): Promise<SourceRecord> {
  const { record, issues } = await readMark({ body });
  assert.deepEqual(issues, []);
  return record;
}

const REGISTERED = '<RegistrationDate>2020-07-28</RegistrationDate>';

test('reads a mark with its identity, keeping the leading zero of its number [2.1]', async () => {
  const record = await readBody('<ApplicationDate>2020-04-08</ApplicationDate>');
  const stated = Object.entries(record).filter(([field, value]) => value !== null && field !== 'payload');
  assert.deepEqual(Object.fromEntries(stated), {
    jurisdiction_code: 'EM',
    uid: 'EM500000018000001',
    office: 'EM',
    application_number: '018000001',
    status: 'Pending',
    tm5_status: 'Application filed',
    application_date: '2020-04-08',
    source_version: '2026-01-02T03:04:05.000000000Z',
  });
  assert.deepEqual(documentOf(record).source, {
    format: 'euipo',
    status_code: '1',
    status_text: 'Application filed',
    milestone: '2',
  });
});

test('takes the application number for the registration number once the mark is registered [2.2]', async () => {
  assert.equal((await readBody('')).registration_number, null);
  assert.equal((await readBody(REGISTERED)).registration_number, '018000001');
  assert.equal((await readBody('<RegistrationNumber>R 77</RegistrationNumber>')).registration_number, 'R 77');
});

test('takes the first verbal element for the name and finds a mark by every other text it holds [I-12]', async () => {
  const record = await readBody(`<WordMarkSpecification>
    <MarkVerbalElementText languageCode="bg"> Звезда </MarkVerbalElementText>
    <MarkVerbalElementText languageCode="en">Zvezda</MarkVerbalElementText>
    <MarkTranslation languageCode="en">Star</MarkTranslation>
    <MarkTransliteration>Zvezda</MarkTransliteration><MarkTranslation/></WordMarkSpecification>`);
  assert.equal(record.mark_name, 'Звезда');
  assert.deepEqual(record.mark_name_variants, ['Zvezda', 'Star']);
  assert.deepEqual(documentOf(record).mark, {
    texts: [
      { text: 'Звезда', language: 'bg' },
      { text: 'Zvezda', language: 'en' },
    ],
    translations: [{ text: 'Star', language: 'en' }],
    transliterations: [{ text: 'Zvezda' }],
  });
  const silent = await readBody(
    '<WordMarkSpecification><MarkVerbalElementText> </MarkVerbalElementText></WordMarkSpecification>',
  );
  assert.deepEqual([silent.mark_name, silent.mark_name_variants], [null, null]);
});

test('maps the texts of the status, whatever their letter case [3]', async () => {
  const status = async (text: string, body = ''): Promise<unknown> => {
    const source = { body, status: `<MarkCurrentStatusCode>${text}</MarkCurrentStatusCode>` };
    const { record, issues } = await readMark(source);
    assert.deepEqual(issues, [], text);
    assert.equal(record.tm5_status, text);
    return record.status;
  };
  const expected: Record<string, string> = {
    Registered: 'Registered',
    'Registration cancellation pending': 'Registered',
    'Registration opposed': 'Registered',
    'Application filed': 'Pending',
    'APPLICATION  under EXAMINATION': 'Pending',
    'Application published': 'Pending',
    'Application opposed': 'Pending',
    'Appeal pending': 'Pending',
    'Registration pending': 'Pending',
    'Application accepted': 'Pending',
    'Action before court pending': 'Pending',
    'Application withdrawn': 'Abandoned',
    'Application deemed withdrawn': 'Abandoned',
    'Application refused': 'Abandoned',
    Interruption: 'Abandoned',
    'Registration cancelled': 'Cancelled',
    'Registration surrendered': 'Cancelled',
    'Registration expired': 'Cancelled',
    Expired: 'Cancelled',
    Ended: 'Abandoned',
  };
  for (const [text, meaning] of Object.entries(expected)) assert.equal(await status(text), meaning, text);
  assert.equal(await status('Ended', REGISTERED), 'Cancelled');
});

test('reads a status it does not know as Unknown and reports it [3, I-32]', async () => {
  const { record, issues } = await readMark({ status: '<MarkCurrentStatusCode>On hold</MarkCurrentStatusCode>' });
  assert.deepEqual([record.status, record.tm5_status], ['Unknown', 'On hold']);
  assert.deepEqual(issues, [{ code: 'unmapped_status', path: 'MarkCurrentStatusCode', value: 'On hold' }]);
  const silent = await readMark({ status: '<MarkCurrentStatusCode/>' });
  assert.deepEqual([silent.record.status, silent.record.tm5_status], ['Unknown', null]);
  assert.deepEqual(silent.issues, [{ code: 'unmapped_status', path: 'MarkCurrentStatusCode', value: '' }]);
});

test('maps kind and feature of the mark, and reports what it does not know [4.3]', async () => {
  const both = async (kind: string, feature: string): Promise<unknown> => {
    const { record, issues } = await readMark({
      body: `<KindMark>${kind}</KindMark><MarkFeature>${feature}</MarkFeature>`,
    });
    return [record.kind_of_mark, record.mark_feature, issues.map(({ code, value }) => [code, value])];
  };
  assert.deepEqual(await both('Individual', 'Word'), ['Individual', 'Word', []]);
  assert.deepEqual(await both('EU Collective', 'Figurative'), ['Collective', 'Figurative', []]);
  assert.deepEqual(await both('EU Certificate', '3D shape'), ['Certificate', 'Three-dimensional', []]);
  assert.deepEqual(await both('Collective', '3-D'), ['Collective', 'Three-dimensional', []]);
  assert.deepEqual(await both('Certificate', 'Three dimensional'), ['Certificate', 'Three-dimensional', []]);
  assert.deepEqual(await both('', ''), [null, null, []]);
  assert.deepEqual(await both('Guild', 'Tracer'), [null, 'Other', [['unmapped_kind', 'Guild']]]);
  assert.deepEqual(await both('Other', 'Telepathic'), ['Other', 'Other', [['unmapped_feature', 'Telepathic']]]);
  for (const feature of ['Colour', 'Sound', 'Hologram', 'Olfactory', 'Motion', 'Multimedia', 'Position', 'Pattern']) {
    assert.deepEqual(await both('Individual', feature), ['Individual', feature, []]);
  }
});

test('cuts zone and time off a date without moving the day [2.2]', async () => {
  const record = await readBody(`<ApplicationDate>1995-02-07-05:00</ApplicationDate>
    <ExpiryDate>2030-04-08T23:30:00Z</ExpiryDate><TerminationDate>2031-01-01+14:00</TerminationDate>
    <OppositionPeriodEndDate>2020-06-30Z</OppositionPeriodEndDate><MarkCurrentStatusDate> </MarkCurrentStatusDate>`);
  assert.deepEqual(
    [record.application_date, record.expiry_date, record.termination_date, record.opposition_period_end],
    ['1995-02-07', '2030-04-08', '2031-01-01', '2020-06-30'],
  );
  assert.equal(record.status_date, null);
  const { record: bad, issues } = await readMark({ body: '<ApplicationDate>2020-02-30</ApplicationDate>' });
  assert.equal(bad.application_date, null);
  assert.deepEqual(issues, [{ code: 'impossible_date', path: 'ApplicationDate', value: '2020-02-30' }]);
});

test('takes the publication of the application, else the earliest [2.2]', async () => {
  const publication = (section: string, date: string): string =>
    `<Publication><PublicationIdentifier>2020/1</PublicationIdentifier><PublicationSection>${section}</PublicationSection>
     <PublicationDate>${date}</PublicationDate><PublicationPage>0</PublicationPage></Publication>`;
  const date = async (...publications: string[]): Promise<string | null> =>
    (await readBody(`<PublicationDetails>${publications.join('')}</PublicationDetails>`)).publication_date;
  assert.equal(await date(publication('B.1', '2020-08-04'), publication('A.1', '2020-04-17')), '2020-04-17');
  assert.equal(await date(publication('A.2', '2019-01-01'), publication('A.1', '2020-04-17')), '2020-04-17');
  assert.equal(await date(publication('C.1', '2019-01-01'), publication('A.1', '2020-04-17')), '2020-04-17');
  assert.equal(await date(publication('B.2', '2020-08-04'), publication('A.2.1.1', '2020-03-01')), '2020-03-01');
  assert.equal(await date(), null);
});

test('reads Nice classes however they are padded, and leaves out invalid ones [I-14]', async () => {
  const classes = (...numbers: string[]): string =>
    `<GoodsServicesDetails><GoodsServices><ClassificationVersion/><ClassDescriptionDetails>${numbers
      .map((number) => `<ClassDescription><ClassNumber>${number}</ClassNumber></ClassDescription>`)
      .join('')}</ClassDescriptionDetails></GoodsServices></GoodsServicesDetails>`;
  assert.deepEqual((await readBody(classes('35', '3', '09', '9', '00', '0'))).nice_classes, [3, 9, 35]);
  const { record, issues } = await readMark({ body: classes('46', 'IX') });
  assert.equal(record.nice_classes, null);
  assert.deepEqual(
    issues.map(({ code, value }) => [code, value]),
    [
      ['unmapped_class', '46'],
      ['unmapped_class', 'IX'],
    ],
  );
});

test('takes no Nice class from a classification that is not Nice [I-14]', async () => {
  const group = (kind: string, number: string): string =>
    `<GoodsServices><ClassificationKindCode>${kind}</ClassificationKindCode><ClassDescriptionDetails><ClassDescription>
     <ClassNumber>${number}</ClassNumber></ClassDescription></ClassDescriptionDetails></GoodsServices>`;
  const record = await readBody(
    `<GoodsServicesDetails>${group('Nice', '16')}${group('Domestic', '37')}</GoodsServicesDetails>`,
  );
  assert.deepEqual(record.nice_classes, [16]);
  assert.deepEqual(documentOf(record).goods_and_services, [
    { scheme: 'nice', classification: 'Nice', class: '16' },
    { scheme: 'national', classification: 'Domestic', class: '37' },
  ]);
});

test('keeps goods and services in every language [2.2.2]', async () => {
  const record = await readBody(`<GoodsServicesDetails><GoodsServices><ClassificationVersion>11</ClassificationVersion>
    <ClassDescriptionDetails><ClassDescription><ClassNumber>25</ClassNumber>
    <GoodsServicesDescription languageCode="el">Καπέλα &amp; γάντια.</GoodsServicesDescription>
    <GoodsServicesDescription languageCode="en"><![CDATA[Hats & gloves.]]></GoodsServicesDescription>
    <ClassDescriptionNote>partial</ClassDescriptionNote>
    </ClassDescription></ClassDescriptionDetails></GoodsServices></GoodsServicesDetails>`);
  assert.deepEqual(documentOf(record).goods_and_services, [
    {
      scheme: 'nice',
      edition: '11',
      class: '25',
      texts: [
        { language: 'el', text: 'Καπέλα & γάντια.' },
        { language: 'en', text: 'Hats & gloves.' },
      ],
      details: { ClassDescriptionNote: 'partial' },
    },
  ]);
  assert.equal(documentOf(record).classification?.nice_version, '11');
});

test('brings Vienna codes to dotted pairs of digits, sections of 90 and more included [I-14]', async () => {
  assert.equal(parseViennaCode('18.1.9'), '18.01.09');
  assert.equal(parseViennaCode('260323'), '26.03.23');
  assert.equal(parseViennaCode('29.01.96'), '29.01.96');
  assert.equal(parseViennaCode('5'), '05');
  for (const none of ['', '1.2.3.4', '123', 'a.b', '1..2']) assert.equal(parseViennaCode(none), null, none);
  const category = (code: string): string =>
    `<CategoryCodeDetails><CategoryCode>${code}</CategoryCode></CategoryCodeDetails>`;
  const { record, issues } = await readMark({
    body: `<MarkImageDetails><MarkImage><MarkImageIdentifier identifierKindCode="EM">0001</MarkImageIdentifier>
      <MarkImageFileFormat>JPG</MarkImageFileFormat><MarkImageURI>file://0001.JPG</MarkImageURI>
      <MarkImageCategory>${['05.01.03', '25.5.94', '05.01.03', '?'].map(category).join('')}</MarkImageCategory>
      </MarkImage></MarkImageDetails>`,
  });
  assert.deepEqual(record.vienna_codes, ['05.01.03', '25.05.94']);
  assert.deepEqual(issues, [{ code: 'unmapped_vienna_code', path: 'MarkImageDetails/CategoryCode', value: '?' }]);
  assert.deepEqual(documentOf(record).images, [
    {
      identifier: '0001',
      format: 'JPG',
      uri: 'file://0001.JPG',
      vienna_codes: ['05.01.03', '25.5.94', '05.01.03', '?'],
      details: { MarkImageIdentifier: { '@identifierKindCode': 'EM' } },
    },
  ]);
});

test('keeps parties that are keys, without names until they are joined [1, 2.2]', async () => {
  const record = await readBody(`<ApplicantDetails><ApplicantKey><Identifier>762334</Identifier></ApplicantKey>
    <ApplicantKey><URI>http://office.invalid/applicant/5</URI></ApplicantKey></ApplicantDetails>
    <RepresentativeDetails>
      <RepresentativeKey><Identifier>39509</Identifier></RepresentativeKey>
    </RepresentativeDetails>`);
  assert.deepEqual([record.owner_names, record.owner_countries, record.representative_names], [null, null, null]);
  assert.deepEqual(documentOf(record).parties, [
    { role: 'applicant', identifier: '762334' },
    { role: 'applicant', uri: 'http://office.invalid/applicant/5' },
    { role: 'representative', identifier: '39509' },
  ]);
});

const book = (prefix: string, name: string, address = ''): string =>
  `<${prefix}AddressBook><FormattedNameAddress><Name>${name}</Name>${address}</FormattedNameAddress></${prefix}AddressBook>`;

test('reads names stated inline in all their forms [2.2]', async () => {
  const record = await readBody(`<ApplicantDetails>
    <Applicant>${book(
      'Applicant',
      '<FormattedName><OrganizationName>Fjord &amp; Fell AB</OrganizationName></FormattedName>',
      `<Address><AddressCountryCode>se</AddressCountryCode><FormattedAddress><AddressStreet>Gatan 1</AddressStreet>
       <AddressCity>Malmö</AddressCity><AddressPostcode>211 20</AddressPostcode></FormattedAddress></Address>`,
    )}</Applicant>
    <Applicant>${book(
      'Applicant',
      `<FreeFormatName><FreeFormatNameDetails><FreeFormatNameLine>Utter</FreeFormatNameLine>
       <FreeFormatNameLine>Holdings Ltd</FreeFormatNameLine></FreeFormatNameDetails></FreeFormatName>`,
    )}<ApplicantIncorporationCountryCode>GB</ApplicantIncorporationCountryCode></Applicant>
    <Applicant><ApplicantName><FullName>Lune SA</FullName></ApplicantName>
      <ApplicantNationalityCode>FR</ApplicantNationalityCode></Applicant></ApplicantDetails>
    <fr-CurrentHolderDetails><fr-CurrentHolder>${book(
      'fr-CurrentHolder',
      '<FormattedName><OrganizationName>Later Holder</OrganizationName></FormattedName>',
    )}</fr-CurrentHolder></fr-CurrentHolderDetails>
    <RepresentativeDetails><Representative>${book(
      'Representative',
      `<FormattedName><FirstName>Erika</FirstName><LastName>Vintner</LastName>
       <OrganizationName>NOVA IP</OrganizationName></FormattedName>`,
    )}</Representative></RepresentativeDetails>
    <CorrespondenceAddress>${book(
      'Correspondence',
      '<FormattedName><LastName>Post Desk</LastName></FormattedName>',
    )}</CorrespondenceAddress>`);
  assert.deepEqual(record.owner_names, ['Later Holder', 'Fjord & Fell AB', 'Utter Holdings Ltd', 'Lune SA']);
  assert.deepEqual(normalizeRecord(record).owner_countries, ['SE', 'GB', 'FR']);
  assert.deepEqual(record.representative_names, ['NOVA IP', 'Erika Vintner', 'Post Desk']);
  assert.deepEqual(documentOf(record).parties?.[1], {
    role: 'applicant',
    names: [{ text: 'Fjord & Fell AB', kind: 'organization' }],
    address: { lines: ['Gatan 1'], city: 'Malmö', postcode: '211 20', country: 'se' },
  });
});

test('takes nothing for the mark from its oppositions, seniorities and recordals [2.2]', async () => {
  const record = await readBody(`
    <SeniorityDetails><Seniority><SeniorityCountryCode>FR</SeniorityCountryCode>
      <SeniorityApplicationNumber>452642</SeniorityApplicationNumber>
      <SeniorityRegistrationNumber>R.7</SeniorityRegistrationNumber>
      <SeniorityFilingDate>2000-08-18</SeniorityFilingDate><SeniorityPartialIndicator>false</SeniorityPartialIndicator>
      <MarkFeature>Sound</MarkFeature></Seniority></SeniorityDetails>
    <OppositionDetails><Opposition><OppositionIdentifier>003000001</OppositionIdentifier>
      <OppositionDate>2020-07-23</OppositionDate><EarlierMarkDetails><EarlierMark>
      <ApplicationNumber>999</ApplicationNumber><ApplicationDate>1992-05-15</ApplicationDate>
      <RegistrationNumber>998</RegistrationNumber><RegistrationDate>1993-05-15</RegistrationDate>
      <MarkFeature>Word</MarkFeature><WordMarkSpecification><MarkVerbalElementText>OTHER</MarkVerbalElementText>
      </WordMarkSpecification><DesignatedCountryDetails><DesignatedCountryCode>CZ</DesignatedCountryCode>
      <DesignatedCountryCode>PL</DesignatedCountryCode></DesignatedCountryDetails></EarlierMark></EarlierMarkDetails>
      <OpponentDetails><OpponentKey><Identifier>1</Identifier></OpponentKey></OpponentDetails>
      <RepresentativeDetails><RepresentativeKey><Identifier>2</Identifier></RepresentativeKey></RepresentativeDetails>
      </Opposition></OppositionDetails>
    <MarkRecordDetails><MarkRecord><BasicRecord><BasicRecordKind>Proprietor - Total transfers</BasicRecordKind>
      <RecordIdentifier>017000001</RecordIdentifier><RecordCurrentStatusCode>Published</RecordCurrentStatusCode>
      <RecordCurrentStatusDate>2020-05-27</RecordCurrentStatusDate>
      <ApplicantDetails><Applicant>${book('Applicant', '<FormattedName><LastName>Past</LastName></FormattedName>')}
      </Applicant></ApplicantDetails></BasicRecord></MarkRecord></MarkRecordDetails>`);
  const { uid, registration_number, mark_name, mark_feature, application_date, owner_names } = record;
  assert.deepEqual(
    { uid, registration_number, mark_name, mark_feature, application_date, owner_names },
    {
      uid: 'EM500000018000001',
      registration_number: null,
      mark_name: null,
      mark_feature: null,
      application_date: null,
      owner_names: null,
    },
  );
  assert.equal(record.designated_countries, null);
  const document = documentOf(record);
  assert.equal(document.parties, null);
  assert.deepEqual(document.related_marks, [
    {
      relationship: 'seniority',
      number: '452642',
      registration_number: 'R.7',
      country: 'FR',
      date: '2000-08-18',
      details: { SeniorityPartialIndicator: 'false', MarkFeature: 'Sound' },
    },
  ]);
  assert.deepEqual(
    document.events?.map(({ kind, number, date, text, status }) => [kind, number, date, text, status]),
    [
      ['record', '017000001', '2020-05-27', 'Proprietor - Total transfers', 'Published'],
      ['opposition', '003000001', '2020-07-23', undefined, undefined],
    ],
  );
  assert.match(JSON.stringify(document.events), /"DesignatedCountryCode":\["CZ","PL"\].*"Identifier":"2"/);
});

test('reads the designations of the mark itself, and the international office of an extension [2.1, 2.2]', async () => {
  const record = await readBody(`<InternationalRegistrationNumber>1700000</InternationalRegistrationNumber>
    <DesignatedCountryDetails><DesignatedCountry><DesignatedCountryCode>ch</DesignatedCountryCode></DesignatedCountry>
    </DesignatedCountryDetails>`);
  assert.equal(record.office, 'WO');
  assert.deepEqual(record.international_registration_numbers, ['1700000']);
  assert.deepEqual(normalizeRecord(record).designated_countries, ['CH']);
});

test('takes priority numbers unchanged [2.2]', async () => {
  const record = await readBody(`<PriorityDetails><Priority><PriorityCountryCode>FR</PriorityCountryCode>
    <PriorityNumber>19 4594569</PriorityNumber><PriorityDate>2019-10-30</PriorityDate>
    <PriorityStatusCode>Claimed</PriorityStatusCode></Priority><Priority><PriorityNumber>m4042007</PriorityNumber>
    </Priority></PriorityDetails>`);
  assert.deepEqual(normalizeRecord(record).priority_numbers, ['19 4594569', 'M4042007']);
  assert.deepEqual(documentOf(record).priorities?.[0], {
    number: '19 4594569',
    country: 'FR',
    date: '2019-10-30',
    status: 'Claimed',
  });
});

test('reads a removal as a part of a record: the event, and what else it states [I-22]', async () => {
  const code = (text: string): string => `<MarkCurrentStatusCode>${text}</MarkCurrentStatusCode>`;
  const { record, issues } = await readMark({ operation: 'Delete', status: code('Registered') });
  assert.deepEqual([record.is_partial, record.status, issues], [true, 'Registered', []]);
  assert.deepEqual(documentOf(record).events, [{ kind: 'removal', code: 'Delete' }]);
  const bare = await readMark({ operation: 'Delete', status: '' });
  assert.deepEqual([bare.record.is_partial, bare.record.status, bare.record.tm5_status], [true, 'Unknown', null]);
  assert.deepEqual(bare.issues, [], 'no status is no unknown status');
  const ended = async (body: string): Promise<unknown> => {
    const { record: removed } = await readMark({ operation: 'Delete', status: code('Ended'), body });
    return [removed.status, removed.tm5_status];
  };
  assert.deepEqual(await ended(''), ['Unknown', null], 'only the dates show what ended');
  assert.deepEqual(await ended('<ApplicationDate>2020-04-08</ApplicationDate>'), ['Abandoned', 'Ended']);
  assert.deepEqual(await ended(REGISTERED), ['Cancelled', 'Ended']);
  for (const operation of ['Insert', 'Update'])
    assert.notEqual((await readMark({ operation })).record.is_partial, true);
  const odd = await readMark({ operation: 'Merge' });
  assert.deepEqual(odd.issues, [{ code: 'unmapped_operation', path: 'TradeMark@operationCode', value: 'Merge' }]);
});

test('counts neither the time of the file nor its operation as content [4.6.6, I-22]', async () => {
  const digest = async (parts: MarkParts, producedAt: string): Promise<string> =>
    digestContent(normalizeRecord((await readOne(euipoFormat, writeTransaction(parts, producedAt))).record));
  const first = await digest({ operation: 'Insert' }, '2026-01-02T03:04:05');
  assert.equal(await digest({ operation: 'Update' }, '2026-02-02T03:04:05'), first);
  assert.notEqual(await digest({ operation: 'Delete' }, '2026-01-02T03:04:05'), first);
});

test('orders versions of a mark by the time of their file, whatever zone it is written in', async () => {
  for (const [producedAt, version] of [
    ['2026-01-02T03:04:05', '2026-01-02T03:04:05.000000000Z'],
    ['2026-01-01T23:34:05.1234567-03:30', '2026-01-02T03:04:05.123456700Z'],
    ['2026-01-02T25:04:05Z', null],
    ['', null],
  ] as const) {
    const { record, issues } = await readOne(euipoFormat, writeTransaction({}, producedAt));
    assert.equal(record.source_version, version);
    const isNoted = version === null && producedAt !== '';
    assert.deepEqual(
      issues.map(({ code, path }) => [code, path]),
      isNoted ? [['impossible_date', 'RequestProducerDateTime']] : [],
    );
  }
});

const appeal = (number: string): string => `<AppealDetails><Appeal><AppealIdentifier>R1/2020-4</AppealIdentifier>
  <AppealDate>2020-09-21</AppealDate><CaseReferenceDetails><CaseReference caseReferenceKind="Trade Mark">${number}
  </CaseReference></CaseReferenceDetails></Appeal></AppealDetails>`;

test('adds what is outside a mark to the mark that it names [2.2.2]', async () => {
  const relation = `<TradeMarkRelationDetails><TradeMarkRelation><TradeMarkIdentifier>018000001</TradeMarkIdentifier>
    <TradeMarkRelationKind>Parent Division</TradeMarkRelationKind>
    <RelatedTradeMarkIdentifier>018000009</RelatedTradeMarkIdentifier></TradeMarkRelation></TradeMarkRelationDetails>`;
  const { record, issues } = await readMark({ beside: appeal('018000001') + relation });
  assert.deepEqual(issues, []);
  assert.deepEqual(documentOf(record).events, [
    {
      kind: 'appeal',
      number: 'R1/2020-4',
      date: '2020-09-21',
      details: {
        CaseReferenceDetails: { CaseReference: { '@caseReferenceKind': 'Trade Mark', '#text': '018000001' } },
      },
    },
  ]);
  assert.deepEqual(documentOf(record).related_marks, [{ relationship: 'Parent Division', number: '018000009' }]);
});

test('reports what is outside a mark and names another', async () => {
  const stranded = { code: 'stranded_detail', path: 'AppealDetails', value: '' };
  const { record, issues } = await readMark({ beside: appeal('018999999') });
  assert.deepEqual([documentOf(record).events, issues], [null, [stranded]]);
  const early = writeTransaction().replace('<TradeMarkDetails>', `${appeal('018000001')}<TradeMarkDetails>`);
  assert.deepEqual((await readOne(euipoFormat, early)).issues, [stranded]);
});

test('reads many marks of one file, and a mark without a transaction', async () => {
  const many = writeTransaction().replace('</TradeMark>', `</TradeMark>${writeMark({ number: '018000002' })}`);
  const items = await listItems(euipoFormat, many);
  assert.deepEqual(
    items.map((item) => item.kind === 'record' && item.record.uid),
    ['EM500000018000001', 'EM500000018000002'],
  );
  const { record } = await readOne(euipoFormat, writeMark({ number: 'W01234567' }));
  assert.equal(record.uid, 'EM500000W01234567');
});

test('reports an element or attribute it does not know', async () => {
  const { issues } = await readMark({
    body: '<MarkAura>green</MarkAura><KindMark scheme="x">Individual</KindMark>',
    beside: '<AuraDetails><Aura>1</Aura></AuraDetails>',
  });
  assert.deepEqual(issues, [
    { code: 'unknown_element', path: 'TradeMark/MarkAura', value: 'green' },
    { code: 'unknown_element', path: 'TradeMark/KindMark@scheme', value: 'x' },
    {
      code: 'unknown_element',
      path: 'Transaction/TradeMarkTransactionBody/TransactionContentDetails/TransactionData/AuraDetails',
      value: '',
    },
  ]);
});

test('rejects a mark without a number, and one of another register after one of the right register', async () => {
  const source = writeTransaction().replace('018000001', ' ');
  const mixed = writeTransaction().replace('</TradeMark>', `</TradeMark>${writeMark({ office: 'GB' })}`);
  const rejects = [...(await listItems(euipoFormat, source)), ...(await listItems(euipoFormat, mixed))].filter(
    (item) => item.kind === 'reject',
  );
  assert.deepEqual(
    rejects.map(({ reason, raw }) => [reason, /^<TradeMark operationCode="Insert">/.test(String(raw))]),
    [
      ['TradeMark has no ApplicationNumber', true],
      ['the mark is of the register GB; euipo reads EM; it looks like ST.66 XML: try the format st66', true],
    ],
  );
});

test('refuses a file of another register whole', async () => {
  const refusal = (office: string): Promise<unknown> => listItems(euipoFormat, writeTransaction({ office }));
  await assert.rejects(
    refusal('GB'),
    new OperatorError(
      'fixture.xml: the mark is of the register GB; euipo reads EM; it looks like ST.66 XML: try the format st66',
    ),
  );
  await assert.rejects(refusal('XX'), new OperatorError('fixture.xml: the mark is of the register XX; euipo reads EM'));
});

test('refuses other XML in one clear sentence', async () => {
  for (const [source, message] of [
    [
      '<trademark-applications-daily/>',
      'fixture.xml is not EUIPO open data XML: its root element is trademark-applications-daily; ' +
        'it looks like USPTO trademark-applications-daily XML: try the format uspto-apc',
    ],
  ] as const) {
    await assert.rejects(listItems(euipoFormat, source), new OperatorError(message));
  }
});

test('reads another office of the family by a table of its values alone', async () => {
  const dialect: St66Dialect = {
    ...EUIPO_DIALECT,
    format: 'xx-st66',
    office: 'XX',
    statuses: { 'akte vernichtet': 'ended', 'demande deposee': 'Pending' },
    applicationSection: null,
    registersUnderApplicationNumber: false,
    countryPaths: ['FormattedAddress/AddressCounty'],
  };
  const format = openSt66Format({ name: 'xx-st66', title: 'XX register XML', dialects: [dialect] });
  const source = (status: string): string => `<ns2:Transaction xmlns:ns2="urn:x"><TradeMarkDetails><TradeMark>
    <RegistrationOfficeCode>XX</RegistrationOfficeCode><ApplicationNumber>E17341</ApplicationNumber>
    <RegistrationDate>1974-06-06</RegistrationDate><MarkCurrentStatusCode>${status}</MarkCurrentStatusCode>
    <ApplicantDetails><Applicant>${book(
      'Applicant',
      '<FormattedName><OrganizationName>Jörn Eik GmbH</OrganizationName></FormattedName>',
      '<Address><FormattedAddress><AddressCounty>DE</AddressCounty></FormattedAddress></Address>',
    )}</Applicant></ApplicantDetails></TradeMark></TradeMarkDetails></ns2:Transaction>`;
  const { record, issues } = await readOne(format, source('Akte  vernichtet'));
  assert.deepEqual(issues, []);
  assert.deepEqual(
    [record.uid, record.status, record.registration_number, record.owner_countries],
    ['XX500000000E17341', 'Cancelled', null, ['DE']],
  );
  assert.equal((await readOne(format, source('DEMANDE_DÉPOSÉE'))).record.status, 'Pending');
});

test('reports fifty unknown elements of a record one by one, and how many more there are', async () => {
  const strange = Array.from({ length: 63 }, (_, at) => `<Strange${at}>x</Strange${at}>`).join('');
  const { issues } = await readMark({ body: strange });
  assert.equal(issues.filter(({ code }) => code === 'unknown_element').length, 50);
  assert.deepEqual(
    issues.filter(({ code }) => code === 'more_unknown_elements'),
    [{ code: 'more_unknown_elements', path: 'TradeMark', value: '13' }],
  );
});
