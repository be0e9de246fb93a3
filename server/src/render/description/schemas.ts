/** The schemas of the interface description, derived from the tables of the contract. */
import { KINDS_OF_MARK, MARK_FEATURES, PRODUCTS, STATUSES } from '@tmds/contract/enums';
import { ERRORS, type ErrorCode } from '@tmds/contract/errors';
import { DIGEST_FORM } from '@tmds/contract/extras';
import {
  CAUSE_MEANINGS,
  CHANGED_FIELDS,
  HISTORY_CAUSES,
  PAYLOAD_PATHS_MAX,
  SOURCE_FILES_MAX,
} from '@tmds/contract/history';
import { MATCHED_COUNT_MAX, NICE_CLASS_MAX, NICE_CLASS_MIN } from '@tmds/contract/limits';
import { CONTENT_FIELDS, type ContentField, SERVICE_FIELDS } from '@tmds/contract/record';
import { MANIFEST_FORM, SNAPSHOT_FORMATS } from '@tmds/contract/snapshots';
import { buildPayloadSchemas, DOCUMENT_NAME } from './payload-schemas.ts';

export type Json = { readonly [name: string]: unknown };

/** The closed sets behind the fields of type `enum`. */
const FIELD_VALUES: Readonly<Partial<Record<ContentField, readonly string[]>>> = {
  status: STATUSES,
  kind_of_mark: KINDS_OF_MARK,
  mark_feature: MARK_FEATURES,
};

const instant = { type: 'string', format: 'date-time', examples: ['2026-11-21T09:00:00.123456Z'] };

export function refer(kind: 'schemas' | 'parameters' | 'headers' | 'responses', name: string): Json {
  return { $ref: `#/components/${kind}/${name}` };
}

export function buildSchemas(): Json {
  return {
    TrademarkDetail: buildRecordSchema(),
    ...buildPayloadSchemas(),
    SearchPage: buildPage('One page of a search.', {
      next_cursor: { type: ['string', 'null'], description: 'Send it back verbatim for the next page; null: no more.' },
      matched_count: {
        type: 'integer',
        minimum: 0,
        maximum: MATCHED_COUNT_MAX,
        description: 'Number of matches of the query, up to a maximum; only with count=capped.',
      },
      matched_count_capped: {
        type: 'boolean',
        description: 'True if there are more matches than that maximum; only with count=capped.',
      },
    }),
    ChangesPage: buildPage('One page of the change feed, in change order.', {
      next_cursor: {
        type: ['string', 'null'],
        description: 'A durable position: keep the latest one. Null only on an empty page, which means caught up.',
      },
    }),
    JurisdictionInfo: closed(
      {
        jurisdiction_code: { type: 'string', description: 'Register code.' },
        record_count: { type: 'integer', minimum: 0, description: 'Records of the register.' },
        data_current_through: {
          ...instant,
          type: ['string', 'null'],
          description: 'The instant up to which the register has been loaded.',
        },
      },
      'A register.',
    ),
    JurisdictionsPage: closed({ items: { type: 'array', items: refer('schemas', 'JurisdictionInfo') } }),
    UsageReport: buildUsageSchema(),
    Health: closed({
      status: { type: 'string', const: 'ok' },
      version: { type: 'string', description: 'Version of the running program.' },
    }),
    ...buildDigestSchemas(),
    ...buildHistorySchemas(),
    ...buildSnapshotSchemas(),
    ...buildEnvelopes(),
    ValidationDetail: buildDetailSchema(),
  };
}

/** No body matches both envelopes: they have different codes, and only one has `detail`. */
function buildEnvelopes(): Json {
  const codes = Object.keys(ERRORS).filter((code) => code !== 'validation_error');
  const validation = buildEnvelope({ type: 'string', const: 'validation_error' });
  const detail = { type: 'array', minItems: 1, items: refer('schemas', 'ValidationDetail') };
  return {
    Error: {
      ...closed({ error: buildEnvelope({ type: 'string', enum: codes }) }, 'Every answer that is not 2xx.'),
      not: { type: 'object', required: ['detail'], properties: { detail: { type: 'array', items: {} } } },
    },
    ValidationError: closed({ detail, error: validation }, 'Parameters that fail their declaration.'),
  };
}

function buildEnvelope(code: Json): Json {
  return {
    type: 'object',
    required: ['code', 'message'],
    properties: {
      code: { ...code, description: 'What a program acts on; see the page of each code.' },
      message: { type: 'string', minLength: 1, description: 'For people: what to change.' },
      param: { type: 'string', description: 'The parameter at fault, if there is one.' },
    },
  };
}

function buildHistorySchemas(): Json {
  const count = { type: 'integer', minimum: 0 };
  const changes = CHANGED_FIELDS.map((field) => {
    const name = { type: 'string', const: field };
    if (field === 'payload') {
      const paths = { type: 'array', minItems: 1, maxItems: PAYLOAD_PATHS_MAX, items: { type: 'string' } };
      return closed(
        {
          field: name,
          paths: {
            ...paths,
            description:
              'JSON Pointers (RFC 6901) to what differs: places in the payload of this version and, of what is gone, ' +
              'the place it had. The empty pointer is the whole payload.',
          },
          more_paths: { ...count, description: `How many paths beyond ${PAYLOAD_PATHS_MAX} are left out.` },
        },
        'The payload differs.',
      );
    }
    const { type, nullable } = CONTENT_FIELDS[field];
    const value = buildFieldSchema(field, type, nullable);
    return closed({ field: name, old: value, new: value });
  });
  const file = closed({
    name: { type: 'string', minLength: 1 },
    sha256: { type: 'string', pattern: '^[0-9a-f]{64}$', description: 'Of the file as it was delivered.' },
    bytes: count,
    period: { type: ['string', 'null'], description: 'What the file covers, as far as it or its source says so.' },
  });
  const source = closed(
    {
      load_id: { type: 'string', format: 'uuid' },
      format: { type: ['string', 'null'], description: 'Null if the load is no longer known.' },
      files: { type: 'array', maxItems: SOURCE_FILES_MAX, items: file },
      more_files: { ...count, description: `How many files beyond ${SOURCE_FILES_MAX} are left out.` },
      source_date: {
        type: ['string', 'null'],
        description: 'The latest period of the files of the load, as the source names it.',
      },
    },
    'The load that published a version.',
  );
  const causes = HISTORY_CAUSES.map((cause) => `\`${cause}\`: ${CAUSE_MEANINGS[cause]}`);
  const event = closed(
    {
      jurisdiction_code: { type: 'string', description: 'Register code.' },
      uid: { type: 'string', minLength: 1 },
      version: { ...instant, description: 'The `updated_at` of the version.' },
      previous_version: {
        ...instant,
        type: ['string', 'null'],
        description: 'The version that it replaced; null for the first.',
      },
      cause: { type: 'string', enum: HISTORY_CAUSES, description: `${causes.join('; ')}.` },
      source: {
        anyOf: [refer('schemas', 'HistorySource'), { type: 'null' }],
        description: 'Null for what was published before sources were kept.',
      },
      changes: {
        type: 'array',
        items: refer('schemas', 'HistoryChange'),
        description:
          'What differs from the version before: fields with their whole values, the payload last. Empty for a first ' +
          'version, and where only held translations of the mark differ, which are searched but not delivered.',
      },
    },
    'One version of a record, told by what is different from the version before.',
  );
  return {
    HistoryChange: { oneOf: changes },
    HistorySource: source,
    HistoryEvent: event,
    HistoryPage: closed(
      {
        items: { type: 'array', items: refer('schemas', 'HistoryEvent') },
        next_cursor: {
          type: ['string', 'null'],
          description:
            'How far was read: send it back for the next page, also after an empty one. Null: nothing more was read.',
        },
      },
      'One page of a history.',
    ),
  };
}

/** Digests are 64 bits, as 16 hexadecimal digits. */
function buildDigestSchemas(): Json {
  const digest = { type: 'string', pattern: '^[0-9a-f]{16}$' };
  const count = { type: 'integer', minimum: 1, description: 'Settled records.' };
  const uid = { type: 'string', minLength: 1 };
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
        items: { type: 'array', items: closed(items) },
        unsettled: {
          type: 'array',
          items: closed(unsettled),
          description: 'Identities of records that changed since.',
        },
        ...members,
      },
      description,
    );
  const next = { type: ['string', 'null'], description: 'Send it back verbatim for the next page; null: no more.' };
  return {
    DigestsPage: page(
      { jurisdiction_code: code, record_count: count, digest },
      { jurisdiction_code: code, uid },
      {},
      'Digests of all registers.',
    ),
    RegisterDigestsPage: page(
      { bucket: { type: 'integer', minimum: 0 }, record_count: count, digest },
      { uid },
      {},
      'Digests of one register by bucket; buckets without records are left out.',
    ),
    BucketDigestsPage: page({ uid, digest }, { uid }, { next_cursor: next }, 'Digests of the records in one bucket.'),
  };
}

function buildSnapshotSchemas(): Json {
  const hex = (digits: number): Json => ({ type: 'string', pattern: `^[0-9a-f]{${digits}}$` });
  const count = { type: 'integer', minimum: 1 };
  const file = closed(
    {
      name: { type: 'string', minLength: 1, description: 'Its name in the path of the download.' },
      format: {
        type: 'string',
        enum: SNAPSHOT_FORMATS,
        description: 'jsonl: lines as the feed delivers records, compressed by gzip; parquet: a column for each field.',
      },
      bytes: { ...count, description: 'As it is downloaded.' },
      sha256: { ...hex(64), description: 'Of these bytes.' },
      record_count: count,
    },
    'A file of a snapshot.',
  );
  const register = closed(
    {
      jurisdiction_code: { type: 'string', description: 'Register code.' },
      record_count: count,
      digest: { ...hex(16), description: 'Exclusive or of the digests of the records, as /v1/digests gives it.' },
      cursor: { type: 'string', description: 'Goes on with the change feed of the register.' },
      files: { type: 'array', minItems: 1, items: refer('schemas', 'SnapshotFile') },
    },
    'A register in a snapshot. The files of one format hold all of its records, in the order of the feed.',
  );
  const snapshot = closed(
    {
      id: { type: 'string', minLength: 1, description: 'Later snapshots have ids that sort later.' },
      form: { type: 'integer', const: MANIFEST_FORM, description: 'Version of the manifest.' },
      made_at: { ...instant, description: 'When it was begun.' },
      as_of: { ...instant, description: 'It has every record that last changed at or before this instant.' },
      digest_form: { type: 'integer', minimum: 1, description: 'Version of the text of a record and of its digest.' },
      payloads: { type: 'boolean', description: 'Whether records have their payloads.' },
      document_schema: { ...hex(16), description: 'Identifies the schema of payloads.' },
      since: { ...instant, description: 'Send it with the cursors.' },
      cursor: {
        type: ['string', 'null'],
        description: 'Goes on with the change feed of all registers; null if not every register is in the snapshot.',
      },
      registers: { type: 'array', minItems: 1, items: refer('schemas', 'SnapshotRegister') },
    },
    'The manifest of a snapshot.',
  );
  return {
    SnapshotsPage: closed({ items: { type: 'array', items: refer('schemas', 'Snapshot') } }, 'All snapshots.'),
    Snapshot: snapshot,
    SnapshotRegister: register,
    SnapshotFile: file,
    SnapshotFileBytes: { type: 'string', format: 'binary', description: 'The bytes of a file of a snapshot.' },
  };
}

function buildRecordSchema(): Json {
  const content = Object.entries(CONTENT_FIELDS).map(([name, { type, nullable, description }]) => [
    name,
    { ...buildFieldSchema(name as ContentField, type, nullable), description },
  ]);
  const service = {
    record_update_date: { type: ['string', 'null'], format: 'date', description: SERVICE_FIELDS.record_update_date },
    first_seen_at: { ...instant, description: SERVICE_FIELDS.first_seen_at },
    updated_at: { ...instant, description: SERVICE_FIELDS.updated_at },
  };
  const payload = {
    anyOf: [
      refer('schemas', DOCUMENT_NAME),
      { type: 'object', additionalProperties: true, description: 'What a record loaded as `ndjson` states instead.' },
      { type: 'null' },
    ],
    description:
      'The full normalized document: parties, goods and services, publications, priorities, events, images. ' +
      'Present only with expand=payload.',
  };
  const record = closed({ ...Object.fromEntries(content), ...service }, 'One trademark record.') as {
    properties: Json;
  };
  return { ...record, properties: { ...record.properties, payload } };
}

function buildFieldSchema(name: ContentField, type: string, nullable: boolean): Json {
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

function buildPage(description: string, members: Json): Json {
  const items = { type: 'array', items: refer('schemas', 'TrademarkDetail') };
  return { ...closed({ items, ...members }, description), required: ['items', 'next_cursor'] };
}

function buildUsageSchema(): Json {
  const product = closed({
    product: { type: 'string', enum: PRODUCTS },
    calls: { type: 'integer', minimum: 0, description: 'Units metered this month, this call included.' },
    quota: { type: ['integer', 'null'], minimum: 0, description: 'Units per month; null if unlimited.' },
    remaining: { type: ['integer', 'null'], minimum: 0, description: 'Null if unlimited.' },
    rate_limit_per_minute: { type: 'integer', minimum: 1 },
  });
  const key = closed({
    id: { type: 'string', description: 'The public part of the key.' },
    name: { type: ['string', 'null'] },
    created_at: instant,
  });
  return closed(
    {
      month: { type: 'string', pattern: '^\\d{4}-\\d{2}$', description: 'UTC calendar month.' },
      resets_at: { ...instant, description: 'When the month ends and the quotas reset.' },
      key,
      products: { type: 'array', items: product },
    },
    'The usage of the key this month.',
  );
}

function buildDetailSchema(): Json {
  return {
    type: 'object',
    required: ['loc', 'msg', 'type'],
    properties: {
      loc: { type: 'array', items: { type: ['string', 'integer'] }, examples: [['query', 'limit']] },
      msg: { type: 'string' },
      type: { type: 'string' },
      input: { description: 'What was sent.' },
      ctx: { type: 'object', additionalProperties: true, description: 'What was expected.' },
    },
  };
}

/** An object whose members are all required. */
function closed(properties: Json, description?: string): Json {
  const required = Object.keys(properties);
  return { type: 'object', ...(description === undefined ? {} : { description }), required, properties };
}

/** Codes by the status they are sent with. */
export function groupByStatus(codes: readonly ErrorCode[]): ReadonlyMap<number, ErrorCode[]> {
  const groups = new Map<number, ErrorCode[]>();
  for (const code of codes) groups.set(ERRORS[code].status, [...(groups.get(ERRORS[code].status) ?? []), code]);
  return groups;
}
