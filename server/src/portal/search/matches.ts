/** How many records a search matches, by the counts of its values. */
import type { PortalServices } from '../services.ts';

type Counts = Awaited<ReturnType<PortalServices['countFacets']>>;
type Pairs = readonly (readonly [name: string, value: string])[];

/** Exact; null if it was not counted. */
export function sumMatches(facets: Counts): number | null {
  // Every record is of one register, so the counts by register add up to the matches.
  const byRegister = facets?.find(({ field }) => field === 'jurisdiction');
  return byRegister?.values.reduce((sum, { count }) => sum + count, 0) ?? null;
}

/** Exact; null if the search is refused or takes too long. */
export async function countMatches(
  customerId: string,
  pairs: Pairs,
  services: Pick<PortalServices, 'countFacets'>,
): Promise<number | null> {
  return sumMatches(await countRegisters(customerId, pairs, services));
}

/** The matches of each register that has any; null if the search is refused or takes too long. */
export function countRegisters(
  customerId: string,
  pairs: Pairs,
  { countFacets }: Pick<PortalServices, 'countFacets'>,
): Promise<Counts> {
  const query = new URLSearchParams(pairs.map(([name, value]) => [name, value]));
  return countFacets(customerId, query.toString(), ['jurisdiction']);
}
