/** The parameters of the interface description, derived from the table of the contract. */
import { NICE_CLASS_MAX, NICE_CLASS_MIN } from '@tmds/contract/limits';
import { isListForm, type ParameterDefinition } from '@tmds/contract/parameters';
import type { Json } from './schema-parts.ts';

export function buildParameter(name: string, definition: ParameterDefinition, required: boolean): Json {
  const { value, description, example } = definition;
  const isList = isListForm(value);
  const shared = {
    name,
    in: 'query',
    required,
    description,
    ...(isList ? { style: 'form', explode: false } : {}),
    schema: buildSchema(value),
  };
  return example === '' ? shared : { ...shared, example: readExample(value, example) };
}

function buildSchema(value: ParameterDefinition['value']): Json {
  switch (value.form) {
    case 'choice':
      return { type: 'string', enum: value.values, ...(value.default === undefined ? {} : { default: value.default }) };
    case 'integer':
      return { type: 'integer', minimum: value.min, maximum: value.max, default: value.default };
    case 'codes':
      return list({ type: 'string', pattern: '^[A-Za-z0-9]{1,5}$' }, value.max);
    case 'enums':
      return list({ type: 'string', enum: value.values });
    case 'nice_classes':
      return list({ type: 'integer', minimum: NICE_CLASS_MIN, maximum: NICE_CLASS_MAX });
    case 'vienna_codes':
      return list({ type: 'string', pattern: '^\\d{1,3}(\\.\\d{1,3}){0,2}$' });
    case 'numbers':
    case 'register_texts':
      return list({ type: 'string', minLength: 1 }, value.max);
    case 'name_fragment':
      return { type: 'string', minLength: value.min };
    case 'date':
      return { type: 'string', format: 'date' };
    case 'instant':
      // No `format: date-time`, because generated clients would then refuse a date without a time.
      return { type: 'string', minLength: 10 };
    default:
      return { type: 'string', minLength: 1 };
  }
}

function list(items: Json, max?: number): Json {
  return { type: 'array', items, minItems: 1, ...(max === undefined ? {} : { maxItems: max }) };
}

function readExample(value: ParameterDefinition['value'], example: string): unknown {
  if (value.form === 'integer') return Number(example);
  if (value.form === 'nice_classes') return example.split(',').map(Number);
  return isListForm(value) ? example.split(',') : example;
}

/** The path parameters, and the request header for conditional calls. */
export function buildSharedParameters(): Json {
  const inPath = { in: 'path', required: true };
  return {
    jurisdiction_code: {
      name: 'jurisdiction_code',
      description: 'Register code, in any letter case.',
      ...inPath,
      // Shorter than any literal part of a path, so that no address has two meanings.
      schema: { type: 'string', pattern: '^[A-Za-z0-9]{1,5}$' },
      example: 'US',
    },
    uid: {
      name: 'uid',
      description: 'Identity within the register, fully percent-encoded (`/` as `%2F`).',
      ...inPath,
      schema: { type: 'string', minLength: 1 },
      example: 'US500000097123456',
    },
    version: {
      name: 'version',
      description: 'The `updated_at` of the version: an ISO 8601 instant, in any form.',
      ...inPath,
      schema: { type: 'string', minLength: 10 },
      example: '2026-08-16T05:00:00.123456Z',
    },
    bucket: {
      name: 'bucket',
      description: 'Number of a bucket, from the digests of the register.',
      ...inPath,
      schema: { type: 'integer', minimum: 0, maximum: 999_999 },
      example: 517,
    },
    watch: {
      name: 'watch',
      description: 'Id of a watch: up to 64 letters, digits, dots, underscores and hyphens.',
      ...inPath,
      schema: { type: 'string', minLength: 1, maxLength: 64 },
      example: 'lumora-eu',
    },
    webhook: {
      name: 'webhook',
      description: 'Id of a webhook: up to 64 letters, digits, dots, underscores and hyphens.',
      ...inPath,
      schema: { type: 'string', minLength: 1, maxLength: 64 },
      example: 'docketing',
    },
    snapshot_id: {
      name: 'snapshot_id',
      description: 'Id of a snapshot or delta, from the list of snapshots or deltas.',
      ...inPath,
      schema: { type: 'string', minLength: 1 },
      example: '20261121T090000123Z',
    },
    file: {
      name: 'file',
      description: 'Name of a file, from the manifest of the snapshot or delta.',
      ...inPath,
      schema: { type: 'string', minLength: 1 },
      example: 'US-0001.jsonl.gz',
    },
    Range: {
      name: 'Range',
      in: 'header',
      required: false,
      description: 'The bytes that are still missing, such as `bytes=1048576-`: the answer is 206 with them alone.',
      schema: { type: 'string', minLength: 1 },
    },
    IfNoneMatch: {
      name: 'If-None-Match',
      in: 'header',
      required: false,
      description: 'The ETag of an earlier answer: the answer is 304 if nothing has changed.',
      schema: { type: 'string', minLength: 1 },
    },
  };
}
