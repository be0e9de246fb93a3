/**
 * What a search compares, as conditions of its statements: with an index, with a row at hand, or with its signature.
 * Texts compare byte by byte and no letter case is folded here, so the locale of the database changes no answer.
 */
import { isIndexed } from '../plan/filters.ts';
import type { Conditions, Interval, SearchPlan, SignedConditions, TextCondition } from '../plan/search.ts';
import { intervalBounds } from './search-ways.ts';
import { identifier, type Statement, sql } from './sql.ts';

/** Cheaper to compare than the terms of the registers; nothing where the walk goes along their own orders. */
export function scopeCondition({ scope, lanes }: SearchPlan): Statement[] {
  return lanes.length === scope.length ? [] : [sql`jurisdiction_code = any(${scope}::text[])`];
}

/** Of a record that matches, a signature has the bits of every term, and of each set one bit. */
export function signatureConditions({ all, anyOf }: SignedConditions): Statement[] {
  const conditions: Statement[] = [];
  if (all !== null) {
    const [first, second] = all.map(String);
    conditions.push(sql`first_signature & ${first}::bigint = ${first}::bigint`);
    conditions.push(sql`second_signature & ${second}::bigint = ${second}::bigint`);
  }
  for (const [first, second] of anyOf) {
    conditions.push(sql`first_signature & ${String(first)}::bigint <> 0`);
    conditions.push(sql`second_signature & ${String(second)}::bigint <> 0`);
  }
  return conditions;
}

/** What a walk keeps of the records that it passes, beside their registers. */
export function listPassed({ walked, walkedInterval }: SearchPlan): Statement[] {
  return listCompared(walked, walked.intervals, walkedInterval);
}

/** Everything that is compared row by row, where the rows were found by `seen` already. */
export function listCompared(
  { allOf, anyOf, texts }: Pick<Conditions, 'allOf' | 'anyOf' | 'texts'>,
  intervals: readonly Interval[],
  seen: Interval | null,
): Statement[] {
  const compared = [
    ...comparedTerms({ allOf, anyOf }),
    ...texts.map(textCondition),
    ...intervals.filter((interval) => interval !== seen).flatMap(intervalBounds),
  ];
  return compared.length === 0 ? [sql`true`] : compared;
}

/** The operators of the catalog by name: an extension such as intarray brings its own, which use other indexes. */
export function termConditions({ allOf, anyOf }: Pick<Conditions, 'allOf' | 'anyOf'>): Statement[] {
  const conditions = anyOf.map((terms) => sql`terms operator(pg_catalog.&&) ${terms}::int[]`);
  return allOf.length === 0 ? conditions : [sql`terms operator(pg_catalog.@>) ${allOf}::int[]`, ...conditions];
}

/** Of more terms, each number of them would be a statement of its own for little. */
const SINGLE_TERMS_MAX = 4;

/**
 * The same for rows at hand: a term among those of one row is found faster so than by the operator of sets, which looks
 * for all before it tells that the first is not there.
 */
export function comparedTerms({ allOf, anyOf }: Pick<Conditions, 'allOf' | 'anyOf'>): Statement[] {
  if (allOf.length > SINGLE_TERMS_MAX) return termConditions({ allOf, anyOf });
  return [...allOf.map((term) => sql`${term}::int = any(terms)`), ...termConditions({ allOf: [], anyOf })];
}

export function coverConditions(covers: SearchPlan['covers']): Statement[] {
  return covers.map((terms) => sql`terms operator(pg_catalog.&&) ${terms}::int[]`);
}

/** For the index: what trigrams and seams tell of parts of names together. */
export function partConditions(texts: readonly TextCondition[]): Statement[] {
  return [
    ...termConditions({ allOf: texts.flatMap(({ seams }) => seams), anyOf: [] }),
    ...texts.filter(isIndexed).map(piecesCondition),
  ];
}

/** What `partConditions` leaves to be compared. */
export function listUntold(texts: readonly TextCondition[]): TextCondition[] {
  return texts.filter(({ text, pieces }) => pieces.length !== 1 || pieces[0] !== text);
}

export function textCondition({ column, text }: TextCondition): Statement {
  return sql`strpos(${identifier(column)}, ${text}) > 0`;
}

/** `like` is known to the trigram index. Between the pieces anything may stand. */
function piecesCondition({ column, pieces }: TextCondition): Statement {
  const pattern = pieces.map((piece) => piece.replaceAll(/[\\%_]/g, '\\$&')).join('%');
  return sql`${identifier(column)} like ${`%${pattern}%`}`;
}
