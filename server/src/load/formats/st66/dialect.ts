/**
 * Where the offices of the ST.66 family differ: values and habits, never the reader. A new office needs a new table of
 * this shape in `dialects` and a line in `offices.ts`.
 */
import type { KindOfMark, MarkFeature, Status } from '@tmds/contract/enums';
import { normalForm } from '@tmds/contract/text';

/** `ended`: cancelled if the mark was registered, otherwise abandoned. */
export type StatusMeaning = Status | 'ended';

export interface St66Dialect {
  /** `source.format` of the payload, the same whichever command loaded the file. */
  format: string;
  /** The office's ST.3 code, as its files state it; also the register unless the operator names another. */
  office: string;
  /** Statuses by folded text (`foldValue`). */
  statuses: Readonly<Record<string, StatusMeaning>>;
  /** Statuses by the last words of the folded text, for texts of which only those are fixed. */
  statusEndings?: Readonly<Record<string, StatusMeaning>>;
  kinds: Readonly<Record<string, KindOfMark>>;
  features: Readonly<Record<string, MarkFeature>>;
  /** The section of the gazette that publishes applications; null when the office has no sections. */
  applicationSection: string | null;
  /** Whether a registered mark without its own registration number is registered under its application number. */
  registersUnderApplicationNumber: boolean;
  /** The application numbers that are numbers of international registrations; omitted if there are none. */
  internationalNumbers?: RegExp;
  /** Matches the parts of an application number that identify the mark: groups `serial` and, optionally, `year`. */
  numberForm?: RegExp;
  /**
   * Whether the office puts every mark into a transaction. If so, a bare mark is a copy passed on by another office,
   * and states less than the office's own file.
   */
  wrapsMarks: boolean;
  /** Where a party's country may stand below `Address`; the first stated one counts. */
  countryPaths: readonly string[];
  /** Whether the office escapes texts once more inside the XML (`J&amp;apos;ai`). */
  escapesTwice?: boolean;
}

/** Office texts vary in letter case, accents and spaces, without a difference in meaning. */
export function foldValue(text: string): string {
  return normalForm(text, 'NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[\s_]+/g, ' ')
    .trim();
}

/** The meaning of an office's text in a table by folded texts. */
export function findMeaning<Meaning>(table: Readonly<Record<string, Meaning>>, text: string): Meaning | undefined {
  const key = foldValue(text);
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

export function findStatus({ statuses, statusEndings = {} }: St66Dialect, text: string): StatusMeaning | undefined {
  const folded = foldValue(text);
  const ending = Object.keys(statusEndings).find((words) => folded.endsWith(` ${words}`));
  return findMeaning(statuses, text) ?? (ending === undefined ? undefined : statusEndings[ending]);
}

/** Characters of an ST.13 identifier after the code of the office and the two digits for trademarks. */
const UID_NUMBER_LENGTH = 13;

/** The ST.13 identifier of a mark: office, 50, the year if there is one, and the number, padded to 17 characters. */
export function buildUid({ office, numberForm }: St66Dialect, number: string): string {
  const parts = numberForm?.exec(number)?.groups ?? {};
  const year = parts.year ?? '';
  const serial = parts.serial ?? number.replace(/\s+/g, '');
  return `${office}50${year}${serial.padStart(UID_NUMBER_LENGTH - year.length, '0')}`;
}
