/**
 * What a text in the search bar may mean: a number as some office writes it, a mark, an owner, a representative. It
 * knows neither how many records match nor how a page shows them.
 */
import { CONTAINS_SCOPE_MAX, JURISDICTIONS_MAX, NAME_FRAGMENT_MIN } from '@tmds/contract/limits';
import type { FilterName } from '@tmds/contract/parameters';
import { normalForm } from '@tmds/contract/text';

export interface Reading {
  /** As in "understood as …": `application number 018229854`, `mark starts with “acme”`. */
  readonly title: string;
  /** A search of the API that is not refused. */
  readonly pairs: readonly (readonly [name: string, value: string])[];
}

/** Longer texts are neither a number nor a name. */
export const TEXT_CHARACTERS_MAX = 200;

/** Digits, with letters and the usual separators around and between them. */
const NUMBER = /^(?=.*\d{2})[\p{L}\d][\p{L}\d\s./,()-]*$/u;
/** More letters than this in a row are a word, not the prefix of an office. */
const PREFIX = /\p{L}{6}/u;

const NUMBER_FIELDS: readonly (readonly [name: FilterName, title: string])[] = [
  ['application_number', 'application number'],
  ['registration_number', 'registration number'],
  ['international_registration_number', 'international registration'],
  ['priority_number', 'priority number'],
];

type Scope = 'any' | 'prefix' | 'part';

const NAME_FIELDS: readonly (readonly [name: FilterName, title: string, scope: Scope])[] = [
  ['mark_name', 'mark is', 'any'],
  ['mark_name_startswith', 'mark starts with', 'prefix'],
  ['mark_name_contains', 'mark contains', 'part'],
  ['owner_name', 'owner is', 'any'],
  ['owner_name_startswith', 'owner starts with', 'prefix'],
  ['owner_name_contains', 'owner contains', 'part'],
  ['representative_name_startswith', 'representative starts with', 'prefix'],
  ['representative_name_contains', 'representative contains', 'part'],
];

/** Registers that a filter with this scope may span; 0 = it needs none. */
const REGISTERS_MAX: Readonly<Record<Scope, number>> = { any: 0, prefix: JURISDICTIONS_MAX, part: CONTAINS_SCOPE_MAX };

/**
 * The readings of a text, the likeliest first. `chosen`: the registers to search, empty for all; `served`: the
 * registers there are, those with most records first. Filters that need registers get as many as they may span.
 */
export function listReadings(text: string, chosen: readonly string[], served: readonly string[]): Reading[] {
  const typed = normalForm(text).trim().replace(/\s+/gu, ' ');
  if (typed === '' || [...typed].length > TEXT_CHARACTERS_MAX) return [];
  const scoped = (scope: Scope): Reading['pairs'] => {
    const max = REGISTERS_MAX[scope];
    const registers = chosen.length > 0 ? chosen : max === 0 ? [] : served;
    const kept = registers.slice(0, max === 0 ? JURISDICTIONS_MAX : max);
    return kept.length === 0 ? [] : [['jurisdiction', kept.join(',')]];
  };
  const numbers = listNumberForms(typed).flatMap((number) =>
    NUMBER_FIELDS.map(([name, title]) => ({
      title: `${title} ${number}`,
      pairs: [[name, number], ...scoped('any')] as Reading['pairs'],
    })),
  );
  const names = NAME_FIELDS.flatMap(([name, title, scope]): Reading[] => {
    const pairs = scoped(scope);
    const needsMore = scope !== 'any' && ([...typed].length < NAME_FRAGMENT_MIN || pairs.length === 0);
    return needsMore ? [] : [{ title: `${title} “${typed}”`, pairs: [[name, typed], ...pairs] }];
  });
  return [...numbers, ...names];
}

/** The width to which the office of the European Union fills its numbers with zeros. */
const EM_DIGITS = 9;
/** The office of the United Kingdom writes `UK`, and fills to this width. */
const GB_DIGITS = 11;

/**
 * The forms in which registers may hold a number: as typed; without separators; its digits alone, filled as the offices
 * of the European Union and of the United Kingdom fill them. Empty if the text is no number.
 */
function listNumberForms(typed: string): string[] {
  if (!NUMBER.test(typed) || PREFIX.test(typed)) return [];
  const plain = typed.replace(/[^\p{L}\d]/gu, '');
  const digits = plain.replace(/^\p{L}+/u, '');
  const forms = [typed, plain, digits, digits.replace(/^0+(?=\d)/, '')];
  if (/^\d+$/.test(digits)) {
    if (digits.length < EM_DIGITS) forms.push(digits.padStart(EM_DIGITS, '0'));
    if (digits.length < GB_DIGITS) forms.push(`UK${digits.padStart(GB_DIGITS, '0')}`);
  }
  return [...new Set(forms.map((form) => form.toUpperCase()))].filter((form) => form !== '');
}
