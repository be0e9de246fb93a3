/** Sentences of the page and of its report. */
import type { SimilarPage } from '@tmds/contract/likeness';

/** On every page with results, and in every report. */
export const NO_OPINION =
  'This lists names that are alike and says why. It is not a legal opinion: whether a mark is free depends on goods, use and law that no list of names shows.';

export const BOUNDS: Readonly<Record<SimilarPage['bounds_met'][number], string>> = {
  entries: 'further entries beyond the number that an answer has',
  records: 'further records of the names that were found',
  records_of_a_name: 'further records of a name that many records have',
};
