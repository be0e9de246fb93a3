/**
 * The words of pages for what records and answers hold as codes: fields, classes, statuses and errors; and in which of
 * several languages a reader sees an office's texts.
 */

import { ERRORS, type ErrorCode } from '@tmds/contract/errors';
import { html } from 'htm/preact';
import { type Level, renderBadge } from './components.ts';

/** The fields of a record as every page names them. Columns of tables shorten them; filters say how they compare. */
const FIELD_TITLES: Readonly<Record<string, string>> = {
  mark_name: 'Mark',
  tm5_status: 'Status in the office’s words',
  owner_names: 'Owners',
  owner_countries: 'Owners’ countries',
  representative_names: 'Representatives',
  international_registration_numbers: 'International registration',
  priority_numbers: 'Priority',
  external_update_date: 'Changed by the office on',
};

export function titleOfField(field: string): string {
  return FIELD_TITLES[field] ?? wordsOf(field);
}

export function wordsOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Short titles of the classes of the Nice Classification, in our words. The headings of WIPO are the authority. */
const CLASS_TITLES: readonly string[] = [
  'Chemicals for industry',
  'Paints and varnishes',
  'Cosmetics and cleaning',
  'Oils, fuels and candles',
  'Medicines and dietary products',
  'Metals and metal goods',
  'Machines and engines',
  'Hand tools and cutlery',
  'Electronics, software and instruments',
  'Medical apparatus',
  'Lighting, heating, cooling, sanitary',
  'Vehicles',
  'Firearms and fireworks',
  'Jewellery and watches',
  'Musical instruments',
  'Paper goods and printed matter',
  'Rubber, plastics and insulation',
  'Leather goods, bags and luggage',
  'Building materials, not of metal',
  'Furniture and goods of wood or plastic',
  'Household utensils and glass',
  'Ropes, tents and sacks',
  'Yarns and threads',
  'Textiles and household linen',
  'Clothing, footwear and headwear',
  'Haberdashery, lace and wigs',
  'Floor and wall coverings',
  'Games, toys and sports goods',
  'Meat, dairy, preserved foods',
  'Coffee, bread, sweets and spices',
  'Fresh produce, plants and feed',
  'Beers and soft drinks',
  'Alcoholic drinks, except beers',
  'Tobacco and smokers’ articles',
  'Advertising, business and retail',
  'Finance, insurance and property',
  'Construction and repair',
  'Telecommunications',
  'Transport, storage and travel',
  'Treatment of materials',
  'Education, entertainment and sport',
  'Science, technology and software services',
  'Restaurants and lodging',
  'Medical, beauty and farming services',
  'Legal, security and personal services',
];

/** Null for a number that is no class of the classification. */
export function titleOfClass(number: number): string | null {
  return CLASS_TITLES[number - 1] ?? null;
}

const LEVELS: Readonly<Record<string, Level>> = {
  registered: 'good',
  pending: 'warn',
  cancelled: 'off',
  abandoned: 'off',
};

export function renderStatus(status: string): unknown {
  return renderBadge(LEVELS[status.toLowerCase()] ?? 'plain', status);
}

export function renderCode(code: string): unknown {
  const text = html`<code>${code}</code>`;
  return code in ERRORS ? html`<a href=${`/docs/errors/${code}`}>${text}</a>` : text;
}

export function remedyOf(code: string): string {
  return code in ERRORS ? ERRORS[code as ErrorCode].remedy.replaceAll('`', '') : '';
}

/** The language of the pages, for readers whose languages the office does not write. */
export const PAGE_LANGUAGE = 'en';

/** The first wanted language that is available, or else the first one stated; null if none is. */
export function chooseLanguage(stated: readonly string[], wanted: readonly string[]): string | null {
  const base = (tag: string): string => tag.split('-')[0] ?? tag;
  for (const tag of wanted) {
    const found = stated.find((each) => each === tag) ?? stated.find((each) => base(each) === base(tag));
    if (found !== undefined) return found;
  }
  return stated[0] ?? null;
}
