/** What a spreadsheet gets: whole texts, and nothing that it would run. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONTENT_FIELDS, SERVICE_FIELDS, type TrademarkDetail } from '@tmds/contract/record';
import { readXlsx } from 'hucre/xlsx';
import { EXPORT_FORMATS, type ExportPart } from '../../src/portal/explorer/export-formats.ts';

const NAMES = [...Object.keys(CONTENT_FIELDS), ...Object.keys(SERVICE_FIELDS)];
const EMPTY = Object.fromEntries(NAMES.map((name) => [name, null])) as unknown as TrademarkDetail;

async function encode(format: string, ...parts: ExportPart[]): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const encoded = EXPORT_FORMATS[format]!.encode(
    (async function* () {
      yield* parts;
    })(),
  );
  for await (const chunk of encoded) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

async function csvOf(markName: string): Promise<string> {
  const [, ...rows] = String(await encode('csv', [{ ...EMPTY, mark_name: markName }])).split('\r\n');
  return rows
    .join('\r\n')
    .replace(/^,*/, '')
    .replace(/,*\r\n$/, '');
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

test('a CSV has a column for each field, lists in one cell, and says how it is encoded', async () => {
  const [head, row = ''] = String(
    await encode('csv', [{ ...EMPTY, nice_classes: [9, 42], owner_names: ['A', 'B'] }]),
  ).split('\r\n');
  assert.equal(head, `\uFEFF${NAMES.join(',')}`);
  assert.equal(row.split(',').length, NAMES.length);
  assert.match(row, /,"9; 42",/);
});

test('Excel has a column for each field, dates as dates, and texts that it would run as texts', async () => {
  const [head, row = []] = await excelOf([
    {
      ...EMPTY,
      mark_name: '=1+1',
      application_date: '2020-02-29',
      registration_date: '1899-12-31',
      nice_classes: [9, 42],
    },
  ]);
  assert.deepEqual(head, NAMES);
  const cell = (name: string): unknown => row[NAMES.indexOf(name)];
  assert.equal(cell('mark_name'), '=1+1');
  assert.equal((cell('application_date') as Date).toISOString(), '2020-02-29T00:00:00.000Z');
  assert.equal(cell('registration_date'), '1899-12-31');
  assert.equal(cell('nice_classes'), '9; 42');
  assert.equal(cell('uid') ?? null, null);
});

test('a text longer than a cell of Excel is cut and says so, and a file that ends early says why', async () => {
  const [, row = [], last = []] = await excelOf([{ ...EMPTY, mark_name: 'x'.repeat(40_000) }], {
    reason: 'quota_exceeded',
    continueAt: 'https://portal.example/x',
  });
  const text = row[NAMES.indexOf('mark_name')] as string;
  assert.equal(text.length, 32_767);
  assert.match(text, /x … \(cut: /);
  assert.equal(last[0], 'Not complete (quota_exceeded). Continue at https://portal.example/x');
});
