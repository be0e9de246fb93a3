/** The building blocks of the schemas of the interface description. */

export type Json = { readonly [name: string]: unknown };

export const instant = { type: 'string', format: 'date-time', examples: ['2026-11-21T09:00:00.123456Z'] };

export function refer(kind: 'schemas' | 'parameters' | 'headers' | 'responses', name: string): Json {
  return { $ref: `#/components/${kind}/${name}` };
}

/** An object whose members are all required. */
export function closed(
  properties: Json,
  description?: string,
): { readonly type: string; readonly description?: string; readonly required: string[]; readonly properties: Json } {
  const required = Object.keys(properties);
  return { type: 'object', ...(description === undefined ? {} : { description }), required, properties };
}
