/** What a file is, by its beginning: every kind that the formats read, and what operators mistake for one. */
import assert from 'node:assert/strict';
import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { parseHead, peekEntry } from '../../src/load/formats/head.ts';
import { KINDS, recognizeHead } from '../../src/load/formats/recognize.ts';
import { FORMATS } from '../../src/load/formats/registry.ts';
import { ST66_OFFICES } from '../../src/load/formats/st66/dialects.ts';
import { st96Format } from '../../src/load/formats/st96/adapter.ts';
import { REAL_DATA, skipWithout } from '../support/formats.ts';

function recognize(text: string | Buffer, name = 'file.xml') {
  return recognizeHead(parseHead(name, Buffer.from(text)));
}

test('every format is recognized by some file, and no other name is given', () => {
  const recognized = new Set(KINDS.flatMap(({ formats = [] }) => formats));
  assert.deepEqual([...recognized].sort(), FORMATS.map(({ name }) => name).sort());
});

test('files of each format are recognized by their beginning', () => {
  const cases: readonly (readonly [text: string, formats: string, name?: string])[] = [
    ['{"jurisdiction_code":"XA","uid":"1","status":"Pending"}\n', 'ndjson', 'a.ndjson'],
    ['\ufeff{"uid":"1", "jurisdiction_code" : "XA"}\n', 'ndjson', 'a.json'],
    ['<trademark-applications-daily><version>', 'uspto-apc'],
    ['  <case-file><serial-number>60000001', 'uspto-apc'],
    ['<Transaction><TradeMark><RegistrationOfficeCode>US</RegistrationOfficeCode>', 'uspto-tsdr'],
    ['<Transaction xmlns:s="urn:us:gov:doc:uspto:trademark:status"><TradeMarkTransactionBody>', 'uspto-tsdr'],
    ['<t:Transaction xmlns:t="http://www.wipo.int/standards/XMLSchema/Trademark/1">', 'st96'],
    ['<t:TrademarkTransaction><c:RegistrationOfficeCode>US</c:RegistrationOfficeCode>', 'uspto-tsdr st96'],
    ['<tmk:TrademarkApplication st96Version="V3_0"><IPOfficeCode>CA</IPOfficeCode>', 'st96'],
    ['<TradeMark><RegistrationOfficeCode>em</RegistrationOfficeCode>', 'euipo st66'],
    ['<ns2:Transaction><x/><RegistrationOfficeCode>SE</RegistrationOfficeCode>', 'st66'],
    ['<response><header/><body><items><TradeMarkInfo>', 'kipris'],
    ['<response><header><resultCode>20</resultCode></header></response>', 'kipris'],
    ['<?xml version="1.0"?><!DOCTYPE tmarkappl SYSTEM "ftp://x/y.dtd"><API><version>', 'tipo'],
    ['data_id_cd\tappl_cd\n', 'jpo', 'set.zip/upd_appl_reg_info.tsv'],
    ['\ufeffip_right_type,application_number,status\r\n', 'ip-australia', 'iprapid.zip/application.csv'],
  ];
  for (const [text, formats, name] of cases) {
    const { seen, ...found } = recognize(text, name);
    assert.equal(found.formats.join(' '), formats, `${seen}: ${text}`);
  }
});

test('the offices whose marks are recognized are those that the formats read', () => {
  for (const { office } of ST66_OFFICES) {
    const { formats } = recognize(`<TradeMark><RegistrationOfficeCode>${office}</RegistrationOfficeCode>`);
    assert.ok(formats.includes('st66'), office);
  }
  const offices = /of ([A-Z, ]+)$/.exec(st96Format.title)?.[1]?.split(', ') ?? [];
  assert.ok(offices.length > 1);
  for (const office of offices) {
    const { formats } = recognize(`<Trademark><RegistrationOfficeCode>${office}</RegistrationOfficeCode>`);
    assert.ok(formats.includes('st96'), office);
  }
  for (const root of ['TradeMark', 'Trademark']) {
    const { seen, formats } = recognize(`<${root}><RegistrationOfficeCode>QQ</RegistrationOfficeCode>`);
    assert.match(seen, /of an office whose marks are not read$/);
    assert.deepEqual(formats, []);
  }
});

test('a file of parties is of the office that its namespace names', () => {
  const file = (namespace: string): string => `<Transaction xmlns="${namespace}"><TransactionData><ApplicantDetails>`;
  assert.deepEqual(recognize(file('http://gb.tmview.europa.eu/trademark/applicant')).formats, ['st66']);
  assert.deepEqual(recognize(file('http://euipo.europa.eu/trademark/applicant')).formats, ['euipo', 'st66']);
});

test('what no format reads is named, with what to do about it', () => {
  const cases: readonly (readonly [text: string | Buffer, seen: RegExp])[] = [
    ['', /^an empty file$/],
    ['<!DOCTYPE html><html>', /web page/],
    ['<?xml version="1.0"?>\n<html xmlns="http://www.w3.org/1999/xhtml">', /web page/],
    ['<HitList HitCount="3">', /hits of a search/],
    ['<response><body><items><trademarkDesignationGoodstInfo>', /goods of a mark/],
    ['<catalogue><book/>', /^XML of an unknown kind$/],
    ['<root><case-file/>', /^XML of an unknown kind$/],
    ['[{"a":1}]', /^JSON$/],
    ['{\n "trademarks": [{"a":1}]}', /^a USPTO TSDR answer in JSON$/],
    ['{"oversized":false,"transactionList":[{"searchId":"1","trademarks":[]}]}', /^a USPTO TSDR answer in JSON$/],
    ['{"tradeMarks":[{"applicationNumber":"1"}]}', /^the hits of a search at TMview/],
    ['%PDF-1.7', /PDF/],
    [Buffer.from('PK\u0003\u0004xx'), /zip archive/],
    [Buffer.from([0x1f, 0x8b, 8]), /gzip/],
    [Buffer.from([0xff, 0xfe, 0x3c, 0]), /UTF-16/],
    [Buffer.from([0x89, 0x50, 0x4e, 0x47]), /picture/],
    ['a\tb\n1\t2\n', /tab-separated/],
    ['a;b\n1;2\n', /separated text/],
    ['hello', /^text$/],
    [Buffer.from([0, 1, 2]), /binary/],
  ];
  for (const [text, seen] of cases) {
    const found = recognize(text, 'file');
    assert.match(found.seen, seen, String(text));
    assert.deepEqual(found.formats, [], String(text));
  }
  assert.deepEqual(recognize('<root><data><itemGrop><items/>').formats, ['kipris']);
  assert.equal(recognize('<HitList/>').remedy, 'load the record of each mark');
});

test('peeking at an entry loses none of its bytes', async () => {
  const text = '{"jurisdiction_code":"XA"}\n'.repeat(10_000);
  const parts = [text.slice(0, 3), text.slice(3, 90_000), text.slice(90_000)].map((part) => Buffer.from(part));
  const { head, entry } = await peekEntry({ name: 'a.ndjson', stream: Readable.from(parts) });
  assert.deepEqual(recognizeHead(head).formats, ['ndjson']);
  const again: Buffer[] = [];
  for await (const chunk of entry.stream) again.push(chunk as Buffer);
  assert.equal(Buffer.concat(again).toString(), text);
});

test('a file that breaks off in its first bytes says so to the reader that continues', async () => {
  async function* broken(): AsyncGenerator<Buffer> {
    yield Buffer.from('<response>');
    throw new Error('it is truncated');
  }
  const { head, entry } = await peekEntry({ name: 'a.xml', stream: Readable.from(broken()) });
  assert.deepEqual(recognizeHead(head).formats, ['kipris']);
  await assert.rejects(async () => {
    for await (const _ of entry.stream);
  }, /it is truncated/);
});

/** The best format for the real files of each folder. */
const REAL: Readonly<Record<string, string>> = {
  euipo: 'euipo',
  'uspto/apc': 'uspto-apc',
  'uspto/tsdr': 'uspto-tsdr',
  tipo: 'tipo',
  'kipris/applicant': 'kipris',
  'jpo/tsv': 'jpo',
  ch: 'st96',
  'osim-ro': 'st66',
  'prv-se': 'st66',
};

for (const [folder, format] of Object.entries(REAL)) {
  test(`real files in ${folder} are recognized as ${format}`, { skip: skipWithout(folder) }, async () => {
    const names = readdirSync(join(REAL_DATA, folder)).filter((name) => /\.(xml|tsv)$/.test(name));
    assert.ok(names.length > 0);
    for (const name of names) {
      const { head } = await peekEntry({ name, stream: createReadStream(join(REAL_DATA, folder, name)) });
      const { seen, formats } = recognizeHead(head);
      assert.equal(formats[0], format, `${name} is ${seen}`);
    }
  });
}

test('real files that are no records are recognized as what they are', { skip: skipWithout('dpma') }, () => {
  const cases: readonly (readonly [path: string, seen: RegExp])[] = [
    ['dpma/trademark_search.xml', /hits of a search at the DPMA/],
    ['inpi-fr/search_dior.xml', /hits of a search at the INPI/],
    ['kipris/other/TrademarkDesignationGoodstInfo.xml', /goods of a mark/],
    ['uspto/tsdr-json/tsdr-swagger.json', /^JSON$/],
    ['cipo/cipo_status_codes.csv', /separated text/],
  ];
  for (const [path, seen] of cases) assert.match(recognize(readFileSync(join(REAL_DATA, path)), path).seen, seen, path);
});
