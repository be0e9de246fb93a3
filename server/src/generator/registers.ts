/**
 * The synthetic registers: how large each is, who files there, and the habits of a real office it imitates (what it
 * states, how long an examination takes, how its numbers look). Shares are probabilities; the sizes add up to 1,000, so
 * every 1,000 records have the registers in proportion.
 */
import { COUNTRY_CODES, type CountryCode } from './countries.ts';
import { buildWeighted, readShares, type Weighted } from './random.ts';

export type RegisterCode = 'EM' | 'WO' | Exclude<CountryCode, 'FI' | 'PT'>;

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

const ABROAD = readShares(COUNTRY_CODES)(`
  US 25, CN 14, DE 12, JP 10, FR 8, GB 8, IT 6, CH 5, KR 5, SE 3, ES 3, AT 2, TR 2, IN 2, CA 2, AU 2, FI 1.5,
  PL 1.5, TW 1.5, BR 1, RU 1, IL 1, PT 0.7, MX 0.7, GR 0.5, SA 0.3, TH 0.4, VN 0.3
`);

/** `domestic` percent of the owners live in `country`, the others abroad; without a country, all live anywhere. */
function homesOf(country: CountryCode | null, domestic: number): Weighted<CountryCode> {
  if (country === null) return buildWeighted(ABROAD);
  const abroadTotal = ABROAD.reduce((sum, [code, weight]) => (code === country ? sum : sum + weight), 0);
  const scale = (100 - domestic) / abroadTotal;
  const abroad = ABROAD.filter(([code]) => code !== country).map(([code, weight]) => [code, weight * scale] as const);
  return buildWeighted([[country, domestic], ...abroad]);
}

const EUROPEAN_HOMES = readShares(COUNTRY_CODES)(`
  DE 24, IT 13, ES 12, FR 10, GB 8, US 10, PL 5, CN 7, SE 4, AT 4, PT 3, FI 3, GR 2, CH 3, JP 2.5, KR 1.5, TR 1,
  CA 0.6, AU 0.5
`);

/**
 * `domestic`: percent of the owners; `months`: of an examination. `vienna`: it states Vienna codes; `term`: terms begin
 * with the registration; `numbers`: applications get their registration number at once; `script`: it has its own script.
 */
const TABLE = `
  code size home domestic since madrid joined months opposition refused expiry kind habits
  CN   200  CN   88       1980  0.04   1998   9-18   3          0.22    0.91   0.9  vienna term numbers script
  US   150  US   78       1900  0.05   2003   8-20   0          0.17    0      0.9  term
  JP   80   JP   82       1910  0.06   2000   5-14   0          0.08    0.97   0.9  vienna term script
  EM   80   -    0        1996  0.14   2004   4-9    0          0.08    0.97   1    vienna
  KR   70   KR   84       1950  0.06   2003   8-18   2          0.1     0.97   0.2  vienna term script
  IN   60   IN   86       1942  0.04   2013   10-40  4          0.1     0.97   0.9  script
  BR   50   BR   84       1930  0.03   2019   12-30  2          0.13    0.97   0.9  vienna term
  DE   45   DE   86       1900  0.09   1922   2-8    3          0.05    0.97   0.9  vienna
  FR   40   FR   86       1920  0.08   1900   4-7    2          0.03    0.97   0.9  vienna
  WO   35   -    0        1900  0      1998   1-5    0          0.01    0.98   0.3  vienna term
  GB   30   GB   76       1900  0.09   1996   3-7    2          0.06    0.97   0.9  vienna
  TW   30   TW   78       1950  0      1998   6-12   3          0.085   0.97   0.9  vienna term script
  TR   20   TR   82       1960  0.07   1999   6-16   2          0.09    0.97   0.9  vienna
  RU   18   RU   72       1936  0.16   1976   8-18   0          0.085   0.97   0.5  vienna script
  MX   15   MX   74       1940  0.07   2013   4-10   1          0.085   0.97   0.9  vienna
  CA   14   CA   52       1900  0.06   2019   14-36  2          0.12    0.97   0.9  vienna term
  AU   13   AU   62       1906  0.2    2001   5-9    2          0.085   0.97   0.9  vienna numbers
  ES   10   ES   92       1915  0.08   1900   6-16   2          0.085   0.97   0.9  vienna
  IT   8    IT   94       1920  0.09   1900   6-16   3          0.085   0.97   0.9  vienna
  VN   6    VN   76       1982  0.14   1949   12-26  0          0.085   0.97   0.4  vienna
  CH   5    CH   64       1900  0.35   1900   2-7    3          0.085   0.97   0.9  vienna
  PL   4    PL   88       1924  0.1    1991   6-16   3          0.085   0.97   0.9  vienna
  TH   4    TH   66       1935  0.08   2017   9-20   0          0.085   0.97   0.9  script
  AT   3    AT   80       1910  0.16   1909   2-6    3          0.085   0.97   0.9  vienna
  SE   3    SE   84       1905  0.12   1995   2-6    3          0.085   0.97   0.9  vienna
  SA   3    SA   58       1975  0      1998   6-16   2          0.085   0.97   0.3  vienna script
  IL   2    IL   56       1940  0.18   2010   6-16   3          0.085   0.97   0.9  vienna script
  GR   2    GR   84       1940  0.14   2000   6-16   3          0.085   0.97   0.9  vienna script
`;

export const REGISTERS: readonly Register[] = TABLE.trim()
  .split('\n')
  .slice(1)
  .map((row, place) => {
    const [code = '', size, home, domestic, firstYear, madrid, madridSince, examination = '', ...more] = row
      .trim()
      .split(/\s+/);
    const [opposition, refused, statesExpiry, statesKind, ...habits] = more;
    const country = home === '-' ? null : (home as CountryCode);
    const [shortest, longest] = examination.split('-').map(Number) as [number, number];
    return {
      code: code as RegisterCode,
      place,
      size: Number(size),
      homes: code === 'EM' ? buildWeighted(EUROPEAN_HOMES) : homesOf(country, Number(domestic)),
      agents: country,
      firstYear: Number(firstYear),
      madrid: Number(madrid),
      madridSince: Number(madridSince),
      examination: [shortest, longest],
      opposition: Number(opposition),
      refused: Number(refused),
      statesExpiry: Number(statesExpiry),
      statesVienna: habits.includes('vienna'),
      statesKind: Number(statesKind),
      termFrom: habits.includes('term') ? 'registration' : 'application',
      numbersAtFiling: habits.includes('numbers'),
      ownScript: habits.includes('script'),
    };
  });

export const REGISTER_CODES = REGISTERS.map(({ code }) => code);

const byCode = new Map<string, Register>(REGISTERS.map((entry) => [entry.code, entry]));

export function findRegister(code: string): Register | null {
  return byCode.get(code) ?? null;
}

export function registerOf(code: RegisterCode): Register {
  return byCode.get(code) as Register;
}
