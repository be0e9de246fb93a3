/**
 * The words of pages for what records and answers hold as codes: fields, classes, statuses and errors; and in which of
 * several languages a reader sees an office's texts.
 */

import { ERRORS, type ErrorCode } from '@tmds/contract/errors';
import {
  type GoodsRelation,
  HELD_AS,
  type HeldAs,
  LIKENESS_STRATEGIES,
  type LikenessStrategy,
  type LikenessTier,
  type SimilarRecord,
} from '@tmds/contract/likeness';
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

type Choice = LikenessStrategy | HeldAs;

export const CHOICE_TITLES: Readonly<Record<Choice, string>> = {
  equal: 'Same letters',
  glyphs: 'Letters look the same',
  edits: 'One or two letters differ',
  plural: 'Same stem',
  order: 'Other order of words',
  sound: 'Same sound',
  consonants: 'Same consonants',
  transliteration: 'Alike in another script',
  within: 'One within the other',
  word: 'A word in common',
  beginning: 'Same beginning',
  letters: 'Letters in common',
  mark: 'Text of the mark',
  variant: 'Translations held',
  pseudo_mark: 'Pseudo marks held',
};

const DESCRIPTIONS: Readonly<Record<Choice, string>> = {
  ...HELD_AS,
  ...Object.fromEntries(Object.entries(LIKENESS_STRATEGIES).map(([name, { description }]) => [name, description])),
} as Record<Choice, string>;

export function listChoices(choices: readonly Choice[]): { value: Choice; label: string; title: string }[] {
  return choices.map((value) => ({ value, label: CHOICE_TITLES[value], title: DESCRIPTIONS[value] }));
}

export const TIER_TITLES: Readonly<Record<LikenessTier, { readonly title: string; readonly means: string }>> = {
  identical: { title: 'Identical', means: 'the same letters' },
  near: { title: 'Near', means: 'a letter or two, the sound, the look or the order differs' },
  shared: { title: 'Shared', means: 'a word or the beginning is shared' },
  alike: { title: 'Alike', means: 'some letters in a row are shared' },
};

/** How the classes of a record relate to those of the mark; null if none were asked for. */
export function describeGoods(goods: GoodsRelation | null): string | null {
  if (goods === null) return null;
  const classes = `${goods.nice_classes.length === 1 ? 'class' : 'classes'} ${goods.nice_classes.join(', ')}`;
  switch (goods.relation) {
    case 'same':
      return `In common: ${classes}`;
    case 'related':
      return `Related: ${classes}`;
    case 'apart':
      return 'Other classes';
    case 'unknown':
      return 'Classes not stated';
  }
}

export function describeAge({ age_years: years }: Pick<SimilarRecord, 'age_years'>): string | null {
  if (years === null) return null;
  return years === 0 ? 'less than a year old' : `${years} ${years === 1 ? 'year' : 'years'} old`;
}
