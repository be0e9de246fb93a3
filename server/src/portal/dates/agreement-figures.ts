/**
 * Figures of docs/dates-agreement.md by register and route: how many of the records of a published study have the date
 * that follows from the rules. A test compares them with that page.
 */

/** Records that agree, of how many. */
export type Share = readonly [agrees: number, of: number];

export interface AgreementFigures {
  readonly register: string;
  readonly route: 'direct' | 'madrid';
  /** Ends of term that the office states. */
  readonly terms: Share | null;
  /** Renewals and declarations that were filed, inside the window. */
  readonly filings: Share | null;
  /** Oppositions that were filed, inside the period or its extension. */
  readonly oppositions: Share | null;
}

export const AGREEMENT: readonly AgreementFigures[] = [
  { register: 'AU', route: 'direct', terms: [1986, 2000], filings: [6737, 6779], oppositions: [1830, 1839] },
  { register: 'AU', route: 'madrid', terms: [1389, 1500], filings: [1496, 1830], oppositions: [1488, 1500] },
  { register: 'CA', route: 'direct', terms: [1993, 2000], filings: [1815, 2087], oppositions: [3825, 4000] },
  { register: 'CA', route: 'madrid', terms: [500, 500], filings: [1, 23], oppositions: [1366, 1368] },
  { register: 'CH', route: 'direct', terms: [1998, 2000], filings: [2003, 2014], oppositions: null },
  { register: 'CH', route: 'madrid', terms: [1996, 2000], filings: null, oppositions: null },
  { register: 'EM', route: 'direct', terms: [2000, 2000], filings: null, oppositions: [3950, 4000] },
  { register: 'EM', route: 'madrid', terms: [1998, 2000], filings: null, oppositions: [3919, 4000] },
  { register: 'FR', route: 'direct', terms: [1968, 2000], filings: [2699, 2993], oppositions: null },
  { register: 'NO', route: 'direct', terms: [1987, 2000], filings: null, oppositions: null },
  { register: 'NO', route: 'madrid', terms: [2000, 2000], filings: null, oppositions: null },
  { register: 'SE', route: 'direct', terms: [1504, 1505], filings: [4742, 5006], oppositions: null },
  { register: 'SE', route: 'madrid', terms: [1500, 1500], filings: [437, 448], oppositions: null },
  { register: 'SG', route: 'direct', terms: [1952, 2000], filings: null, oppositions: [3097, 3991] },
  { register: 'SG', route: 'madrid', terms: [1298, 1540], filings: null, oppositions: [1277, 1448] },
  { register: 'US', route: 'direct', terms: [1499, 1502], filings: [4410, 4426], oppositions: [1199, 1504] },
  { register: 'US', route: 'madrid', terms: null, filings: [1951, 1956], oppositions: [83, 103] },
  { register: 'WO', route: 'madrid', terms: [2000, 2000], filings: null, oppositions: null },
];
