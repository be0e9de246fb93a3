/** What a spreadsheet gets: whole texts, and nothing that it would run. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONTENT_FIELDS, SERVICE_FIELDS, type TrademarkDetail } from '@tmds/contract/record';
import { EXPORT_FORMATS } from '../../src/portal/explorer/export-formats.ts';

const NAMES = [...Object.keys(CONTENT_FIELDS), ...Object.keys(SERVICE_FIELDS)];
const EMPTY = Object.fromEntries(NAMES.map((name) => [name, null])) as unknown as TrademarkDetail;

function csvOf(markName: string): string {
  const row = EXPORT_FORMATS.csv!.encodeRecord({ ...EMPTY, mark_name: markName });
  return row.replace(/^,*/, '').replace(/,*\r\n$/, '');
}

test('no cell of a CSV begins like a formula, and no other text is altered', () => {
  for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '＝1', ' =1', '\t=1']) {
    assert.match(csvOf(text), /^"?'/, JSON.stringify(text));
  }
  assert.equal(csvOf('=HYPERLINK("x","y")'), `"'=HYPERLINK(""x"",""y"")"`);
  for (const text of ['Acme', 'A-1', '1=1', "l'eau", '远航', 'شركة']) assert.equal(csvOf(text), text);
  assert.equal(csvOf('A, "B"\nC'), '"A, ""B""\nC"');
});

test('a CSV has a column for each field, lists in one cell, and says how it is encoded', () => {
  const { head, encodeRecord } = EXPORT_FORMATS.csv!;
  assert.equal(head, `\uFEFF${NAMES.join(',')}\r\n`);
  const row = encodeRecord({ ...EMPTY, nice_classes: [9, 42], owner_names: ['A', 'B'] });
  assert.equal(row.trimEnd().split(',').length, NAMES.length);
  assert.match(row, /,"9; 42",/);
});
