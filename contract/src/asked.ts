/** Answers to lists of numbers and identities: what was asked, in its order, and which records answer it. */
import type { TrademarkDetail } from './record.ts';
import type { RegisterCompleteness } from './search-coverage.ts';
import type { Count, PageCursor, RegisterCode, Uid } from './values.ts';

/** What silence of a register means. @schema */
export interface AskedRegister extends RegisterCompleteness {
  /** False if no register has this code: nothing was searched, and the rest says nothing. */
  searched: boolean;
}

export interface AskedNumber {
  jurisdiction_code: RegisterCode;
  /** As it was asked for. */
  number: string;
  /** The places of its records in `items`, from 0. Empty: no record on this page. */
  positions: Count[];
}

/** Records of several registers by their numbers. @schema */
export interface NumbersPage {
  /** The records of this page, each once. */
  items: TrademarkDetail[];
  /** Every number, in the order in which they were asked for, on every page. */
  asked: AskedNumber[];
  /** The registers that were asked for, by code; null while nothing recent is known. */
  coverage: AskedRegister[] | null;
  next_cursor: PageCursor;
}

export interface AskedIdentity {
  jurisdiction_code: RegisterCode;
  /** As it was asked for. */
  uid: Uid;
  /** The place of its record in `items`, from 0; null if there is none. */
  position: Count | null;
}

/** Records of several registers by their identities. @schema */
export interface IdentitiesPage {
  /** The records, each once. */
  items: TrademarkDetail[];
  /** Every identity, in the order in which they were asked for. */
  asked: AskedIdentity[];
  /** The registers that were asked for, by code; null while nothing recent is known. */
  coverage: AskedRegister[] | null;
}
