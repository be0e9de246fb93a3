/** Answers to lists of numbers and identities: what was asked, in its order, and which records answer it. */
import type { TrademarkDetail } from './record.ts';
import type { RegisterCompleteness } from './search-coverage.ts';

/** What silence of a register means. */
export interface AskedRegister extends RegisterCompleteness {
  /** False if no register has this code: nothing was searched, and the rest says nothing. */
  searched: boolean;
}

export interface AskedNumber {
  jurisdiction_code: string;
  /** As it was asked for. */
  number: string;
  /** The places of its records in `items`, from 0. Empty: no record on this page. */
  positions: number[];
}

/** A page of records of several registers by their numbers. */
export interface NumbersPage {
  items: TrademarkDetail[];
  /** Every number, in the order in which they were asked for, on every page. */
  asked: AskedNumber[];
  /** The registers that were asked for, by code; null while nothing recent is known. */
  coverage: AskedRegister[] | null;
  next_cursor: string | null;
}

export interface AskedIdentity {
  jurisdiction_code: string;
  uid: string;
  /** The place of its record in `items`, from 0; null if there is none. */
  position: number | null;
}

/** Records of several registers by their identities. */
export interface IdentitiesPage {
  /** Each record once. */
  items: TrademarkDetail[];
  /** In the order in which they were asked for. */
  asked: AskedIdentity[];
  /** As for numbers. */
  coverage: AskedRegister[] | null;
}
