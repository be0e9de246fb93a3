/**
 * What a record is filed under: for each membership filter, the values by which the record is found. A new filter takes
 * one line here and one in the table of filters (`contract/src/parameters.ts`).
 */
import type { TermField } from '@tmds/contract/parameters';
import type { RecordContent } from '@tmds/contract/record';

export type { TermField };

const CODE_FORM = /^[A-Z0-9]{1,5}$/;

/** Whether an upper-case text is a valid register, office or country code: 1 to 5 letters or digits. */
export function isCode(text: string): boolean {
  return CODE_FORM.test(text);
}

const VIENNA_CODE = /^\d{1,3}(\.\d{1,3}){0,2}$/;

export function isViennaCode(text: string): boolean {
  return VIENNA_CODE.test(text);
}

/** The one to three numbers of a Vienna code; null if the text is not one. Leading zeros are ignored (rule I-14). */
export function parseViennaCode(text: string): number[] | null {
  return isViennaCode(text) ? text.split('.').map(Number) : null;
}

/** The delivered form of a Vienna code: segments of two digits, such as `26.03.01` (rule I-43). */
export function writeViennaCode(numbers: readonly number[]): string {
  return numbers.map((number) => String(number).padStart(2, '0')).join('.');
}

/** The term of a Vienna code or prefix, such as `26.3`. */
export function viennaTerm(numbers: readonly number[]): string {
  return numbers.join('.');
}

const only = (value: string | null): readonly string[] => (value === null ? [] : [value]);

/** The values of a record for each field; a value may be repeated. */
export const TERM_FIELDS = {
  jurisdiction: (record) => [record.jurisdiction_code],
  office: (record) => only(record.office),
  status: (record) => [record.status],
  kind_of_mark: (record) => only(record.kind_of_mark),
  mark_feature: (record) => only(record.mark_feature),
  nice_class: (record) => record.nice_classes?.map(String) ?? [],
  vienna_code: (record) => record.vienna_codes?.flatMap(listViennaPrefixes) ?? [],
  owner_country: (record) => record.owner_countries ?? [],
  designated_country: (record) => record.designated_countries ?? [],
} as const satisfies Record<TermField, (record: RecordContent) => readonly string[]>;

export const TERM_FIELD_NAMES = Object.keys(TERM_FIELDS) as TermField[];

/** The prefixes of each code seen so far. There are a few thousand codes, which millions of records share. */
const viennaPrefixes = new Map<string, readonly string[]>();
const VIENNA_PREFIXES_MAX = 20_000;

/** A code is found by its full text and by its prefixes (specification 4.3, vienna_code). */
function listViennaPrefixes(code: string): readonly string[] {
  const known = viennaPrefixes.get(code);
  if (known !== undefined) return known;
  const numbers = parseViennaCode(code) ?? [];
  const prefixes = numbers.map((_, last) => viennaTerm(numbers.slice(0, last + 1)));
  if (viennaPrefixes.size < VIENNA_PREFIXES_MAX) viennaPrefixes.set(code, prefixes);
  return prefixes;
}
