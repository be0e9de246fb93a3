/** The schemas of the history: events, their content, and their pages. */
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
import { CONTENT_FIELDS } from '@tmds/contract/record';
import { buildFieldSchema } from './field-schemas.ts';
import { closed, instant, type Json, type Members, refer } from './schema-parts.ts';

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
            'How far was read: send it back for the next page, also after an empty one. Null: nothing more was read.',
        },
      },
      'One page of a history.',
    ),
  };
}
