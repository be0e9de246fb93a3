/** The endpoints of the history: its feed, for all registers and for one, and the events and versions of a record. */
import { apiError } from '../base/errors.ts';
import { withLimits } from '../database/driver/db.ts';
import { parseHistory, parseRecordHistory, parseVersion } from '../parse/history.ts';
import { type HistoryPlan, planHistory } from '../plan/history.ts';
import { renderHistoryFeed, renderRecordHistory, renderVersion } from '../render/watches.ts';
import { findHistoryPage, findRecordHistory } from '../store/records/history.ts';
import { missingRecord } from '../store/records/registers.ts';
import { findVersion } from '../store/records/versions.ts';
import type { Call } from './call.ts';
import { defineEndpoint, type Services } from './endpoint.ts';

function readHistory(plan: HistoryPlan, services: Services, call: Call): ReturnType<typeof findHistoryPage> {
  const { database, index, config } = services;
  const limits = call.limitSearch(services);
  return findHistoryPage(withLimits(database, { signal: call.signal }), plan, {
    horizonSeconds: config.changeHorizonSeconds,
    matches: (versions, conditions) => index.sift(versions, conditions, null, limits),
  });
}

function coverHistory({ register, registers }: HistoryPlan): readonly string[] | null {
  return register === null ? registers : [register];
}

export const historyEndpoint = defineEndpoint({
  name: 'history',
  parse: ({ values }) => parseHistory(values, null),
  plan: planHistory,
  covers: coverHistory,
  read: readHistory,
  render: renderHistoryFeed,
});

export const registerHistoryEndpoint = defineEndpoint({
  name: 'register_history',
  parse: ({ values, path }) => parseHistory(values, path.register),
  plan: planHistory,
  covers: coverHistory,
  read: readHistory,
  render: renderHistoryFeed,
});

export const recordHistoryEndpoint = defineEndpoint({
  name: 'record_history',
  parse: ({ values, path }) => parseRecordHistory(values, { register: path.register, uid: path.uid }),
  covers: ({ register }) => [register],
  read: (request, { database }, { signal }) => findRecordHistory(withLimits(database, { signal }), request),
  render: renderRecordHistory,
});

export const recordVersionEndpoint = defineEndpoint({
  name: 'record_version',
  parse: ({ values, path: { register, uid, version } }) => parseVersion(values, { register, uid, version }),
  read: async (request, { database, records }, call) => {
    const db = withLimits(database, { signal: call.signal });
    const version = await findVersion(db, request);
    if (version !== null) return version;
    const record = await records.find(request.register, request.uid, false, call);
    if (record === null) throw await missingRecord(db, request.register);
    throw apiError('not_found', 'The record has no version of this instant; its history lists those it has.');
  },
  render: renderVersion,
});
