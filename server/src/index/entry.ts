/**
 * A record as the index takes it in: what is delivered of it, and the held variants of its mark. It decides which names
 * and numbers a record is found by; normal forms are those of `record/names`.
 */
import type { NameFamily, NumberField } from '@tmds/contract/parameters';
import type { TrademarkDetail } from '@tmds/contract/record';
import { foldName, foldNormalName, NAME_SEPARATOR, normalizeMadridNumber, normalizeNumber } from '../record/names.ts';

export type { NameFamily, NumberField };

export interface IndexEntry {
  /** Microseconds since 1970: when the content last changed. */
  readonly stamp: number;
  readonly detail: TrademarkDetail;
  /** Translations and transliterations of the mark in compared form, joined by `NAME_SEPARATOR`; null for none. */
  readonly markVariants: string | null;
  /** The first 8 bytes of SHA-256 of the delivered text, as two words. */
  readonly digest: readonly [upper: number, lower: number];
}

/** Every text in compared form (rule I-12) that a record is found by; a text may occur twice. */
export const NAMES_OF = {
  mark_name: ({ detail, markVariants }) => [
    ...(detail.mark_name === null ? [] : [foldName(detail.mark_name)]),
    ...(markVariants?.split(NAME_SEPARATOR) ?? []),
  ],
  owner_name: ({ detail }) => detail.owner_names?.map(foldNormalName) ?? [],
  representative_name: ({ detail }) => detail.representative_names?.map(foldNormalName) ?? [],
} as const satisfies Record<NameFamily, (entry: IndexEntry) => readonly string[]>;

export const NAME_FAMILIES = Object.keys(NAMES_OF) as NameFamily[];

const one = (number: string | null): readonly string[] => (number === null ? [] : [normalizeNumber(number)]);
const all = (numbers: readonly string[] | null): readonly string[] => numbers?.map(normalizeNumber) ?? [];

/** Every number of a record, letter case aside (rule I-11). */
export const NUMBERS_OF = {
  application_number: ({ detail }) => one(detail.application_number),
  registration_number: ({ detail }) => one(detail.registration_number),
  international_registration_number: ({ detail }) =>
    all(detail.international_registration_numbers).map(normalizeMadridNumber),
  priority_number: ({ detail }) => all(detail.priority_numbers),
} as const satisfies Record<NumberField, (entry: IndexEntry) => readonly string[]>;

export const NUMBER_FIELDS = Object.keys(NUMBERS_OF) as NumberField[];
