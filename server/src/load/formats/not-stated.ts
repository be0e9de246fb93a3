/**
 * The content of a record of which nothing is stated. A format begins with it and adds what its source states, so a new
 * field concerns only the formats whose source has it: in the others the element, if there is one, stays unread and is
 * reported (`raiseUnread`).
 */
import { CONTENT_FIELDS, type RecordContent } from '@tmds/contract/record';

type NullableField = {
  [Field in keyof RecordContent]: null extends RecordContent[Field] ? Field : never;
}[keyof RecordContent];

const nullable = Object.entries(CONTENT_FIELDS).filter(([, field]) => field.nullable);

export const NOT_STATED = Object.freeze(Object.fromEntries(nullable.map(([field]) => [field, null]))) as Readonly<
  Record<NullableField, null>
>;
