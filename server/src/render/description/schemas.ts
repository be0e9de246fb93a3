/**
 * The schemas of the interface description, without those of messages to webhooks: of answers, as the contract's types
 * declare them (`answer-schemas.ts`), and those that follow from its tables of fields, strategies and errors.
 */
import { ERRORS, type ErrorCode } from '@tmds/contract/errors';
import { LIKENESS_STRATEGIES, type LikenessEvidence, type LikenessStrategy } from '@tmds/contract/likeness';
import { ANSWER_SCHEMAS } from './answer-schemas.ts';
import { buildPayloadSchemas } from './document-page.ts';
import { buildFieldChanges, buildRecordSchema } from './field-schemas.ts';
import { closed, type Json, refer } from './schema-parts.ts';

export function buildSchemas(): Json {
  const { TrademarkDetail, WatchHitsMessage: _sent, TestMessage: _alsoSent, ...answers } = ANSWER_SCHEMAS;
  return {
    TrademarkDetail: buildRecordSchema(String(TrademarkDetail?.description)),
    ...buildPayloadSchemas(),
    ...answers,
    HistoryChange: addFieldChanges(ANSWER_SCHEMAS.HistoryChange as Forms<Json>),
    LikenessEvidence: describeStrategies(ANSWER_SCHEMAS.LikenessEvidence as Forms<EvidenceForm>),
    ExportText: {
      type: 'string',
      description: 'Records, a line or row each, and the positions from which an export continues.',
      examples: [
        '{"jurisdiction_code":"US","uid":"US500000097123456"}\n{"next_cursor":"AXN0Zm9"}\n' +
          '{"jurisdiction_code":"US","uid":"US500000097123457"}\n{"next_cursor":null}\n',
      ],
    },
    SnapshotFileBytes: { type: 'string', format: 'binary', description: 'The bytes of a file of a snapshot or delta.' },
    ...buildEnvelopes(),
    ValidationError: buildDetailSchema(),
  };
}

interface Forms<Form> extends Json {
  readonly oneOf: readonly Form[];
}

interface EvidenceForm extends Json {
  readonly properties: Readonly<Record<keyof LikenessEvidence, Json>> & {
    readonly strategy: { readonly const: LikenessStrategy };
  };
}

/** The table says which fields there are; the last form is the payload. */
function addFieldChanges({ oneOf, ...schema }: Forms<Json>): Json {
  return { ...schema, oneOf: [...buildFieldChanges(), oneOf.at(-1)] };
}

/** The table says what each strategy is. */
function describeStrategies({ oneOf, ...schema }: Forms<EvidenceForm>): Json {
  const forms = oneOf.map(({ type, properties, ...form }) => {
    const strategy = { ...properties.strategy, description: 'How the name was found.' };
    const { description } = LIKENESS_STRATEGIES[strategy.const];
    return { type, description, ...form, properties: { ...properties, strategy } };
  });
  return { ...schema, oneOf: forms };
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
