/** The endpoint of names that are alike. It is of the product `analytics`, and makes way for the Record API. */
import { parseSimilar } from '../parse/likeness.ts';
import { listRegisters } from '../plan/filters.ts';
import { planSimilar } from '../plan/likeness.ts';
import { renderSimilarPage } from '../render/pages.ts';
import { defineEndpoint } from './endpoint.ts';
import { findSimilar } from './find-similar.ts';

export const similarEndpoint = defineEndpoint({
  name: 'similar',
  makesWay: true,
  parse: ({ values }) => parseSimilar(values),
  plan: planSimilar,
  covers: ({ conditions }) => listRegisters(conditions),
  read: (plan, services, call) => findSimilar(plan, services, call.limitSearch(services), call.timing),
  render: renderSimilarPage,
  isStaged: true,
});
