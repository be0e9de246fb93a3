/** The building blocks of the schemas of the interface description. */

export type Json = { readonly [name: string]: unknown };

export const instant = { type: 'string', format: 'date-time', examples: ['2026-11-21T09:00:00.123456Z'] };

export function refer(kind: 'schemas' | 'parameters' | 'headers' | 'responses', name: string): Json {
  return { $ref: `#/components/${kind}/${name}` };
}

/** An object whose members are all required. */
export function closed(properties: Json, description: string): Json {
  return { type: 'object', description, required: Object.keys(properties), properties };
}
