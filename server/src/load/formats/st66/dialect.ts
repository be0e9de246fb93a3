/**
 * Where the offices of the ST.66 family differ: values and habits, never the reader. A new office is a new table of
 * this shape in `dialects`, and a line in `offices.ts`.
 */
import type { KindOfMark, MarkFeature, Status } from '@tmds/contract/enums';

/** `ended`: cancelled when the mark has been registered, abandoned when it has not. */
export type StatusMeaning = Status | 'ended';

export interface St66Dialect {
  /** `source.format` of the payload; it does not depend on the command that loaded the file. */
  format: string;
  /** ST.3 code of the office, as its files state it; also the register unless the operator names another. */
  office: string;
  /** By folded text (`foldValue`). */
  statuses: Readonly<Record<string, StatusMeaning>>;
  /** By the last words of the folded text, where only those are known. */
  statusEndings?: Readonly<Record<string, StatusMeaning>>;
  kinds: Readonly<Record<string, KindOfMark>>;
  features: Readonly<Record<string, MarkFeature>>;
  /** The section of the gazette that publishes applications; null when the office has no sections. */
  applicationSection: string | null;
  /** Whether a registered mark without a number of its own is registered under its application number. */
  registersUnderApplicationNumber: boolean;
  /** Whether the application number is the number of an international registration. */
  numbersInternationally?: boolean;
  /** The parts of an application number that identify the mark: groups `serial` and, if it has one, `year`. */
  numberForm?: RegExp;
  /**
   * Whether the office puts every mark into a transaction. A bare mark of it is a copy that another office passes on,
   * and says less than the office's own file.
   */
  wrapsMarks: boolean;
  /** Where a party's country stands, below `Address`; the first one stated counts. */
  countryPaths: readonly string[];
  /** Whether texts are escaped once more inside the XML (`J&amp;apos;ai`). */
  escapesTwice?: boolean;
}

/** Office texts differ in letter case, accents and the blanks between words; their meaning does not. */
export function foldValue(text: string): string {
  return text
    .normalize('NFD')
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

/** Characters of an ST.13 identifier after the code of the office and the two digits of a trade mark. */
const UID_NUMBER_LENGTH = 13;

/** The ST.13 identifier of a mark: office, 50, the year if the number has one, the rest padded to 17 characters. */
export function buildUid({ office, numberForm }: St66Dialect, number: string): string {
  const parts = numberForm?.exec(number)?.groups ?? {};
  const year = parts.year ?? '';
  const serial = parts.serial ?? number.replace(/\s+/g, '');
  return `${office}50${year}${serial.padStart(UID_NUMBER_LENGTH - year.length, '0')}`;
}
