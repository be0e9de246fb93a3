/**
 * Joins the pages of indexes that share the registers among them, such as in separate processes, into the page that one
 * index of all would find (docs/capacity.md). A position is a value, a register and a uid, so each index continues from
 * the cursor of a joined page as if it were its own.
 */
import type { Condition, SearchQuery } from '../plan/search.ts';
import { compareValues, type Sign, takeFirst } from './runs.ts';
import { type FoundRecord, type Matches, positionOf } from './search.ts';
import { joinKey } from './segment.ts';

/** Whether records of any of these registers can satisfy the conditions. */
export function mayHoldMatches(registers: ReadonlySet<string>, conditions: readonly Condition[]): boolean {
  return conditions.every(
    (condition) =>
      condition.kind !== 'terms' ||
      condition.field !== 'jurisdiction' ||
      condition.values.some((register) => registers.has(register)),
  );
}

/**
 * `pages`: what indexes of different registers found for the same query; those that hold no match may be missing. The
 * joined page reflects every publish up to the lowest of their stamps, and nothing later if all have that stamp.
 */
export function joinPages(pages: readonly Matches[], { order, limit, countMax }: SearchQuery): Matches {
  const sign = order === 'desc' ? -1 : 1;
  const found = takeFirst(
    pages.map(({ records }) => records),
    (one, other) => compareFound(one, other, sign),
    limit + 1,
  );
  const records = found.slice(0, limit);
  const hasMore = found.length > limit || pages.some(({ last }) => last !== null);
  return {
    stamp: Math.min(...pages.map(({ stamp }) => stamp)),
    records,
    last: hasMore ? positionOf(records.at(-1)!) : null,
    // Each is exact up to the bound, so the sum is.
    count: countMax === 0 ? 0 : pages.reduce((sum, { count }) => sum + count, 0),
  };
}

function compareFound(one: FoundRecord, other: FoundRecord, sign: Sign): number {
  // Instants and dates compare as their texts do.
  return compareValues(one.value, other.value, sign) || sign * Buffer.compare(keyOf(one), keyOf(other));
}

/** As bytes, because keys are in the order of their UTF-8. */
function keyOf({ jurisdiction_code, uid }: FoundRecord): Buffer {
  return Buffer.from(joinKey(jurisdiction_code, uid));
}
