/** The answer of a search for likeness. */
import type { SimilarPage } from '@tmds/contract/likeness';
import { type Answer, renderJson } from './answer.ts';

export function renderSimilarPage(page: SimilarPage): Answer {
  return renderJson(JSON.stringify(page));
}
