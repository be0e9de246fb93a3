/** How many records a search matches, from the counts that a page gets of it anyway. */
import type { PortalServices } from '../services.ts';

type Counts = Awaited<ReturnType<PortalServices['countFacets']>>;

/** Exact; null if nothing was counted. */
export function sumMatches(facets: Counts): number | null {
  // Every record is of one register, so the counts by register add up to the matches.
  const byRegister = facets.find(({ field }) => field === 'jurisdiction');
  return byRegister?.values.reduce((sum, { count }) => sum + count, 0) ?? null;
}
