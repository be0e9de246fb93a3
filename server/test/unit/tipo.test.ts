import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OperatorError } from '../../src/base/errors.ts';
import { rocDate, slashedDate } from '../../src/load/formats/dates.ts';
import { tipoFormat } from '../../src/load/formats/tipo/adapter.ts';
import { normalizeRecord } from '../../src/record/normalize.ts';
import { listItems, readOne, statedOf } from '../support/formats.ts';
import { APPLICATION, ENTRY, writeAnswer, writeApplications, writeGazette } from '../support/taiwanese-files.ts';

test('reads a registration of the gazette index, its owner in both scripts, its dates of the Republic [2.1, 2.2]', async () => {
  const { record, issues } = await readOne(tipoFormat, writeGazette(ENTRY));
  assert.deepEqual(issues, []);
  assert.deepEqual(statedOf(normalizeRecord(record)), {
    jurisdiction_code: 'TW',
    uid: 'TW500000110000001',
    office: 'TW',
    application_number: '110000001',
    registration_number: '02200001',
    mark_name: '青山 BLUE HILL及圖',
    status: 'Registered',
    kind_of_mark: 'Trademark',
    mark_feature: 'Three-dimensional',
    application_date: '2020-12-15',
    registration_date: '2022-03-16',
    expiry_date: '2032-03-15',
    nice_classes: [35],
    owner_names: ['青山有限公司', 'blue hill ltd.'],
    representative_names: ['甲乙丙'],
    is_partial: true,
    is_removal: false,
    normalized: true,
  });
});

test('reads an application, found by its words in every language, with the status unknown [I-12, I-32]', async () => {
  const { record, issues } = await readOne(tipoFormat, writeApplications(APPLICATION));
  assert.deepEqual(issues, []);
  assert.deepEqual(statedOf(normalizeRecord(record)), {
    jurisdiction_code: 'TW',
    uid: 'TW500000100000009',
    office: 'TW',
    application_number: '100000009',
    mark_name: '青山及圖',
    mark_name_variants: ['青山', 'BLUE HILL', 'ブルーヒル'],
    status: 'Unknown',
    kind_of_mark: 'Certificate',
    mark_feature: 'Sound',
    application_date: '2011-01-03',
    nice_classes: [41],
    owner_names: ['青山有限公司', 'blue hill ltd.', 'ブルーヒル'],
    owner_countries: ['TW'],
    representative_names: ['甲乙丙'],
    is_partial: true,
    is_removal: false,
    normalized: true,
  });
});

test('knows both calendars of the office, and no day that is in neither [2.2]', () => {
  assert.deepEqual(['109.12.15', '1.1.1', '99.2.30', '2020.12.15', ''].map(rocDate), [
    '2020-12-15',
    '1912-01-01',
    null,
    null,
    null,
  ]);
  assert.deepEqual(['1951/02/27', '2022/3/27', '2021/2/29', '51/02/27'].map(slashedDate), [
    '1951-02-27',
    '2022-03-27',
    null,
    null,
  ]);
});

test('reads classes of the gazette by the day of filing: the own ones of the office, or Nice ones [I-51]', async () => {
  const classes = async (date: string): Promise<unknown[]> => {
    const { record, issues } = await readOne(tipoFormat, writeGazette(ENTRY.replace('109.12.15', date)));
    return [
      record.nice_classes,
      (record.payload as { classification: { classes: unknown } }).classification.classes,
      issues,
    ];
  };
  assert.deepEqual(await classes('83.07.14'), [null, [{ national_codes: ['035'] }], []]);
  assert.deepEqual(await classes('83.07.15'), [[35], [{ international_codes: ['035'] }], []]);
  const path = 'RegContentClassification/Class';
  const assumed = { code: 'assumed_nice_class', path, value: '035' };
  assert.deepEqual(await classes(''), [[35], [{ international_codes: ['035'] }], [assumed]]);
});

test('takes a class of an application without date and group for a Nice class, and says so [I-51]', async () => {
  const entry = APPLICATION.replace('2011/01/03', '').replace('<goods-group>4103</goods-group>', '');
  const { record, issues } = await readOne(tipoFormat, writeApplications(entry));
  assert.deepEqual(record.nice_classes, [41]);
  assert.deepEqual(
    (record.payload as { goods_and_services: { scheme: string }[] }).goods_and_services.map(({ scheme }) => scheme),
    ['unknown'],
  );
  assert.deepEqual(issues, [
    { code: 'assumed_nice_class', path: 'goodsclasses/goodsclass/goodsclass-code', value: '041' },
  ]);
});

test("takes no class of the office's own older classification for a Nice class [4.3, I-51]", async () => {
  const old = APPLICATION.replace('2011/01/03', '1951/02/27').replace('4103', '').replace('>041<', '>032<');
  const { record, issues } = await readOne(tipoFormat, writeApplications(old));
  assert.deepEqual([record.nice_classes, issues], [null, []]);
  assert.deepEqual((record.payload as { goods_and_services?: unknown }).goods_and_services, [
    { scheme: 'national', class: '032', texts: [{ text: '補習班' }] },
  ]);
  const odd = await readOne(tipoFormat, writeApplications(APPLICATION.replace('>041<', '>093<')));
  assert.deepEqual(odd.issues.at(-1), {
    code: 'unmapped_class',
    path: 'goodsclasses/goodsclass/goodsclass-code',
    value: '093',
  });
});

test('reports kinds, features, flags and countries that it does not know [4.3]', async () => {
  const codes = async (text: string): Promise<string[]> =>
    (await readOne(tipoFormat, text)).issues
      .filter(({ value }) => value !== '')
      .map(({ code, value }) => `${code} ${value}`);
  const odd = ENTRY.replace('(立體)', '(透明)').replace('<Mark_Type>0', '<Mark_Type>8').replace('>false<', '>maybe<');
  assert.deepEqual(await codes(writeGazette(odd)), [
    'unmapped_indicator maybe',
    'unmapped_kind 8',
    'unmapped_feature 透明',
  ]);
  const others = APPLICATION.replace('證明標章', '新標章').replace('聲音', '光').replace('>TW<', '>TWN<');
  assert.deepEqual(await codes(writeApplications(others)), [
    'unmapped_kind 新標章',
    'unmapped_feature 光',
    'unmapped_country TWN',
  ]);
  const { record } = await readOne(tipoFormat, writeGazette(ENTRY.replace('<Mark_Type>0', '<Mark_Type>3')));
  assert.equal(record.kind_of_mark, 'Collective');
});

test('says when an answer is only a sample, or counts what it does not hold [I-37]', async () => {
  const { issues } = await readOne(tipoFormat, writeAnswer(APPLICATION, 'sampledata'));
  assert.deepEqual(issues, [{ code: 'delivery_remark', path: 'API/status', value: 'sampledata: why' }]);
  assert.deepEqual((await readOne(tipoFormat, writeAnswer(APPLICATION, 'ok'))).issues, []);
  const { issues: counted } = await readOne(tipoFormat, writeGazette(ENTRY, 2));
  assert.deepEqual(counted, [{ code: 'count_differs', path: 'total-count', value: '2 counted, 1 held' }]);
});

test('refuses an answer without marks, but for one that counts none [I-37]', async () => {
  const refused = (text: string, message: string): Promise<void> =>
    assert.rejects(listItems(tipoFormat, text), new OperatorError(message));
  await refused(writeAnswer('', 'denied'), 'fixture.xml holds no mark; the office says denied: why');
  await refused(writeGazette('', 5), 'fixture.xml counts 5 marks and holds none');
  let saysNone = false;
  await listItems(tipoFormat, writeGazette('', 0), { register: null, noteNoRecords: () => (saysNone = true) });
  assert.equal(saysNone, true);
});

test('rejects an entry without a usable number, and reads the rest', async () => {
  const entries = [ENTRY.replace('110000001', ''), ENTRY.replace('110000001', '1 / 2'), ENTRY].join('');
  const items = await listItems(tipoFormat, writeGazette(entries, 3));
  assert.deepEqual(
    items.map((item) => (item.kind === 'reject' ? item.reason : 'read')),
    ['RegContent has no CaseNo', 'CaseNo must be letters and digits, not "1 / 2"', 'read'],
  );
});
