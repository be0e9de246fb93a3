/** The building blocks of the schemas of the interface description. */

export type Json = { readonly [name: string]: unknown };

export const instant = { type: 'string', format: 'date-time', examples: ['2026-11-21T09:00:00.123456Z'] };

export function refer(kind: 'schemas' | 'parameters' | 'headers' | 'responses', name: string): Json {
  return { $ref: `#/components/${kind}/${name}` };
}

/** A description of each member of an answer. */
export type Members<Answer> = { readonly [Member in keyof Answer]-?: unknown };

/**
 * An object whose members are all required. `Answer` is the type that the contract declares for it: a member that the
 * type lacks, or that is missing here, does not compile.
 */
export function closed<Answer extends object>(
  properties: Members<Answer>,
  description?: string,
): {
  readonly type: string;
  readonly description?: string;
  readonly required: string[];
  readonly properties: Members<Answer>;
} {
  const required = Object.keys(properties);
  return { type: 'object', ...(description === undefined ? {} : { description }), required, properties };
}
