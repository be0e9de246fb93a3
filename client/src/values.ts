/** The type of a parameter's value, from its form in the contract. */

/** Editors suggest the contract's values; any other text compiles too, because letter case is free (rule I-11). */
type AnyOf<Known> = Known | readonly Known[];
type Open<Known extends string> = Known | (string & {});

type ValueOf<Definition> = Definition extends { value: { form: 'choice'; values: readonly (infer Value)[] } }
  ? Value
  : Definition extends { value: { form: 'enums'; values: readonly (infer Value extends string)[] } }
    ? AnyOf<Open<Value>>
    : Definition extends { value: { form: 'integer' } }
      ? number
      : Definition extends { value: { form: 'nice_classes' } }
        ? AnyOf<number> | string
        : Definition extends { value: { form: 'codes' | 'vienna_codes' } }
          ? AnyOf<string>
          : Definition extends { value: { form: 'cursor' } }
            ? string | null
            : string;

export type Values<Table> = { [Name in keyof Table]: ValueOf<Table[Name]> | undefined };
