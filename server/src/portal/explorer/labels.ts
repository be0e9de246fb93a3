/** The names of filters as people read them. */
import { JURISDICTIONS_MAX } from '@tmds/contract/limits';
import { FILTERS, type FilterName } from '@tmds/contract/parameters';
import { wordsOf } from '../frame/wording.ts';

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
  office: 'The two letters of the office, such as WO; several separated by commas.',
  owner_country: 'The two letters of the country, such as JP; several separated by commas.',
  designated_country: 'The two letters of the country, such as FR; several separated by commas.',
  application_number: 'In any spelling that its register has for it.',
  registration_number: 'In any spelling that its register has for it.',
  international_registration_number: 'The number of the Madrid registration.',
  priority_number: 'The number of the earlier application.',
  updated_since: 'For example 2026-11-01, or with a time: 2026-11-01T09:00:00Z.',
  updated_before: 'For example 2026-12-01, or with a time: 2026-12-01T09:00:00Z.',
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
