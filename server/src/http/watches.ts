/**
 * The endpoints of watches, which belong to the customer of the key. Creating, changing and ending them are the only
 * writes below `/v1`; each may be repeated without further effect.
 */
import { WATCH_ITEMS_TOTAL_MAX, WATCHES_MAX } from '@tmds/contract/watches';
import { apiError } from '../base/errors.ts';
import { withLimits } from '../database/driver/db.ts';
import { parseDiagnosis, parseHits, parseWatchBody, parseWatches, parseWatchId } from '../parse/watches.ts';
import { planWatch } from '../plan/watches.ts';
import { renderDiagnosis, renderHits, renderWatch, renderWatchDetail, renderWatches } from '../render/watches.ts';
import { findHits } from '../store/watches/hits.ts';
import { endWatch, findSubject, findWatch, listWatches, putWatch } from '../store/watches/watches.ts';
import { diagnose } from '../watches/diagnose.ts';
import { defineEndpoint } from './endpoint.ts';
import { previewWatch } from './preview-watch.ts';

function noSuchWatch(): Error {
  return apiError('not_found', 'This customer has no watch with this id; GET /v1/watches lists those it has.');
}

export const watchesEndpoint = defineEndpoint({
  name: 'watches',
  parse: ({ values }) => parseWatches(values),
  read: ({ after, limit }, { accounts }, { key, signal }) =>
    listWatches(withLimits(accounts, { signal }), key.customerId, { after, limit: limit + 1 }),
  render: (watches, { limit }) => renderWatches(watches.slice(0, limit), watches.length > limit),
});

export const watchEndpoint = defineEndpoint({
  name: 'watch',
  parse: ({ path }) => parseWatchId(path.watch),
  read: async (id, services, call) => {
    const { accounts, primary, index, clock } = services;
    const { signal, timing } = call;
    const own = withLimits(accounts, { signal });
    const watch = await timing.measure('store', () => findWatch(own, call.key.customerId, id));
    if (watch === null) throw noSuchWatch();
    const subject = await timing.measure('store', () => findSubject(own, watch));
    const sources = { index, clock, database: withLimits(primary, { signal }) };
    const limits = call.limitSearch(services);
    const preview = await timing.measure('match', () => previewWatch(sources, subject, watch.watch_id, limits));
    return { watch, subject, preview };
  },
  render: ({ watch, subject, preview }) => renderWatchDetail(watch, subject, preview),
  isStaged: true,
});

export const putWatchEndpoint = defineEndpoint({
  name: 'put_watch',
  afterVerdict: true,
  parse: ({ path, body, bodyType }) => ({ id: parseWatchId(path.watch), ...parseWatchBody(body, bodyType) }),
  plan: (request) => ({ id: request.id, ...planWatch(request) }),
  read: async ({ id, ...definition }, { accounts }, { key }) => {
    const { watch } = await putWatch(accounts, key.customerId, id, definition);
    if (watch !== null) return watch;
    const most = `${WATCHES_MAX} watches, which list ${WATCH_ITEMS_TOTAL_MAX} records and owners in all`;
    throw apiError('invalid_parameter', `A customer has at most ${most}: end one that is no longer needed.`);
  },
  render: renderWatch,
});

export const endWatchEndpoint = defineEndpoint({
  name: 'end_watch',
  afterVerdict: true,
  parse: ({ path }) => parseWatchId(path.watch),
  read: async (id, { accounts }, { key }) => {
    const watch = await endWatch(accounts, key.customerId, id);
    if (watch === null) throw noSuchWatch();
    return watch;
  },
  render: renderWatch,
});

/** Hits of a watch that has ended stay. */
export const watchHitsEndpoint = defineEndpoint({
  name: 'watch_hits',
  parse: ({ values, path }) => parseHits(values, path.watch),
  covers: () => null,
  read: async (request, { accounts, primary }, { key, signal }) => {
    const watch = await findWatch(withLimits(accounts, { signal }), key.customerId, request.id);
    if (watch === null) throw noSuchWatch();
    const page = await findHits(withLimits(primary, { signal }), watch.watch_id, request);
    return { page, reference: watch.reference };
  },
  render: ({ page, reference }) => renderHits(page, reference),
});

/** Of a watch that has ended too. */
export const watchDiagnosisEndpoint = defineEndpoint({
  name: 'watch_diagnosis',
  parse: ({ values, path }) => parseDiagnosis(values, path.watch),
  covers: ({ record }) => [record.jurisdiction_code],
  read: async ({ id, record }, { primary }, { key: { customerId }, signal }) => {
    const diagnosis = await diagnose(primary, { customerId, id, record }, signal);
    if (diagnosis === null) throw noSuchWatch();
    return diagnosis;
  },
  render: renderDiagnosis,
});
