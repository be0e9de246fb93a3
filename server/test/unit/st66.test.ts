/** The dialects of ST.66, over marks of our own words in the shapes that each office writes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OperatorError } from '../../src/base/errors.ts';
import { euipoFormat } from '../../src/load/formats/euipo/adapter.ts';
import type { NormalizedDocument } from '../../src/load/formats/payload.ts';
import { st66Format } from '../../src/load/formats/st66/adapter.ts';
import { ST66_OFFICES } from '../../src/load/formats/st66/offices.ts';
import { usptoApcFormat } from '../../src/load/formats/uspto-apc/adapter.ts';
import type { SourceRecord } from '../../src/record/document.ts';
import { normalizeRecord } from '../../src/record/normalize.ts';
import { listItems, type ReadResult, readOne } from '../support/formats.ts';
import { type MarkParts, writeMark, writeTransaction } from '../support/trade-mark.ts';

const OFFICES = 'EM, GB, SE, DE, FR, RO, WO';

const readMark = (parts: MarkParts): Promise<ReadResult> => readOne(st66Format, writeTransaction(parts));

const code = (status: string): string => `<MarkCurrentStatusCode>${status}</MarkCurrentStatusCode>`;

/** The record of a mark that raises no issue. */
async function readClean(parts: MarkParts): Promise<SourceRecord> {
  const { record, issues } = await readMark(parts);
  assert.deepEqual(issues, []);
  return record;
}

const documentOf = (record: SourceRecord): NormalizedDocument => record.payload as unknown as NormalizedDocument;

test('reads each mark in the dialect of the office it names, into the register of that office [2.1]', async () => {
  const marks = [
    { office: 'GB', number: 'UK00003000001', status: code('Registered') },
    { office: 'de', number: '3020261000001', status: code('Marke eingetragen') },
    { office: 'FR', number: '5000001', status: code('Marque enregistrée') },
  ];
  const source = writeTransaction(marks[0]).replace('</TradeMark>', `</TradeMark>${marks.slice(1).map(writeMark)}`);
  const items = await listItems(st66Format, source);
  assert.deepEqual(
    items.map((item) => item.kind === 'record' && [item.record.jurisdiction_code, item.record.uid, item.record.status]),
    [
      ['GB', 'GB500000003000001', 'Registered'],
      ['DE', 'DE503020261000001', 'Registered'],
      ['FR', 'FR500000005000001', 'Registered'],
    ],
  );
});

test('identifies marks as ST.13 does, the application number staying as it is stated [2.1, 2.2]', async () => {
  for (const [office, number, uid] of [
    ['EM', '018000001', 'EM500000018000001'],
    ['EM', 'W01234567', 'EM500000W01234567'],
    ['GB', 'UK00003000001', 'GB500000003000001'],
    ['GB', 'UK00003000001A', 'GB50000003000001A'],
    ['GB', 'WO0000001234567', 'GB50WO0000001234567'],
    ['SE', '1900-62281', 'SE501900000062281'],
    ['SE', '62281', 'SE500000000062281'],
    ['RO', 'M 2012 00091', 'RO502012000000091'],
    ['RO', 'M201200091', 'RO502012000000091'],
    ['DE', 'E17341', 'DE500000000E17341'],
    ['FR', '5000001', 'FR500000005000001'],
    ['WO', '1700000', 'WO500000001700000'],
  ] as const) {
    const { record } = await readMark({ office, number });
    assert.deepEqual([record.uid, record.application_number], [uid, number]);
  }
});

test('the record of an EU mark is the same by either command', async () => {
  const source = writeTransaction({
    body: '<RegistrationDate>2020-07-28</RegistrationDate><KindMark>EU Collective</KindMark>',
  });
  assert.deepEqual(await readOne(st66Format, source), await readOne(euipoFormat, source));
});

test('refuses a file of an office it does not know, with the offices it reads', async () => {
  await assert.rejects(
    listItems(st66Format, writeTransaction({ office: 'XX' })),
    new OperatorError(`fixture.xml: the mark is of the register XX; st66 reads ${OFFICES}`),
  );
  assert.equal(ST66_OFFICES.map(({ office }) => office).join(', '), OFFICES);
  const mixed = writeTransaction().replace('</TradeMark>', `</TradeMark>${writeMark({ office: 'XX' })}`);
  const [, reject] = await listItems(st66Format, mixed);
  assert.equal(reject?.kind === 'reject' && reject.reason, `the mark is of the register XX; st66 reads ${OFFICES}`);
});

test('refuses a file of another register than the operator says', async () => {
  const read = async (register: string | null, source: string): Promise<(SourceRecord | string)[]> =>
    (await listItems(st66Format, source, { register })).map((item) =>
      item.kind === 'record' ? item.record : item.reason,
    );
  const german = writeTransaction({ office: 'DE', status: code('Marke eingetragen') });
  await assert.rejects(
    read('FR', german),
    new OperatorError('fixture.xml: the mark is of the register DE, not of FR as --register says'),
  );
  assert.deepEqual(await read('DE', german), await read(null, german));
  const silent = german.replace('<RegistrationOfficeCode>DE</RegistrationOfficeCode>', '');
  await assert.rejects(
    read(null, silent),
    new OperatorError(
      `fixture.xml: the mark has no RegistrationOfficeCode; say by --register which of ${OFFICES} it is of`,
    ),
  );
  const [record] = (await read('DE', silent)) as SourceRecord[];
  assert.deepEqual([record?.uid, record?.office], ['DE500000018000001', null]);
});

test('refuses hits of searches and answers of errors, and says what to load', async () => {
  const error = writeTransaction().replace(
    /<TradeMarkDetails>.*<\/TradeMarkDetails>/s,
    '<TransactionErrorDetails><TransactionError/></TransactionErrorDetails>',
  );
  await assert.rejects(
    listItems(st66Format, error),
    new OperatorError('fixture.xml is an answer of the office that reports an error, not trade marks'),
  );
  for (const [root, hint] of [
    ['HitList', 'the hits of a search at the DPMA, which are no full records: load the record of each mark'],
    ['trademarkSearch', 'the hits of a search at the INPI, which are no full records: load the notice of each mark'],
  ]) {
    for (const format of [st66Format, euipoFormat, usptoApcFormat]) {
      await assert.rejects(
        listItems(format, `<${root}><Entries/></${root}>`),
        new OperatorError(`fixture.xml is not ${format.title}: its root element is ${root}; it looks like ${hint}`),
      );
    }
  }
});

const REGISTERED = '<RegistrationDate>2001-02-03</RegistrationDate>';

/** Every text of an office's own tables and what it means, written down apart from them. */
const STATUSES: readonly (readonly [office: string, text: string, meaning: string, body?: string])[] = [
  ['GB', 'Registered', 'Registered'],
  ['GB', 'Application Published', 'Pending'],
  ['SE', 'Registration cancelled', 'Cancelled'],
  ['RO', 'Interruption of proceedings', 'Abandoned'],
  ['WO', 'Ended', 'Cancelled', REGISTERED],
  ['DE', 'Anmeldung eingegangen', 'Pending'],
  ['DE', 'Marke eingetragen', 'Registered'],
  ['DE', 'Marke eingetragen, Widerspruchsfrist laeuft', 'Registered'],
  ['DE', 'Marke eingetragen, Widerspruchsfrist läuft', 'Registered'],
  ['DE', 'Marke eingetragen, Widerspruchsverfahren laeuft', 'Registered'],
  ['DE', 'Marke eingetragen, Widerspruchsverfahren läuft', 'Registered'],
  ['DE', 'Eintragung nicht moeglich', 'Abandoned'],
  ['DE', 'Eintragung nicht möglich', 'Abandoned'],
  ['DE', 'Marke geloescht', 'Cancelled', REGISTERED],
  ['DE', 'Marke gelöscht', 'Abandoned'],
  ['DE', 'Akte vernichtet', 'Cancelled', REGISTERED],
  ['DE', 'Akte vernichtet', 'Abandoned'],
  ['FR', 'DEMANDE_DÉPOSÉE', 'Pending'],
  ['FR', 'Demande publiée', 'Pending'],
  ['FR', 'DEMANDE_NON_PUBLIÉE', 'Pending'],
  ['FR', 'DEMANDE_IRRECEVABLE_APRÈS_PUBLICATION', 'Abandoned'],
  ['FR', 'Demande totalement rejetée', 'Abandoned'],
  ['FR', "DEMANDE_AYANT_FAIT_L'OBJET_D'UN_RETRAIT_TOTAL", 'Abandoned'],
  ['FR', 'Marque enregistrée', 'Registered'],
  ['FR', 'RENOUVELLEMENT_DEMANDÉ', 'Registered'],
  ['FR', 'MARQUE_RENOUVELÉE', 'Registered'],
  ['FR', "Marque ayant fait l'objet d'une renonciation totale", 'Cancelled'],
  ['FR', 'MARQUE_ANNULÉE', 'Cancelled'],
  ['FR', 'MARQUE_DÉCHUE', 'Cancelled'],
  ['FR', 'Marque expirée', 'Cancelled'],
];

test('maps the statuses of each office, whatever their spelling [3]', async () => {
  for (const [office, text, meaning, body = ''] of STATUSES) {
    const record = await readClean({ office, body, status: code(text) });
    assert.deepEqual([record.status, record.tm5_status], [meaning, text]);
  }
});

test('reads the status of one office by no table of another [3, I-32]', async () => {
  for (const [office, text] of [
    ['DE', 'Registered'],
    ['FR', 'Marke eingetragen'],
    ['FR', 'Retrait partiel'],
    ['GB', 'Marque enregistrée'],
  ] as const) {
    const { record, issues } = await readMark({ office, status: code(text) });
    assert.deepEqual([record.status, record.tm5_status], ['Unknown', text]);
    assert.deepEqual(issues, [{ code: 'unmapped_status', path: 'MarkCurrentStatusCode', value: text }]);
  }
});

test('a registered mark has the number that its office states, except an EU mark [2.2]', async () => {
  for (const { office } of ST66_OFFICES) {
    const { record } = await readMark({ office, body: REGISTERED });
    assert.equal(record.registration_number, office === 'EM' ? '018000001' : null, office);
  }
});

const GERMAN_BODY = `<InternationalMarkKey><Identifier identifierKindCode="WO">0700001</Identifier>
    <Identifier>700002A</Identifier></InternationalMarkKey>
  <AsItIsProtectionIndicator>true</AsItIsProtectionIndicator>
  <GoodsServicesDetails><GoodsServices><ProposedLeadingClassNumber>33</ProposedLeadingClassNumber>
    <ClassDescriptionDetails><ClassDescription><ClassNumber>33</ClassNumber></ClassDescription>
    <ClassDescription><ClassNumber>05</ClassNumber></ClassDescription></ClassDescriptionDetails>
    <de:GoodsServicesNotClassifiedDescription languageCode="DE">Quellwasser</de:GoodsServicesNotClassifiedDescription>
    </GoodsServices></GoodsServicesDetails>
  <PublicationDetails><Publication><PublicationDate>1974-07-31</PublicationDate></Publication></PublicationDetails>
  <ApplicantDetails><Applicant><ApplicantAddressBook><FormattedNameAddress><Name><FreeFormatName>
    <FreeFormatNameDetails><FreeFormatNameLine>Quellhof GmbH</FreeFormatNameLine></FreeFormatNameDetails>
    </FreeFormatName></Name><Address><FormattedAddress><AddressCity>Lübben</AddressCity>
    <AddressCounty>DE</AddressCounty></FormattedAddress></Address></FormattedNameAddress></ApplicantAddressBook>
    </Applicant><Applicant><ApplicantAddressBook><FreeFormatAddressDetails>
    <FreeFormatNameAddressLine>Anna Muster</FreeFormatNameAddressLine>
    <FreeFormatNameAddressLine>Am Bach 1</FreeFormatNameAddressLine></FreeFormatAddressDetails>
    </ApplicantAddressBook></Applicant></ApplicantDetails>
  <RepresentativeDetails><Representative><RepresentativeAddressBook><FormattedNameAddress/>
    </RepresentativeAddressBook></Representative></RepresentativeDetails>
  <MarkRecordDetails><MarkRecord><BasicRecord><BasicRecordKind>Umschreibung</BasicRecordKind></BasicRecord>
    <de:RecordProcedureIncomplete><de:HolderDetails><de:PreviousHolder><ApplicantAddressBook>Alter Hof KG
    </ApplicantAddressBook></de:PreviousHolder></de:HolderDetails></de:RecordProcedureIncomplete></MarkRecord>
    </MarkRecordDetails>
  <de:FileNumber>900001</de:FileNumber><de:MarkFeatureDPMA>Word</de:MarkFeatureDPMA>
  <de:ApplicationPublicationDate>1973-05-15</de:ApplicationPublicationDate>`;

test('reads what the German office adds to the standard [2.2, I-33]', async () => {
  const record = normalizeRecord(
    await readClean({ office: 'DE', number: 'E1', body: GERMAN_BODY, status: code('Marke eingetragen') }),
  );
  const { office, owner_names, owner_countries, representative_names, nice_classes, publication_date } = record;
  assert.deepEqual(
    { office, owner_names, owner_countries, representative_names, nice_classes, publication_date },
    {
      office: 'DE',
      owner_names: ['quellhof gmbh', 'anna muster'],
      owner_countries: ['DE'],
      representative_names: null,
      nice_classes: [5, 33],
      publication_date: '1973-05-15',
    },
  );
  assert.deepEqual(record.international_registration_numbers, ['700001', '700002A']);
  const document = documentOf(record);
  assert.deepEqual(document.parties, [
    { role: 'applicant', names: [{ text: 'Quellhof GmbH' }], address: { city: 'Lübben', country: 'DE' } },
    { role: 'applicant', names: [{ text: 'Anna Muster' }], address: { lines: ['Am Bach 1'] } },
  ]);
  assert.deepEqual(document.publications, [{ date: '1974-07-31' }, { kind: 'application', date: '1973-05-15' }]);
  assert.deepEqual(document.goods_and_services, [
    { class: '33' },
    { class: '05' },
    { texts: [{ language: 'DE', text: 'Quellwasser' }] },
  ]);
  assert.deepEqual(document.classification, { leading_class: '33' });
  assert.deepEqual(document.international, { filings: [{ number: '0700001' }, { number: '700002A' }] });
  assert.match(JSON.stringify(document.events), /"PreviousHolder":\{"ApplicantAddressBook":"Alter Hof KG"/);
  assert.deepEqual(document.source, {
    format: 'st66',
    status_text: 'Marke eingetragen',
    FileNumber: '900001',
    AsItIsProtectionIndicator: 'true',
    MarkFeatureDPMA: 'Word',
    InternationalMarkKey: { Identifier: { '@identifierKindCode': 'WO' } },
  });
});

const notice = (office: string, body: string): string =>
  `<TradeMark operationCode="Update" fr-TransactionDetails="Renewal" PublicationIdentifier="202601"
    PublicationDate="2026-01-02"><RegistrationOfficeCode>${office}</RegistrationOfficeCode>
    <ApplicationNumber>5000001</ApplicationNumber>${body}</TradeMark>`;

test('reads a French notice: texts escaped twice, the holder before the applicant, the change published', async () => {
  const party = (prefix: string, name: string): string => `<${prefix} PersonType="PM">
    <${prefix}AddressBook><FormattedNameAddress><Name><FormattedName><OrganizationName>${name}</OrganizationName>
    </FormattedName></Name></FormattedNameAddress></${prefix}AddressBook></${prefix}>`;
  const { record, issues } = await readOne(
    st66Format,
    notice(
      'FR',
      `${code('Marque&amp;#32;renouvel&amp;#xe9;e')}
       <WordMarkSpecification><MarkVerbalElementText><![CDATA[L&apos;ÉTÉ &amp;amp; MOI]]></MarkVerbalElementText>
       <MarkTranslation/></WordMarkSpecification>
       <ApplicantDetails>${party('Applicant', 'Ancien &amp;amp; Fils')}</ApplicantDetails>
       <fr-CurrentHolderDetails>${party('fr-CurrentHolder', '<![CDATA[Nouveau & Fille]]>')}</fr-CurrentHolderDetails>`,
    ),
  );
  assert.deepEqual(issues, []);
  assert.deepEqual(
    [record.mark_name, record.status, record.owner_names, record.publication_date],
    ["L'ÉTÉ &amp; MOI", 'Registered', ['Nouveau & Fille', 'Ancien & Fils'], null],
  );
  assert.deepEqual(documentOf(record).publications, [{ kind: 'Renewal', identifier: '202601', date: '2026-01-02' }]);
  assert.deepEqual(documentOf(record).parties?.[0]?.details, { '@PersonType': 'PM' });
  const { record: german } = await readMark({
    office: 'DE',
    body: '<WordMarkSpecification><MarkVerbalElementText>A&amp;lt;B</MarkVerbalElementText></WordMarkSpecification>',
  });
  assert.equal(german.mark_name, 'A&lt;B', 'other offices escape once');
});

test('a party taken off a mark is not its owner, and the mark is not removed [2.2]', async () => {
  const { record, issues } = await readOne(
    st66Format,
    notice(
      'EM',
      `${code('Registered')}<ApplicantDetails>
       <Applicant operationCode="Delete"><ApplicantIdentifier>77</ApplicantIdentifier>
         <ApplicantName><FullName>Gone Ltd</FullName></ApplicantName></Applicant>
       <Applicant operationCode="Insert"><ApplicantName><FullName>Here Ltd</FullName></ApplicantName></Applicant>
       <ApplicantKey operationCode="Swap"><Identifier>78</Identifier></ApplicantKey></ApplicantDetails>`,
    ),
  );
  assert.deepEqual([record.owner_names, record.status], [['Here Ltd'], 'Registered']);
  assert.deepEqual(documentOf(record).parties, [
    { role: 'applicant', current: false, identifier: '77', names: [{ text: 'Gone Ltd' }] },
    { role: 'applicant', names: [{ text: 'Here Ltd' }] },
    { role: 'applicant', identifier: '78' },
  ]);
  assert.equal(documentOf(record).events, null);
  assert.deepEqual(issues, [{ code: 'unmapped_operation', path: 'ApplicantKey@operationCode', value: 'Swap' }]);
});

test('an international registration passed on has its own register and number [2.1, I-33]', async () => {
  const { record, issues } = await readOne(st66Format, notice('WO', '').replace('5000001', '0700001'));
  assert.deepEqual([record.jurisdiction_code, record.office, record.status], ['WO', 'WO', 'Unknown']);
  assert.deepEqual(normalizeRecord(record).international_registration_numbers, ['700001']);
  assert.deepEqual(issues, [{ code: 'unmapped_status', path: 'MarkCurrentStatusCode', value: '' }]);
});

test('a party stated beside its key is one party, and a name written twice one name [I-32]', async () => {
  const record = await readClean({
    office: 'RO',
    number: 'M 2026 00001',
    body: `<ApplicantDetails>
      <ApplicantKey><Identifier>7</Identifier><URI>urn:x:7</URI></ApplicantKey>
      <ApplicantKey><Identifier>8</Identifier><URI>urn:x:8</URI></ApplicantKey>
      <Applicant><ApplicantIdentifier>7</ApplicantIdentifier><ApplicantAddressBook><FormattedNameAddress><Name>
      <FormattedName><LastName>Munte SRL</LastName><OrganizationName>Munte SRL</OrganizationName></FormattedName>
      </Name></FormattedNameAddress></ApplicantAddressBook></Applicant></ApplicantDetails>`,
  });
  assert.deepEqual(record.owner_names, ['Munte SRL']);
  assert.deepEqual(documentOf(record).parties, [
    { role: 'applicant', identifier: '7', uri: 'urn:x:7', names: [{ text: 'Munte SRL', kind: 'organization' }] },
    { role: 'applicant', identifier: '8', uri: 'urn:x:8' },
  ]);
});
