/**
 * A record as the index receives it: its delivered content, and the name variants that are not delivered. It decides by
 * which names and numbers a record is found; their normal forms are those of `record/names`.
 */
import { normalizeMadridNumber, normalizeNumber } from '@tmds/contract/numbers';
import type { NameFamily, NumberField } from '@tmds/contract/parameters';
import type { RecordContent, TrademarkDetail } from '@tmds/contract/record';
import { splitAliases } from '../record/aliases.ts';
import { foldName, foldNormalName, NAME_SEPARATOR } from '../record/names.ts';

export type { NameFamily, NumberField };

export interface MatchedEntry {
  /** When the content last changed, in microseconds since 1970. */
  readonly stamp: number;
  readonly detail: RecordContent;
  /** Translations and transliterations of the mark in compared form, joined by `NAME_SEPARATOR`; null = none. */
  readonly markVariants: string | null;
}

/** A record with its identity. */
export interface IndexEntry extends MatchedEntry {
  readonly detail: TrademarkDetail;
  /** The first 8 bytes of SHA-256 of the delivered text, as two words. */
  readonly digest: readonly [upper: number, lower: number];
}

/** A name that an earlier version stored whole is found by its parts too (rule I-49). */
function listFound(names: readonly string[] | null): string[] {
  return (names ?? []).flatMap((name) => {
    const parts = splitAliases(name);
    return parts.length === 1 ? [foldNormalName(name)] : [name, ...parts].map(foldNormalName);
  });
}

/** The names by which a record is found, in compared form (rule I-12); with possible repeats. */
export const NAMES_OF = {
  mark_name: ({ detail, markVariants }) => [
    ...(detail.mark_name === null ? [] : [foldName(detail.mark_name)]),
    // Variants that an earlier version stored may hold hidden characters.
    ...(markVariants?.split(NAME_SEPARATOR).map(foldNormalName) ?? []),
  ],
  owner_name: ({ detail }) => listFound(detail.owner_names),
  representative_name: ({ detail }) => listFound(detail.representative_names),
} as const satisfies Record<NameFamily, (entry: MatchedEntry) => readonly string[]>;

export const NAME_FAMILIES = Object.keys(NAMES_OF) as NameFamily[];

const one = (number: string | null): readonly string[] => (number === null ? [] : [normalizeNumber(number)]);
const all = (numbers: readonly string[] | null): readonly string[] => numbers?.map(normalizeNumber) ?? [];

/** The numbers by which a record is found, in compared form (rules I-11 and I-33). */
export const NUMBERS_OF = {
  application_number: ({ detail }) => one(detail.application_number),
  registration_number: ({ detail }) => one(detail.registration_number),
  international_registration_number: ({ detail }) =>
    all(detail.international_registration_numbers).map(normalizeMadridNumber),
  priority_number: ({ detail }) => all(detail.priority_numbers),
} as const satisfies Record<NumberField, (entry: MatchedEntry) => readonly string[]>;

export const NUMBER_FIELDS = Object.keys(NUMBERS_OF) as NumberField[];
