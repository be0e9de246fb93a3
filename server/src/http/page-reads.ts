/**
 * What pages of the portal read without a call: with the filters and limits of the public search, and nothing instead
 * of a refusal. The first records of a search, counts of values, a change, and what the API would refuse.
 */
import type { TrademarkDetail } from '@tmds/contract/record';
import type { Clock } from '../base/clock.ts';
import { ApiError } from '../base/errors.ts';
import { type Queryable, withLimits } from '../database/driver/db.ts';
import type { SearchIndex } from '../follow/live-index.ts';
import type { SearchLimits } from '../follow/search-pool.ts';
import type { CountedField, FacetValue } from '../index/facets.ts';
import { type Breadth, parseSearchText } from '../parse/search.ts';
import { planSearch } from '../plan/search.ts';
import { toApiError } from '../render/failure.ts';
import { findVersionEvent, type VersionEvent } from '../store/records/history.ts';
import type { RecordVersion } from '../store/records/versions.ts';
import { Timing } from './call.ts';
import { findPage, type PageSources, readItems } from './search.ts';

interface Sources extends PageSources {
  readonly clock: Clock;
}

/** `query`: a search without payloads. Null if it is refused or cannot be answered within the limits. */
export async function findRecords(
  { clock, ...sources }: Sources,
  query: string,
  limits: SearchLimits,
): Promise<TrademarkDetail[] | null> {
  return await orNull(async () => {
    return readItems(await findPage(planSearch(parseSearchText(query)), sources, limits, new Timing(clock)));
  });
}

/** How many matches have each value of a field, however broad the search is. */
export interface FieldCounts<Field extends CountedField> {
  readonly field: Field;
  /** Most frequent first. */
  readonly values: readonly FacetValue[];
}

/** Null if the search is refused or cannot be answered within the limits. */
export async function countFieldValues<Field extends CountedField>(
  index: SearchIndex,
  query: string,
  fields: readonly Field[],
  limits: SearchLimits,
): Promise<FieldCounts<Field>[] | null> {
  return await orNull(async () => {
    const { conditions } = planSearch(parseSearchText(query, 'page'));
    const facets = await index.countFacets(conditions, fields, limits);
    return fields.map((field) => ({ field, values: facets[field] ?? [] }));
  });
}

/**
 * Null if there is no such version, or if it cannot be determined in time.
 *
 * @param deadlineMs on the monotonic clock.
 */
export async function findChangeInTime(
  database: Queryable,
  name: RecordVersion,
  deadlineMs: number,
): Promise<VersionEvent | null> {
  return await orNull(() => findVersionEvent(withLimits(database, { deadlineMs }), name));
}

/** Null where a call would be refused or has no answer now: a page of the portal shows the rest without it. */
export async function orNull<Result>(read: () => Result | Promise<Result>): Promise<Result | null> {
  try {
    return await read();
  } catch (error) {
    if (toApiError(error).code === 'internal_error') throw error;
    return null;
  }
}

/** Why the API refuses a search that a page of the portal may make; null if both take it, or neither does. */
export function findCallLimit(query: string): ApiError | null {
  const refusal = findRefusal(query, 'call');
  return refusal === null || findRefusal(query, 'page') !== null ? null : refusal;
}

function findRefusal(query: string, breadth: Breadth): ApiError | null {
  try {
    planSearch(parseSearchText(query, breadth));
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
