/**
 * The one table of filters: what each asks of a stored record (specification 4.3). A condition is either membership of
 * a coded term, which the term index answers, or a comparison of stored text or dates, which every row found is put to.
 * It knows nothing of paging, order or indexes. Complete by type: a filter without a line here does not compile.
 */
import { FILTER_DATES, type FilterDate, type Sort } from '@tmds/contract/enums';
import type { FilterName } from '@tmds/contract/parameters';
import type { DateText, Instant } from '@tmds/contract/record';
import type { FilterValues, SearchFilters } from '../parse/search.ts';
import { numberKey, wholeKey } from '../record/row.ts';
import { listSeams, listWords } from '../record/seams.ts';
import {
  type CodeTag,
  codeTerm,
  type EnumTag,
  enumTerm,
  type NameTag,
  type NumberTag,
  nameTerms,
  niceClassTerm,
  numberTerms,
  seamTerm,
  viennaTerm,
} from '../record/terms.ts';

export const NAME_COLUMNS = ['mark_names', 'owner_names', 'representative_names'] as const;
export type NameColumn = (typeof NAME_COLUMNS)[number];
export const INTERVAL_COLUMNS = [...FILTER_DATES, 'updated_at'] as const;
export type IntervalColumn = (typeof INTERVAL_COLUMNS)[number];

/** A text that stands in a column of delimited names or numbers. */
export interface TextCondition {
  readonly column: NameColumn | 'number_keys';
  readonly text: string;
  /** Parts of the text, in their order, that the trigram index is asked for; none where it cannot help. */
  readonly pieces: readonly string[];
  /** Terms that the term index is asked for wherever the trigram index is asked for the pieces. */
  readonly seams: readonly number[];
}

/** Inclusive bounds, except that an `updated_at` ends before `to`. Null = open. Records without a value are outside. */
export interface Interval {
  readonly column: IntervalColumn;
  readonly from: DateText | Instant | null;
  readonly to: DateText | Instant | null;
}

/** What a record must satisfy, all together. */
export interface Conditions {
  /** Terms it must carry, all of them. */
  readonly allOf: readonly number[];
  /** Sets of at least two terms; it must carry one of each set. */
  readonly anyOf: readonly (readonly number[])[];
  readonly texts: readonly TextCondition[];
  /** At most one for each column. */
  readonly intervals: readonly Interval[];
  /** Those of `allOf` that pin a whole name or number: few records carry them. */
  readonly pinned: readonly number[];
  /** True when no record whatever can satisfy them. */
  readonly isImpossible: boolean;
}

/** Whether the trigram index can help to find a text. */
export function isIndexed({ pieces }: TextCondition): boolean {
  return pieces.length > 0;
}

/** Whether a text is more than the whole name or number that two terms pin. */
export function hasPart({ texts, pinned }: Pick<Conditions, 'texts' | 'pinned'>): boolean {
  return texts.length * 2 > pinned.length;
}

/** The bounds of change times in another order than theirs. */
export function findChangeBounds({
  conditions,
  sort,
}: {
  readonly conditions: Conditions;
  readonly sort: Sort;
}): Interval | null {
  return sort === 'updated_at' ? null : findInterval(conditions, 'updated_at');
}

export function findInterval({ intervals }: Conditions, column: IntervalColumn): Interval | null {
  return intervals.find((interval) => interval.column === column) ?? null;
}

/** One filter's share of the conditions. Terms that no record can carry are left out; `anyOf: []` matches nothing. */
interface Share {
  readonly anyOf?: readonly number[];
  readonly allOf?: readonly number[];
  readonly text?: TextCondition;
  readonly interval?: Interval;
  readonly pinned?: readonly number[];
}

type ShareOf<Value> = (value: Value) => Share;

const COLUMN_OF_NAME: Record<NameTag, NameColumn> = {
  mark_name: 'mark_names',
  owner_name: 'owner_names',
  representative_name: 'representative_names',
};
/** Stands before every name in its column, so that the start of a name is a part of the column (record/names). */
const NAME_START = wholeKey('').slice(0, 1);

/**
 * What words consist of to the trigram index, which depends on the locale of the database: whether the vowel signs of
 * Indic scripts and the digits of other scripts belong to them.
 */
const WORD_CLASSES = [
  '\\p{L}0-9',
  '\\p{L}\\p{Nd}',
  '\\p{Alphabetic}0-9',
  '\\p{Alphabetic}\\p{Nd}',
  '\\p{L}\\p{M}\\p{N}',
];
const INITIALS = WORD_CLASSES.map((set) => new RegExp(`[${set}]{3}|[^${set}][${set}]|[${set}]{2}[^${set}]`, 'u'));
const TRIGRAMS = WORD_CLASSES.map(
  (set) => new RegExp(`[${set}]{3}|[^${set}][${set}]{2}|[${set}]{2}[^${set}]|[^${set}][${set}][^${set}]`, 'u'),
);

/**
 * What the trigram index can be asked for by a part of a name, whatever the locale: three characters of a word in a
 * row, or two with its beginning or end in sight, or a word of one, since words are padded with two blanks before and
 * one behind. An initial alone brings millions of names, and nothing at all has the index read from end to end.
 */
function findTrigrams(part: string): 'some' | 'initial' | 'none' {
  if (TRIGRAMS.every((trigram) => trigram.test(part))) return 'some';
  return INITIALS.every((initial) => initial.test(part)) ? 'initial' : 'none';
}

/** So many trigrams of whole words leave few names that have them elsewhere. */
const WORD_TRIGRAMS_MIN = 3;

/**
 * The words of a part that have trigrams of their own. The trigrams of a beginning or an end are left out, since half
 * of all names share them and reading their lists takes longer than all the rest; what they say between two words the
 * seams say in one list, and a part without seams is asked for whole unless its words are long.
 */
function findPieces(part: string, hasSeams: boolean): string[] {
  const words = listWords(part).filter((word) => findTrigrams(word) === 'some');
  const trigrams = words.reduce((sum, word) => sum + [...word].length - 2, 0);
  return trigrams >= (hasSeams ? 1 : WORD_TRIGRAMS_MIN) ? words : [part];
}

const isTerm = (term: number | null): term is number => term !== null;

const codes =
  (tag: CodeTag): ShareOf<readonly string[]> =>
  (values) => ({ anyOf: values.map((code) => codeTerm(tag, code)).filter(isTerm) });
const enums =
  (tag: EnumTag): ShareOf<readonly string[]> =>
  (values) => ({ anyOf: values.map((value) => enumTerm(tag, value)) });
const number =
  (tag: NumberTag): ShareOf<string> =>
  (value) => ({
    pinned: numberTerms(tag, value),
    text: { column: 'number_keys', text: wholeKey(numberKey(tag, value)), pieces: [], seams: [] },
  });
const wholeName =
  (tag: NameTag): ShareOf<string> =>
  (value) => ({
    pinned: nameTerms(tag, value),
    text: { column: COLUMN_OF_NAME[tag], text: wholeKey(value), pieces: [], seams: [] },
  });
const namePart =
  (tag: NameTag): ShareOf<string> =>
  (value) =>
    sharePart(tag, value);
const nameStart =
  (tag: NameTag): ShareOf<string> =>
  (value) =>
    sharePart(tag, NAME_START + value);

/** What the trigrams of a part leave open its seams tell; of a part that is but an initial they tell all there is. */
function sharePart(tag: NameTag, text: string): Share {
  const column = COLUMN_OF_NAME[tag];
  const trigrams = findTrigrams(text);
  const seams = [...new Set(listSeams(text))].map((seam) => seamTerm(tag, seam));
  if (trigrams === 'some' || seams.length === 0) {
    return { text: { column, text, pieces: trigrams === 'none' ? [] : findPieces(text, seams.length > 0), seams } };
  }
  return { allOf: seams, text: { column, text, pieces: [], seams: [] } };
}

function buildDateShares() {
  const shares: Partial<Record<string, ShareOf<DateText>>> = {};
  for (const column of FILTER_DATES) {
    shares[column] = (date) => ({ interval: { column, from: date, to: date } });
    shares[`${column}_from`] = (date) => ({ interval: { column, from: date, to: null } });
    shares[`${column}_to`] = (date) => ({ interval: { column, from: null, to: date } });
  }
  return shares as Record<FilterDate | `${FilterDate}_from` | `${FilterDate}_to`, ShareOf<DateText>>;
}

const SHARES = {
  jurisdiction: codes('jurisdiction'),
  office: codes('office'),
  application_number: number('application_number'),
  registration_number: number('registration_number'),
  status: enums('status'),
  kind_of_mark: enums('kind_of_mark'),
  mark_feature: enums('mark_feature'),
  nice_class: (classes) => ({ anyOf: classes.map(niceClassTerm) }),
  nice_class_all: (classes) => ({ allOf: classes.map(niceClassTerm) }),
  vienna_code: (codesWanted) => ({ anyOf: codesWanted.map(viennaTerm).filter(isTerm) }),
  mark_name: wholeName('mark_name'),
  mark_name_contains: namePart('mark_name'),
  mark_name_startswith: nameStart('mark_name'),
  owner_name: wholeName('owner_name'),
  owner_name_contains: namePart('owner_name'),
  owner_name_startswith: nameStart('owner_name'),
  representative_name: wholeName('representative_name'),
  representative_name_contains: namePart('representative_name'),
  representative_name_startswith: nameStart('representative_name'),
  owner_country: codes('owner_country'),
  international_registration_number: number('international_registration_number'),
  priority_number: number('priority_number'),
  designated_country: codes('designated_country'),
  updated_since: (from) => ({ interval: { column: 'updated_at', from, to: null } }),
  updated_before: (to) => ({ interval: { column: 'updated_at', from: null, to } }),
  ...buildDateShares(),
} satisfies { readonly [Name in FilterName]: ShareOf<FilterValues[Name]> };

/** The conditions of all filters; `register` is the path's, which filters like `jurisdiction`. */
export function planConditions(filters: SearchFilters, register: string | null): Conditions {
  const shares = (Object.keys(filters) as FilterName[]).map((name) =>
    (SHARES[name] as ShareOf<unknown>)(filters[name]),
  );
  if (register !== null) shares.push(codes('jurisdiction')([register]));
  const sets = shares.flatMap(({ anyOf }) => (anyOf === undefined ? [] : [anyOf]));
  const pinned = shares.flatMap((share) => share.pinned ?? []);
  const allOf = new Set([...shares.flatMap(({ allOf: terms }) => terms ?? []), ...pinned]);
  for (const set of sets) if (set.length === 1) allOf.add(set[0]!);
  const intervals = mergeIntervals(shares.flatMap(({ interval }) => (interval === undefined ? [] : [interval])));
  return {
    allOf: [...allOf],
    anyOf: sets.filter((set) => set.length > 1),
    texts: shares.flatMap(({ text }) => (text === undefined ? [] : [text])),
    intervals,
    pinned,
    isImpossible: sets.some((set) => set.length === 0) || intervals.some(isEmptyInterval),
  };
}

/** Bounds of the same column become one interval; each bound occurs at most once. */
function mergeIntervals(intervals: readonly Interval[]): Interval[] {
  const merged = new Map<IntervalColumn, Interval>();
  for (const { column, from, to } of intervals) {
    const known = merged.get(column);
    merged.set(column, { column, from: from ?? known?.from ?? null, to: to ?? known?.to ?? null });
  }
  return [...merged.values()];
}

/** Dates and instants in their canonical forms compare as text. */
function isEmptyInterval({ column, from, to }: Interval): boolean {
  if (from === null || to === null) return false;
  return column === 'updated_at' ? from >= to : from > to;
}
