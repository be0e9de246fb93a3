/** Renders the delivered text of a record's content. It is rendered once, stored, and digested. */
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
