/**
 * How the rows of a set join: by the number of the mark. A set states its register as a whole, so only the rows of the
 * load that is running describe a mark; rows of earlier loads are never joined to them. One more part says which tables
 * that load has read.
 */

export const ROOT_PART = 'mark ';
/** No part leads on to others. */
export const CHAINED_PART = 'none ';

/** Comes before the parts of all marks: a number does not begin with this character. */
export const SET_PART = `${ROOT_PART}#`;

/** Cells of kept rows that no table states: the load that brought the row, and the day of its set. */
export const LOAD_CELL = '#load';
export const DAY_CELL = '#day';

export const markPart = (number: string): string => `${ROOT_PART}${number}`;
