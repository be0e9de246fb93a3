/**
 * The types of what tools return, as schemas. Objects are open, because a newer service may state more. Fields of
 * records and filters derive from the contract's tables.
 */
import { FILTERS, type FilterName } from '@tmds/contract/parameters';
import { CONTENT_FIELDS, type FieldDefinition, type FieldType, SERVICE_FIELDS } from '@tmds/contract/record';
import * as z from 'zod';

const CONTENT_TYPES: Readonly<Record<FieldType, z.ZodType>> = {
  text: z.string(),
  code: z.string(),
  enum: z.string(),
  date: z.string(),
  integers: z.array(z.number()),
  texts: z.array(z.string()),
  codes: z.array(z.string()),
  names: z.array(z.string()),
};

function describeField({ type, nullable, description }: FieldDefinition): z.ZodType {
  const value = CONTENT_TYPES[type];
  return (nullable ? value.nullable() : value).describe(description);
}

export const recordSchema = z
  .looseObject({
    ...Object.fromEntries(Object.entries(CONTENT_FIELDS).map(([name, field]) => [name, describeField(field)])),
    record_update_date: z.string().nullable().describe(SERVICE_FIELDS.record_update_date),
    first_seen_at: z.string().describe(SERVICE_FIELDS.first_seen_at),
    updated_at: z.string().describe(SERVICE_FIELDS.updated_at),
  })
  .describe('A record as its register states it. Null: the register does not state it.');

/** Where many tools return records: their other fields are those of `get_trademark`. */
export const anyRecordSchema = z
  .looseObject({
    jurisdiction_code: z.string(),
    uid: z.string(),
    mark_name: z.string().nullable(),
    status: z.string(),
    updated_at: z.string(),
  })
  .describe('A record, with every field that get_trademark describes.');

const completeness = {
  complete_through: z.string().nullable(),
  late: z.boolean(),
  gaps: z.number(),
  rejects: z.number(),
};

/** What every answer says in addition to its own fields. */
export const answerFields = {
  notice: z.string().describe('How to treat texts of this answer.'),
  coverage: z
    .looseObject({
      sentences: z.array(z.string()).describe('What to say with every conclusion from this answer.'),
      registers: z.array(z.looseObject({ jurisdiction_code: z.string(), ...completeness })),
      others: z.looseObject({ count: z.number(), ...completeness }).nullable(),
      unserved: z.array(z.string()).describe('Codes that no register has: nothing was searched for them.'),
    })
    .nullable()
    .describe(
      'Which registers this answer covers and through which day they are complete. Null: the service does not say.',
    ),
  units: z.number().describe('Metered units that this answer cost.'),
};

const TEXT_MAX = 2_000;

/** The named filters of a search as optional texts, as the API takes them. */
export function filterInputs<Name extends FilterName>(
  names: readonly Name[],
): Record<Name, z.ZodOptional<z.ZodString>> {
  const inputs = names.map((name) => {
    const { description, example } = FILTERS[name];
    return [name, z.string().min(1).max(TEXT_MAX).optional().describe(`${description} Example: ${example}`)];
  });
  return Object.fromEntries(inputs) as Record<Name, z.ZodOptional<z.ZodString>>;
}

export const registerInput = z.string().min(1).max(5).describe('Code of a register, such as US, EM or DE.');
export const uidInput = z.string().min(1).max(512).describe('The uid of the record, exactly as delivered.');
export const cursorInput = z
  .string()
  .max(TEXT_MAX * 2)
  .optional()
  .describe('next_cursor of the previous page of the same call, verbatim.');
export const cursorOutput = z.string().nullable().describe('Send it back for the next page. Null: there is none.');

/** A page size that fits into what a language model reads. */
export function limitInput(max: number, usual: number): z.ZodDefault<z.ZodNumber> {
  return z.number().int().min(1).max(max).default(usual).describe(`Items of the page, at most ${max}.`);
}
