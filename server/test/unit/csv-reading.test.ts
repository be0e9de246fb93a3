/** CSV is read as an established library reads it, whole or in pieces, and bounded where that library is not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CsvFault, DELIMITERS, encodeRow, guessDelimiter, ROW_CHARACTERS_MAX, RowSplitter } from '@tmds/contract/csv';
import fc from 'fast-check';
import { parseCsv } from 'hucre/csv';
import { runsOf } from '../support/depth.ts';

const cell = fc.string({
  unit: fc.constantFrom('a', 'ß', '1', ' ', ',', ';', '"', '\n', '\r\n', '\t', '|'),
  maxLength: 6,
});
const table = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 });

function split(text: string, delimiter: ',' | ';', pieces: readonly number[]): string[][] {
  const splitter = new RowSplitter(delimiter);
  const rows = [];
  let from = 0;
  for (const length of pieces) {
    rows.push(...splitter.push(text.slice(from, from + length)));
    from += length;
  }
  rows.push(...splitter.push(text.slice(from)), ...splitter.end());
  return rows.map(({ cells }) => [...cells]);
}

const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;

test('rows in parts of any length equal the rows of the whole, as another library reads them', () => {
  const pieces = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 20 });
  fc.assert(
    fc.property(
      table,
      pieces,
      fc.constantFrom('\n', '\r\n'),
      fc.constantFrom(',' as const, ';' as const),
      (rows, lengths, end, delimiter) => {
        const text = rows.map((cells) => cells.map(quote).join(delimiter) + end).join('');
        const isBlank = (cells: readonly unknown[]): boolean => cells.every((each) => String(each).trim() === '');
        const expected = parseCsv(text, { delimiter }).filter((cells) => !isBlank(cells));
        assert.deepEqual(split(text, delimiter, lengths), expected);
      },
    ),
    { numRuns: runsOf(500) },
  );
});

test('what is written for spreadsheets is read back, except for the apostrophe before a formula', () => {
  const text = encodeRow(['a,b', 'say "x"', '=1+1', 'line\nbreak', null, 7]);
  assert.deepEqual(split(text, ',', []), [['a,b', 'say "x"', "'=1+1", 'line\nbreak', '', '7']]);
});

test('gives the line of each row, and leaves blank lines out', () => {
  const rows = new RowSplitter(';').push('a;b\r\n\r\n"x\ny";2\r\n;\r\n3;4\r\n');
  assert.deepEqual(
    rows.map(({ line, cells }) => [line, ...cells]),
    [
      [1, 'a', 'b'],
      [3, 'x\ny', '2'],
      [6, '3', '4'],
    ],
  );
});

test('a quote that nobody closes is reported with its line, and does not take in the whole file', () => {
  const open = new RowSplitter(',');
  open.push('a,b\n1,"2\n');
  assert.throws(
    () => open.end(),
    (error) => error instanceof CsvFault && /^line 2: a quoted field/.test(error.message),
  );
  const long = new RowSplitter(',');
  assert.throws(() => long.push(`a\n"${'x'.repeat(ROW_CHARACTERS_MAX + 1)}`), /^Error: line 2: the row is longer/);
});

test('guesses the separator by the rows, not by the commas in a cell', () => {
  const rows = [
    ['Mark', 'Owner, of record', 'No'],
    ['A', 'X, Y, Inc.', '1'],
    ['B', 'Z', '2'],
  ];
  for (const delimiter of DELIMITERS) {
    const write = (text: string): string => (text.includes(delimiter) ? quote(text) : text);
    assert.equal(guessDelimiter(rows.map((cells) => `${cells.map(write).join(delimiter)}\n`).join('')), delimiter);
  }
  assert.equal(guessDelimiter('Number\n1\n'), ',');
});
