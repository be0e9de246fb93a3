/**
 * Possible meanings of a text in the search bar: a number as some office writes it, a mark, an owner, a representative;
 * and how many records each meaning matches. It knows nothing of pages.
 */
import { listFormsOfAll, normalizeMadridNumber, normalizeNumber } from '@tmds/contract/numbers';
import type { FilterName } from '@tmds/contract/parameters';
import { normalForm } from '@tmds/contract/text';
import type { PortalServices } from '../services.ts';

export interface Reading {
  /** For a sentence: `application number 018229854`, `marks starting with “acme”`. */
  readonly title: string;
  /** A search of all registers, which the portal answers. */
  readonly pairs: readonly (readonly [name: string, value: string])[];
}

/** Longer texts are neither a number nor a name. */
export const TEXT_CHARACTERS_MAX = 200;

/**
 * At least two digits, with letters and the usual separators around and between them. The first numbers of an office
 * have one digit, alone or after the letters that say which number it is.
 */
const NUMBER = /^(?:(?=.*\d{2})[\p{L}\d][\p{L}\d\s./,()-]*|(?:[rs]n[\s.:-]*)?\d)$/iu;
/** More letters than this in a row are a word, not the prefix of an office. */
const PREFIX = /\p{L}{6}/u;

const MADRID = 'international_registration_number';

const NUMBER_FIELDS: readonly (readonly [name: FilterName, title: string])[] = [
  ['application_number', 'application number'],
  ['registration_number', 'registration number'],
  [MADRID, 'international registration'],
  ['priority_number', 'priority number'],
];

const NAME_FIELDS: readonly (readonly [name: FilterName, title: string])[] = [
  ['mark_name', 'marks named'],
  ['mark_name_startswith', 'marks starting with'],
  ['mark_name_contains', 'marks containing'],
  ['owner_name', 'owners named'],
  ['owner_name_startswith', 'owners starting with'],
  ['owner_name_contains', 'owners containing'],
  ['representative_name_startswith', 'representatives starting with'],
  ['representative_name_contains', 'representatives containing'],
];

/** The readings of a text, the likeliest first. None for a text without a character, or with too many. */
export function listReadings(text: string): Reading[] {
  const typed = tidyText(text);
  if (typed === '' || isTooLong(typed)) return [];
  const numbers = listForms(typed).flatMap((number, at, forms) =>
    listFields(typed).flatMap(([name, title]): Reading[] =>
      name === MADRID && repeatsMadrid(number, forms.slice(0, at))
        ? []
        : [{ title: `${title} ${number}`, pairs: [[name, number]] }],
    ),
  );
  const names = NAME_FIELDS.map(([name, title]): Reading => ({ title: `${title} “${typed}”`, pairs: [[name, typed]] }));
  return [...numbers, ...names];
}

/** Letters before a number that say which number it is: as in addresses of the office of the United States. */
const KINDS: readonly (readonly [letters: RegExp, name: FilterName])[] = [
  [/^rn[\s.:-]*\d/i, 'registration_number'],
  [/^sn[\s.:-]*\d/i, 'application_number'],
];

/** The number that the text says it is comes before the others. */
function listFields(typed: string): typeof NUMBER_FIELDS {
  const named = KINDS.find(([letters]) => letters.test(typed))?.[1];
  return named === undefined ? NUMBER_FIELDS : NUMBER_FIELDS.filter(([name]) => name === named);
}

/** All registers hold a Madrid number in one form, to which the filter brings it. */
function repeatsMadrid(number: string, earlier: readonly string[]): boolean {
  const form = normalizeMadridNumber(number);
  return earlier.some((other) => normalizeMadridNumber(other) === form);
}

export function tidyText(text: string): string {
  return normalForm(text).trim().replace(/\s+/gu, ' ');
}

export function isTooLong(text: string): boolean {
  return [...text].length > TEXT_CHARACTERS_MAX;
}

/** The forms in which registers may hold a number, as typed first. Empty if the text is no number. */
function listForms(typed: string): string[] {
  if (!NUMBER.test(typed) || PREFIX.test(typed)) return [];
  return [...new Set([normalizeNumber(typed), ...listFormsOfAll(typed)])];
}

type Counts = Awaited<ReturnType<PortalServices['countFacets']>>;
type Pairs = readonly (readonly [name: string, value: string])[];

export function sumMatches(facets: Counts): number | null {
  // Every record is of one register, so the counts by register add up to the matches.
  const byRegister = facets?.find(({ field }) => field === 'jurisdiction');
  return byRegister?.values.reduce((sum, { count }) => sum + count, 0) ?? null;
}

/** Exact; null if the search is refused or takes too long. */
export async function countMatches(
  customerId: string,
  pairs: Pairs,
  services: Pick<PortalServices, 'countFacets'>,
): Promise<number | null> {
  return sumMatches(await countRegisters(customerId, pairs, services));
}

/** The matches of each register that has any; null if the search is refused or takes too long. */
export function countRegisters(
  customerId: string,
  pairs: Pairs,
  { countFacets }: Pick<PortalServices, 'countFacets'>,
): Promise<Counts> {
  const query = new URLSearchParams(pairs.map(([name, value]) => [name, value]));
  return countFacets(customerId, query.toString(), ['jurisdiction']);
}
