/** What national marks and Madrid designations take from the same tables, and how the office writes it. */
import type { MarkFeature, Status } from '@tmds/contract/enums';
import { normalForm } from '@tmds/contract/text';
import { listOrNull } from '../document.ts';
import { listNiceClasses, lookUp, readViennaCodes, sortClasses } from '../meanings.ts';
import type { Cell, Row } from '../tables.ts';
import type { MarkRows } from './rows.ts';

export function buildUid(number: string): string {
  return `JP50${number.slice(0, 4)}${number.slice(4).padStart(9, '0')}`;
}

export function readNames(
  rows: MarkRows,
  fallback: string | null,
): { name: string | null; texts: string[]; variants: string[] | null } {
  const shown = [
    ...rows.texts('indct_use_t_art', 'indct_use_t'),
    ...rows.texts('standard_char_t_art', 'standard_char_t'),
  ];
  const stated = shown[0] ?? fallback;
  const name = stated === null ? null : joinLines(stated);
  const held = [...rows.texts('search_use_t_art_table', 'search_use_t'), ...rows.texts('t_dsgnt_art', 'dsgnt')];
  return { name, texts: shown.map(joinLines), variants: listVariants(name, [...shown, ...held]) };
}

/** The Nice classes in these cells; any other value raises an issue. */
export function readClasses(cells: readonly Cell[]): number[] | null {
  return sortClasses(
    cells.flatMap(([row, path]) => {
      const text = row.text(path);
      return text === null ? [] : listNiceClasses(row, { path, texts: [text], isStrict: true });
    }),
  );
}

const VIENNA_PLACES = ['large', 'mid', 'small'].map((place) => `grphc_term_${place}_class`);

export function listViennaCodes(rows: MarkRows): string[] {
  return rows.list('t_vienna_class_grphc_term_art').flatMap((row) => {
    const places = VIENNA_PLACES.map((column) => row.cells[column]?.trim() ?? '');
    row.ignore(...VIENNA_PLACES);
    const text = places.filter((place) => place !== '').join('.');
    return readViennaCodes(row, 'grphc_term_large_class', [text]) ?? [];
  });
}

/** `2705  ;2803  ;`: two levels of each code. */
export function parseViennaList(row: Row, column: string): string[] {
  const parts = (row.text(column) ?? '').split(';').map((part) => part.trim());
  const codes = parts.filter((part) => part !== '').map((part) => part.replace(/(\d{2})(?=\d)/g, '$1.'));
  return codes.flatMap((code) => readViennaCodes(row, column, [code]) ?? []);
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

/** Separates the lines of a mark. */
const LINE_SIGN = '＼';

/** Old rows write the long vowel after kana as a full-width hyphen. */
const OLD_LONG_VOWEL = /(?<=[\u3041-\u30ff])\uff0d/g;

/** The mark on one line, its letters as stated. */
export function joinLines(text: string): string {
  return text
    .split(LINE_SIGN)
    .map((line) => line.trim())
    .join(' ')
    .trim();
}

/** Turns full-width letters into plain ones and half-width kana into full-width, so that either form finds the mark. */
export function foldWidth(text: string): string {
  return normalForm(joinLines(text).replace(OLD_LONG_VOWEL, 'ー'), 'NFKC');
}

/** Every text under which the mark can be found, except the name. */
function listVariants(name: string | null, texts: readonly string[]): string[] | null {
  const stated = texts.map(joinLines);
  const all = [...(name === null ? [] : [foldWidth(name)]), ...stated, ...stated.map(foldWidth)];
  return listOrNull(all.filter((text) => text !== '' && text !== name));
}

/** The office writes `（省略）` where it leaves an address out. */
export function statedAddress(text: string | null): string | null {
  return text === '（省略）' ? null : text;
}

/** The office's names for its final dispositions, as far as its table is known. */
const DISPOSITION_TEXTS: Readonly<Record<string, string>> = {
  A01: '登録査定書',
  A02: '拒絶査定',
  A031: '出願無効の処分（出',
  A045: '出願却下処分書',
  A761: '出願取下書',
  A762: '出願放棄書',
};

/** Refused, void, dismissed, withdrawn or given up. In one table codes have three characters, in others more. */
const ABANDONED = /^(?:A02|A03\d?|A04\d?|A76[12]?)$/;
const GRANTED = 'A01';
/** The right has ended; a date says when. */
export const ENDED = 'R02';

/** Null for an unknown code. */
export function statusOfApplication(code: string | null): Status | null {
  if (code === null || code === GRANTED) return 'Pending';
  return ABANDONED.test(code) ? 'Abandoned' : null;
}

/** The code with the office's text for it. */
export function dispositionText(code: string | null): string | null {
  const text = lookUp(DISPOSITION_TEXTS, code);
  return text === undefined ? code : `${code} ${text}`;
}

/** For a Madrid designation that has not ended: A1 granted, A2 to A4 refused, void or dismissed. */
export function statusOfDesignation(examination: string | null, register: string | null): Status | null {
  if (examination === 'A1' && register === '00') return 'Registered';
  if (examination === null || examination === '00' || examination === 'A1') return 'Pending';
  return /^A[234]$/.test(examination) ? 'Abandoned' : null;
}

/** Codes of the register's final disposition that end a designation. */
export const DESIGNATION_ENDED = 'R2';
