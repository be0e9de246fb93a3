/** ST.96 of Canada and Switzerland, of which no whole record can be had: fixtures in the offices' shapes. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { st96Format } from '../../src/load/formats/st96/adapter.ts';
import { CA_DIALECT } from '../../src/load/formats/st96/dialects.ts';
import type { Issue, SourceRecord } from '../../src/record/document.ts';
import { normalizeRecord } from '../../src/record/normalize.ts';
import { documentOf, listItems, REAL_DATA, type ReadResult, readOne, skipWithout } from '../support/formats.ts';
import { type TrademarkParts, writeAnswer } from '../support/st96.ts';
import { CANADIAN_BODY, contact, SWISS, st13, writeCanadian } from '../support/st96-offices.ts';

const readCanadian = (parts: TrademarkParts = {}): Promise<ReadResult> => readOne(st96Format, writeCanadian(parts));

test('reads a Canadian application: every field of the record [2.2]', async () => {
  const { record, issues } = await readCanadian({ body: CANADIAN_BODY, attributes: 'operationCategory="Update"' });
  assert.deepEqual(issues, []);
  const { payload, payload_text, is_partial, normalized, ...fields } = normalizeRecord(record);
  assert.deepEqual(Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)), {
    jurisdiction_code: 'CA',
    uid: 'CA500000000102697',
    office: 'CA',
    application_number: '102697',
    registration_number: 'TMA000001',
    mark_name: 'FOUGÈRE',
    mark_name_variants: ['Fern'],
    status: 'Registered',
    tm5_status: 'Registered',
    kind_of_mark: 'Trademark',
    mark_feature: 'Combined',
    application_date: '2000-05-03',
    registration_date: '2003-05-06',
    publication_date: '2002-03-27',
    is_removal: false,
    expiry_date: '2033-05-06',
    renewal_date: '2018-05-06',
    opposition_period_end: '2002-05-27',
    status_date: '2003-05-06',
    nice_classes: [9, 35],
    vienna_codes: ['05.03.11', '27.05'],
    owner_names: ['fougère inc.', 'old fern ltd.'],
    owner_countries: ['CA', 'GB'],
    representative_names: ['first agents', 'reed agents llp'],
    priority_numbers: ['75/000,001'],
    source_version: '2003-05-06.1',
  });
  const document = documentOf(record);
  assert.deepEqual(document.goods_and_services, [
    { classification: 'Nice', code: 'Goods1', texts: [{ text: 'ferns', language: 'en' }] },
  ]);
  assert.deepEqual(document.related_marks, [
    {
      relationship: 'associated',
      number: '170984-10',
      registration_number: 'TMA000002',
      details: { ApplicationNumber: { IPOfficeCode: 'CA' }, PerSeRegistration: 'false' },
    },
  ]);
  assert.deepEqual(document.source.NationalTrademarkInformation, {
    RegisterCategory: 'Primary',
    ClaimBag: { Claim: { ClaimNumber: '1' } },
  });
});

test('an extension of a Canadian registration is a separate record, distinguished by its counter [2.1]', async () => {
  const read = async (number: string): Promise<unknown> => {
    const { record } = await readCanadian({ number: st13(number) });
    return [record.uid, record.application_number];
  };
  assert.deepEqual(await read('300000010269700'), ['CA500000000102697', '102697']);
  assert.deepEqual(await read('300000014763502'), ['CA500000147635-02', '147635-02']);
  assert.deepEqual(await read('CA300000014763502'), ['CA500000147635-02', '147635-02']);
  const source = writeCanadian({ number: st13('3000') });
  const [item] = await listItems(st96Format, source);
  assert.ok(item?.kind === 'reject');
  assert.equal(item.reason, '"3000" is not an application number of the office CA');
});

test('an application under the Madrid Protocol in Canada is of the international office [2.1, I-33]', async () => {
  const body = `<InternationalMarkIdentifierBag><InternationalMarkIdentifier>01453219</InternationalMarkIdentifier>
    </InternationalMarkIdentifierBag>`;
  const { record, issues } = await readCanadian({ body });
  assert.deepEqual([record.office, issues], ['WO', []]);
  assert.deepEqual(normalizeRecord(record).international_registration_numbers, ['1453219']);
});

test('maps kinds and features of Canada, and reads what it does not know by its own description [4.3]', async () => {
  const read = async (kind: string, feature: string): Promise<unknown> => {
    const { record, issues } = await readCanadian({
      body: `<MarkCategory>${kind}</MarkCategory><MarkRepresentation><MarkFeatureCategory>${feature}
        </MarkFeatureCategory></MarkRepresentation>`,
    });
    return [record.kind_of_mark, record.mark_feature, ...issues.map(({ code }) => code)];
  };
  assert.deepEqual(await read('Certification Mark', 'Word'), ['Certificate', 'Word']);
  assert.deepEqual(await read('Prohibited Mark; Official Mark', 'Figurative'), ['Other', 'Figurative']);
  assert.deepEqual(await read('Geographical Indication (Wine)', 'Three dimensional'), [
    'Geographical',
    'Three-dimensional',
  ]);
  assert.deepEqual(await read('Distinguishing Guise', 'Scent'), ['Individual', 'Olfactory']);
  assert.deepEqual(await read('Denomination', 'Hum'), ['Denomination', 'Other', 'unmapped_feature']);
});

test('a former owner of Canada, an opponent and a party of unknown category own and represent nothing [2.2]', async () => {
  const party = (category: string, name: string): string => `<InterestedParty>
    <InterestedPartyCategory>${category}</InterestedPartyCategory>${contact(name, 'GB')}</InterestedParty>`;
  const { record, issues } = await readCanadian({
    body: `<NationalTrademarkInformation><InterestedPartyBag>${party('Opponent', 'Moss Corp.')}
      ${party('Old Owner', 'Old Fern Ltd.')}${party('Bystander', 'Some One')}${party('Registrant', 'Fougère Inc.')}
      </InterestedPartyBag></NationalTrademarkInformation>`,
  });
  assert.deepEqual(
    [record.owner_names, record.owner_countries, record.representative_names],
    [['Fougère Inc.'], ['GB'], null],
  );
  assert.deepEqual(
    documentOf(record).parties?.map(({ role, current, office_role_text: text }) => [role, current, text]),
    [
      ['owner', undefined, 'Registrant'],
      ['owner', false, 'Old Owner'],
      ['other', undefined, 'Opponent'],
      ['other', undefined, 'Bystander'],
    ],
  );
  assert.deepEqual(
    issues.map(({ code, value }) => [code, value]),
    [['unmapped_party_type', 'Bystander']],
  );
});

test('a Canadian document has a country apart from legal forms, and an agent number apart from roles [2.2.2]', async () => {
  const { record } = await readCanadian({ body: CANADIAN_BODY });
  const [applicant, ...others] = documentOf(record).parties ?? [];
  assert.deepEqual([applicant?.entity, applicant?.details], [undefined, { NationalLegalEntityCode: 'CA' }]);
  const agent = others.find(({ names }) => names?.[0]?.text === 'Reed Agents LLP');
  assert.deepEqual([agent?.office_role_text, agent?.details], [undefined, { CommentText: '4779' }]);
});

const PROCEEDINGS = `<LegalProceedingsBag><LegalProceedings><OppositionProceedingBag>
  <OppositionIdentifier>1</OppositionIdentifier><OppositionDate>2025-01-02</OppositionDate>
  <OppositionCurrentStatusCategory>Opposition pending</OppositionCurrentStatusCategory><PlaintiffBag><Plaintiff>
  <LegalEntityName>Moss Corp.</LegalEntityName>${contact('Moss Corp.', 'US')}
  <Correspondent>${contact('Moss Mail', 'CA')}</Correspondent>
  <RepresentativeBag><Representative>${contact('Moss Agents', 'CA')}</Representative></RepresentativeBag></Plaintiff>
  </PlaintiffBag><DefendantBag><Defendant>${contact('Fougère Inc.', 'CA')}</Defendant></DefendantBag>
  </OppositionProceedingBag><CancellationProceedings><LegalProceedingIdentifier>2</LegalProceedingIdentifier>
  <ProceedingStatus><NationalStatusCategory>Active</NationalStatusCategory>
  <NationalStatusCode>1</NationalStatusCode><NationalStatusDate>2025-05-06</NationalStatusDate></ProceedingStatus>
  </CancellationProceedings></LegalProceedings></LegalProceedingsBag>`;

test('a proceeding of Canada has its state and its parties in the document, and they own nothing [2.2.2]', async () => {
  const { record, issues } = await readCanadian({ body: PROCEEDINGS });
  assert.deepEqual([record.owner_names, record.representative_names, issues], [null, null, []]);
  const [opposition, cancellation] = documentOf(record).events ?? [];
  assert.deepEqual(
    [opposition?.kind, opposition?.status, opposition?.details],
    ['opposition', 'Opposition pending', undefined],
  );
  assert.deepEqual(
    opposition?.parties?.map(({ role, names, contacts }) => [
      role,
      names?.[0]?.text,
      contacts?.map((each) => [each.role, each.names?.[0]?.text]),
    ]),
    [
      [
        'plaintiff',
        'Moss Corp.',
        [
          ['correspondent', 'Moss Mail'],
          ['other', 'Moss Agents'],
        ],
      ],
      ['defendant', 'Fougère Inc.', undefined],
    ],
  );
  assert.deepEqual(cancellation, {
    kind: 'cancellation',
    type: 'CancellationProceedings',
    number: '2',
    status: 'Active',
    status_date: '2025-05-06',
    details: { ProceedingStatus: { NationalStatusCode: '1' } },
  });
});

test('a divisional application and associated marks of Canada are related marks [2.2.2]', async () => {
  const { record, issues } = await readCanadian({
    body: `<DivisionalApplicationBag><DivisionalApplication><InitialApplicationNumber><IPOfficeCode>CA</IPOfficeCode>
      ${st13('300000023613800')}</InitialApplicationNumber><InitialApplicationDate>1956-06-07</InitialApplicationDate>
      </DivisionalApplication></DivisionalApplicationBag><NationalTrademarkInformation><NationalAssociatedMarkBag>
      <NationalAssociatedMark><ApplicationNumber>${st13('300000017098410')}</ApplicationNumber>
      </NationalAssociatedMark></NationalAssociatedMarkBag></NationalTrademarkInformation>`,
  });
  assert.deepEqual(issues, []);
  assert.deepEqual(
    documentOf(record).related_marks?.map(({ relationship, number, date }) => [relationship, number, date]),
    [
      ['associated', '170984-10', undefined],
      ['division of', '236138', '1956-06-07'],
    ],
  );
});

test('a Canadian file is as old as the day in its delivery’s name, else as the latest day it states [4.6.6]', async () => {
  const source = writeCanadian({ body: CANADIAN_BODY });
  const order = async (name: string): Promise<unknown> => {
    const [item] = await listItems(st96Format, source, { register: null }, name);
    assert.ok(item?.kind === 'record');
    return item.record.source_version;
  };
  assert.equal(await order('WEEKLY_2026-11-17.zip/0102697-00.xml'), '2026-11-17.2');
  assert.equal(await order('CA-TMK-GLOBAL_2019-10-05_111_168014_001.zip/102697-00.xml'), '2019-10-05.2');
  assert.equal(await order('CA-TMK-UPDATE_2020-03-31-2020-04-06_147635_2021252_001/1-00.xml'), '2020-04-06.2');
  assert.equal(await order('CA-TMK-UPDATE-20250618.xml'), '2025-06-18.2');
  for (const name of ['102697-00.xml', 'old/20260101/102697-00.xml', 'WEEKLY_2026-13-17.zip/1.xml']) {
    assert.equal(await order(name), '2003-05-06.1', name);
  }
  const bare = await readCanadian();
  assert.equal(bare.record.source_version, null);
});

test('a note such as ((fig.)) is no part of a Swiss name, and an unknown one is reported [2.2]', async () => {
  const read = async (words: string): Promise<unknown> => {
    const body = `<MarkRepresentation><MarkReproduction><WordMarkSpecification><MarkSignificantVerbalElementText>${words}
      </MarkSignificantVerbalElementText></WordMarkSpecification></MarkReproduction></MarkRepresentation>`;
    const { record, issues } = await readOne(
      st96Format,
      writeAnswer([SWISS.replace('</Trademark>', `${body}</Trademark>`)]),
    );
    assert.equal(documentOf(record).mark?.texts?.[0]?.text, words);
    return [record.mark_name, ...issues.map(({ value }) => value)];
  };
  assert.deepEqual(await read('FARNLAND ((fig.))'), ['FARNLAND']);
  assert.deepEqual(await read('FARN LAND ((FIG)) ((fig.) )'), ['FARN LAND']);
  assert.deepEqual(await read('((3D))'), [null]);
  assert.deepEqual(await read('((fig.))'), [null]);
  assert.deepEqual(await read('FARN (green)'), ['FARN (green)']);
  assert.deepEqual(await read('FARN ((etiquette))'), ['FARN ((etiquette))', 'FARN ((etiquette))']);
});

test('maps the words of the Swiss office, and reports others [4.3, I-32]', async () => {
  const read = async (status: string, kind: string, feature: string): Promise<unknown> => {
    const body = `<MarkCategory>${kind}</MarkCategory><MarkRepresentation><MarkFeatureCategory>${feature}
      </MarkFeatureCategory></MarkRepresentation>`;
    const mark = SWISS.replace('>Registered<', `>${status}<`).replace('</Trademark>', `${body}</Trademark>`);
    const { record, issues } = await readOne(st96Format, writeAnswer([mark]));
    return [record.status, record.kind_of_mark, record.mark_feature, ...issues.map(({ code }) => code)];
  };
  assert.deepEqual(await read('Application cancelled', 'Geographical mark', '_3_D'), [
    'Abandoned',
    'Geographical',
    'Three-dimensional',
  ]);
  assert.deepEqual(await read('Registration cancelled', 'Guarantee mark', '3-D'), [
    'Cancelled',
    'Guarantee',
    'Three-dimensional',
  ]);
  assert.deepEqual(await read('Parked', 'Guild mark', 'Acoustic'), [
    'Unknown',
    null,
    'Other',
    'unmapped_status',
    'unmapped_kind',
    'unmapped_feature',
  ]);
});

test('a class from 1 to 45 of an unknown scheme is a Nice class with an issue, and keeps its scheme [I-51]', async () => {
  const read = async (kind: string, number: string): Promise<unknown> => {
    const goods = `<GoodsServicesBag><GoodsServices><GoodsServicesClassificationBag><GoodsServicesClassification>
      ${kind === '' ? '' : `<ClassificationKindCode>${kind}</ClassificationKindCode>`}<ClassNumber>${number}</ClassNumber>
      </GoodsServicesClassification></GoodsServicesClassificationBag><ClassDescriptionBag><ClassDescription>
      <ClassNumber>${number}</ClassNumber></ClassDescription></ClassDescriptionBag></GoodsServices></GoodsServicesBag>`;
    const { record, issues } = await readOne(
      st96Format,
      writeAnswer([SWISS.replace('</Trademark>', `${goods}</Trademark>`)]),
    );
    const { goods_and_services, classification } = documentOf(record);
    const [entry] = classification?.classes ?? [];
    return [
      record.nice_classes,
      goods_and_services?.[0]?.scheme,
      entry?.international_codes ?? entry?.unknown_codes ?? entry?.national_codes,
      ...issues.map(({ code, value }) => `${code} ${value}`),
    ];
  };
  assert.deepEqual(await read('Nice', '9'), [[9], 'nice', ['9']]);
  assert.deepEqual(await read('', '9'), [[9], 'nice', ['9'], 'assumed_nice_class ']);
  assert.deepEqual(await read('Nizza', '9'), [[9], 'nice', ['9'], 'assumed_nice_class Nizza']);
  assert.deepEqual(await read('Nizza', '46'), [null, 'unknown', ['46'], 'unmapped_class Nizza']);
  assert.deepEqual(await read('Locarno', '9'), [null, 'unknown', ['9'], 'unmapped_class Locarno']);
  assert.deepEqual(await read('National', '9'), [null, 'national', ['9']]);
});

test('the made Swiss and Canadian inputs give what is expected of them', {
  skip: skipWithout('trial-inputs'),
}, async () => {
  const read = async (name: string): Promise<{ record: SourceRecord; issues: Issue[] }[]> => {
    const source = readFileSync(join(REAL_DATA, 'trial-inputs', name), 'utf8');
    const items = await listItems(st96Format, source, { register: null }, name);
    return items.flatMap((item) => (item.kind === 'record' ? [item] : []));
  };
  const swiss = await read('W3-W4-swiss-values.xml');
  assert.deepEqual(
    swiss.map(({ record, issues }) => [
      record.mark_name,
      record.status,
      record.kind_of_mark,
      record.mark_feature,
      ...issues.map(({ code }) => code),
    ]),
    [
      ['MUSTERLAND', 'Registered', 'Individual', 'Combined'],
      [null, 'Abandoned', 'Collective', 'Three-dimensional'],
      ['ALPENGUT', 'Cancelled', 'Guarantee', 'Three-dimensional'],
      ['SEELAND', 'Registered', 'Geographical', 'Word'],
      ['KLANG', 'Pending', 'Individual', 'Other', 'unmapped_feature'],
    ],
  );
  const [canadian] = await read('D2-D4-ca-proceedings.xml');
  assert.deepEqual(canadian?.record.owner_names, ['Mini Owner Inc.']);
  assert.deepEqual(canadian?.issues, []);
  assert.equal(JSON.stringify(canadian.record.payload).includes('"number":"236138"'), true);
});

test('every status that CIPO publishes is known', { skip: skipWithout('cipo') }, () => {
  const lines = readFileSync(join(REAL_DATA, 'cipo/wipo_status_codes.csv'), 'utf8').trim().split('\n').slice(1);
  const texts = lines.map((line) =>
    line
      .slice(line.indexOf(',') + 1)
      .trim()
      .toLowerCase(),
  );
  assert.equal(texts.length, 17);
  assert.deepEqual(
    texts.filter((text) => !Object.hasOwn(CA_DIALECT.statuses, text)),
    [],
  );
});

test('reads a Swiss answer, a name that occurs in two forms once [2.2]', async () => {
  const { record, issues } = await readOne(st96Format, writeAnswer([SWISS]));
  assert.deepEqual(issues, []);
  assert.deepEqual(
    [record.uid, record.jurisdiction_code, record.status, record.owner_names, record.representative_names],
    ['CH5000001234/2020', 'CH', 'Registered', ['Farn AG'], ['Feder Partner']],
  );
  assert.deepEqual(
    [record.publication_date, record.termination_date, record.external_update_date, record.source_version],
    ['2020-02-14', '2030-01-05', '2020-03-03', '2020-03-03T00:00:00.000000000Z'],
  );
  assert.equal(documentOf(record).source.CHMarkCategory, 'Individualmarke');
});

test('a Swiss answer without a hit states that it holds no records, and is not an error [I-37]', async () => {
  let stated = 0;
  const context = { register: null, noteNoRecords: () => void stated++ };
  assert.deepEqual(await listItems(st96Format, writeAnswer([], 0), context), []);
  assert.equal(stated, 1);
  await listItems(st96Format, writeAnswer([SWISS]), context);
  assert.equal(stated, 1);
});

test('a Swiss answer that counts other marks than it holds raises an issue; the total of all pages does not', async () => {
  const issues: Issue[] = [];
  const context = { register: null, noteIssue: (issue: Issue) => void issues.push(issue) };
  const answer = writeAnswer([SWISS], 201_798);
  await listItems(st96Format, answer, context);
  assert.deepEqual(issues, []);
  await listItems(st96Format, answer.replace('<ItemCount>1<', '<ItemCount>3<'), context);
  assert.deepEqual(issues, [{ code: 'count_differs', path: 'Meta/ItemCount', value: '3 counted, 1 held' }]);
});

test('explains every path of the real Swiss answers, whose values are masked', {
  skip: skipWithout('ch'),
}, async () => {
  const answer = readFileSync(join(REAL_DATA, 'ch/trademark-search.MASKED.xml'), 'utf8');
  // The mask covers the codes too: those the reader goes by are written in.
  const values = {
    RegistrationOfficeCode: 'CH',
    ClassificationKindCode: 'Nice',
    MarkCurrentStatusCode: 'Registered',
    MarkCategory: 'Individual',
    MarkFeatureCategory: 'Combined',
  };
  const source = Object.entries(values).reduce(
    (text, [name, value]) => text.replace(new RegExp(`(<\\w+:${name}>)[^<]*`, 'g'), `$1${value}`),
    answer,
  );
  const items = await listItems(st96Format, source);
  assert.equal(items.length, 2);
  for (const item of items) {
    assert.ok(item.kind === 'record');
    assert.deepEqual(
      item.issues.filter(({ code }) => code !== 'unmapped_class' && code !== 'assumed_nice_class'),
      [],
      item.position,
    );
    // The mask makes the two forms of the one name differ.
    assert.equal(item.record.owner_names?.length, 2);
    assert.match(item.record.source_version ?? '', /^2020-/);
  }
  const [first] = items;
  assert.ok(first?.kind === 'record');
  assert.ok(answer.includes('ViennaCategory>14<') && answer.includes('ViennaSection>16<'));
  assert.equal(first.record.vienna_codes?.[0], '14.15.16');
  assert.deepEqual(first.record.nice_classes, [8, 30, 32, 34]);
  assert.ok(answer.includes('ApplicationDate>2020-01-05<') && answer.includes('ExpiryDate>2020-01-07<'));
  assert.deepEqual([first.record.application_date, first.record.expiry_date], ['2020-01-05', '2020-01-07']);
  let stated = 0;
  const empty = readFileSync(join(REAL_DATA, 'ch/trademark-by-number.EMPTY.xml'), 'utf8');
  await listItems(st96Format, empty, { register: null, noteNoRecords: () => void stated++ });
  assert.equal(stated, 1);
});
