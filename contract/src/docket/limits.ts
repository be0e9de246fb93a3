/** The bounds of a docket. */

/** Largest file. */
export const DOCKET_BYTES_MAX = 50 * 1024 * 1024;
/** Rows below the head. */
export const DOCKET_ROWS_MAX = 200_000;
export const DOCKET_COLUMNS_MAX = 200;
/** Maximum length of a cell that is compared or searched for, in UTF-16 units. */
export const DOCKET_CELL_CHARACTERS_MAX = 5_000;
/** Rows that are compared together. Only these are held in memory, with the records that they ask for. */
export const WINDOW_ROWS = 10_000;
/** Calls under way at once. */
export const CALLS_AT_ONCE = 4;
/** Bytes of the numbers of one call as sent, so that its address stays below the published limit. */
export const NUMBERS_BYTES_MAX = 12_000;
