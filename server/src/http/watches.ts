/**
 * The endpoints of watches, which belong to the customer of the key. Creating, changing and ending them are the only
 * writes below `/v1`; each may be repeated without further effect.
 */
import { QUERY_TIMEOUT_SECONDS } from '@tmds/contract/limits';
import { WATCH_ITEMS_TOTAL_MAX, WATCHES_MAX } from '@tmds/contract/watches';
import { apiError } from '../base/errors.ts';
import { checkDeclared } from '../parse/query.ts';
import { parseHits, parseWatchBody, parseWatches, parseWatchId } from '../parse/watches.ts';
import { type HitsRequest, planWatch, type WatchesRequest, type WatchPlan } from '../plan/watches.ts';
import { renderHits, renderWatch, renderWatchDetail, renderWatches } from '../render/watches.ts';
import { withLimits } from '../store/driver/db.ts';
import { findHits } from '../store/watches/hits.ts';
import { endWatch, findSubject, findWatch, listWatches, putWatch } from '../store/watches/watches.ts';
import type { Endpoint } from './call.ts';
import { previewWatch } from './preview-watch.ts';

function noSuchWatch(): Error {
  return apiError('not_found', 'This customer has no watch with this id; GET /v1/watches lists those it has.');
}

export const watchesEndpoint: Endpoint<WatchesRequest> = {
  name: 'watches',
  prepare: ({ pairs }, timing) => timing.measure('parse', () => parseWatches(checkDeclared('watches', pairs))),
  serve: async ({ after, limit }, { accounts }, caller, timing, { signal }) => {
    const wanted = { after, limit: limit + 1 };
    const list = () => listWatches(withLimits(accounts, { signal }), caller!.customerId, wanted);
    const watches = await timing.measureAsync('store', list);
    return timing.measure('render', () => renderWatches(watches.slice(0, limit), watches.length > limit));
  },
};

export const watchEndpoint: Endpoint<string> = {
  name: 'watch',
  prepare: ({ pairs, watch }) => {
    checkDeclared('watch', pairs);
    return parseWatchId(watch);
  },
  serve: async (id, { accounts, primary, index, clock, config }, caller, timing, { signal }) => {
    const { customerId, keyId } = caller!;
    const own = withLimits(accounts, { signal });
    const watch = await timing.measureAsync('store', () => findWatch(own, customerId, id));
    if (watch === null) throw noSuchWatch();
    const subject = await timing.measureAsync('store', () => findSubject(own, watch));
    const deadlineMs = clock.monotonicMs() + (config.queryTimeoutSeconds ?? QUERY_TIMEOUT_SECONDS) * 1000;
    const limits = { deadlineMs, signal, turn: { customer: customerId, key: keyId } };
    const sources = { index, clock, database: withLimits(primary, { signal }) };
    const preview = await timing.measureAsync('match', () => previewWatch(sources, subject, watch.watch_id, limits));
    return timing.measure('render', () => renderWatchDetail(watch, subject, preview));
  },
};

export const putWatchEndpoint: Endpoint<WatchPlan & { readonly id: string }> = {
  name: 'put_watch',
  afterVerdict: true,
  prepare: ({ pairs, watch, body, bodyType }, timing) => {
    const request = timing.measure('parse', () => {
      checkDeclared('put_watch', pairs);
      return { id: parseWatchId(watch), ...parseWatchBody(body, bodyType) };
    });
    return timing.measure('plan', () => ({ id: request.id, ...planWatch(request) }));
  },
  serve: async ({ id, ...definition }, { accounts }, caller, timing) => {
    const put = () => putWatch(accounts, caller!.customerId, id, definition);
    const { watch } = await timing.measureAsync('store', put);
    if (watch === null) {
      const most = `${WATCHES_MAX} watches, which list ${WATCH_ITEMS_TOTAL_MAX} records and owners in all`;
      throw apiError('invalid_parameter', `A customer has at most ${most}: end one that is no longer needed.`);
    }
    return timing.measure('render', () => renderWatch(watch));
  },
};

export const endWatchEndpoint: Endpoint<string> = {
  name: 'end_watch',
  afterVerdict: true,
  prepare: ({ pairs, watch }) => {
    checkDeclared('end_watch', pairs);
    return parseWatchId(watch);
  },
  serve: async (id, { accounts }, caller, timing) => {
    const watch = await timing.measureAsync('store', () => endWatch(accounts, caller!.customerId, id));
    if (watch === null) throw noSuchWatch();
    return timing.measure('render', () => renderWatch(watch));
  },
};

/** Hits of a watch that has ended stay. */
export const watchHitsEndpoint: Endpoint<HitsRequest> = {
  name: 'watch_hits',
  prepare: ({ pairs, watch }, timing) =>
    timing.measure('parse', () => parseHits(checkDeclared('watch_hits', pairs), watch)),
  serve: async (request, { accounts, primary }, caller, timing, { signal }) => {
    const find = () => findWatch(withLimits(accounts, { signal }), caller!.customerId, request.id);
    const watch = await timing.measureAsync('store', find);
    if (watch === null) throw noSuchWatch();
    const page = await timing.measureAsync('store', () =>
      findHits(withLimits(primary, { signal }), watch.watch_id, request),
    );
    return timing.measure('render', () => renderHits(page));
  },
};
