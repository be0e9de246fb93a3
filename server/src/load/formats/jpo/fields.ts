/** Fields of the record that national marks and Madrid designations take from the same tables. */
import type { MarkFeature } from '@tmds/contract/enums';
import { listOrNull, parseNiceClass, parseViennaCode } from '../codes.ts';
import type { TableName } from './tables.ts';
import { joinLines, listVariants } from './text.ts';
import { cell, listRows, type Row, type Rows, raiseIssue } from './values.ts';

export function buildUid(number: string): string {
  return `JP50${number.slice(0, 4)}${number.slice(4).padStart(9, '0')}`;
}

/** The cells of a column in every row of a table. */
export function listCells(rows: Rows, table: TableName, column: string): string[] {
  return listRows(rows, table)
    .map((row) => cell(row, column))
    .filter((text) => text !== null);
}

export function readNames(
  rows: Rows,
  fallback: string | null,
): { name: string | null; texts: string[]; variants: string[] | null } {
  const shown = [
    ...listCells(rows, 'indct_use_t_art', 'indct_use_t'),
    ...listCells(rows, 'standard_char_t_art', 'standard_char_t'),
  ];
  const stated = shown[0] ?? fallback;
  const name = stated === null ? null : joinLines(stated);
  const held = [
    ...listCells(rows, 'search_use_t_art_table', 'search_use_t'),
    ...listCells(rows, 't_dsgnt_art', 'dsgnt'),
  ];
  return { name, texts: shown.map(joinLines), variants: listVariants(name, [...shown, ...held]) };
}

/** The Nice classes in these cells; any other value raises an issue. */
export function readClasses(rows: Rows, cells: readonly { row: Row; column: string }[]): number[] | null {
  const classes: number[] = [];
  for (const { row, column } of cells) {
    const text = cell(row, column);
    const niceClass = text === null ? null : parseNiceClass(text);
    if (niceClass !== null) classes.push(niceClass);
    else if (text !== null) raiseIssue(rows, 'unmapped_class', row, column, text);
  }
  return listOrNull(classes.sort((a, b) => a - b));
}

export function readViennaCodes(rows: Rows): string[] | null {
  const codes = listRows(rows, 't_vienna_class_grphc_term_art').map((row) => {
    const places = ['large', 'mid', 'small'].map((place) => row.cells[`grphc_term_${place}_class`]?.trim() ?? '');
    for (const place of ['large', 'mid', 'small']) row.read.add(`grphc_term_${place}_class`);
    const text = places.filter((place) => place !== '').join('.');
    return checkVienna(rows, row, 'grphc_term_large_class', text);
  });
  return listOrNull(codes.filter((code) => code !== null));
}

/** `2705  ;2803  ;`: two levels of each code. */
export function parseViennaList(rows: Rows, row: Row, column: string): string[] {
  const parts = (cell(row, column) ?? '').split(';').map((part) => part.trim());
  const codes = parts
    .filter((part) => part !== '')
    .map((part) => checkVienna(rows, row, column, part.replace(/(\d{2})(?=\d)/g, '$1.')));
  return codes.filter((code) => code !== null);
}

function checkVienna(rows: Rows, row: Row, column: string, text: string): string | null {
  const code = parseViennaCode(text);
  if (code === null) raiseIssue(rows, 'unmapped_vienna_code', row, column, text);
  return code;
}

/** Kinds of marks by the words of their detailed explanation; the office's codes for them are not known. */
const EXPLAINED: readonly (readonly [string, MarkFeature])[] = [
  ['位置商標', 'Position'],
  ['動き商標', 'Motion'],
  ['ホログラム商標', 'Hologram'],
  ['色彩のみからなる商標', 'Colour'],
  ['音商標', 'Sound'],
  ['立体商標', 'Three-dimensional'],
];

export function findExplainedFeature(texts: readonly string[]): MarkFeature | null {
  return EXPLAINED.find(([word]) => texts.some((text) => text.includes(word)))?.[1] ?? null;
}

/** The latest of some days; null for none. */
export function latestOf(days: readonly (string | null)[]): string | null {
  return (
    days
      .filter((day) => day !== null)
      .sort()
      .at(-1) ?? null
  );
}

/** The first of some days; null for none. */
export function earliestOf(days: readonly (string | null)[]): string | null {
  return days.filter((day) => day !== null).sort()[0] ?? null;
}
