/**
 * The schemas of the history: events, their content, and their pages; of each field of a record, by its type in the
 * contract; and of the answers with which a replica is verified.
 */

import { KINDS_OF_MARK, MARK_FEATURES, STATUSES } from '@tmds/contract/enums';
import { DIGEST_FORM } from '@tmds/contract/extras';
import {
  CAUSE_MEANINGS,
  CHANGED_FIELDS,
  type FieldChange,
  HISTORY_CAUSES,
  type HistoryEvent,
  type HistoryPage,
  type HistorySource,
  PAYLOAD_PATHS_MAX,
  type PayloadChange,
  SOURCE_FILES_MAX,
  type SourceFile,
} from '@tmds/contract/history';
import { NICE_CLASS_MAX, NICE_CLASS_MIN } from '@tmds/contract/limits';
import { CONTENT_FIELDS, type ContentField } from '@tmds/contract/record';
import { closed, instant, type Json, type Members, pageCursor, refer } from './schema-parts.ts';

export function buildHistorySchemas(): Json & {
  readonly HistoryEvent: { readonly properties: Members<HistoryEvent> };
} {
  const count = { type: 'integer', minimum: 0 };
  const changes = CHANGED_FIELDS.map((field) => {
    const name = { type: 'string', const: field, description: 'What differs.' };
    if (field === 'payload') {
      const paths = { type: 'array', minItems: 1, maxItems: PAYLOAD_PATHS_MAX, items: { type: 'string' } };
      return closed<PayloadChange>(
        {
          field: name,
          paths: {
            ...paths,
            description:
              'JSON Pointers (RFC 6901) to what differs: places in the payload of this version and, for values ' +
              'that are gone, the former place. The empty pointer is the whole payload.',
          },
          more_paths: { ...count, description: `How many paths beyond ${PAYLOAD_PATHS_MAX} are left out.` },
        },
        'The payload differs.',
      );
    }
    const { type, nullable } = CONTENT_FIELDS[field];
    const value = buildFieldSchema(field, type, nullable);
    const members = {
      field: name,
      old: { ...value, description: 'In the version before.' },
      new: { ...value, description: 'In this version.' },
    };
    return closed<FieldChange>(members, `\`${field}\` differs.`);
  });
  const file = closed<SourceFile>({
    name: { type: 'string', minLength: 1, description: 'Name of the file.' },
    sha256: { type: 'string', pattern: '^[0-9a-f]{64}$', description: 'Digest of the file as delivered.' },
    bytes: { ...count, description: 'Its size.' },
    period: {
      type: ['string', 'null'],
      description: 'The period that the file covers, if it or its source states one.',
    },
  });
  const source = closed<HistorySource>(
    {
      load_id: { type: 'string', format: 'uuid', description: 'Names the load.' },
      format: { type: ['string', 'null'], description: 'Null if the load is no longer known.' },
      files: { type: 'array', maxItems: SOURCE_FILES_MAX, items: file, description: 'Its first files, as delivered.' },
      more_files: { ...count, description: `How many files beyond ${SOURCE_FILES_MAX} are left out.` },
      source_date: {
        type: ['string', 'null'],
        format: 'date',
        description: 'The date that the source itself gives to its statement of the record; null if it gives none.',
      },
    },
    'The load that published a version.',
  );
  const causes = HISTORY_CAUSES.map((cause) => `\`${cause}\`: ${CAUSE_MEANINGS[cause]}`);
  const event = closed<HistoryEvent>(
    {
      jurisdiction_code: { type: 'string', description: 'Register code.' },
      uid: { type: 'string', minLength: 1, description: 'Identity within the register.' },
      version: { ...instant, description: 'The `updated_at` of the version.' },
      previous_version: {
        ...instant,
        type: ['string', 'null'],
        description: 'The version that it replaced; null for the first.',
      },
      cause: { type: 'string', enum: HISTORY_CAUSES, description: `${causes.join('; ')}.` },
      source: {
        anyOf: [refer('schemas', 'HistorySource'), { type: 'null' }],
        description: 'Null for versions published before sources were kept.',
      },
      changes: {
        type: 'array',
        items: refer('schemas', 'HistoryChange'),
        description:
          'What differs from the version before: fields with their whole values, the payload last. Empty for a first ' +
          'version, and where only held translations of the mark differ, which are searched but not delivered.',
      },
    },
    'One version of a record, described by its differences from the version before.',
  );
  return {
    HistoryChange: { description: 'One field that differs.', oneOf: changes },
    HistorySource: source,
    HistoryEvent: event,
    HistoryPage: closed<HistoryPage>(
      {
        items: { type: 'array', items: refer('schemas', 'HistoryEvent'), description: 'The events.' },
        next_cursor: {
          type: ['string', 'null'],
          description:
            'How far was read: send it back for the next page, even after an empty one. Null: nothing more was read.',
        },
      },
      'One page of a history.',
    ),
  };
}

/** The closed sets behind the fields of type `enum`. */
const FIELD_VALUES: Readonly<Partial<Record<ContentField, readonly string[]>>> = {
  status: STATUSES,
  kind_of_mark: KINDS_OF_MARK,
  mark_feature: MARK_FEATURES,
};

export function buildFieldSchema(name: ContentField, type: string, nullable: boolean): Json {
  const orNull = (base: string): unknown => (nullable ? [base, 'null'] : base);
  if (type === 'enum') {
    const values = FIELD_VALUES[name]!;
    return { type: orNull('string'), enum: nullable ? [...values, null] : values };
  }
  if (type === 'date') return { type: orNull('string'), format: 'date' };
  if (type === 'integers') {
    const items = { type: 'integer', minimum: NICE_CLASS_MIN, maximum: NICE_CLASS_MAX };
    return { type: orNull('array'), items, minItems: 1, uniqueItems: true };
  }
  if (['texts', 'codes', 'names'].includes(type)) {
    return { type: orNull('array'), items: { type: 'string', minLength: 1 }, minItems: 1, uniqueItems: true };
  }
  return { type: orNull('string'), ...(nullable ? {} : { minLength: 1 }) };
}

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
