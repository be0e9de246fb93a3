/** What a spreadsheet gets: whole texts, and nothing that it would run. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { CONTENT_FIELDS, SERVICE_FIELDS, type TrademarkDetail } from '@tmds/contract/record';
import { readXlsx } from 'hucre/xlsx';
import { EXPORT_FORMATS, type ExportPart, listExportColumns } from '../../src/portal/export/file.ts';

const FIELDS = [...Object.keys(CONTENT_FIELDS), ...Object.keys(SERVICE_FIELDS)];
const EMPTY = {
  ...Object.fromEntries(FIELDS.map((name) => [name, null])),
  jurisdiction_code: 'US',
  uid: 'US1',
} as unknown as TrademarkDetail;
const LINK = 'https://portal.example/r';
const EXPORTED = { linkRecord: () => LINK, languages: ['fr'] };
const EVERYTHING = listExportColumns(null, EXPORTED);
const HEADS = EVERYTHING.map(({ head }) => head);

async function encode(format: string, ...parts: ExportPart[]): Promise<Buffer> {
  return encodeColumns(format, EVERYTHING, parts);
}

async function encodeColumns(format: string, columns: typeof EVERYTHING, parts: ExportPart[]): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const encoded = EXPORT_FORMATS[format]!.encode(
    (async function* () {
      yield* parts;
    })(),
    columns,
  );
  for await (const chunk of encoded) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

async function csvOf(markName: string): Promise<string> {
  const [, ...rows] = String(await encode('csv', [{ ...EMPTY, mark_name: markName }])).split('\r\n');
  return rows.join('\r\n').replace(/,United States,US1,.*\r\n$/, '');
}

async function excelOf(...parts: ExportPart[]): Promise<readonly (readonly unknown[])[]> {
  const { sheets } = await readXlsx(await encode('excel', ...parts));
  return sheets[0]!.rows;
}

test('no cell of a CSV begins like a formula, and no other text is altered', async () => {
  for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '＝1', ' =1', '\t=1']) {
    assert.match(await csvOf(text), /^"?'/, JSON.stringify(text));
  }
  assert.equal(await csvOf('=HYPERLINK("x","y")'), `"'=HYPERLINK(""x"",""y"")"`);
  for (const text of ['Acme', 'A-1', '1=1', "l'eau", '远航', 'شركة']) assert.equal(await csvOf(text), text);
  assert.equal(await csvOf('A, "B"\nC'), '"A, ""B""\nC"');
});

test('a CSV has the columns of the table first, with heads in words, lists in one cell, and says how it is encoded', async () => {
  const [head, row = ''] = String(
    await encode('csv', [{ ...EMPTY, nice_classes: [9, 42], owner_names: ['A', 'B'] }]),
  ).split('\r\n');
  assert.equal(head, `\uFEFF${HEADS.join(',')}`);
  assert.equal(row.split(',').length, HEADS.length);
  assert.match(String(head), /^\uFEFFMark,Register,Number,Status,Classes,Owners,Filed,Registered,Expires,Changed,/);
  assert.match(row, /,"9; 42",/);
});

test('no column of people has a name of the API, and every field of a record but the payload has one', async () => {
  assert.deepEqual(
    HEADS.filter((head) => head.includes('_')),
    [],
  );
  const marked = Object.fromEntries(FIELDS.map((name) => [name, `${name}-value`]));
  const lists = ['nice_classes', 'vienna_codes', 'owner_names', 'owner_countries', 'representative_names'];
  const more = ['international_registration_numbers', 'priority_numbers', 'designated_countries'];
  const days = FIELDS.filter((name) => /_date$|_at$|_end$/.test(name));
  const record = {
    ...marked,
    ...Object.fromEntries([...lists, ...more].map((name) => [name, [`${name}-value`]])),
    ...Object.fromEntries(days.map((name, at) => [name, `20${10 + at}-01-01`])),
  } as unknown as TrademarkDetail;
  const text = String(await encode('csv', [record]));
  for (const name of FIELDS) {
    const at = days.indexOf(name);
    assert.ok(text.includes(at < 0 ? `${name}-value` : `20${10 + at}-01-01`), name);
  }
});

test('Excel has a bold head, a filter, dates as dates, links, and texts that it would run as texts', async () => {
  const bytes = await encode('excel', [
    {
      ...EMPTY,
      mark_name: '=1+1',
      application_number: '97123456',
      application_date: '2020-02-29',
      registration_date: '1899-12-31',
      nice_classes: [9, 42],
    },
  ]);
  const { sheets } = await readXlsx(bytes, { readStyles: true });
  const sheet = sheets[0]!;
  const [head, row = []] = sheet.rows;
  assert.deepEqual(head, HEADS);
  const cell = (name: string): unknown => row[HEADS.indexOf(name)];
  assert.equal(cell('Mark'), '=1+1');
  assert.equal((cell('Filed') as Date).toISOString(), '2020-02-29T00:00:00.000Z');
  assert.equal(cell('Registered'), '1899-12-31');
  assert.equal(cell('Classes'), '9; 42');
  assert.equal(cell('Expires') ?? null, null);
  assert.equal(sheet.cells?.get('0,0')?.style?.font?.bold, true);
  assert.equal(sheet.cells?.get('1,0')?.formula, undefined);
  assert.match(sheet.autoFilter?.range ?? '', /^A1:[A-Z]+2$/);
  const links = [...(sheet.cells?.values() ?? [])].flatMap(({ hyperlink }) => hyperlink?.target ?? []);
  assert.deepEqual(links, [LINK, 'https://tsdr.uspto.gov/statusview/sn97123456']);
});

test('a text of any characters comes out of Excel as it went in, and what XML cannot hold is replaced', async () => {
  for (const text of ['<b>&"', ' a ', 'A\nB', '_x0041_', '远航 😀', 'شركة']) {
    const [, row = []] = await excelOf([{ ...EMPTY, mark_name: text }]);
    assert.equal(row[0], text);
  }
  const [, row = []] = await excelOf([{ ...EMPTY, mark_name: 'a\u0000b\u0008\ud800' }]);
  assert.equal(row[0], 'a\ufffdb\ufffd\ufffd');
});

test('names are spelled as the document of the record does, where it has one', async () => {
  const parties = [
    { role: 'owner', names: [{ text: 'ACME  Ltd.' }] },
    { role: 'representative', names: [{ text: 'Other' }] },
  ];
  const record = { ...EMPTY, owner_names: ['acme ltd.', 'ålma'], representative_names: ['x'], payload: { parties } };
  const [, row = []] = await excelOf([record]);
  assert.equal(row[HEADS.indexOf('Owners')], 'ACME  Ltd.; ålma');
  assert.equal(row[HEADS.indexOf('Representatives')], 'x');
});

test('a text longer than a cell of Excel is cut and says so, and a file that ends early says why', async () => {
  const [, row = [], last = []] = await excelOf([{ ...EMPTY, mark_name: 'x'.repeat(40_000) }], {
    reason: 'quota_exceeded',
    continueAt: 'https://portal.example/x',
  });
  const text = row[0] as string;
  assert.equal(text.length, 32_767);
  assert.match(text, /x … \(cut: /);
  assert.equal(last[0], 'This file is not complete (quota_exceeded). Continue at https://portal.example/x');
});

test('a file has the columns that the table was given, in its order, then the links', async () => {
  const columns = listExportColumns(['register', 'status', 'goods', 'owner', 'image', 'unheard'], EXPORTED);
  const payload = {
    goods_and_services: [
      {
        class: '25',
        texts: [
          { text: 'Hats', language: 'en' },
          { text: 'Chapeaux', language: 'fr' },
        ],
      },
      { class: '9', texts: [{ text: 'Logiciels', language: 'fr' }] },
    ],
    parties: [{ role: 'owner', names: [{ text: 'ACME' }] }],
  };
  const record = { ...EMPTY, mark_name: 'One', status: 'Registered' as const, owner_names: ['acme'], payload };
  const text = String(await encodeColumns('csv', columns, [[record]]));
  assert.equal(
    text,
    '\uFEFFMark,Register,Status,Goods,Owners,Record,Office page\r\n' +
      `One,United States,Registered,"Chapeaux\nLogiciels",ACME,${LINK},\r\n`,
  );
});

test('an archive of Excel whose reader leaves stops reading rows, and a failure of the rows fails the file', async () => {
  let ended = 0;
  async function* rows(fails: boolean): AsyncGenerator<ExportPart> {
    try {
      for (let at = 0; at < 5_000; at += 1) {
        if (fails && at === 50) throw new Error('the database went away');
        yield [{ ...EMPTY, mark_name: `${at}`.repeat(500) }];
      }
    } finally {
      ended += 1;
    }
  }
  const { encode: write } = EXPORT_FORMATS.excel!;
  for await (const chunk of write(rows(false), EVERYTHING)) if (chunk.length > 1_000) break;
  while (ended === 0) await setImmediate();
  assert.equal(ended, 1);
  await assert.rejects(async () => {
    for await (const chunk of write(rows(true), EVERYTHING)) assert.ok(chunk.length > 0);
  }, /the database went away/);
  assert.equal(ended, 2);
});
