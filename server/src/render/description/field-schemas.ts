/** The schema of each field of a record, by its type in the contract. */
import { KINDS_OF_MARK, MARK_FEATURES, STATUSES } from '@tmds/contract/enums';
import { NICE_CLASS_MAX, NICE_CLASS_MIN } from '@tmds/contract/limits';
import type { ContentField } from '@tmds/contract/record';
import type { Json } from './schema-parts.ts';

/** The closed sets behind the fields of type `enum`. */
const FIELD_VALUES: Readonly<Partial<Record<ContentField, readonly string[]>>> = {
  status: STATUSES,
  kind_of_mark: KINDS_OF_MARK,
  mark_feature: MARK_FEATURES,
};

export function buildFieldSchema(name: ContentField, type: string, nullable: boolean): Json {
  const orNull = (base: string): unknown => (nullable ? [base, 'null'] : base);
  if (type === 'enum') {
    const values = FIELD_VALUES[name]!;
    return { type: orNull('string'), enum: nullable ? [...values, null] : values };
  }
  if (type === 'date') return { type: orNull('string'), format: 'date' };
  if (type === 'integers') {
    const items = { type: 'integer', minimum: NICE_CLASS_MIN, maximum: NICE_CLASS_MAX };
    return { type: orNull('array'), items, minItems: 1, uniqueItems: true };
  }
  if (['texts', 'codes', 'names'].includes(type)) {
    return { type: orNull('array'), items: { type: 'string', minLength: 1 }, minItems: 1, uniqueItems: true };
  }
  return { type: orNull('string'), ...(nullable ? {} : { minLength: 1 }) };
}
