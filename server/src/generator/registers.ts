/**
 * The synthetic registers: how large each is, who files there, and the habits of a real office it imitates (what it
 * states, how long an examination takes, how its numbers look). Shares are probabilities; the sizes add up to 1,000, so
 * every 1,000 records have the registers in proportion.
 */
import type { CountryCode } from './countries.ts';
import { buildWeighted, type Weighted } from './random.ts';

export type RegisterCode =
  | 'CN'
  | 'US'
  | 'JP'
  | 'EM'
  | 'KR'
  | 'IN'
  | 'BR'
  | 'DE'
  | 'FR'
  | 'WO'
  | 'GB'
  | 'TW'
  | 'TR'
  | 'RU'
  | 'MX'
  | 'CA'
  | 'AU'
  | 'ES'
  | 'IT'
  | 'VN'
  | 'CH'
  | 'PL'
  | 'TH'
  | 'AT'
  | 'SE'
  | 'SA'
  | 'IL'
  | 'GR';

export interface Register {
  readonly code: RegisterCode;
  /** Position in `REGISTERS`. It is part of every seed, so the order must not change. */
  readonly place: number;
  /** Records of this register in every 1,000. */
  readonly size: number;
  readonly homes: Weighted<CountryCode>;
  /** The country of its representatives; null = the owner's. */
  readonly agents: CountryCode | null;
  readonly firstYear: number;
  /** The share of records from the Madrid system, and since which year. */
  readonly madrid: number;
  readonly madridSince: number;
  /** Months from filing to registration: the shortest and the longest. */
  readonly examination: readonly [number, number];
  /** Months after publication in which an opposition may be filed; 0 = the register states no end. */
  readonly opposition: number;
  readonly refused: number;
  readonly statesExpiry: number;
  readonly statesVienna: boolean;
  readonly statesKind: number;
  readonly termFrom: 'application' | 'registration';
  /** Whether applications get their registration number at once. */
  readonly numbersAtFiling: boolean;
  /** Whether owner names are in the register's own script, most of them with a Latin form too. */
  readonly ownScript: boolean;
}

const ABROAD: readonly (readonly [CountryCode, number])[] = [
  ['US', 25],
  ['CN', 14],
  ['DE', 12],
  ['JP', 10],
  ['FR', 8],
  ['GB', 8],
  ['IT', 6],
  ['CH', 5],
  ['KR', 5],
  ['SE', 3],
  ['ES', 3],
  ['AT', 2],
  ['TR', 2],
  ['IN', 2],
  ['CA', 2],
  ['AU', 2],
  ['FI', 1.5],
  ['PL', 1.5],
  ['TW', 1.5],
  ['BR', 1],
  ['RU', 1],
  ['IL', 1],
  ['PT', 0.7],
  ['MX', 0.7],
  ['GR', 0.5],
  ['SA', 0.3],
  ['TH', 0.4],
  ['VN', 0.3],
];

/** `domestic` percent of the owners live in `country`, the others abroad; without a country, all live anywhere. */
function homesOf(country: CountryCode | null, domestic: number): Weighted<CountryCode> {
  if (country === null) return buildWeighted(ABROAD);
  const abroadTotal = ABROAD.reduce((sum, [code, weight]) => (code === country ? sum : sum + weight), 0);
  const scale = (100 - domestic) / abroadTotal;
  const abroad = ABROAD.filter(([code]) => code !== country).map(([code, weight]) => [code, weight * scale] as const);
  return buildWeighted([[country, domestic], ...abroad]);
}

const EUROPEAN_HOMES = buildWeighted<CountryCode>([
  ['DE', 24],
  ['IT', 13],
  ['ES', 12],
  ['FR', 10],
  ['GB', 8],
  ['US', 10],
  ['PL', 5],
  ['CN', 7],
  ['SE', 4],
  ['AT', 4],
  ['PT', 3],
  ['FI', 3],
  ['GR', 2],
  ['CH', 3],
  ['JP', 2.5],
  ['KR', 1.5],
  ['TR', 1],
  ['CA', 0.6],
  ['AU', 0.5],
]);

type Habits = Partial<Omit<Register, 'code' | 'place' | 'size' | 'homes' | 'agents'>>;

let place = 0;

function register(
  code: RegisterCode,
  size: number,
  country: CountryCode | null,
  domestic: number,
  habits: Habits,
): Register {
  return {
    code,
    place: place++,
    size,
    homes: code === 'EM' ? EUROPEAN_HOMES : homesOf(country, domestic),
    agents: country,
    firstYear: 1955,
    madrid: 0.08,
    madridSince: 1998,
    examination: [6, 16],
    opposition: 0,
    refused: 0.085,
    statesExpiry: 0.97,
    statesVienna: true,
    statesKind: 0.9,
    termFrom: 'application',
    numbersAtFiling: false,
    ownScript: false,
    ...habits,
  };
}

export const REGISTERS: readonly Register[] = [
  register('CN', 200, 'CN', 88, {
    firstYear: 1980,
    madrid: 0.04,
    examination: [9, 18],
    opposition: 3,
    refused: 0.22,
    statesExpiry: 0.91,
    termFrom: 'registration',
    numbersAtFiling: true,
    ownScript: true,
  }),
  register('US', 150, 'US', 78, {
    firstYear: 1900,
    madrid: 0.05,
    madridSince: 2003,
    examination: [8, 20],
    refused: 0.17,
    statesExpiry: 0,
    statesVienna: false,
    termFrom: 'registration',
  }),
  register('JP', 80, 'JP', 82, {
    firstYear: 1910,
    madrid: 0.06,
    madridSince: 2000,
    examination: [5, 14],
    refused: 0.08,
    termFrom: 'registration',
    ownScript: true,
  }),
  register('EM', 80, null, 0, {
    firstYear: 1996,
    madrid: 0.14,
    madridSince: 2004,
    examination: [4, 9],
    refused: 0.08,
    statesKind: 1,
  }),
  register('KR', 70, 'KR', 84, {
    firstYear: 1950,
    madrid: 0.06,
    madridSince: 2003,
    examination: [8, 18],
    opposition: 2,
    refused: 0.1,
    statesKind: 0.2,
    termFrom: 'registration',
    ownScript: true,
  }),
  register('IN', 60, 'IN', 86, {
    firstYear: 1942,
    madrid: 0.04,
    madridSince: 2013,
    examination: [10, 40],
    opposition: 4,
    refused: 0.1,
    statesVienna: false,
    ownScript: true,
  }),
  register('BR', 50, 'BR', 84, {
    firstYear: 1930,
    madrid: 0.03,
    madridSince: 2019,
    examination: [12, 30],
    opposition: 2,
    refused: 0.13,
    termFrom: 'registration',
  }),
  register('DE', 45, 'DE', 86, {
    firstYear: 1900,
    madrid: 0.09,
    madridSince: 1922,
    examination: [2, 8],
    opposition: 3,
    refused: 0.05,
  }),
  register('FR', 40, 'FR', 86, {
    firstYear: 1920,
    madrid: 0.08,
    madridSince: 1900,
    examination: [4, 7],
    opposition: 2,
    refused: 0.03,
  }),
  register('WO', 35, null, 0, {
    firstYear: 1900,
    madrid: 0,
    examination: [1, 5],
    refused: 0.01,
    statesExpiry: 0.98,
    statesKind: 0.3,
    termFrom: 'registration',
  }),
  register('GB', 30, 'GB', 76, {
    firstYear: 1900,
    madrid: 0.09,
    madridSince: 1996,
    examination: [3, 7],
    opposition: 2,
    refused: 0.06,
  }),
  register('TW', 30, 'TW', 78, {
    firstYear: 1950,
    madrid: 0,
    examination: [6, 12],
    opposition: 3,
    termFrom: 'registration',
    ownScript: true,
  }),
  register('TR', 20, 'TR', 82, { firstYear: 1960, madrid: 0.07, madridSince: 1999, opposition: 2, refused: 0.09 }),
  register('RU', 18, 'RU', 72, {
    firstYear: 1936,
    madrid: 0.16,
    madridSince: 1976,
    examination: [8, 18],
    statesKind: 0.5,
    ownScript: true,
  }),
  register('MX', 15, 'MX', 74, {
    firstYear: 1940,
    madrid: 0.07,
    madridSince: 2013,
    examination: [4, 10],
    opposition: 1,
  }),
  register('CA', 14, 'CA', 52, {
    firstYear: 1900,
    madrid: 0.06,
    madridSince: 2019,
    examination: [14, 36],
    opposition: 2,
    refused: 0.12,
    termFrom: 'registration',
  }),
  register('AU', 13, 'AU', 62, {
    firstYear: 1906,
    madrid: 0.2,
    madridSince: 2001,
    examination: [5, 9],
    opposition: 2,
    numbersAtFiling: true,
  }),
  register('ES', 10, 'ES', 92, { firstYear: 1915, madrid: 0.08, madridSince: 1900, opposition: 2 }),
  register('IT', 8, 'IT', 94, { firstYear: 1920, madrid: 0.09, madridSince: 1900, opposition: 3 }),
  register('VN', 6, 'VN', 76, {
    firstYear: 1982,
    madrid: 0.14,
    madridSince: 1949,
    examination: [12, 26],
    statesKind: 0.4,
  }),
  register('CH', 5, 'CH', 64, { firstYear: 1900, madrid: 0.35, madridSince: 1900, examination: [2, 7], opposition: 3 }),
  register('PL', 4, 'PL', 88, { firstYear: 1924, madrid: 0.1, madridSince: 1991, opposition: 3 }),
  register('TH', 4, 'TH', 66, {
    firstYear: 1935,
    madrid: 0.08,
    madridSince: 2017,
    examination: [9, 20],
    statesVienna: false,
    ownScript: true,
  }),
  register('AT', 3, 'AT', 80, { firstYear: 1910, madrid: 0.16, madridSince: 1909, examination: [2, 6], opposition: 3 }),
  register('SE', 3, 'SE', 84, { firstYear: 1905, madrid: 0.12, madridSince: 1995, examination: [2, 6], opposition: 3 }),
  register('SA', 3, 'SA', 58, { firstYear: 1975, madrid: 0, opposition: 2, statesKind: 0.3, ownScript: true }),
  register('IL', 2, 'IL', 56, { firstYear: 1940, madrid: 0.18, madridSince: 2010, opposition: 3, ownScript: true }),
  register('GR', 2, 'GR', 84, { firstYear: 1940, madrid: 0.14, madridSince: 2000, opposition: 3, ownScript: true }),
];

const byCode = new Map<string, Register>(REGISTERS.map((entry) => [entry.code, entry]));

export function findRegister(code: string): Register | null {
  return byCode.get(code) ?? null;
}

export function registerOf(code: RegisterCode): Register {
  return byCode.get(code) as Register;
}
