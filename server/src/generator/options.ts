/** The options of the sample data and their bounds. Cheap to import: the command's help needs them. */

/** The default reference date, which is `today` in the sample data. */
export const DEFAULT_AS_OF = '2026-11-01';

/** Years of a reference date. */
export const AS_OF_YEAR_MIN = 2000;
export const AS_OF_YEAR_MAX = 2099;

/** Beyond this, records would not have distinct positions. */
export const SAMPLE_RECORDS_MAX = 1_000_000_000;

/** `full`: a document of 1 KB to 1 MB; `small`: parties and goods, mostly under 1.5 KB; `none`: null. */
export const PAYLOAD_MODES = ['full', 'small', 'none'] as const;
export type PayloadMode = (typeof PAYLOAD_MODES)[number];

/**
 * How many records a demonstration has: the first ones of its seed. `tmds sample` gives the records after them. Ranks
 * within a register rise by rounds of at most 1,000 records whatever the seed, so the two share no uid.
 */
export const DEMONSTRATION_RECORDS = 3000;

export interface SampleOptions {
  /** How many, 0 to `SAMPLE_RECORDS_MAX`. */
  records: number;
  /** Any text or number; the same text gives the same records. */
  seed: string | number;
  /** `YYYY-MM-DD`, in 2000 to 2099; `DEFAULT_AS_OF` by default. */
  asOf?: string;
  /** Default `full`. */
  payload?: PayloadMode;
  /** Codes of synthetic registers; all of them by default. */
  registers?: readonly string[];
  /** Index of the first record, by default 0: `{first: 10, records: 5}` gives records 10 to 14. */
  first?: number;
}
