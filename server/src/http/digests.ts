/** The endpoints with which a replica is verified: digests of registers, of their buckets, and of records. */
import { type DigestsRequest, parseBucketDigests, parseDigests, parseRegisterDigests } from '../parse/digests.ts';
import { renderBucketDigests, renderDigests, renderRegisterDigests } from '../render/pages.ts';
import {
  type DigestOptions,
  listBucketDigests,
  listBucketRecords,
  listRegisterDigests,
} from '../store/records/digests.ts';
import type { Call } from './call.ts';
import { defineEndpoint, type Services } from './endpoint.ts';

function optionsOf({ asOf }: DigestsRequest, { config }: Services, { signal }: Call): DigestOptions {
  return { asOf, horizonSeconds: config.changeHorizonSeconds, signal };
}

export const digestsEndpoint = defineEndpoint({
  name: 'digests',
  parse: ({ values }) => parseDigests(values),
  read: (request, services, call) => listRegisterDigests(services.database, optionsOf(request, services, call)),
  render: (found, request) => renderDigests(request, found),
});

export const registerDigestsEndpoint = defineEndpoint({
  name: 'register_digests',
  parse: ({ values, path }) => parseRegisterDigests(values, path.register),
  read: (request, services, call) =>
    listBucketDigests(services.database, request.register, optionsOf(request, services, call)),
  render: (found, request) => renderRegisterDigests(request, found),
});

export const bucketDigestsEndpoint = defineEndpoint({
  name: 'bucket_digests',
  parse: ({ values, path }) => parseBucketDigests(values, path.register, path.bucket),
  read: (request, services, call) => listBucketRecords(services.database, request, optionsOf(request, services, call)),
  render: (found, request) => renderBucketDigests(request, found),
});
