/**
 * Office numbers in the style of each register. A number is a function of the rank in the register, so no state is
 * kept. `uid` is unique by construction: a prefix of fixed width without a leading zero, then a serial number that is a
 * permutation of the rank. Other numbers repeat across registers and series, as they do in reality.
 */

import { OperatorError } from '../base/errors.ts';
import { Random, type Seed } from './random.ts';
import { findRegister, REGISTERS, type Register, type RegisterCode } from './registers.ts';

const STEP = 7_368_787;
const APPLICATION_START = 14_204_519;
const REGISTRATION_STEP = 2_750_159;
const REGISTRATION_START = 1_638_204;
const REGISTRATION_DIGITS = 7;

function spread(rank: number, digits: number, step: number, start: number): string {
  const modulus = 10 ** digits;
  const cycle = Math.floor(rank / modulus);
  const low = (((rank - cycle * modulus) * step) % modulus) + start;
  const text = String(low % modulus).padStart(digits, '0');
  return cycle === 0 ? text : `${cycle}${text}`;
}

/** Every register starts its series at a different number. */
function startOf(code: RegisterCode, start: number): number {
  return start + (code.charCodeAt(0) * 31 + code.charCodeAt(1)) * 60_217;
}

interface Style {
  /** Digits of the serial. */
  readonly digits: number;
  /** The part of `uid` before the serial: of fixed width in a register, without a leading zero. */
  readonly prefix: 'none' | 'year' | 'series' | 'leading';
  readonly application: (serial: string, year: number) => string | null;
  readonly registration: (serial: string, year: number, application: string | null) => string | null;
}

/** Without leading zeros. */
const plain = (serial: string) => serial.replace(/^0+(?=\d)/, '');
const sameAsApplication = (_serial: string, _year: number, application: string | null) => application;
const twoDigits = (year: number) => String(year).slice(2);

/** The first two digits of a United States serial number, by year of filing. */
function americanSeries(year: number): number {
  if (year < 1956) return 71;
  if (year < 1973) return 72;
  if (year < 1989) return 73;
  if (year < 1995) return 74;
  if (year < 2000) return 75;
  if (year < 2006) return 76;
  if (year < 2010) return 77;
  if (year < 2014) return 85;
  if (year < 2017) return 86;
  if (year < 2019) return 87;
  if (year < 2020) return 88;
  if (year < 2022) return 90;
  if (year < 2024) return 97;
  return year < 2026 ? 98 : 99;
}

const withYearSlash = (serial: string, year: number) => `${year}/${serial}`;
const sixDigits = (serial: string) => serial.slice(-6);

const STYLES: Record<RegisterCode, Style> = {
  CN: { digits: 8, prefix: 'none', application: plain, registration: sameAsApplication },
  US: {
    digits: 6,
    prefix: 'series',
    application: (serial, year) => `${americanSeries(year)}${serial}`,
    registration: plain,
  },
  JP: { digits: 6, prefix: 'year', application: (serial, year) => `${year}-${serial}`, registration: plain },
  EM: { digits: 8, prefix: 'none', application: (serial) => `0${serial}`, registration: sameAsApplication },
  KR: {
    digits: 7,
    prefix: 'year',
    application: (serial, year) => `40${year}${serial}`,
    registration: (serial) => `40${serial}0000`,
  },
  IN: { digits: 7, prefix: 'none', application: plain, registration: sameAsApplication },
  BR: { digits: 8, prefix: 'none', application: (serial) => `9${serial}`, registration: sameAsApplication },
  DE: {
    digits: 6,
    prefix: 'year',
    application: (serial, year) => `30${year}${serial}`,
    registration: (_s, _y, application) => application,
  },
  FR: {
    digits: 7,
    prefix: 'none',
    application: (serial, year) => (year >= 2019 ? `${twoDigits(year)} ${serial}` : serial),
    registration: plain,
  },
  WO: { digits: 7, prefix: 'none', application: () => null, registration: plain },
  GB: { digits: 7, prefix: 'leading', application: (serial) => `UK0000${serial}`, registration: sameAsApplication },
  TW: {
    digits: 6,
    prefix: 'year',
    application: (serial, year) => `${String(year - 1911).padStart(3, '0')}${serial}`,
    registration: (serial) => `0${serial}`,
  },
  TR: { digits: 6, prefix: 'year', application: withYearSlash, registration: (serial, year) => `${year} ${serial}` },
  RU: { digits: 6, prefix: 'year', application: (serial, year) => `${year}${serial}`, registration: sixDigits },
  MX: { digits: 7, prefix: 'none', application: plain, registration: plain },
  CA: { digits: 7, prefix: 'none', application: plain, registration: (serial) => `TMA${serial}` },
  AU: { digits: 7, prefix: 'none', application: plain, registration: sameAsApplication },
  ES: { digits: 7, prefix: 'none', application: (serial) => `M${serial}`, registration: sameAsApplication },
  IT: {
    digits: 9,
    prefix: 'year',
    application: (serial, year) => `30${year}${serial}`,
    registration: (_s, _y, application) => application,
  },
  VN: {
    digits: 5,
    prefix: 'year',
    application: (serial, year) => `4-${year}-${serial}`,
    registration: (serial) => `4-0${serial}-000`,
  },
  CH: { digits: 5, prefix: 'year', application: (serial, year) => `${serial}/${year}`, registration: sixDigits },
  PL: { digits: 6, prefix: 'none', application: (serial) => `Z.${serial}`, registration: (serial) => `R.${serial}` },
  TH: { digits: 9, prefix: 'none', application: plain, registration: (serial) => `Kor${sixDigits(serial)}` },
  AT: { digits: 5, prefix: 'year', application: (serial, year) => `AM ${serial}/${year}`, registration: sixDigits },
  SE: { digits: 5, prefix: 'year', application: withYearSlash, registration: sixDigits },
  SA: { digits: 6, prefix: 'year', application: (serial, year) => `${year - 579}${serial}`, registration: plain },
  IL: { digits: 6, prefix: 'none', application: plain, registration: sameAsApplication },
  GR: { digits: 6, prefix: 'none', application: (serial) => `N${serial}`, registration: plain },
};

function prefixOf(style: Style, year: number): string {
  switch (style.prefix) {
    case 'year':
      return String(year);
    case 'series':
      return String(americanSeries(year));
    case 'leading':
      return '9';
    default:
      return '';
  }
}

export function buildUid(code: RegisterCode, rank: number, year: number, type: '50' | '52'): string {
  const style = STYLES[code];
  const digits = prefixOf(style, year) + spread(rank, style.digits, STEP, startOf(code, APPLICATION_START));
  return `${code}${type}${digits.padStart(13, '0')}`;
}

export function buildApplicationNumber(code: RegisterCode, rank: number, year: number): string | null {
  const style = STYLES[code];
  return style.application(spread(rank, style.digits, STEP, startOf(code, APPLICATION_START)), year);
}

/** `application` is the record's application number, or the one it would have. */
export function buildRegistrationNumber(
  code: RegisterCode,
  rank: number,
  year: number,
  application: string | null,
): string | null {
  const style = STYLES[code];
  return style.registration(
    spread(rank, REGISTRATION_DIGITS, REGISTRATION_STEP, startOf(code, REGISTRATION_START)),
    year,
    application,
  );
}

/** The number of the international registration at `rank`. */
export function buildInternationalNumber(rank: number): string {
  return plain(spread(rank, REGISTRATION_DIGITS, REGISTRATION_STEP, startOf('WO', REGISTRATION_START)));
}

const SLOT_SPACE = 1;

export interface Position {
  register: Register;
  /** 0, 1, 2 … within the register. */
  rank: number;
}

/** @throws OperatorError when a code is none of the synthetic registers, or none is left. */
export function parseRegisters(codes: readonly string[] | undefined): readonly Register[] {
  if (codes === undefined) return REGISTERS;
  const wanted = new Set<Register>();
  for (const code of codes) {
    const register = findRegister(code.trim().toUpperCase());
    if (register === null) {
      const known = REGISTERS.map((entry) => entry.code).join(', ');
      throw new OperatorError(`there is no synthetic register "${code}"; choose from ${known}`, { exitStatus: 2 });
    }
    wanted.add(register);
  }
  if (wanted.size === 0) throw new OperatorError('name at least one register', { exitStatus: 2 });
  return REGISTERS.filter((register) => wanted.has(register));
}

/** The position of each index. A register's ranks do not depend on which other registers are generated. */
export function buildPositions(seed: Seed, registers: readonly Register[]): (index: number) => Position {
  const slots: Position[] = [];
  for (const register of registers) {
    for (let rank = 0; rank < register.size; rank += 1) slots.push({ register, rank });
  }
  const random = new Random(seed, SLOT_SPACE, 0);
  for (let i = slots.length - 1; i > 0; i -= 1) {
    const j = random.below(i + 1);
    [slots[i], slots[j]] = [slots[j] as Position, slots[i] as Position];
  }
  return (index) => {
    const round = Math.floor(index / slots.length);
    const { register, rank } = slots[index - round * slots.length] as Position;
    return { register, rank: round * register.size + rank };
  };
}
