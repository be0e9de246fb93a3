import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OperatorError } from '../../src/base/errors.ts';
import { euipoFormat } from '../../src/load/formats/st66/adapter.ts';
import { st96Format } from '../../src/load/formats/st96/adapter.ts';
import { usptoTsdrFormat } from '../../src/load/formats/uspto-tsdr/adapter.ts';
import type { SourceRecord } from '../../src/record/document.ts';
import { normalizeRecord } from '../../src/record/normalize.ts';
import { documentOf, listItems, type ReadResult, readOne } from '../support/formats.ts';
import {
  FULL_CASE,
  type TrademarkParts,
  writeDraft,
  writeSt66Answer,
  writeTrademark,
  writeTransaction,
} from '../support/st96.ts';

const readMark = (parts: TrademarkParts): Promise<ReadResult> =>
  readOne(st96Format, writeTransaction(writeTrademark(parts)));

/** The record of a mark that raises no issue. */
async function readBody(body: string): Promise<SourceRecord> {
  const { record, issues } = await readMark({ body });
  assert.deepEqual(issues, []);
  return record;
}

test('reads a case with its identity, and nothing that it does not state [2.1, 2.2]', async () => {
  const { record, issues } = await readMark({});
  assert.deepEqual(issues, []);
  const stated = Object.entries(record).filter(([field, value]) => value !== null && field !== 'payload');
  assert.deepEqual(Object.fromEntries(stated), {
    jurisdiction_code: 'US',
    uid: 'US500000097000001',
    office: 'US',
    application_number: '97000001',
    status: 'Pending',
    tm5_status: '630',
    source_version: '00000000.1',
  });
});

test('reads a whole case: every field of the record [2.2]', async () => {
  const { record, issues } = await readOne(st96Format, writeTransaction(FULL_CASE));
  assert.deepEqual(issues, []);
  const { payload, payload_text, is_partial, normalized, ...fields } = normalizeRecord(record);
  assert.deepEqual(Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)), {
    jurisdiction_code: 'US',
    uid: 'US500000097000001',
    office: 'US',
    application_number: '97000001',
    registration_number: '717416',
    mark_name: 'QUILLFERN',
    status: 'Registered',
    tm5_status: 'Renewed.',
    kind_of_mark: 'Trademark',
    mark_feature: 'Combined',
    application_date: '2008-05-19',
    registration_date: '2009-12-01',
    publication_date: '2009-09-15',
    renewal_date: '2019-12-01',
    status_date: '2025-04-14',
    nice_classes: [16],
    owner_names: ['quillfern cooperative', 'quillfern growers'],
    owner_countries: ['US'],
    representative_names: ['ada penn', 'penn and inkwell'],
    international_registration_numbers: ['903111'],
    priority_numbers: ['30 2008 000 111'],
    mark_name_variants: ['a fern'],
    is_removal: false,
    source_version: '20250415.1',
  });
});

test('keeps the parties, classes, events and proceedings of a case in its document [2.2.2]', async () => {
  const { record } = await readOne(st96Format, writeTransaction(FULL_CASE));
  const document = documentOf(record);
  assert.deepEqual(
    document.parties?.map(({ role, office_role, current, office_role_text }) => [
      role,
      office_role,
      current,
      office_role_text,
    ]),
    [
      ['owner', '30', true, 'ORIGINAL REGISTRANT'],
      ['applicant', '10', false, 'ORIGINAL APPLICANT'],
      ['attorney', undefined, undefined, 'Attorney of Record'],
      ['correspondent', undefined, undefined, undefined],
    ],
  );
  assert.deepEqual(document.parties?.[0], {
    role: 'owner',
    office_role: '30',
    office_role_text: 'ORIGINAL REGISTRANT',
    names: [{ text: 'Quillfern Cooperative', kind: 'organization' }, { text: 'Quillfern Cooperative' }],
    entity: { code: '99', text: 'other', statement: 'COOPERATIVE' },
    incorporation: { country: 'US', state: 'VT' },
    address: { lines: ['1 Mill Lane'], city: 'Quillham', region: 'VERMONT', postcode: '05000', country: 'US' },
    current: true,
  });
  assert.deepEqual(document.classification, {
    classes: [
      {
        international_codes: ['016'],
        national_codes: ['037'],
        primary_code: '016',
        status_code: '6',
        status_text: 'ACTIVE',
        first_use_date: '19960100',
        first_use_in_commerce_date: '2009-04-18',
        details: {
          NationalFilingBasis: { CurrentBasis: { BasisUseIndicator: 'true' } },
          ClassDescriptionBag: {
            ClassDescription: {
              NationalStatusBag: {
                NationalStatus: {
                  NationalStatusCategory: 'National class status',
                },
              },
            },
          },
        },
      },
    ],
    design_codes: ['05.03.25'],
  });
  assert.deepEqual(
    document.events?.map(({ kind, number, date, text, status }) => [kind, number, date, text ?? status]),
    [
      ['history', '2', '2025-04-14', 'NOTICE OF ACCEPTANCE'],
      ['history', '1', '2008-05-23', 'NEW APPLICATION ENTERED'],
      ['record', '41910001', '2010-04-23', 'CHANGE OF NAME'],
      ['opposition', '91000001', '2009-10-01', 'Terminated'],
    ],
  );
  assert.deepEqual(document.related_marks, [
    {
      relationship: 'International application or registration',
      number: 'A0001234',
      registration_number: '0903111',
    },
  ]);
  assert.equal(document.source.format, 'uspto-tsdr');
  assert.equal(document.source.status_code, '800');
  assert.equal(document.source.feature_code, '3');
});

test('reads every edition of the standard alike, whatever prefixes and roots they have', async () => {
  const expected = await readOne(st96Format, writeTransaction(FULL_CASE));
  for (const source of [writeDraft(FULL_CASE), `<TrademarkBag>${FULL_CASE}</TrademarkBag>`, FULL_CASE]) {
    assert.deepEqual(await readOne(st96Format, source), expected);
  }
  const earlier = FULL_CASE.replace('<FileName>', '<ImageFileName>')
    .replace('</FileName>', '</ImageFileName>')
    .replaceAll('>Domestic<', '>National<');
  assert.deepEqual((await readOne(st96Format, writeDraft(earlier))).record, expected.record);
});

test('reads the applicants by their stage, the current owners first [2.2]', async () => {
  const stages = ['10', '31', '20', '31', '70', '7x'].map(
    (stage, at) => `<Applicant sequenceNumber="${stage}"><Contact><Name><EntityName>P${at}</EntityName></Name></Contact>
      </Applicant>`,
  );
  const { record, issues } = await readMark({ body: `<ApplicantBag>${stages.join('')}</ApplicantBag>` });
  assert.deepEqual(record.owner_names, ['P1', 'P3', 'P2', 'P0', 'P5']);
  assert.deepEqual(record.representative_names, ['P4']);
  assert.deepEqual(
    documentOf(record).parties?.map(({ names, current }) => [names?.[0]?.text, current]),
    [
      ['P1', true],
      ['P3', true],
      ['P2', false],
      ['P0', false],
      ['P5', false],
      ['P4', undefined],
    ],
  );
  assert.deepEqual(issues, [
    { code: 'unmapped_party_type', path: 'ApplicantBag/Applicant@sequenceNumber', value: '7x' },
  ]);
});

test('reads the status by the code of the case, and reports a code it does not know [3, I-32]', async () => {
  const read = async (code: string, body = ''): Promise<unknown> => {
    const { record, issues } = await readMark({
      status: `<MarkCurrentStatusCode>${code}</MarkCurrentStatusCode>`,
      body,
    });
    return [record.status, ...issues.map((issue) => issue.code)];
  };
  assert.deepEqual(await read('702'), ['Registered']);
  assert.deepEqual(await read('602'), ['Abandoned']);
  assert.deepEqual(await read('740'), ['Pending']);
  assert.deepEqual(await read('740', '<RegistrationDate>2009-12-01</RegistrationDate>'), ['Registered']);
  assert.deepEqual(await read('1234'), ['Unknown', 'unmapped_status']);
  assert.deepEqual(await read(''), ['Unknown', 'unmapped_status']);
});

test('a cancelled or abandoned case has the date of its end, and both are in the document [2.2]', async () => {
  const information = (dates: string): string =>
    `<NationalTrademarkInformation>${dates}</NationalTrademarkInformation>`;
  const abandoned = '<ApplicationAbandonedDate>2023-03-08</ApplicationAbandonedDate>';
  const cancelled = '<RegistrationCancelledDate>2024-05-06-04:00</RegistrationCancelledDate>';
  assert.equal((await readBody(information(abandoned))).termination_date, '2023-03-08');
  const both = await readBody(information(abandoned + cancelled));
  assert.equal(both.termination_date, '2024-05-06');
  const { abandonment_date, cancellation_date } = documentOf(both).source;
  assert.deepEqual([abandonment_date, cancellation_date], ['2023-03-08', '2024-05-06']);
});

test('maps kinds by the office rank and features by their code, and reports what it does not know [4.3]', async () => {
  const read = async (categories: readonly string[], code: string, text: string): Promise<unknown> => {
    const { record, issues } = await readMark({
      body: `${categories.map((category) => `<MarkCategory>${category}</MarkCategory>`).join('')}
        <MarkRepresentation><MarkFeatureCategory>${text}</MarkFeatureCategory><MarkDescriptionBag>
        <NationalMarkDescription><MarkFeatureCode>${code}</MarkFeatureCode></NationalMarkDescription>
        </MarkDescriptionBag></MarkRepresentation>`,
    });
    return [record.kind_of_mark, record.mark_feature, ...issues.map(({ value }) => value)];
  };
  assert.deepEqual(await read(['Service mark', 'Trademark'], '2', ''), ['Trademark', 'Figurative']);
  assert.deepEqual(await read(['Service mark'], '6', 'whatever'), ['Service', 'Sound']);
  assert.deepEqual(await read(['Trademark', 'Collective Membership Mark'], '4000', ''), ['Collective', 'Word']);
  assert.deepEqual(await read(['Certification Mark'], '', 'TYPESET WORD(S) /LETTER(S) /NUMBER(S)'), [
    'Certificate',
    'Word',
  ]);
  assert.deepEqual(await read([], '0', ''), [null, null]);
  assert.deepEqual(await read(['Guild mark'], '9', 'Telepathic'), [null, null, 'Guild mark', '9']);
  assert.deepEqual(await read([], '', 'Telepathic'), [null, null, 'Telepathic']);
});

test('counts the classes in force, never national ones, and reports invalid classes [2.2]', async () => {
  const group = (status: string, ...numbers: [kind: string, number: string][]): string => `<GoodsServices>
    <GoodsServicesClassificationBag>${numbers
      .map(
        ([kind, number]) => `<GoodsServicesClassification><ClassificationKindCode>${kind}</ClassificationKindCode>
        <ClassNumber>${number}</ClassNumber></GoodsServicesClassification>`,
      )
      .join('')}</GoodsServicesClassificationBag><ClassDescriptionBag><ClassDescription><NationalStatusBag>
      <NationalStatus><NationalStatusCode>${status}</NationalStatusCode></NationalStatus></NationalStatusBag>
      </ClassDescription></ClassDescriptionBag></GoodsServices>`;
  const read = async (...groups: string[]): Promise<unknown> => {
    const { record, issues } = await readMark({ body: `<GoodsServicesBag>${groups.join('')}</GoodsServicesBag>` });
    return [record.nice_classes, ...issues.map(({ code, value }) => `${code} ${value}`)];
  };
  const hats = group('6', ['Primary', '039'], ['Nice', '025'], ['Domestic', '022']);
  assert.deepEqual(await read(hats, group('2', ['Nice', '035'])), [[25]]);
  assert.deepEqual(await read(group('2', ['Nice', '035']), group('8', ['Nice', '009'])), [[9, 35]]);
  assert.deepEqual(await read(group('6', ['Nice', 'A'], ['Nice', '200'], ['Nice', '000'])), [null]);
  assert.deepEqual(await read(group('6', ['Nice', '046'], ['Locarno', '01'])), [
    null,
    'unmapped_class Locarno',
    'unmapped_class 046',
  ]);
});

test('an extension of protection is of the international office, and has its number [2.1, I-33]', async () => {
  const number = '<ApplicationNumberText>79000001</ApplicationNumberText>';
  assert.equal((await readMark({ number })).record.office, 'WO');
  const basis = `<NationalFilingBasis><CurrentBasis><BasisInternationalRegistrationIndicator>true
    </BasisInternationalRegistrationIndicator></CurrentBasis></NationalFilingBasis>`;
  assert.equal((await readBody(basis)).office, 'WO');
  const previous = await readBody(`<PreviousRegistrationBag><PreviousRegistration>
    <RegistrationOfficeCode>WO</RegistrationOfficeCode>
    <PreviousRegistrationNumber>0822403</PreviousRegistrationNumber></PreviousRegistration></PreviousRegistrationBag>`);
  assert.deepEqual([previous.office, normalizeRecord(previous).international_registration_numbers], ['WO', ['822403']]);
  assert.deepEqual(documentOf(previous).international?.registration, { number: '0822403' });
  const zeros = `<AssociatedMarkBag><AssociatedMark><InternationalRegistrationNumber>0000000
    </InternationalRegistrationNumber></AssociatedMark></AssociatedMarkBag>`;
  assert.equal((await readBody(zeros)).international_registration_numbers, null);
});

test('a translation statement of a case is a sentence, and what it gives for the mark finds it [I-12, I-48]', async () => {
  const words = (sentence: string): string => `<MarkRepresentation><MarkReproduction><WordMarkSpecification>
    <MarkVerbalElementText>QUILLFERN PENS</MarkVerbalElementText>
    <MarkSignificantVerbalElementText>QUILLFERN</MarkSignificantVerbalElementText>
    <MarkTranslationText>${sentence}</MarkTranslationText></WordMarkSpecification></MarkReproduction>
    </MarkRepresentation>`;
  const record = await readBody(words('The wording means a fern.'));
  assert.deepEqual([record.mark_name, record.mark_name_variants], ['QUILLFERN', ['QUILLFERN PENS', 'a fern']]);
  assert.deepEqual(documentOf(record).mark?.translations, [{ text: 'The wording means a fern.' }]);
  const strange = await readOne(st96Format, writeTransaction(writeTrademark({ body: words('A fern, perhaps.') })));
  assert.deepEqual(strange.record.mark_name_variants, ['QUILLFERN PENS']);
  assert.deepEqual(
    strange.issues.map(({ code, value }) => [code, value]),
    [['unread_statement', 'A fern, perhaps.']],
  );
});

test('the order in which a history is listed is not a change [I-34]', async () => {
  const events = [1, 2, 3].map(
    (number) => `<MarkEvent><NationalMarkEvent><MarkEventEntryNumber>${number}</MarkEventEntryNumber>
      </NationalMarkEvent><MarkEventDate>2025-01-0${number < 3 ? 1 : 2}</MarkEventDate></MarkEvent>`,
  );
  const read = async (order: readonly string[]): Promise<unknown> =>
    documentOf(await readBody(`<MarkEventBag>${order.join('')}</MarkEventBag>`)).events?.map(({ number }) => number);
  assert.deepEqual(await read(events), ['3', '2', '1']);
  assert.deepEqual(await read(events.toReversed()), ['3', '2', '1']);
});

test('a mark that is removed stays, with its removal among its events [I-22]', async () => {
  const read = async (operation: string): Promise<unknown> => {
    const { record, issues } = await readMark({ attributes: `operationCategory="${operation}"` });
    return [record.status, documentOf(record).events, ...issues.map(({ code, value }) => `${code} ${value}`)];
  };
  assert.deepEqual(await read('Update'), ['Pending', null]);
  assert.deepEqual(await read('Delete'), ['Pending', [{ kind: 'removal', code: 'Delete' }]]);
  assert.deepEqual(await read('Merge'), ['Pending', null, 'unmapped_operation Merge']);
  const { record, issues } = await readMark({ status: '', attributes: 'operationCategory="Delete"' });
  assert.deepEqual([record.status, record.tm5_status, record.is_partial, issues], ['Unknown', null, true, []]);
  assert.equal((await readMark({})).record.is_partial, undefined);
});

test('reports every element and attribute that it does not know', async () => {
  const { issues } = await readMark({ body: '<Shade hue="7"><Deep>green</Deep></Shade>' });
  assert.deepEqual(issues, [
    { code: 'unknown_element', path: 'Trademark/Shade@hue', value: '7' },
    { code: 'unknown_element', path: 'Trademark/Shade/Deep', value: 'green' },
  ]);
});

test('rejects a mark without a usable number or of another office, and reads the rest of the file', async () => {
  const marks = [
    writeTrademark({ number: '' }),
    writeTrademark({ number: '<ApplicationNumberText>0000</ApplicationNumberText>' }),
    writeTrademark({ office: 'AU' }),
    writeTrademark(),
  ];
  const items = await listItems(st96Format, writeTransaction(marks.join('')));
  assert.deepEqual(
    items.map((item) => (item.kind === 'reject' ? item.reason : item.record.uid)),
    [
      'Trademark has no ApplicationNumber',
      '"0000" is not an application number of the office US',
      'the mark is of the office AU; US, CA, CH are read here',
      'US500000097000001',
    ],
  );
});

test('refuses a file of another standard, and names the format that reads it', async () => {
  const refused = (format: typeof st96Format, source: string, message: RegExp): Promise<void> =>
    assert.rejects(listItems(format, source), (error: unknown) => {
      assert.ok(error instanceof OperatorError);
      assert.match(error.message, message);
      return true;
    });
  await refused(st96Format, '<Transaction xmlns="urn:x"/>', /root element is Transaction; it looks like ST\.66 XML/);
  await refused(st96Format, '<case-file/>', /try the format uspto-apc/);
  await refused(st96Format, writeSt66Answer(), /root element is Transaction; .*USPTO TSDR.*try the format uspto-tsdr/);
  await refused(euipoFormat, writeSt66Answer(), /try the format uspto-tsdr/);
  await refused(euipoFormat, writeDraft(FULL_CASE), /early ST\.96: try the format uspto-tsdr/);
  await refused(usptoTsdrFormat, '<Transaction xmlns="urn:x"/>', /ST\.66 XML/);
  await refused(usptoTsdrFormat, '<trademark-applications-daily/>', /try the format uspto-apc/);
  await refused(usptoTsdrFormat, '<x:TrademarkApplication/>', /try the format st96/);
  await refused(usptoTsdrFormat, '<x:ApiResponse/>', /Swiss data delivery.*try the format st96/);
});

test('refuses a file of another register than the operator names', async () => {
  await assert.rejects(
    listItems(st96Format, writeTransaction(FULL_CASE), { register: 'CA' }),
    /fixture\.xml: the mark is of the register US, not of CA as --register says$/,
  );
  assert.equal((await listItems(st96Format, writeTransaction(FULL_CASE), { register: 'US' })).length, 1);
});
