/** The tags by which a comment states what a type cannot, such as `@minimum 1`, and what they name. */

export type Schema = { readonly [name: string]: unknown };
/** The constants of the contract, by name. */
export type Constants = ReadonlyMap<string, unknown>;

/** Null if a tag does not say what it has to. */
type Apply = (schema: Schema, values: readonly unknown[]) => Schema | null;

const set =
  (name: string): Apply =>
  (schema, [value]) => ({ ...schema, [name]: value });
const bound =
  (name: string): Apply =>
  (schema, [value]) => {
    if (!/^\d+$/.test(String(value))) return null;
    const { items, ...rest } = schema;
    return { ...rest, [name]: Number(value), ...(items === undefined ? {} : { items }) };
  };

export const TAGS: Readonly<Record<string, Apply>> = {
  /** It has a schema of this name, or of its own name. */
  schema: (schema) => schema,
  /** The server knows the form, from a table; only the description is written. */
  table: (schema) => schema,
  format: set('format'),
  pattern: set('pattern'),
  const: set('const'),
  minimum: bound('minimum'),
  maximum: bound('maximum'),
  minLength: bound('minLength'),
  maxLength: bound('maxLength'),
  minItems: bound('minItems'),
  maxItems: bound('maxItems'),
  example: (schema, examples) => ({ ...schema, examples }),
  /** A number that need not be whole. */
  fraction: (schema) => ({ ...schema, type: 'number' }),
  /** One of the values of a constant. */
  values: (schema, [values]) => (typeof values === 'object' ? { ...schema, enum: listValues(values) } : null),
  /** Members that it does not declare are refused. */
  closed: (schema) => ({ ...schema, additionalProperties: false }),
  /** Exactly one of its forms holds. */
  oneOf: ({ anyOf, ...schema }) => ({ ...schema, oneOf: anyOf }),
};

export function listValues(constant: unknown): readonly unknown[] {
  return Array.isArray(constant) ? constant : Object.keys(constant as object);
}

/** What `{@link}` becomes: a number, names, or a table of names and their meanings. */
export function writeValue(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([name, meaning]) => `\`${name}\`: ${meaning}`)
    .join(' ');
}

export function omit(schema: Schema, names: readonly string[]): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !names.includes(name)));
}
