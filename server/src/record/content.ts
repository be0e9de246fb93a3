/** The delivered text of a record's content: rendered once, stored, and the base of its digest. */
import { CONTENT_FIELDS, type ContentField, type FieldType } from '@tmds/contract/record';
import type { NormalizedRecord } from './document.ts';

/** Each in the form in which it is stored: `NormalizedRecord` holds lists that are never empty, texts well-formed. */
const WRITERS: Record<FieldType, (value: never) => string> = {
  text: quote,
  code: quote,
  // One of a closed set, or digits and hyphens: nothing to escape.
  enum: (value: string) => `"${value}"`,
  date: (value: string) => `"${value}"`,
  integers: (values: readonly number[]) => `[${values.join(',')}]`,
  texts: quoteAll,
  codes: quoteAll,
  names: quoteAll,
};

const PARTS = (Object.keys(CONTENT_FIELDS) as ContentField[]).map((field, position) => {
  const start = `${position === 0 ? '{' : ','}"${field}":`;
  const write = WRITERS[CONTENT_FIELDS[field].type] as (value: unknown) => string;
  return { field, start, silent: `${start}null`, write };
});

/**
 * A JSON object without its closing brace, to which a publish appends the stamps. Fields in the table's order. The same
 * text as `JSON.stringify` gives, in half the time.
 */
export function renderContent(record: NormalizedRecord): string {
  let text = '';
  for (const { field, start, silent, write } of PARTS) {
    const value = record[field];
    text += value === null ? silent : start + write(value);
  }
  return text;
}

const ESCAPED = /["\\\u0000-\u001f]/;

function quote(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
}

function quoteAll(texts: readonly string[]): string {
  let joined = '';
  for (const text of texts) joined += joined === '' ? quote(text) : `,${quote(text)}`;
  return `[${joined}]`;
}
