import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OperatorError } from '../../src/base/errors.ts';
import type { FormatItem } from '../../src/load/formats/format.ts';
import { kiprisFormat } from '../../src/load/formats/kipris/adapter.ts';
import type { SourceRecord } from '../../src/record/document.ts';
import { normalizeRecord } from '../../src/record/normalize.ts';
import { listItems, type ReadResult, readOne } from '../support/formats.ts';
import { writeAnswer, writeFields, writeMark } from '../support/korean-answers.ts';

const readMark = (changes: Readonly<Record<string, string>> = {}): Promise<ReadResult> =>
  readOne(kiprisFormat, writeAnswer([writeMark(changes)]));

async function readClean(changes: Readonly<Record<string, string>>): Promise<SourceRecord> {
  const { record, issues } = await readMark(changes);
  assert.deepEqual(issues, []);
  return normalizeRecord(record);
}

const reasonsOf = (items: readonly FormatItem[]): string[] =>
  items.map((item) => (item.kind === 'reject' ? item.reason : 'read'));

test('reads a Korean mark with every field that the answer states [2.1, 2.2]', async () => {
  const { payload, ...record } = await readClean({});
  const stated = Object.entries(record).filter(([, value]) => value !== null && value !== undefined);
  assert.deepEqual(Object.fromEntries(stated), {
    jurisdiction_code: 'KR',
    uid: 'KR504020200012345',
    office: 'KR',
    application_number: '4020200012345',
    registration_number: '4016000010000',
    mark_name: '가나다 GANADA',
    status: 'Registered',
    tm5_status: '등록',
    application_date: '2020-02-03',
    registration_date: '2020-12-01',
    publication_date: '2020-07-08',
    nice_classes: [9, 42],
    vienna_codes: ['26.03.23', '01.03.05'],
    owner_names: ['가나다 주식회사 ganada co., ltd', '가나다 주식회사', 'ganada co., ltd', '홍길순'],
    representative_names: ['특허법인 하나', '이두리'],
    priority_numbers: ['88123456'],
    is_partial: false,
    is_removal: false,
    normalized: true,
  });
  assert.deepEqual(payload?.publications, [
    { kind: 'application', identifier: '4020200054321', date: '2020-07-08' },
    { kind: 'registration', identifier: '4020200099999', date: '2020-12-03' },
  ]);
  assert.deepEqual(payload?.source, {
    format: 'kipris',
    status_text: '등록',
    reference_number: 'A-17',
    registration_reference_number: 'R-18',
  });
});

test('maps the Korean texts of the status, and what ended by whether it had been registered [3, I-32]', async () => {
  const status = async (text: string, RegistrationNumber = ''): Promise<string> =>
    (await readClean({ ApplicationStatus: text, RegistrationNumber })).status;
  assert.deepEqual(
    await Promise.all(['출원', '공고', '거절', '포기', '취하', '무효', '소멸', '실효'].map((text) => status(text))),
    ['Pending', 'Pending', 'Abandoned', 'Abandoned', 'Abandoned', 'Abandoned', 'Cancelled', 'Cancelled'],
  );
  assert.equal(await status('무효', '4016000010000'), 'Cancelled');
  const { record, issues } = await readMark({ ApplicationStatus: '보류' });
  assert.deepEqual([record.status, record.tm5_status], ['Unknown', '보류']);
  assert.deepEqual(issues, [{ code: 'unmapped_status', path: 'ApplicationStatus', value: '보류' }]);
});

test('gives a name in two scripts as stated and in each of them, and never tears one apart [I-32]', async () => {
  const names = async (RegistrationRightholderName: string): Promise<string[] | null> =>
    (await readClean({ RegistrationRightholderName, ApplicantName: '' })).owner_names;
  assert.deepEqual(await names('한빛대학교 Hanbit R&amp;D Foundation'), [
    '한빛대학교 hanbit r&d foundation',
    '한빛대학교',
    'hanbit r&d foundation',
  ]);
  assert.deepEqual(await names('HB전자 주식회사 HB Electronics'), [
    'hb전자 주식회사 hb electronics',
    'hb전자 주식회사',
    'hb electronics',
  ]);
  assert.deepEqual(await names('주식회사 Hanbit'), ['주식회사 hanbit']);
  assert.deepEqual(await names('한빛 SDS 주식회사'), ['한빛 sds 주식회사']);
  assert.deepEqual(await names('|주|한빛;한별'), ['|주|한빛', '한별']);
  assert.deepEqual(await names(' '), null);
});

test('reads the other service, whose agents and classes may be separated by blanks [2.2]', async () => {
  const item = writeFields({
    agentName: '특허법인 하나 둘둘특허법인 이두리',
    applicantName: '홍길순',
    applicationDate: '20151001',
    applicationNumber: '4120150000001',
    applicationStatus: '출원',
    bigDrawing: 'http://pictures.example/2',
    classificationCode: '16 09 41',
    drawing: 'http://pictures.example/1',
    fullText: 'N',
    indexNo: '1',
    title: 'HONG MARKET',
  });
  const pages = '<count><numOfRows>1</numOfRows><pageNo>1</pageNo><totalCount>3</totalCount></count>';
  const answer = `<response><header><successYN>Y</successYN><resultCode>00</resultCode></header>
    <body><items><item>${item}</item></items></body>${pages}</response>`;
  const { record, issues } = await readOne(kiprisFormat, answer);
  assert.deepEqual(issues, []);
  assert.equal(record.uid, 'KR504120150000001');
  assert.deepEqual(record.nice_classes, [9, 16, 41]);
  assert.deepEqual(record.representative_names, ['특허법인 하나', '둘둘특허법인', '이두리']);
  assert.deepEqual([record.owner_names, record.mark_name], [['홍길순'], 'HONG MARKET']);
});

test('takes a mark of an international registration to be of the international office [2.1, I-33]', async () => {
  const record = await readClean({ InternationalRegisterNumber: '0984562', InternationalRegisterDate: '20090101' });
  assert.deepEqual([record.office, record.international_registration_numbers], ['WO', ['984562']]);
});

test('rejects what is not a mark of the register, and reads the rest [I-37]', async () => {
  const numbers = ['3020200012345', '', 'none', '4020200012345'];
  const items = await listItems(
    kiprisFormat,
    writeAnswer(numbers.map((ApplicationNumber) => writeMark({ ApplicationNumber }))),
  );
  assert.deepEqual(reasonsOf(items), [
    '3020200012345 is the number of a design, not of a mark',
    'TradeMarkInfo has no application number',
    'an application number has 13 digits, not "none"',
    'read',
  ]);
});

test('refuses an error answer with its code, whatever it contains [I-37]', async () => {
  const answer = writeAnswer([], '<resultCode>30</resultCode>');
  await assert.rejects(
    listItems(kiprisFormat, answer),
    new OperatorError(
      'fixture.xml is an error answer with the code 30; it looks like a KIPRIS answer that reports an error; ' +
        'no format reads that: ask the service again',
    ),
  );
  const goods = '<response><body><items><trademarkDesignationGoodstInfo/></items></body></response>';
  await assert.rejects(
    listItems(kiprisFormat, goods),
    /a KIPRIS answer about the goods of a mark that it does not name/,
  );
});

test('believes an answer that counts nothing, and no answer that counts more than it holds [I-37]', async () => {
  let saysNone = false;
  const context = { register: null, noteNoRecords: () => (saysNone = true) };
  assert.deepEqual(await listItems(kiprisFormat, writeAnswer([]), context), []);
  assert.equal(saysNone, true);
  await assert.rejects(
    listItems(kiprisFormat, writeAnswer([], '', 7)),
    new OperatorError('fixture.xml counts 7 marks and holds none'),
  );
  const { issues } = await readOne(kiprisFormat, writeAnswer([writeMark()], '', 7));
  assert.deepEqual(issues, [{ code: 'count_differs', path: 'TotalSearchCount', value: '7 counted, 1 held' }]);
});

test('reports codes that are none', async () => {
  const { record, issues } = await readMark({ GoodClassificationCode: '09|77', ViennaCode: 'x|260323' });
  assert.deepEqual([record.nice_classes, record.vienna_codes], [[9], ['26.03.23']]);
  assert.deepEqual(issues, [
    { code: 'unmapped_class', path: 'GoodClassificationCode', value: '77' },
    { code: 'unmapped_vienna_code', path: 'ViennaCode', value: 'x' },
  ]);
});
