/**
 * The TypeScript type of a JSON Schema that is written as a constant, so that a document is described once. It knows
 * only what `document.ts` uses: types, `enum`, `$ref` into `$defs`, `anyOf`, `items`, `properties`, `required` and
 * `additionalProperties: true`. A schema that says nothing about its value gives `unknown`.
 */

/** A part of the document, in `$defs` under its name. */
export interface PartSchema {
  readonly type: 'object';
  readonly description: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required: readonly string[];
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>;
  readonly additionalProperties?: boolean;
}

interface Plain {
  string: string;
  boolean: boolean;
  null: null;
}

/** `Parts`: what `$ref` may name. */
export type TypeOf<Schema, Parts> = Schema extends { readonly $ref: `#/$defs/${infer Name}` }
  ? Name extends keyof Parts
    ? PartType<Parts[Name], Parts>
    : never
  : Schema extends { readonly anyOf: readonly (infer Each)[] }
    ? Each extends unknown
      ? TypeOf<Each, Parts>
      : never
    : Schema extends { readonly enum: readonly (infer Value)[] }
      ? Value
      : Schema extends { readonly type: 'array'; readonly items: infer Item }
        ? TypeOf<Item, Parts>[]
        : Schema extends { readonly type: keyof Plain }
          ? Plain[Schema['type']]
          : unknown;

/** The members of an object. One that is not required may be missing, but is never null. */
export type PartType<Part, Parts> = Part extends {
  readonly properties: infer Members;
  readonly required: readonly (infer Required)[];
}
  ? Flat<
      { -readonly [Name in Extract<keyof Members, Required>]: TypeOf<Members[Name], Parts> } & {
        -readonly [Name in Exclude<keyof Members, Required>]?: TypeOf<Members[Name], Parts>;
      } & (Part extends { readonly additionalProperties: true } ? { [name: string]: unknown } : unknown)
    >
  : never;

/** One object type in place of an intersection. */
type Flat<Type> = { [Name in keyof Type]: Type[Name] };
