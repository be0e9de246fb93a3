/** What of a line is known without reading it, and the guard that lines are never read otherwise under one number. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { ndjsonFormat } from '../../src/load/formats/ndjson.ts';
import { prepareItem } from '../../src/load/rows/encode.ts';
import { digestLine } from '../../src/load/sources/files.ts';

const FULL = {
  jurisdiction_code: 'xa',
  uid: 'XA-1 é',
  office: ' wo ',
  application_number: ' 2020/1-A',
  registration_number: 'a\\1"',
  mark_name: '  Café\tACME 株式会社 ',
  status: 'registered',
  tm5_status: 'LIVE/REGISTERED\u0001',
  kind_of_mark: 'COMMON RIGHT',
  mark_feature: 'sound',
  application_date: '2020-02-29',
  registration_date: '0001-01-01',
  publication_date: '2021-01-01',
  expiry_date: '9999-12-31',
  renewal_date: '2022-02-28',
  termination_date: '1899-12-31',
  opposition_period_end: '2021-04-01',
  status_date: '2021-05-01',
  external_update_date: '2021-05-02',
  nice_classes: [42, 9, 9],
  vienna_codes: ['26.03.23', ' 01.01.02', ''],
  owner_names: ['ZETA  Ltd', 'Acme\nInc', 'ZETA ltd', 'ΣΊΣΥΦΟΣ', 'İstanbul'],
  owner_countries: ['us', 'DE', 'us'],
  representative_names: ['Cafe\u0301', 'Café'],
  international_registration_numbers: ['1a', '1A'],
  priority_numbers: ['b-2', ' a-1 '],
  designated_countries: ['jp', 'FR', 'gb', 'de', 'it', 'es', 'pl', 'se', 'fi', 'fr'],
  mark_name_variants: ['アクメ', ' Акме ', 'アクメ'],
  payload: { b: [3, null, { x: 1e3, y: [] }, 'e\u0301'], a: { empty: {}, none: null }, n: 0.1 },
};
const BARE = { jurisdiction_code: 'XA', uid: '1', status: 'Pending' };

const LINES = [
  FULL,
  BARE,
  { ...BARE, status: 'Live' },
  { ...BARE, status: undefined },
  { ...BARE, uid: '' },
  { ...BARE, uid: 'x'.repeat(1_001) },
  { ...BARE, jurisdiction_code: 'X' },
  { ...BARE, colour: 'red' },
  { ...BARE, updated_at: 'now', mark_name: ' ' },
  { ...BARE, expiry_date: '2023-02-29' },
  { ...BARE, nice_classes: [46] },
  { ...BARE, owner_names: 'Acme' },
  { ...BARE, owner_names: [] },
  { ...BARE, payload: [] },
  { ...BARE, payload: {} },
  { ...BARE, mark_name: 'x'.repeat(100_001) },
].map((record) => JSON.stringify(record));
const ODD = [
  '{"jurisdiction_code":"XA","uid":"1","uid":"2","status":"Pending"}',
  '{"jurisdiction_code":"XA","uid":"\\u0031","status":"Pending","mark_name":"\\ud800"}',
  '{"jurisdiction_code":"XA","uid":"1","status":"Pending","payload":{"n":12345678901234567890,"n":1}}',
  ' {"uid":"1","jurisdiction_code":"XA","status":"Pending"} ',
  '{"jurisdiction_code":"XA"',
  'null',
  '{"jurisdiction_code":"XA","uid":"1","status":"Pending","payload":{"n":[1e400,9007199254740993]}}',
  '{"jurisdiction_code":"XA","uid":"1","status":"Pending","international_registration_numbers":["W01234567"]}',
  '{"jurisdiction_code":"XA","uid":"1","status":"Pending","vienna_codes":["260323"],"owner_names":["b","a"]}',
  `{"jurisdiction_code":"XA","uid":"1","status":"Pending","mark_name":"a${'\u0301'.repeat(31)}"}`,
  '{"jurisdiction_code":"US","uid":"1","status":"Pending","registration_number":"0012345","owner_names":["A t/a B"]}',
];

/** All that a load makes of the lines: content and its digest, issues, rejects. */
function readLines(): unknown[] {
  return [...LINES, ...ODD].flatMap((text): unknown[] => {
    const line = { number: 2, bytes: Buffer.from(text), isUtf8: true, cut: false };
    const item = ndjsonFormat.readLine(line, 'a', { register: null });
    if (item === null) return [];
    const prepared = prepareItem(item);
    if (prepared.kind === 'reject') return ['rejected'];
    return [[prepared.digest, prepared.detail, prepared.record.mark_name_variants, prepared.issues]];
  });
}

/** A new line here for every new number; the old ones stay, so that no number comes back. */
const KNOWN_READINGS: Readonly<Record<string, string>> = {
  '0001': '31190e4d5e426f77e54f9fb1efdd8b55b21ced15ff43a549862f6819edfc2c3b',
  '0002': '2a601e9ab31d8b14fd49157a1cfb79e068624183c84995a7dfe78f1510adc055',
  '0003': '9fad9385d49451259b8e1ea5f18e19f60d8f1b0e7264611c4e859b2358888960',
  '0004': '17486ac2de60f930d67b7001d95a1e1e1bb71125b784b8c9b10a6ac7668307b9',
  '0005': 'd0ad2f74555782f6c19c4b26ba1c384cfa5497c8326e9433c3b93acb561c37cc',
};

test('lines are read differently only under another number: what is stored is recognized by its line [4.6.6, I-22]', () => {
  const read = createHash('sha256').update(JSON.stringify(readLines())).digest('hex');
  const advice = 'lines are read otherwise now: give ndjsonFormat.reading a new number, and add it above';
  assert.equal(KNOWN_READINGS[ndjsonFormat.reading], read, advice);
  assert.equal(new Set(Object.values(KNOWN_READINGS)).size, Object.keys(KNOWN_READINGS).length);
});

test('the digest of a line is of every byte of it and of the rules it was read by', () => {
  const line = Buffer.from(JSON.stringify(BARE));
  const digest = digestLine('0001', line);
  assert.match(digest, /^[0-9a-f]{28}0001$/);
  assert.notEqual(digestLine('0002', line), digest);
  const digests = Array.from(line, (_, at) => {
    const other = Buffer.from(line);
    other[at] = (other[at] ?? 0) ^ 1;
    return digestLine('0001', other);
  });
  assert.equal(new Set([...digests, digest, digestLine('0001', line.subarray(1))]).size, line.length + 2);
});

test('which record a line states is recognized by its beginning, and left open where that takes reading', () => {
  const find = (text: string) => ndjsonFormat.findIdentity(Buffer.from(text));
  const identity = { jurisdiction_code: 'XA', uid: "1 -[]~!#'" };
  const line = JSON.stringify({ ...identity, status: 'Pending' });
  assert.deepEqual(find(line), identity);
  assert.deepEqual(find(line.replaceAll(':', ': ').replaceAll(',', ', ')), identity);
  const others = [
    JSON.stringify({ uid: '1', jurisdiction_code: 'XA' }),
    JSON.stringify({ jurisdiction_code: 'xa', uid: '1' }),
    JSON.stringify({ jurisdiction_code: 'XA', uid: 'é' }),
    JSON.stringify({ jurisdiction_code: 'XA', uid: 'a"b' }),
    JSON.stringify({ jurisdiction_code: 'XA', uid: '' }),
    JSON.stringify({ jurisdiction_code: 'XA', uid: 1 }),
    JSON.stringify({ jurisdiction_code: 'XA', uid: 'x'.repeat(1_000) }),
    `\ufeff${line}`,
    '{"jurisdiction_code":"XA","uid":"1',
    'null',
    '',
  ];
  for (const text of others) assert.equal(find(text), null, text);
});
