/** Gives each named schema an example: the place of an example answer that the schema describes. */
import type { Json } from './schema-parts.ts';

export interface ExampleAnswer {
  readonly schema: string;
  readonly example: unknown;
}

/** The schemas with `examples`: the first place of each in the answers. One that occurs in none stays without. */
export function addExamples(schemas: Json, answers: readonly ExampleAnswer[]): Json {
  const found = new Map<string, unknown>();
  for (const { schema, example } of answers) collect(schemas, schemas[schema], example, found, schema);
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const example = found.get(name);
      const isGiven = (schema as Json).examples !== undefined;
      return [name, example === undefined || isGiven ? schema : { ...(schema as Json), examples: [example] }];
    }),
  );
}

function collect(schemas: Json, schema: unknown, value: unknown, found: Map<string, unknown>, name?: string): void {
  if (value === null || value === undefined) return;
  if (name !== undefined) {
    if (found.has(name)) return;
    found.set(name, value);
  }
  const { $ref, properties = {}, items, anyOf = [], oneOf = [] } = schema as SchemaNode;
  const referred = $ref?.split('/').at(-1);
  if (referred !== undefined) collect(schemas, schemas[referred], value, found, referred);
  if (Array.isArray(value)) for (const each of items === undefined ? [] : value) collect(schemas, items, each, found);
  else if (typeof value === 'object') {
    for (const [member, inner] of Object.entries(properties)) collect(schemas, inner, (value as Json)[member], found);
  }
  // Which of several forms a value has is not known here, but a value that is not null has the other form.
  const forms = [...anyOf, ...oneOf].filter(({ type }) => type !== 'null');
  if (forms.length === 1) collect(schemas, forms[0], value, found);
}

interface SchemaNode {
  readonly $ref?: string;
  readonly type?: unknown;
  readonly properties?: Json;
  readonly items?: unknown;
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
}
