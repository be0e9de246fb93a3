/** What the tables of the ST.66 offices say, over marks in our own words in the shapes that each office writes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { st66Format } from '../../src/load/formats/st66/adapter.ts';
import { ST66_OFFICES } from '../../src/load/formats/st66/dialects.ts';
import type { SourceRecord } from '../../src/record/document.ts';
import { normalizeRecord } from '../../src/record/normalize.ts';
import { documentOf, type ReadResult, readOne } from '../support/formats.ts';
import { GERMAN_RECORD } from '../support/st66-fixtures.ts';
import { type MarkParts, writeTransaction } from '../support/trade-mark.ts';

const readMark = (parts: MarkParts): Promise<ReadResult> => readOne(st66Format, writeTransaction(parts));

const code = (status: string): string => `<MarkCurrentStatusCode>${status}</MarkCurrentStatusCode>`;

/** The record of a mark that raises no issue. */
async function readClean(parts: MarkParts): Promise<SourceRecord> {
  const { record, issues } = await readMark(parts);
  assert.deepEqual(issues, []);
  return record;
}

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

test('reads what the German office adds to the standard [2.2, I-33]', async () => {
  const { record: source, issues } = await readOne(st66Format, GERMAN_RECORD);
  assert.deepEqual(issues, []);
  const record = normalizeRecord(source);
  const { office, owner_names, owner_countries, representative_names, nice_classes, publication_date } = record;
  assert.deepEqual(
    { office, owner_names, owner_countries, representative_names, nice_classes, publication_date },
    {
      office: 'DE',
      owner_names: ['quellhof gmbh', 'anna muster'],
      owner_countries: ['DE'],
      representative_names: ['rat und tat', 'poststelle'],
      nice_classes: [5, 32],
      publication_date: '1973-05-15',
    },
  );
  assert.deepEqual(record.international_registration_numbers, ['700001', '700002A']);
  const document = documentOf(record);
  assert.deepEqual(document.parties?.slice(0, 2), [
    {
      role: 'applicant',
      names: [{ text: 'Quellhof GmbH' }],
      address: { lines: ['Am Bach 1'], city: 'Lübben', postcode: '01234', country: 'DE' },
    },
    { role: 'applicant', names: [{ text: 'Anna Muster' }], address: { lines: ['Am Bach 2'] } },
  ]);
  assert.deepEqual(document.publications, [{ date: '1974-07-31' }, { kind: 'application', date: '1973-05-15' }]);
  assert.deepEqual(document.goods_and_services, [
    {
      scheme: 'nice',
      edition: '9',
      classification: 'Nice',
      class: '32',
      texts: [{ language: 'DE', text: 'Quellwasser' }],
    },
    { scheme: 'nice', edition: '9', classification: 'Nice', class: '05' },
    { classification: 'Nice', texts: [{ language: 'DE', text: 'Heilwasser' }] },
  ]);
  assert.deepEqual(document.classification, { nice_version: '9', leading_class: '32' });
  assert.deepEqual(document.international, { filings: [{ number: '0700001' }, { number: '700002A' }] });
  assert.match(JSON.stringify(document.events), /"PreviousHolder":\{"ApplicantAddressBook":"Alter Hof KG"/);
  assert.deepEqual(document.source, {
    format: 'st66',
    status_text: 'Marke geloescht',
    kind_text: 'Individual',
    feature_text: 'Combined',
    FileNumber: '900001',
    AsItIsProtectionIndicator: 'true',
    OppositionPeriodStartDate: '1974-07-31',
    MarkFeatureDPMA: 'Wort-Bildmarke',
    InternationalMarkKey: { Identifier: { '@identifierKindCode': 'WO' } },
  });
});

test('an empty representative is left out', async () => {
  const empty =
    '<RepresentativeDetails><Representative><RepresentativeAddressBook/></Representative></RepresentativeDetails>';
  const record = await readClean({ office: 'DE', body: empty, status: code('Marke eingetragen') });
  assert.deepEqual([record.representative_names, documentOf(record).parties], [null, null]);
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

test("a mark of another office that is passed on says only a part, the office's own file all [I-22]", async () => {
  const bare = async (office: string): Promise<unknown> =>
    (await readOne(st66Format, notice(office, ''))).record.is_partial ?? false;
  const own = async (office: string): Promise<unknown> => (await readMark({ office })).record.is_partial ?? false;
  for (const { office } of ST66_OFFICES) {
    assert.deepEqual([await bare(office), await own(office)], [office !== 'FR' && office !== 'WO', false], office);
  }
});

test('an international registration passed on has its own register and number [2.1, I-33]', async () => {
  const { record, issues } = await readOne(st66Format, notice('WO', '').replace('5000001', '0700001'));
  assert.deepEqual([record.jurisdiction_code, record.office, record.status], ['WO', 'WO', 'Unknown']);
  assert.deepEqual(normalizeRecord(record).international_registration_numbers, ['700001']);
  assert.deepEqual(issues, [{ code: 'unmapped_status', path: 'MarkCurrentStatusCode', value: '' }]);
});

test('a party stated next to its key is one party, and a name written twice one name [I-32]', async () => {
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

test('a class of a scheme with an unknown name is a Nice class with an issue [I-51]', async () => {
  const read = async (kind: string, number: string): Promise<unknown> => {
    const body = `<GoodsServicesDetails><GoodsServices>
      ${kind === '' ? '' : `<ClassificationKindCode>${kind}</ClassificationKindCode>`}<ClassDescriptionDetails>
      <ClassDescription><ClassNumber>${number}</ClassNumber></ClassDescription></ClassDescriptionDetails>
      </GoodsServices></GoodsServicesDetails>`;
    const { record, issues } = await readMark({ office: 'SE', body: `${code('Registered')}${body}` });
    const found = issues.filter((issue) => /_class$/.test(issue.code)).map((issue) => `${issue.code} ${issue.value}`);
    return [record.nice_classes, documentOf(record).goods_and_services?.[0]?.scheme, ...found];
  };
  assert.deepEqual(await read('', '9'), [[9], 'nice']);
  assert.deepEqual(await read('Nice', '9'), [[9], 'nice']);
  assert.deepEqual(await read('Nizza', '9'), [[9], 'nice', 'assumed_nice_class Nizza']);
  assert.deepEqual(await read('Locarno', '9'), [null, 'unknown', 'unmapped_class Locarno']);
  assert.deepEqual(await read('Office', '9'), [null, 'national']);
});
