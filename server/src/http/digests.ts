/** The endpoints with which a replica is verified: digests of registers, of their buckets, and of records. */
import {
  type BucketDigestsRequest,
  type DigestsRequest,
  parseBucketDigests,
  parseDigests,
  parseRegisterDigests,
  type RegisterDigestsRequest,
} from '../parse/digests.ts';
import { checkDeclared } from '../parse/query.ts';
import { renderBucketDigests, renderDigests, renderRegisterDigests } from '../render/digests.ts';
import { withLimits } from '../store/driver/db.ts';
import { listBucketDigests, listBucketRecords, listRegisterDigests } from '../store/records/digests.ts';
import type { Endpoint, Services } from './call.ts';

function optionsOf(request: DigestsRequest, { config }: Services): { asOf: string; horizonSeconds: number } {
  return { asOf: request.asOf, horizonSeconds: config.changeHorizonSeconds };
}

export const digestsEndpoint: Endpoint<DigestsRequest> = {
  name: 'digests',
  prepare: ({ pairs }, timing) => timing.measure('parse', () => parseDigests(checkDeclared('digests', pairs))),
  serve: async (request, services, _caller, timing, { signal }) => {
    const find = () => listRegisterDigests(withLimits(services.database, { signal }), optionsOf(request, services));
    return renderDigests(request, await timing.measureAsync('store', find));
  },
};

export const registerDigestsEndpoint: Endpoint<RegisterDigestsRequest> = {
  name: 'register_digests',
  prepare: ({ pairs, register }, timing) =>
    timing.measure('parse', () => parseRegisterDigests(checkDeclared('register_digests', pairs), register)),
  serve: async (request, services, _caller, timing, { signal }) => {
    const find = () =>
      listBucketDigests(withLimits(services.database, { signal }), request.register, optionsOf(request, services));
    return renderRegisterDigests(request, await timing.measureAsync('store', find));
  },
};

export const bucketDigestsEndpoint: Endpoint<BucketDigestsRequest> = {
  name: 'bucket_digests',
  prepare: ({ pairs, register, bucket }, timing) =>
    timing.measure('parse', () => parseBucketDigests(checkDeclared('bucket_digests', pairs), register, bucket)),
  serve: async (request, services, _caller, timing, { signal }) => {
    const find = () =>
      listBucketRecords(withLimits(services.database, { signal }), request, optionsOf(request, services));
    return renderBucketDigests(request, await timing.measureAsync('store', find));
  },
};
