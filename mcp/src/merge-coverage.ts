/** The coverage of several calls together. */
import type { RegisterCompleteness, SearchCoverage } from '@tmds/client';
import { summarizeCoverage } from '@tmds/contract/search-coverage';

/** Each call covers one register. Null if the service says it of none. */
export function mergeCoverage(all: readonly (SearchCoverage | null)[]): SearchCoverage | null {
  const known = all.filter((each) => each !== null);
  if (known.length === 0) return null;
  const registers = new Map<string, RegisterCompleteness>();
  for (const each of known.flatMap((one) => one.registers)) registers.set(each.jurisdiction_code, each);
  return summarizeCoverage([...registers.values()], [...new Set(known.flatMap(({ unserved }) => unserved))]);
}
