/** The names of filters as people read them. */
import { JURISDICTIONS_MAX } from '@tmds/contract/limits';
import { FILTERS, type FilterName } from '@tmds/contract/parameters';
import { wordsOf } from '../frame/field-names.ts';

const LABELS: Readonly<Record<string, string>> = {
  jurisdiction: 'Register',
  mark_name: 'Mark, exact',
  mark_name_contains: 'Mark contains',
  mark_name_startswith: 'Mark starts with',
  owner_name: 'Owner, exact',
  owner_name_contains: 'Owner contains',
  owner_name_startswith: 'Owner starts with',
  representative_name: 'Representative, exact',
  representative_name_contains: 'Representative contains',
  representative_name_startswith: 'Representative starts with',
  nice_class: 'Nice class, any of',
  nice_class_all: 'Nice class, all of',
};

/** The search form's hint for a field; for other fields, the API's description. */
const HINTS: Readonly<Record<string, string>> = {
  jurisdiction: `Choose up to ${JURISDICTIONS_MAX}. None chosen means all.`,
  vienna_code:
    'For example 26.03; several separated by commas. A main category alone (26) also needs a register or a class.',
};

export function hintOf(name: FilterName): string {
  return HINTS[name] ?? FILTERS[name].description.replaceAll('`', '');
}

export function labelOf(name: string): string {
  return LABELS[name] ?? wordsOf(name);
}

/** The message of a refusal in the words of the form: with the label of its parameter instead of the name. */
export function messageOf({
  message,
  param,
}: {
  readonly message: string;
  readonly param: string | undefined;
}): string {
  // An unknown filter name may be any text, and such a text must not become a pattern.
  if (param === undefined || !Object.hasOwn(FILTERS, param)) return message;
  return message.replaceAll(new RegExp(`\\b${param}\\b`, 'g'), labelOf(param));
}
