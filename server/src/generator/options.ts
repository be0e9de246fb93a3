/** What can be asked of the sample, and its bounds. Light: reading it builds nothing. */

/** Grows whenever the same seed gives other records than before. */
export const SAMPLE_VERSION = 1;

/** The reference date when none is named: what the sample takes for today. */
export const DEFAULT_AS_OF = '2026-11-01';

/** Years that a reference date may lie in. */
export const AS_OF_YEAR_MIN = 2000;
export const AS_OF_YEAR_MAX = 2099;

/** More records than this have no distinct places. */
export const SAMPLE_RECORDS_MAX = 1_000_000_000;

/** `full`: a document of 1 KB to 1 MB; `small`: parties and goods, mostly under 1.5 KB; `none`: null. */
export const PAYLOAD_MODES = ['full', 'small', 'none'] as const;
export type PayloadMode = (typeof PAYLOAD_MODES)[number];

export interface SampleOptions {
  /** How many, 0 to `SAMPLE_RECORDS_MAX`. */
  records: number;
  /** Any text or number; equal texts give equal records. */
  seed: string | number;
  /** `YYYY-MM-DD`, in 2000 to 2099; `DEFAULT_AS_OF` when left out. */
  asOf?: string;
  /** `full` when left out. */
  payload?: PayloadMode;
  /** Codes of synthetic registers; all of them when left out. */
  registers?: readonly string[];
  /** Index of the first record, 0 when left out: `{first: 10, records: 5}` gives records 10 to 14. */
  first?: number;
}
