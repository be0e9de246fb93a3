/**
 * Where the offices of the ST.66 family differ: values and habits, never the reader. A new office is a new table of
 * this shape.
 */
import type { KindOfMark, MarkFeature, Status } from '@tmds/contract/enums';

/** `ended`: cancelled when the mark has been registered, abandoned when it has not. */
export type StatusMeaning = Status | 'ended';

export interface St66Dialect {
  format: string;
  title: string;
  /** ST.3 code of the office, as its files state it; also the register unless the operator names another. */
  office: string;
  /** By folded text (`foldValue`). */
  statuses: Readonly<Record<string, StatusMeaning>>;
  kinds: Readonly<Record<string, KindOfMark>>;
  features: Readonly<Record<string, MarkFeature>>;
  /** The section of the gazette that publishes applications; null when the office has no sections. */
  applicationSection: string | null;
  /** Whether a registered mark without a number of its own is registered under its application number. */
  registersUnderApplicationNumber: boolean;
  /** Where a party's country stands, below `Address`. */
  countryPaths: readonly string[];
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
