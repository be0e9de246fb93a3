/** The schemas that follow from the table of fields: of a record, of a value of it, and of a change of a field. */
import { KINDS_OF_MARK, MARK_FEATURES, STATUSES } from '@tmds/contract/enums';
import { CHANGED_FIELDS } from '@tmds/contract/history';
import { NICE_CLASS_MAX, NICE_CLASS_MIN } from '@tmds/contract/limits';
import { CONTENT_FIELDS, type ContentField, SERVICE_FIELDS } from '@tmds/contract/record';
import { DOCUMENT_NAME } from './document-page.ts';
import { closed, instant, type Json, refer } from './schema-parts.ts';

export function buildRecordSchema(description: string): Json {
  const content = Object.entries(CONTENT_FIELDS).map(([name, { type, nullable, description: meaning }]) => [
    name,
    { ...buildFieldSchema(name as ContentField, type, nullable), description: meaning },
  ]);
  const service = {
    record_update_date: { type: ['string', 'null'], format: 'date', description: SERVICE_FIELDS.record_update_date },
    first_seen_at: { ...instant, description: SERVICE_FIELDS.first_seen_at },
    updated_at: { ...instant, description: SERVICE_FIELDS.updated_at },
  };
  const payload = {
    anyOf: [
      refer('schemas', DOCUMENT_NAME),
      { type: 'object', additionalProperties: true, description: 'The document of a record loaded as `ndjson`.' },
    ],
    description:
      'The full normalized document: parties, goods and services, publications, priorities, events, images. ' +
      'Present only with expand=payload; `{}` where the source states none.',
  };
  const members = { ...Object.fromEntries(content), ...service };
  return { ...closed(members, description), properties: { ...members, payload } };
}

export function buildFieldChanges(): Json[] {
  return CHANGED_FIELDS.filter((field) => field !== 'payload').map((field) => {
    const { type, nullable } = CONTENT_FIELDS[field];
    const value = buildFieldSchema(field, type, nullable);
    const members = {
      field: { type: 'string', const: field, description: 'What differs.' },
      old: { ...value, description: 'In the version before.' },
      new: { ...value, description: 'In this version.' },
    };
    return closed(members, `\`${field}\` differs.`);
  });
}

/** The closed sets behind the fields of type `enum`. */
const FIELD_VALUES: Readonly<Partial<Record<ContentField, readonly string[]>>> = {
  status: STATUSES,
  kind_of_mark: KINDS_OF_MARK,
  mark_feature: MARK_FEATURES,
};

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
