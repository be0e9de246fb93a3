/** ST.96 of Canada and Switzerland, of which no whole record can be had: fixtures in the offices' shapes. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { NormalizedDocument } from '../../src/load/formats/payload.ts';
import { st96Format } from '../../src/load/formats/st96/adapter.ts';
import { CA_DIALECT } from '../../src/load/formats/st96/ca.ts';
import type { Issue, SourceRecord } from '../../src/record/document.ts';
import { normalizeRecord } from '../../src/record/normalize.ts';
import { listItems, REAL_DATA, type ReadResult, readOne, skipWithout } from '../support/formats.ts';
import { type TrademarkParts, writeAnswer } from '../support/st96.ts';
import { CANADIAN_BODY, contact, SWISS, st13, writeCanadian } from '../support/st96-offices.ts';

const documentOf = (record: SourceRecord): NormalizedDocument => record.payload as unknown as NormalizedDocument;

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

test('a party of Canada whose category is not known is read as an owner and reported', async () => {
  const { record, issues } = await readCanadian({
    body: `<NationalTrademarkInformation><InterestedPartyBag><InterestedParty>
      <InterestedPartyCategory>Bystander</InterestedPartyCategory>${contact('Some One', 'CA')}</InterestedParty>
      </InterestedPartyBag></NationalTrademarkInformation>`,
  });
  assert.deepEqual(record.owner_names, ['Some One']);
  assert.deepEqual(
    issues.map(({ code, value }) => [code, value]),
    [['unmapped_party_type', 'Bystander']],
  );
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
      item.issues.filter(({ code }) => code !== 'unmapped_class'),
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
