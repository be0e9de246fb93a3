/** The endpoints of the history: its feed, for all registers and for one, and the events and versions of a record. */
import { QUERY_TIMEOUT_SECONDS } from '@tmds/contract/limits';
import { apiError } from '../base/errors.ts';
import { parseHistory, parseRecordHistory, parseVersion } from '../parse/history.ts';
import { checkDeclared } from '../parse/query.ts';
import { type HistoryPlan, planHistory, type RecordHistoryRequest, type VersionRequest } from '../plan/history.ts';
import { renderHistoryFeed, renderRecordHistory, renderVersion } from '../render/history.ts';
import { withLimits } from '../store/driver/db.ts';
import { findHistoryPage, findRecordHistory } from '../store/records/history.ts';
import { recordNotFound } from '../store/records/registers.ts';
import { findVersion } from '../store/records/versions.ts';
import type { Endpoint } from './call.ts';

function buildHistoryEndpoint(name: 'history' | 'register_history'): Endpoint<HistoryPlan> {
  return {
    name,
    prepare: ({ pairs, register }, timing) => {
      const request = timing.measure('parse', () =>
        parseHistory(checkDeclared(name, pairs), name === 'history' ? null : register),
      );
      return timing.measure('plan', () => planHistory(request));
    },
    serve: async (plan, { database, index, clock, config }, caller, timing, { signal }) => {
      const deadlineMs = clock.monotonicMs() + (config.queryTimeoutSeconds ?? QUERY_TIMEOUT_SECONDS) * 1000;
      const turn = caller === null ? undefined : { customer: caller.customerId, key: caller.keyId };
      const limits = { deadlineMs, signal, turn };
      const page = await timing.measureAsync('store', () =>
        findHistoryPage(withLimits(database, { signal }), plan, {
          horizonSeconds: config.changeHorizonSeconds,
          matches: (versions, conditions) => index.sift(versions, conditions, limits),
        }),
      );
      return timing.measure('render', () => renderHistoryFeed(page));
    },
  };
}

export const historyEndpoint = buildHistoryEndpoint('history');
export const registerHistoryEndpoint = buildHistoryEndpoint('register_history');

export const recordHistoryEndpoint: Endpoint<RecordHistoryRequest> = {
  name: 'record_history',
  prepare: ({ pairs, register, uid }, timing) =>
    timing.measure('parse', () => parseRecordHistory(checkDeclared('record_history', pairs), { register, uid })),
  serve: async (request, { database }, _caller, timing, { signal }) => {
    const page = await timing.measureAsync('store', () => findRecordHistory(withLimits(database, { signal }), request));
    return timing.measure('render', () => renderRecordHistory(page));
  },
};

export const recordVersionEndpoint: Endpoint<VersionRequest> = {
  name: 'record_version',
  prepare: ({ pairs, register, uid, version }, timing) =>
    timing.measure('parse', () => parseVersion(checkDeclared('record_version', pairs), { register, uid, version })),
  serve: async (request, { database, records }, _caller, timing, asker) => {
    const db = withLimits(database, { signal: asker.signal });
    const version = await timing.measureAsync('store', () => findVersion(db, request));
    if (version === null) {
      const record = await records.find(request.register, request.uid, false, asker);
      if (record === null) throw await recordNotFound(db, request.register);
      throw apiError('not_found', 'The record has no version of this instant; its history lists those it has.');
    }
    return timing.measure('render', () => renderVersion(version));
  },
};
