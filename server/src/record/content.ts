/** The delivered text of a record's content: rendered once, stored, and the base of its digest. */
import type { NormalizedRecord } from './document.ts';

/**
 * A JSON object without its closing brace, to which a publish appends the stamps. Fields in the order of
 * `CONTENT_FIELDS`, each in the form in which it is stored: lists are never empty, texts well-formed. The same text as
 * `JSON.stringify` gives, in a fraction of the time; field by field, since a walk along the table looks each one up.
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

const ESCAPED = /["\\\u0000-\u001f]/;

function quote(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
}

function quoteOrNull(text: string | null): string {
  return text === null ? 'null' : quote(text);
}

/** One of a closed set, or digits and hyphens: nothing to escape. */
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
