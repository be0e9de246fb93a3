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
import {
  type DigestOptions,
  listBucketDigests,
  listBucketRecords,
  listRegisterDigests,
} from '../store/records/digests.ts';
import type { Endpoint, Services } from './call.ts';

function optionsOf({ asOf }: DigestsRequest, { config }: Services, signal: AbortSignal): DigestOptions {
  return { asOf, horizonSeconds: config.changeHorizonSeconds, signal };
}

export const digestsEndpoint: Endpoint<DigestsRequest> = {
  name: 'digests',
  prepare: ({ pairs }, timing) => timing.measure('parse', () => parseDigests(checkDeclared('digests', pairs))),
  serve: async (request, services, _caller, timing, { signal }) => {
    const find = () => listRegisterDigests(services.database, optionsOf(request, services, signal));
    return renderDigests(request, await timing.measureAsync('store', find));
  },
};

export const registerDigestsEndpoint: Endpoint<RegisterDigestsRequest> = {
  name: 'register_digests',
  prepare: ({ pairs, register }, timing) =>
    timing.measure('parse', () => parseRegisterDigests(checkDeclared('register_digests', pairs), register)),
  serve: async (request, services, _caller, timing, { signal }) => {
    const find = () => listBucketDigests(services.database, request.register, optionsOf(request, services, signal));
    return renderRegisterDigests(request, await timing.measureAsync('store', find));
  },
};

export const bucketDigestsEndpoint: Endpoint<BucketDigestsRequest> = {
  name: 'bucket_digests',
  prepare: ({ pairs, register, bucket }, timing) =>
    timing.measure('parse', () => parseBucketDigests(checkDeclared('bucket_digests', pairs), register, bucket)),
  serve: async (request, services, _caller, timing, { signal }) => {
    const find = () => listBucketRecords(services.database, request, optionsOf(request, services, signal));
    return renderBucketDigests(request, await timing.measureAsync('store', find));
  },
};
