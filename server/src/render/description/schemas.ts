/** The schemas of the interface description, derived from the tables of the contract. */
import { PRODUCTS } from '@tmds/contract/enums';
import { ERRORS, type ErrorCode } from '@tmds/contract/errors';
import { MATCHED_COUNT_MAX } from '@tmds/contract/limits';
import {
  CONTENT_FIELDS,
  type ContentField,
  type JurisdictionInfo,
  type JurisdictionsPage,
  SERVICE_FIELDS,
} from '@tmds/contract/record';
import type { ProductUsage, UsageReport } from '@tmds/contract/usage';
import { buildAskedSchemas, buildCoverageSchema } from './coverage-schemas.ts';
import { buildDateSchemas } from './date-schemas.ts';
import { buildPayloadSchemas, DOCUMENT_NAME } from './document-page.ts';
import { buildDigestSchemas, buildFieldSchema, buildHistorySchemas } from './history-schemas.ts';
import { buildLikenessSchemas } from './likeness-schemas.ts';
import { closed, feedCursor, instant, type Json, pageCursor, refer } from './schema-parts.ts';
import { buildSnapshotSchemas } from './snapshot-schemas.ts';
import { buildDiagnosisSchemas, buildWatchSchemas } from './watch-schemas.ts';
import { buildWebhookSchemas } from './webhook-schemas.ts';

export function buildSchemas(): Json {
  const history = buildHistorySchemas();
  return {
    TrademarkDetail: buildRecordSchema(),
    ...buildPayloadSchemas(),
    SearchPage: buildPage('One page of a search.', {
      next_cursor: pageCursor,
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
    ...buildAskedSchemas(),
    ChangesPage: buildPage('One page of the change feed, in change order.', {
      next_cursor: feedCursor,
    }),
    JurisdictionInfo: closed<JurisdictionInfo>(
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
    JurisdictionsPage: closed<JurisdictionsPage>(
      { items: { type: 'array', items: refer('schemas', 'JurisdictionInfo'), description: 'The registers, by code.' } },
      'All registers.',
    ),
    CoverageReport: buildCoverageSchema(),
    UsageReport: buildUsageSchema(),
    Health: closed(
      {
        status: { type: 'string', const: 'ok', description: 'Calls are served.' },
        version: { type: 'string', description: 'Version of the running program.' },
      },
      'The service is up.',
    ),
    ...buildDigestSchemas(),
    ...history,
    ...buildWatchSchemas(history.HistoryEvent.properties),
    ...buildDiagnosisSchemas(),
    ...buildWebhookSchemas(),
    ...buildSnapshotSchemas(),
    ...buildDateSchemas(),
    ...buildLikenessSchemas(),
    ...buildEnvelopes(),
    ValidationError: buildDetailSchema(),
  };
}

/** No body matches both envelopes: they have different codes, and only one has `detail`. */
function buildEnvelopes(): Json {
  const codes = Object.keys(ERRORS).filter((code) => code !== 'validation_error');
  const validation = buildEnvelope({ type: 'string', const: 'validation_error' });
  const detail = {
    type: 'array',
    minItems: 1,
    items: refer('schemas', 'ValidationError'),
    description: 'Each parameter that fails.',
  };
  return {
    Error: {
      ...closed({ error: buildEnvelope({ type: 'string', enum: codes }) }, 'Every answer that is not 2xx.'),
      not: { type: 'object', required: ['detail'], properties: { detail: { type: 'array', items: {} } } },
    },
    HTTPValidationError: closed({ detail, error: validation }, 'Parameters that fail their declaration.'),
  };
}

function buildEnvelope(code: Json): Json {
  return {
    type: 'object',
    description: 'What was refused, and why.',
    required: ['code', 'message'],
    properties: {
      code: { ...code, description: 'For programs to act on; see the page of each code.' },
      message: { type: 'string', minLength: 1, description: 'For people: what to change.' },
      param: { type: 'string', description: 'The invalid parameter, if there is one.' },
    },
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
      { type: 'object', additionalProperties: true, description: 'The document of a record loaded as `ndjson`.' },
    ],
    description:
      'The full normalized document: parties, goods and services, publications, priorities, events, images. ' +
      'Present only with expand=payload; `{}` where the source states none.',
  };
  const record = closed({ ...Object.fromEntries(content), ...service }, 'One trademark record.') as {
    properties: Json;
  };
  return { ...record, properties: { ...record.properties, payload } };
}

function buildPage(description: string, members: Json): Json {
  const items = { type: 'array', items: refer('schemas', 'TrademarkDetail'), description: 'The records.' };
  return { ...closed({ items, ...members }, description), required: ['items', 'next_cursor'] };
}

function buildUsageSchema(): Json {
  const product = closed<ProductUsage>({
    product: { type: 'string', enum: PRODUCTS, description: 'Name of the product.' },
    calls: { type: 'integer', minimum: 0, description: 'Units metered this month, this call included.' },
    quota: { type: ['integer', 'null'], minimum: 0, description: 'Units per month; null if unlimited.' },
    remaining: { type: ['integer', 'null'], minimum: 0, description: 'Null if unlimited.' },
    rate_limit_per_minute: { type: 'integer', minimum: 1, description: 'Calls that the key may make in a minute.' },
  });
  const key = closed<UsageReport['key']>(
    {
      id: { type: 'string', description: 'The public part of the key.' },
      name: { type: ['string', 'null'], description: 'As the customer calls it.' },
      created_at: { ...instant, description: 'When it was issued.' },
    },
    'The calling key.',
  );
  return closed<UsageReport>(
    {
      month: { type: 'string', pattern: '^\\d{4}-\\d{2}$', description: 'UTC calendar month.' },
      resets_at: { ...instant, description: 'When the month ends and the quotas reset.' },
      key,
      products: { type: 'array', items: product, description: 'The products that the key is enabled for.' },
    },
    'The usage of the key this month.',
  );
}

function buildDetailSchema(): Json {
  return {
    type: 'object',
    description: 'One parameter that fails its declaration.',
    required: ['loc', 'msg', 'type'],
    properties: {
      loc: {
        type: 'array',
        items: { type: ['string', 'integer'] },
        description: 'Where it was sent, and its name.',
        examples: [['query', 'limit']],
      },
      msg: { type: 'string', description: 'For people: what is wrong.' },
      type: { type: 'string', description: 'For programs: the kind of failure.' },
      input: { description: 'What was sent.' },
      ctx: { type: 'object', additionalProperties: true, description: 'What was expected.' },
    },
  };
}

/** Codes by the status they are sent with. */
export function groupByStatus(codes: readonly ErrorCode[]): ReadonlyMap<number, ErrorCode[]> {
  const groups = new Map<number, ErrorCode[]>();
  for (const code of codes) groups.set(ERRORS[code].status, [...(groups.get(ERRORS[code].status) ?? []), code]);
  return groups;
}
