/**
 * Office numbers: the one spelling that each register has for them (rule I-50), the form in which they are compared
 * (rules I-11 and I-33), and the forms in which a register may hold a number that was written down in another way. The
 * service finds records by these forms and a docket is compared by them, so both have one table.
 */
import type { TrademarkDetail } from './record.ts';
import { normalForm } from './text.ts';

/** Longer texts are not numbers. In UTF-16 units. */
export const NUMBER_CHARACTERS_MAX = 60;
/** Upper limit on the forms of one number in one register. */
const FORMS_MAX = 16;

/** The compared form of a number (rule I-11): NFC and upper case. */
export function normalizeNumber(number: string): string {
  return normalForm(normalForm(number).toUpperCase());
}

/** `W01234567`, `WO0000001234567`, `IR1234567`, `1234567A`; the group leaves out the letters and zeros before it. */
const MADRID_NUMBER = /^(?:WO?|IR)?0*(?<number>[1-9]\d*[A-Z]?)$/;

/**
 * The stored form of a Madrid number (rule I-33): digits without leading zeros and, if present, an upper-case letter.
 * The letters that registers put before it, blanks inside it (`1 234 567`) and full-width digits are not part of the
 * number. Any other text is only trimmed and upper-cased.
 */
export function normalizeMadridNumber(number: string): string {
  const plain = normalizeNumber(normalForm(number, 'NFKC').replace(/\s/gu, ''));
  return MADRID_NUMBER.exec(plain)?.groups?.number ?? normalizeNumber(number).trim();
}

/** The numbers that an office gives to a record itself. */
export type OwnNumber = (typeof OWN_NUMBERS)[number];

const OWN_NUMBERS = ['application_number', 'registration_number'] as const;

/** How a register writes a number that was written in another way. */
type Style = readonly [written: RegExp, held: (...groups: string[]) => string];

/** The extension 00 is the application itself; every other one is a separate record. */
const CANADIAN: Style = [/^([A-Z]{0,4}\d+)-00$/, (base = '') => base];

/** Registers that write their numbers in more than one way, and the one way in which they are held. */
const SPELLINGS = new Map<string, Partial<Record<OwnNumber, Style>>>([
  ['CA', { application_number: CANADIAN, registration_number: CANADIAN }],
  [
    'KR',
    {
      application_number: [/^(\d{2})-?(\d{4})-?(\d{7})$/, (...groups) => groups.join('')],
      // The last four digits number the parts of a divided registration.
      registration_number: [
        /^(\d{2})-?(\d{7})(?:-?(\d{2})-?(\d{2}))?$/,
        (kind = '', serial = '', part = '00', more = '00') => `${kind}${serial}${part}${more}`,
      ],
    },
  ],
  ['US', { registration_number: [/^0+([1-9]\d*)$/, (digits = '') => digits] }],
]);

/**
 * A number in the one spelling of its register (rule I-50), whatever source or person wrote it. A number of another
 * form, and every number of another register, is returned unchanged. `register`: its code in upper case; `number`:
 * without outer blanks.
 */
export function spellNumber(register: string, kind: OwnNumber, number: string): string {
  const spelling = SPELLINGS.get(register)?.[kind];
  if (spelling === undefined) return number;
  const match = spelling[0].exec(number);
  return match === null ? number : spelling[1](...match.slice(1));
}

/** A number as one register spells it. */
export interface SpelledNumber {
  readonly register: string;
  readonly number: string;
}

/** The kinds of numbers by which a list finds a record, named as their filters. */
export type RecordNumberKind = OwnNumber | 'international_registration_number';

/** A number of a record in its compared form. */
export interface RecordNumber {
  readonly kind: RecordNumberKind;
  readonly number: string;
}

/** The numbers of a record that `listNumberForms` may name. */
export function listRecordNumbers(
  record: Pick<TrademarkDetail, 'jurisdiction_code' | OwnNumber | 'international_registration_numbers'>,
): RecordNumber[] {
  const own = OWN_NUMBERS.flatMap((kind) => {
    const number = record[kind];
    if (number === null) return [];
    return [{ kind, number: spellNumber(record.jurisdiction_code, kind, normalizeNumber(number)) }];
  });
  const international = record.international_registration_numbers ?? [];
  return [
    ...own,
    ...international.map((number) => ({
      kind: 'international_registration_number' as const,
      number: normalizeMadridNumber(number),
    })),
  ];
}

/** The registers that spell a number in another way than it is written, with their spelling. */
export function listSpellings(kind: OwnNumber, number: string): SpelledNumber[] {
  return [...SPELLINGS.keys()]
    .map((register) => ({ register, number: spellNumber(register, kind, number) }))
    .filter((spelled) => spelled.number !== number);
}

/**
 * A number in the form in which a list sends it, without its commas, which only group digits, and without blanks around
 * it.
 */
export function tidyNumber(text: string): string {
  return normalForm(text)
    .replaceAll(',', '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

const pad = (width: number, before = '', after = ''): Style => [
  new RegExp(`^(\\d{1,${width}})$`),
  (digits = '') => `${before}${digits.padStart(width, '0')}${after}`,
];
const before = (letters: string): Style => [/^(\d+)$/, (digits = '') => `${letters}${digits}`];
/** A year and a serial number that were written together or apart. */
const yearAnd = (separator: string, width: number, letters = ''): Style => [
  /^((?:19|20)\d\d)\/?(\d{1,6})$/,
  (year = '', serial = '') => `${letters}${year}${separator}${serial.padStart(width, '0')}`,
];

/**
 * The forms that are particular to registers: styles of digits, or of groups of digits joined by `/`. The others are
 * general: as written, without separators, without leading letters and zeros, and with its groups of digits joined by
 * each of the usual separators.
 */
const STYLES: Readonly<Record<string, readonly Style[]>> = {
  AT: [
    [/^(\d{1,6})\/((?:19|20)\d\d)$/, (serial = '', year = '') => `AM ${serial}/${year}`],
    [/^(\d{1,5})\/((?:19|20)\d\d)$/, (serial = '', year = '') => `AM ${serial.padStart(5, '0')}/${year}`],
    pad(6),
  ],
  // The extension 00 is the base file (rule I-50).
  CA: [before('TMA'), [/^(\d{4,})\/00$/, (number = '') => number]],
  CH: [[/^(\d{1,5})\/((?:19|20)\d\d)$/, (serial = '', year = '') => `${serial.padStart(5, '0')}/${year}`], pad(6)],
  // The check digit and the leading class after the number are not part of it.
  DE: [[/^(\d{2})\/?(\d{4})\/?(\d{3})\/?(\d{3})\/.*$/, (...groups) => groups.slice(0, 4).join('')]],
  EM: [pad(9)],
  ES: [before('M')],
  FR: [
    [/^(\d{2})\/?(\d{7})$/, (year = '', serial = '') => `${year} ${serial}`],
    [/^\d{2}\/?(\d{7})$/, (serial = '') => serial],
    pad(7),
  ],
  GB: [pad(11, 'UK')],
  GR: [before('N')],
  JP: [
    yearAnd('-', 6),
    yearAnd('', 6),
    pad(7),
    // The part of a divided registration.
    [/^(\d{1,7})\/(\d{3})$/, (serial = '', part = '') => `${serial.padStart(7, '0')}-${part}`],
  ],
  KR: [
    [/^(\d{2})\/?(\d{7})$/, (kind = '', serial = '') => `${kind}${serial}0000`],
    [/^(\d{7})$/, (serial = '') => `40${serial}0000`],
  ],
  PL: [before('Z.'), before('R.')],
  RO: [yearAnd(' ', 5, 'M ')],
  RU: [pad(6)],
  SE: [yearAnd('-', 5), yearAnd('/', 5), pad(6)],
  TR: [yearAnd('/', 6), yearAnd('/', 5)],
  TW: [pad(8), pad(9)],
  // Other offices quote a priority of the United States with the slash and the comma of a serial number.
  US: [
    [/^(\d{2})\/?(\d{6})$/, (series = '', serial = '') => `${series}/${serial}`],
    [/^(\d{2})\/?(\d{3})\/?(\d{3})$/, (series = '', ...serial) => `${series}/${serial.join(',')}`],
  ],
};

const SEPARATORS = ['', '/', '-', ' '] as const;

/**
 * The compared forms under which a register may hold a number, as written first. Empty if the text is not a number: it
 * has no digit, or is longer than `NUMBER_CHARACTERS_MAX`. `register`: its code in upper case.
 */
export function listNumberForms(register: string, text: string): string[] {
  const written = normalizeNumber(tidyNumber(text));
  if (written.length > NUMBER_CHARACTERS_MAX) return [];
  // A remark in brackets, such as `018229854 (EUTM)`, is not part of the number.
  const number = normalForm(written, 'NFKC').replace(/\([^()]*\)/g, ' ');
  if (!/\d/.test(number)) return [];
  const plain = number.replace(/[^\p{L}\d]/gu, '');
  const bare = plain.replace(/^\p{L}+/u, '');
  const groups = number.match(/\d+/g) ?? [];
  const joined = groups.length > 1 ? SEPARATORS.map((separator) => groups.join(separator)) : [];
  const styled = [bare, groups.join('/')].flatMap((digits) =>
    (STYLES[register] ?? []).flatMap(([form, hold]) => {
      const match = form.exec(digits);
      return match === null ? [] : [hold(...match.slice(1))];
    }),
  );
  const spelled = OWN_NUMBERS.map((kind) => spellNumber(register, kind, written));
  const forms = [written, ...spelled, plain, bare, bare.replace(/^0+(?=.)/, ''), ...styled, ...joined];
  return [...new Set(forms)].filter((form) => /\d/.test(form)).slice(0, FORMS_MAX);
}

/** The compared forms under which any register may hold a number, the general ones first. Empty if it is no number. */
export function listFormsOfAll(text: string): string[] {
  const registers = new Set(['', ...SPELLINGS.keys(), ...Object.keys(STYLES)]);
  return [...new Set([...registers].flatMap((register) => listNumberForms(register, text)))];
}
