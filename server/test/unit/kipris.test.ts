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

const readItem = (fields: Readonly<Record<string, string>>, around = ''): Promise<ReadResult> =>
  readOne(
    kiprisFormat,
    `<response><header><resultCode>00</resultCode></header><body><items>${around}<item>${writeFields({
      applicationNumber: '4020200012345',
      applicationDate: '20200203',
      applicationStatus: '등록',
      ...fields,
    })}</item></items></body></response>`,
  );

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

test('reports codes that do not exist', async () => {
  const { record, issues } = await readMark({ GoodClassificationCode: '09|77', ViennaCode: 'x|260323' });
  assert.deepEqual([record.nice_classes, record.vienna_codes], [[9], ['26.03.23']]);
  assert.deepEqual(issues, [
    { code: 'unmapped_class', path: 'GoodClassificationCode', value: '77' },
    { code: 'unmapped_vienna_code', path: 'ViennaCode', value: 'x' },
  ]);
});

test('keeps an office of agents together with its name, whichever comes first [2.2, I-32]', async () => {
  const AGENTS: Readonly<Record<string, readonly string[]>> = {
    '하나둘 법률사무소': ['하나둘 법률사무소'],
    '이두리 하나둘 특허법률사무소': ['이두리', '하나둘 특허법률사무소'],
    '하나둘 국제특허 법률사무소': ['하나둘 국제특허 법률사무소'],
    '하나둘 합동특허사무소': ['하나둘 합동특허사무소'],
    '법률사무소 하나둘 이두리': ['법률사무소 하나둘', '이두리'],
    '하나둘 법률사무소 셋넷 특허사무소': ['하나둘 법률사무소', '셋넷 특허사무소'],
    '하나둘 법률사무소 특허법인 셋': ['하나둘 법률사무소', '특허법인 셋'],
    '법무법인 (유한) 하나 이두리': ['법무법인 (유한) 하나', '이두리'],
    '특허법인(유한) 하나': ['특허법인(유한) 하나'],
    '하나둘 특허법인': ['하나둘 특허법인'],
    '특허법인 하나 특허법인 둘': ['특허법인 하나', '특허법인 둘'],
    'Hana &amp; Dul 이두리': ['hana & dul', '이두리'],
    '하나둘 법률사무소|이두리': ['하나둘 법률사무소', '이두리'],
    특허법인: ['특허법인'],
  };
  for (const [agentName, names] of Object.entries(AGENTS)) {
    const { record, issues } = await readItem({ agentName });
    assert.deepEqual([normalizeRecord(record).representative_names, issues], [names, []], agentName);
  }
  const agentName = '이두리 법률사무소 하나둘 김세리';
  const { record, issues } = await readItem({ agentName });
  assert.deepEqual(record.representative_names, [agentName]);
  assert.deepEqual(issues, [{ code: 'joined_names', path: 'agentName', value: agentName }]);
});

test('separates joint owners whom the answer states in two orders, and says where it cannot [2.2, I-32]', async () => {
  const owners = async (applicantName: string, regPrivilegeName = ''): Promise<unknown[]> => {
    const { record, issues } = await readItem({ applicantName, regPrivilegeName });
    return [normalizeRecord(record).owner_names, issues.map(({ code, path }) => `${code} ${path}`)];
  };
  assert.deepEqual(await owners('하나 주식회사 둘물산 주식회사', '둘물산 주식회사 하나 주식회사'), [
    ['둘물산 주식회사', '하나 주식회사'],
    [],
  ]);
  assert.deepEqual(await owners('홍길순 이두리', '이두리 홍길순'), [['이두리', '홍길순'], []]);
  assert.deepEqual(await owners('하나 주식회사', '주식회사 하나'), [['주식회사 하나', '하나 주식회사'], []]);
  assert.deepEqual(await owners('HONG GILSUN', 'GILSUN HONG'), [['gilsun hong', 'hong gilsun'], []]);
  for (const single of ['하나 주식회사', '(주) 하나', '하나대학교 산학협력단', 'HANA CO., LTD', '하나|둘']) {
    assert.deepEqual((await owners(single))[1], [], single);
  }
  const joined = '하나 주식회사 둘물산 주식회사';
  assert.deepEqual(await owners(joined), [[joined], ['joined_names applicantName']]);
  assert.deepEqual(await owners(joined, joined), [
    [joined],
    ['joined_names regPrivilegeName', 'joined_names applicantName'],
  ]);
});

test("takes no class of the office's own older classification for a Nice class [4.3, I-51]", async () => {
  const classes = async (
    GoodClassificationCode: string,
    ApplicationDate: string,
    ApplicationNumber = '4019980000001',
  ): Promise<unknown[]> => {
    const { record, issues } = await readMark({ GoodClassificationCode, ApplicationDate, ApplicationNumber });
    return [
      record.nice_classes,
      (record.payload as { classification: { classes: unknown[] } }).classification.classes[0],
      issues.map(({ code, value }) => `${code} ${value}`),
    ];
  };
  assert.deepEqual(await classes('018', '19980228'), [null, { national_codes: ['018'] }, []]);
  assert.deepEqual(await classes('010|011|052', '19790110'), [null, { national_codes: ['010', '011', '052'] }, []]);
  assert.deepEqual(await classes('018', '', '40-1989-0008545'), [null, { national_codes: ['018'] }, []]);
  assert.deepEqual(await classes('18', '19980301'), [[18], { international_codes: ['18'] }, []]);
  assert.deepEqual(await classes('18', ''), [[18], { international_codes: ['18'] }, []]);
  assert.deepEqual(await classes('018', '19980301'), [
    [18],
    { international_codes: ['018'] },
    ['assumed_nice_class 018'],
  ]);
  assert.deepEqual(await classes('18|A1', '19980228'), [
    null,
    { details: { codes_of_unknown_scheme: ['18', 'A1'] } },
    ['unmapped_class 18', 'unmapped_class A1'],
  ]);
});

test('reads entries of the one service with the names of the other, drawing kinds and similar groups [2.2, 4.3]', async () => {
  const { record, issues } = await readOne(
    kiprisFormat,
    `<response><body><items><item>${writeFields({
      Title: '가나',
      ApplicationNumber: '4020200012345',
      ApplicationStatus: '등록',
      DrawingKindName: '도형복합',
      ViennaCode: '260101|270501',
      GoodClassificationCode: '09|35',
      SimilarCode: 'G0301|G3901',
      ApplicantName: '가나 주식회사 나라|홍길순',
    })}</item></items></body></response>`,
  );
  assert.deepEqual(issues, []);
  assert.deepEqual([record.uid, record.mark_feature, record.nice_classes], ['KR504020200012345', 'Combined', [9, 35]]);
  assert.deepEqual(record.owner_names, ['가나 주식회사 나라', '홍길순']);
  assert.deepEqual(record.payload?.goods_and_services, [{ code: 'G0301' }, { code: 'G3901' }]);
  assert.equal((record.payload as { source: { feature_text: string } }).source.feature_text, '도형복합');

  const unknown = await readMark({ TrademarkDivisionCode: '가상' });
  assert.equal(unknown.record.mark_feature, null);
  assert.deepEqual(unknown.issues, [{ code: 'unmapped_feature', path: 'TrademarkDivisionCode', value: '가상' }]);
});

test('compares what the other service counts with what the answer holds [I-37]', async () => {
  const raised = async (around: string): Promise<unknown> => (await readItem({}, around)).issues;
  assert.deepEqual(await raised('<totalCount>1</totalCount>'), []);
  assert.deepEqual(await raised('<totalCount>2</totalCount>'), [
    { code: 'count_differs', path: 'totalCount', value: '2 counted, 1 held' },
  ]);
  assert.deepEqual(await raised('<numOfRows>5</numOfRows><pageNo>2</pageNo><totalCount>6</totalCount>'), []);
});

test('believes an answer that says that nothing was found, and no refused access of the same code [I-37]', async () => {
  const read = async (message: string): Promise<boolean> => {
    let saysNone = false;
    const answer = `<response><header><resultCode>20</resultCode>${message}</header></response>`;
    const context = { register: null, noteNoRecords: () => (saysNone = true) };
    assert.deepEqual(await listItems(kiprisFormat, answer, context), []);
    return saysNone;
  };
  assert.equal(await read('<resultMsg>NO_RESULT</resultMsg>'), true);
  assert.equal(await read('<resultMsg/>'), true);
  await assert.rejects(
    read('<resultMsg>SERVICE ACCESS DENIED</resultMsg>'),
    /an error answer with the code 20: SERVICE ACCESS DENIED/,
  );
});

test('refuses an answer about the file of one mark as what it is', async () => {
  const item = '<biblioSummaryInfoArray><biblioSummaryInfo/></biblioSummaryInfoArray>';
  const answer = `<response><body><item>${item}</item></body></response>`;
  await assert.rejects(
    listItems(kiprisFormat, answer),
    /it is an answer about the file of one mark, not an answer to a search/,
  );
});
