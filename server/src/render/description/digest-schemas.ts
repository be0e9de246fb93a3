/** The schemas of the answers with which a replica is verified. */
import { DIGEST_FORM } from '@tmds/contract/extras';
import { closed, instant, type Json, pageCursor } from './schema-parts.ts';

/** Digests are 64 bits, as 16 hexadecimal digits. */
export function buildDigestSchemas(): Json {
  const digest = {
    type: 'string',
    pattern: '^[0-9a-f]{16}$',
    description: 'Of the record, or the exclusive or of the digests of all records counted here.',
  };
  const count = { type: 'integer', minimum: 1, description: 'Settled records.' };
  const uid = { type: 'string', minLength: 1, description: 'Identity within the register.' };
  const code = { type: 'string', description: 'Register code.' };
  const page = (items: Json, unsettled: Json, members: Json, description: string): Json =>
    closed(
      {
        form: {
          type: 'integer',
          const: DIGEST_FORM,
          description: 'Version of the method of digesting; digests of different versions cannot be compared.',
        },
        as_of: { ...instant, description: 'The requested position.' },
        bucket_bits: { type: 'integer', minimum: 0, description: 'A register has 2 to this power buckets.' },
        items: { type: 'array', items: closed(items), description: 'The digests.' },
        unsettled: {
          type: 'array',
          items: closed(unsettled),
          description: 'Identities of records that changed since.',
        },
        ...members,
      },
      description,
    );
  return {
    DigestsPage: page(
      { jurisdiction_code: code, record_count: count, digest },
      { jurisdiction_code: code, uid },
      {},
      'Digests of all registers.',
    ),
    RegisterDigestsPage: page(
      { bucket: { type: 'integer', minimum: 0, description: 'Number of the bucket.' }, record_count: count, digest },
      { uid },
      {},
      'Digests of one register by bucket; buckets without records are left out.',
    ),
    BucketDigestsPage: page(
      { uid, digest },
      { uid },
      { next_cursor: pageCursor },
      'Digests of the records in one bucket.',
    ),
  };
}
