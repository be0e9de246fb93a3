/**
 * A record as the index receives it: its delivered content, and the name variants that are not delivered. It decides by
 * which names and numbers a record is found; their normal forms are those of `record/names`.
 */

import type { HeldForm } from '@tmds/contract/likeness';
import { normalizeMadridNumber, normalizeNumber } from '@tmds/contract/numbers';
import type { NameFamily as AskedFamily, NumberField } from '@tmds/contract/parameters';
import type { RecordContent, TrademarkDetail } from '@tmds/contract/record';
import { splitAliases } from '../record/aliases.ts';
import { foldName, foldNormalName } from '../record/names.ts';
import { splitForms } from '../record/row.ts';

/** Names that filters find, and forms of a mark that searches for likeness compare. */
export type NameFamily = AskedFamily | HeldForm;
export type { NumberField };

export interface MatchedEntry {
  /** When the content last changed, in microseconds since 1970. */
  readonly stamp: number;
  readonly detail: RecordContent;
  /** The held forms of the mark, as `joinForms` joins them; null = none. */
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
    ...splitForms(markVariants).variant,
  ],
  variant: ({ markVariants }) => splitForms(markVariants).variant,
  pseudo_mark: ({ markVariants }) => splitForms(markVariants).pseudo_mark,
  owner_name: ({ detail }) => listFound(detail.owner_names),
  representative_name: ({ detail }) => listFound(detail.representative_names),
} as const satisfies Record<NameFamily, (entry: MatchedEntry) => readonly string[]>;

export const NAME_FAMILIES = Object.keys(NAMES_OF) as NameFamily[];

/** Whether a part of a name is searched for. The others are compared as a whole. */
export function isSearchedInside(family: NameFamily): boolean {
  return family !== 'variant' && family !== 'pseudo_mark';
}

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
