import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NormalizedDocument } from '../../src/load/formats/document.ts';
import { usptoApcFormat } from '../../src/load/formats/uspto-apc/adapter.ts';
import { orderDailyVersion, orderTsdrVersion } from '../../src/load/formats/uspto-apc/cases.ts';
import { usptoTsdrFormat } from '../../src/load/formats/uspto-tsdr/adapter.ts';
import { translate } from '../../src/load/formats/uspto-tsdr/translate.ts';
import { normalizeRecord } from '../../src/record/normalize.ts';
import { writeCase } from '../support/case-file.ts';
import { documentOf, listItems, type ReadResult, readOne } from '../support/formats.ts';
import {
  type AnswerParts,
  FULL_CASE,
  FULL_ST66_CASE,
  writeDraft,
  writeSt66Answer,
  writeTransaction,
} from '../support/st96.ts';

const readAnswer = (parts: AnswerParts): Promise<ReadResult> => readOne(usptoTsdrFormat, writeSt66Answer(parts));

test('a case reads the same from an answer in ST.66 and from one in ST.96 [2.2]', async () => {
  const fields = async (source: string): Promise<unknown> => {
    const { record, issues } = await readOne(usptoTsdrFormat, source);
    assert.deepEqual(issues, []);
    const { payload, ...rest } = normalizeRecord(record);
    assert.ok(payload !== null);
    return rest;
  };
  const expected = await fields(writeTransaction(FULL_CASE));
  assert.deepEqual(await fields(writeDraft(FULL_CASE)), expected);
  assert.deepEqual(await fields(FULL_ST66_CASE), expected);
});

test('documents of both standards have one shape, as far as both say the same [2.2.2]', async () => {
  const read = async (source: string): Promise<NormalizedDocument> =>
    documentOf((await readOne(usptoTsdrFormat, source)).record);
  const [older, newer] = [await read(FULL_ST66_CASE), await read(writeTransaction(FULL_CASE))];
  assert.deepEqual(older.goods_and_services, newer.goods_and_services);
  assert.deepEqual(older.publications, newer.publications);
  assert.deepEqual(older.priorities, newer.priorities);
  // The older standard does not say how the two are related.
  assert.deepEqual(older.related_marks, [{ ...newer.related_marks?.[0], relationship: 'associated' }]);
  assert.deepEqual(older.classification?.design_codes, newer.classification?.design_codes);
  const events = ({ events: all }: NormalizedDocument): unknown =>
    all
      ?.filter(({ kind }) => kind === 'history')
      .map(({ number, date, text, details }) => [number, date, text, details]);
  assert.deepEqual(events(older), events(newer));
  const parties = ({ parties: all }: NormalizedDocument): unknown =>
    all?.map(({ role, office_role, current, address }) => [role, office_role, current, address]);
  assert.deepEqual(parties(older), parties(newer));
});

test('takes the applicants that are outside a mark, after it or before', async () => {
  const applicants = `<ApplicantDetails><Applicant><ApplicantAddressBook><FormattedNameAddress><Name><FreeFormatName>
    <FreeFormatNameDetails><FreeFormatNameLine>Fern and Sons</FreeFormatNameLine></FreeFormatNameDetails>
    </FreeFormatName></Name></FormattedNameAddress></ApplicantAddressBook><ApplicantExt>
    <PartyTypeCode>10</PartyTypeCode></ApplicantExt></Applicant></ApplicantDetails>`;
  for (const parts of [{ beside: applicants }, { before: applicants }]) {
    const { record, issues } = await readAnswer(parts);
    assert.deepEqual([record.owner_names, issues], [['Fern and Sons'], []]);
  }
  const twice = await readAnswer({
    beside: applicants + applicants.replace('>10<', '>30<').replace('Sons', 'Heirs'),
  });
  assert.deepEqual(twice.record.owner_names, ['Fern and Heirs', 'Fern and Sons']);
});

test('an unknown element next to a mark is reported once, though its applicants come after it', async () => {
  const { issues } = await readAnswer({
    body: '<Shade hue="7"><Deep>green</Deep></Shade><Shade>blue</Shade>',
    beside: '<Weather>fair</Weather><ApplicantDetails/>',
  });
  assert.deepEqual(issues, [
    {
      code: 'unknown_element',
      path: 'Transaction/TradeMarkTransactionBody/TransactionContentDetails/TransactionData/Weather',
      value: '',
    },
    { code: 'unknown_element', path: 'TradeMark/Shade@hue', value: '7' },
    { code: 'unknown_element', path: 'TradeMark/Shade/Deep', value: 'green' },
    { code: 'unknown_element', path: 'TradeMark/Shade', value: 'blue' },
  ]);
});

test('extensions it does not name are kept under their own names', async () => {
  const { record, issues } = await readAnswer({
    body: `<TradeMarkExt><Oddity>kept</Oddity><OfficeDetails><Shelf>4</Shelf></OfficeDetails></TradeMarkExt>
      <StaffDetails><Staff><StaffName>Q. Clerk</StaffName></Staff></StaffDetails>
      <GoodsServicesDetails><GoodsServices><Count>0</Count></GoodsServices></GoodsServicesDetails>
      <MarkEventDetails><MarkEvent><MarkEventDate>2020-01-01</MarkEventDate>
      <MarkEventExt><Clerk>Q</Clerk></MarkEventExt></MarkEvent></MarkEventDetails>`,
  });
  assert.deepEqual(issues, []);
  const document = documentOf(record);
  assert.deepEqual(document.source.NationalTrademarkInformation, {
    Oddity: 'kept',
    NationalCaseLocation: { Shelf: '4' },
  });
  assert.deepEqual(document.source.StaffBag, { Staff: { StaffName: 'Q. Clerk' } });
  assert.deepEqual(document.source.NationalGoodsServices, { Count: '0' });
  assert.deepEqual(document.events?.[0]?.details, { NationalMarkEvent: { Clerk: 'Q' } });
});

test('a representative whom no comment places stays a representative', async () => {
  const { record, issues } = await readAnswer({
    body: `<RepresentativeDetails><Representative><Comment>Family Friend</Comment><RepresentativeAddressBook>
      <FormattedNameAddress><Name><FreeFormatName><FreeFormatNameDetails>
      <FreeFormatNameLine>Bo Reed</FreeFormatNameLine></FreeFormatNameDetails></FreeFormatName></Name>
      </FormattedNameAddress></RepresentativeAddressBook></Representative></RepresentativeDetails>`,
  });
  assert.deepEqual(issues, []);
  assert.deepEqual(documentOf(record).parties, [
    { role: 'representative', office_role_text: 'Family Friend', names: [{ text: 'Bo Reed' }] },
  ]);
});

test('a translation loses no text and no attribute, wherever it is', () => {
  const leaf = (name: string, text = '', attributes = {}, children: unknown[] = []): never =>
    ({ name, text, attributes, children }) as never;
  const strange: string[] = [];
  const source = leaf('A', '', {}, [
    leaf('Wrap', 'astray', { mode: 'x' }, [leaf('Deep', '1'), leaf('Deeper', '2')]),
    leaf('Flag', 'T', { why: 'y' }, [leaf('Inner', '3')]),
    leaf('Flag', 'F'),
    leaf('Gone', '4'),
  ]);
  const rules = { Wrap: { Deep: 'B/C/D', '*': 'B/C/*' }, Flag: '@flag' };
  const target = translate(source, 'Z', rules, (path, text) => void strange.push(`${path}=${text}`));
  assert.deepEqual(target, {
    name: 'Z',
    attributes: { flag: 'T' },
    text: '',
    children: [leaf('B', '', {}, [leaf('C', '', {}, [leaf('D', '1'), leaf('Deeper', '2')])])],
  });
  assert.deepEqual(strange, [
    'A/Wrap=astray',
    'A/Wrap@mode=x',
    'A/Flag@why=y',
    'A/Flag/Inner=3',
    'A/Flag=F',
    'A/Gone=4',
  ]);
});

test('rejects a case of another office and refuses another register than the operator names', async () => {
  await assert.rejects(
    listItems(usptoTsdrFormat, writeSt66Answer().replace('>US<', '>DE<')),
    /^OperatorError: fixture\.xml: the mark is of the office DE; US is read here; it looks like ST\.66 XML: .* st66$/,
  );
  await assert.rejects(
    listItems(usptoTsdrFormat, writeSt66Answer(), { register: 'GB' }),
    /--register says GB, but uspto-tsdr reads files of the register US/,
  );
});

test('versions of both sources of a case compare as text by their dates, the daily file last of one day', async () => {
  const { record } = await readOne(usptoApcFormat, writeCase());
  const ordered = [
    orderTsdrVersion([]),
    orderTsdrVersion(['2025-12-31']),
    orderDailyVersion('20251231'),
    orderTsdrVersion(['2024-05-05', '2026-01-02', '2026-01-01']),
    record.source_version ?? '',
    orderTsdrVersion(['2026-01-03']),
  ];
  assert.deepEqual(ordered, ordered.toSorted());
  assert.equal(new Set(ordered).size, ordered.length);
  assert.equal(record.source_version, '20260102.2');
});

test('what has happened dates an answer: its status, its history, its place in the office', async () => {
  const version = async (parts: AnswerParts): Promise<unknown> => (await readAnswer(parts)).record.source_version;
  const statusDate = '<MarkCurrentStatusDate>2020-05-05-04:00</MarkCurrentStatusDate>';
  const history = `<MarkEventDetails><MarkEvent><MarkEventDate>2020-05-06-04:00</MarkEventDate></MarkEvent>
    <MarkEvent><MarkEventDate>2019-05-06-04:00</MarkEventDate></MarkEvent></MarkEventDetails>`;
  const place = `<TradeMarkExt><OfficeDetails><CurrentLocationDate>2020-05-07-04:00</CurrentLocationDate>
    </OfficeDetails></TradeMarkExt>`;
  // What is to come, and what other parts of the office have done, does not.
  const future = `<PublicationDetails><Publication><PublicationDate>2031-01-01</PublicationDate></Publication>
    </PublicationDetails><AssignmentBagExt><Assignment><AssignmentRecordedDate>2030-01-01</AssignmentRecordedDate>
    </Assignment></AssignmentBagExt>`;
  assert.equal(await version({ statusDate, body: future }), '20200505.1');
  assert.equal(await version({ statusDate, body: future + history }), '20200506.1');
  assert.equal(await version({ statusDate, body: future + history + place }), '20200507.1');
  assert.equal(await version({ body: future }), '00000000.1');
});
