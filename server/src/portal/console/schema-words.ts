/** A schema of the interface description in words: type, bounds, default. */
import type { Json } from '../../render/description/schema-parts.ts';

/** A text, or the name of another schema. */
export type SchemaPart = string | { readonly schema: string };

const FORMATS: Readonly<Record<string, string>> = { date: 'date', 'date-time': 'instant' };
const ENUM_SHOWN_MAX = 40;

export function describeSchema(schema: Json): readonly SchemaPart[] {
  const fallback = schema.default === undefined ? [] : [`; default ${String(schema.default)}`];
  return [...describeType(schema), ...fallback];
}

function describeType(schema: Json): readonly SchemaPart[] {
  const { $ref: reference, const: constant, enum: values } = schema;
  if (typeof reference === 'string') return [{ schema: reference.split('/').at(-1)! }];
  const choices = (schema.anyOf ?? schema.oneOf) as readonly Json[] | undefined;
  if (choices !== undefined) {
    return choices.flatMap((choice, at) => (at === 0 ? describeSchema(choice) : [' or ', ...describeSchema(choice)]));
  }
  if (constant !== undefined) return [`always ${JSON.stringify(constant)}`];
  if (Array.isArray(values)) return [describeValues(values)];
  const types = [schema.type].flat().filter((type) => typeof type === 'string');
  if (types.length === 0) return ['any value'];
  return types.flatMap((type, at) => [...(at === 0 ? [] : [' or ']), ...describeOne(type, schema)]);
}

function describeValues(values: readonly unknown[]): string {
  const shown = values.slice(0, ENUM_SHOWN_MAX).map(String);
  return `one of ${shown.join(', ')}${values.length > shown.length ? ', …' : ''}`;
}

function describeOne(type: string, schema: Json): readonly SchemaPart[] {
  switch (type) {
    case 'array': {
      const items = describeSchema((schema.items ?? {}) as Json);
      const most = typeof schema.maxItems === 'number' ? [`, at most ${schema.maxItems}`] : [];
      return ['list: ', ...items, ...most];
    }
    case 'string':
      return [describeText(schema)];
    case 'integer':
    case 'number':
      return [describeNumber(type, schema)];
    case 'boolean':
      return ['true or false'];
    default:
      return [type];
  }
}

function describeText({ format, pattern, minLength }: Json): string {
  const word = FORMATS[String(format)] ?? 'text';
  if (typeof pattern === 'string') return `${word} of the form \`${pattern}\``;
  return typeof minLength === 'number' && minLength > 1 ? `${word}, at least ${minLength} characters` : word;
}

function describeNumber(type: string, { minimum, maximum }: Json): string {
  if (minimum === undefined) return type;
  const from = Number(minimum).toLocaleString('en-US');
  return maximum === undefined
    ? `${type}, ${from} or more`
    : `${type}, ${from} to ${Number(maximum).toLocaleString('en-US')}`;
}
