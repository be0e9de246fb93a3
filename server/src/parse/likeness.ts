/** Turns declared texts into a request for names that are alike. It does not know how they are found. */
import { SIMILAR_CONTROLS } from '@tmds/contract/extras';
import {
  HELD_AS_NAMES,
  type HeldAs,
  LIKENESS_CHOICES,
  LIKENESS_MARK_MAX,
  LIKENESS_STRATEGY_NAMES,
  LIKENESS_WORDS_MAX,
  type LikenessStrategy,
} from '@tmds/contract/likeness';
import { WATCH_CHOICES, WATCH_STRATEGIES, WATCH_STRATEGIES_DEFAULT, type WatchStrategy } from '@tmds/contract/watches';
import { apiError } from '../base/errors.ts';
import { spellName } from '../record/spelling.ts';
import { checkDeclared, type DeclaredValues, splitQuery } from './query.ts';
import { parseFilters, type SearchFilters, writeSearch } from './search.ts';
import { parseEnums, parseLimit, parseName, parseNiceClasses } from './values.ts';

export interface SimilarRequest {
  /** In compared form. */
  readonly mark: string;
  readonly strategies: readonly LikenessStrategy[];
  /** The texts that are compared. */
  readonly heldAs: readonly HeldAs[];
  readonly classes: readonly number[];
  readonly filters: SearchFilters;
  /** 1 to 200. */
  readonly limit: number;
}

/** @throws ApiError `invalid_parameter`. */
export function parseSimilar(values: DeclaredValues<'similar'>): SimilarRequest {
  const { strategies, classes } = values;
  const chosen = strategies === undefined ? [] : parseEnums('strategies', strategies, LIKENESS_CHOICES);
  return {
    mark: parseMark(values.mark ?? ''),
    strategies: chooseAmong(LIKENESS_STRATEGY_NAMES, chosen, LIKENESS_STRATEGY_NAMES),
    heldAs: chooseAmong(HELD_AS_NAMES, chosen, HELD_AS_NAMES),
    classes: classes === undefined ? [] : parseNiceClasses('classes', classes),
    filters: parseFilters(values),
    limit: parseLimit(values.limit, false, SIMILAR_CONTROLS.limit.value),
  };
}

/** Those that were chosen, in the order in which they were; the default if none was. */
function chooseAmong<Choice extends string>(
  names: readonly Choice[],
  chosen: readonly string[],
  byDefault: readonly Choice[],
): readonly Choice[] {
  const own = chosen.filter((name): name is Choice => (names as readonly string[]).includes(name));
  return own.length === 0 ? byDefault : own;
}

/** A mark that a watch compares names with. */
export type WatchedSimilar = Omit<SimilarRequest, 'strategies' | 'limit'> & {
  readonly strategies: readonly WatchStrategy[];
};

/**
 * `text`: a query string of the endpoint. What shapes an answer is checked, but is not part of the watch.
 * @throws ApiError `invalid_parameter`, `unknown_parameter`.
 */
export function parseWatchedSimilar(text: string): WatchedSimilar {
  const values = checkDeclared('similar', splitQuery(text));
  const { limit: _limit, ...request } = parseSimilar(values);
  const chosen = values.strategies === undefined ? [] : parseEnums('strategies', values.strategies, WATCH_CHOICES);
  return { ...request, strategies: chooseAmong(WATCH_STRATEGIES, chosen, WATCH_STRATEGIES_DEFAULT) };
}

function parseMark(text: string): string {
  const mark = parseName('mark', text);
  const refuse = (message: string): never => {
    throw apiError('invalid_parameter', `mark ${message}`, { param: 'mark' });
  };
  if ([...mark].length > LIKENESS_MARK_MAX) refuse(`takes at most ${LIKENESS_MARK_MAX} characters.`);
  const words = spellName(mark).length;
  if (words === 0) refuse('has neither letters nor digits to compare.');
  if (words > LIKENESS_WORDS_MAX) refuse(`takes at most ${LIKENESS_WORDS_MAX} words, not ${words}.`);
  return mark;
}

/** As `writeSearch`, for a mark that a watch compares names with. Texts are named only if some are left out. */
export function writeSimilar({ mark, strategies, heldAs, classes, filters }: WatchedSimilar): string {
  const texts = HELD_AS_NAMES.every((name) => heldAs.includes(name)) ? [] : heldAs;
  const own = new URLSearchParams({ mark, strategies: [...strategies, ...texts].join(',') });
  if (classes.length > 0) own.set('classes', classes.join(','));
  const search = writeSearch(filters);
  return search === '' ? own.toString() : `${own.toString()}&${search}`;
}
