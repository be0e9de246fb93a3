/**
 * Renders the delivered text of a record's content, and reads single fields back. It is rendered once, stored, and
 * digested.
 */
import { CONTENT_FIELDS, type RecordContent } from '@tmds/contract/record';
import type { NormalizedRecord } from './document.ts';

/**
 * A JSON object without its closing brace: a publish appends the stamps. Fields come in the order of `CONTENT_FIELDS`,
 * in the form in which they are stored: lists are never empty and text is well-formed. The output equals that of
 * `JSON.stringify` in a fraction of the time. Fields are written out one by one because a loop over the table would
 * look each of them up by name.
 */
export function renderContent(record: NormalizedRecord): string {
  return (
    '{"jurisdiction_code":' +
    quote(record.jurisdiction_code) +
    ',"uid":' +
    quote(record.uid) +
    ',"office":' +
    quoteOrNull(record.office) +
    ',"application_number":' +
    quoteOrNull(record.application_number) +
    ',"registration_number":' +
    quoteOrNull(record.registration_number) +
    ',"mark_name":' +
    quoteOrNull(record.mark_name) +
    ',"status":' +
    plain(record.status) +
    ',"tm5_status":' +
    quoteOrNull(record.tm5_status) +
    ',"kind_of_mark":' +
    plain(record.kind_of_mark) +
    ',"mark_feature":' +
    plain(record.mark_feature) +
    ',"application_date":' +
    plain(record.application_date) +
    ',"registration_date":' +
    plain(record.registration_date) +
    ',"publication_date":' +
    plain(record.publication_date) +
    ',"expiry_date":' +
    plain(record.expiry_date) +
    ',"renewal_date":' +
    plain(record.renewal_date) +
    ',"termination_date":' +
    plain(record.termination_date) +
    ',"opposition_period_end":' +
    plain(record.opposition_period_end) +
    ',"status_date":' +
    plain(record.status_date) +
    ',"external_update_date":' +
    plain(record.external_update_date) +
    ',"nice_classes":' +
    numbers(record.nice_classes) +
    ',"vienna_codes":' +
    quoteAll(record.vienna_codes) +
    ',"owner_names":' +
    quoteAll(record.owner_names) +
    ',"owner_countries":' +
    quoteAll(record.owner_countries) +
    ',"representative_names":' +
    quoteAll(record.representative_names) +
    ',"international_registration_numbers":' +
    quoteAll(record.international_registration_numbers) +
    ',"priority_numbers":' +
    quoteAll(record.priority_numbers) +
    ',"designated_countries":' +
    quoteAll(record.designated_countries)
  );
}

const FIELDS = Object.keys(CONTENT_FIELDS);
/** The keys in their order, then the key of the first stamp, which a publish appends. */
const KEYS = [...FIELDS, 'record_update_date'].map((field) => `"${field}":`);

const ESCAPED = /["\\\u0000-\u001f]/;

function quote(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
}

function quoteOrNull(text: string | null): string {
  return text === null ? 'null' : quote(text);
}

/** Quotes an enum value or a date, which have nothing to escape. */
function plain(text: string | null): string {
  return text === null ? 'null' : `"${text}"`;
}

function numbers(values: readonly number[] | null): string {
  return values === null ? 'null' : `[${values.join(',')}]`;
}

function quoteAll(texts: readonly string[] | null): string {
  if (texts === null) return 'null';
  let joined = '';
  for (const text of texts) joined += joined === '' ? quote(text) : `,${quote(text)}`;
  return `[${joined}]`;
}

/**
 * The content of a record as its text states it. A field is read when it is asked for: matching needs few fields, so
 * this takes a fraction of the time of parsing the whole text.
 */
export const RenderedContent = buildRenderedContent();

function buildRenderedContent(): new (text: string) => RecordContent {
  class Rendered {
    readonly text: string;
    /** The field that was read last, and where it ended: the next one usually follows it. */
    private last = -1;
    private end = 0;

    constructor(text: string) {
      this.text = text;
    }

    /** Quotes within a text are escaped, so text that looks like a key is a key. */
    read(index: number): unknown {
      const { text } = this;
      const key = KEYS[index]!;
      const at = text.indexOf(key, index > this.last ? this.end : 0);
      const from = at + key.length;
      const to = text.indexOf(KEYS[index + 1]!, from);
      // Not in the current form.
      if (at < 0 || to < 0) return (JSON.parse(text) as Record<string, unknown>)[FIELDS[index]!] ?? null;
      this.last = index;
      this.end = to;
      return readValue(text, from, to - 1);
    }
  }
  for (const [index, field] of FIELDS.entries()) {
    Object.defineProperty(Rendered.prototype, field, {
      get(this: Rendered): unknown {
        return this.read(index);
      },
    });
  }
  return Rendered as unknown as new (
    text: string,
  ) => RecordContent;
}

function readValue(text: string, from: number, to: number): unknown {
  const value = text.slice(from, to);
  if (value === 'null') return null;
  if (value.includes('\\')) return JSON.parse(value);
  if (value.startsWith('"')) return value.slice(1, -1);
  return JSON.parse(value);
}
