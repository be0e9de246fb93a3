/**
 * Turns declared texts into a request for digests, or for the list of deltas: the position, the register, the bucket
 * and the cursor. It does not check whether the register or bucket exists; the store does.
 */
import type { Instant } from '@tmds/contract/record';
import { apiError } from '../base/errors.ts';
import { CURSORS, type CursorBinding, decodePosition, type StampedPosition } from './cursor.ts';
import type { DeclaredValues } from './query.ts';
import { parseInstant, parseRegister } from './values.ts';

export interface DigestsRequest {
  /** Inclusive. */
  readonly asOf: Instant;
}

export interface RegisterDigestsRequest extends DigestsRequest {
  /** Upper case. */
  readonly register: string;
}

export interface BucketDigestsRequest extends RegisterDigestsRequest {
  readonly bucket: number;
  readonly after: Pick<StampedPosition, 'updated_at' | 'uid'> | null;
  /** What the cursors of this bucket are bound to. */
  readonly binding: CursorBinding;
}

/** @throws ApiError `invalid_parameter` */
export function parseDigests(values: DeclaredValues<'digests'>): DigestsRequest {
  return { asOf: parseInstant('as_of', values.as_of ?? '') };
}

/** @throws ApiError `invalid_parameter` */
export function parseRegisterDigests(
  values: DeclaredValues<'register_digests'>,
  pathRegister: string,
): RegisterDigestsRequest {
  return { ...parseDigests(values), register: parseRegister(pathRegister) };
}

/**
 * @throws ApiError `invalid_parameter`, `not_found` if the bucket is not a number, `cursor_invalid`,
 *   `cursor_query_mismatch`
 */
export function parseBucketDigests(
  { cursor, ...values }: DeclaredValues<'bucket_digests'>,
  pathRegister: string,
  pathBucket: string,
): BucketDigestsRequest {
  const request = parseRegisterDigests(values, pathRegister);
  if (!/^\d{1,6}$/.test(pathBucket))
    throw apiError('not_found', 'There is no such bucket; the digests of the register list its buckets by number.', {
      param: 'bucket',
    });
  const place = { ...request, bucket: Number(pathBucket) };
  const binding = CURSORS.digests(place);
  return { ...place, after: decodePosition(binding, cursor, null), binding };
}

export interface DeltasRequest {
  /** Only deltas that end later; null: all. */
  readonly after: Instant | null;
}

export function parseDeltas(values: DeclaredValues<'deltas'>): DeltasRequest {
  return { after: values.as_of === undefined ? null : parseInstant('as_of', values.as_of) };
}
