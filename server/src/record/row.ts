/**
 * The stored row of a record: what is searched (terms, names, numbers, dates) and what is delivered (the rendered
 * JSON, the payload), all derived from the normalized record in one place and nowhere else.
 */
import { FILTER_DATES, type FilterDate } from '@tmds/contract/enums';
import { PAYLOAD_BYTES_MAX } from '@tmds/contract/limits';
import { CONTENT_FIELDS, type DateText, type RecordContent } from '@tmds/contract/record';
import { digestContent } from './digest.ts';
import type { NormalizedRecord } from './document.ts';
import { foldName, joinNames, NAME_SEPARATOR, normalizeNumber } from './names.ts';
import { RecordRejection } from './normalize.ts';
import {
  type CodeTag,
  codeTerm,
  DATE_GRAINS,
  dateTerm,
  enumTerm,
  type NameTag,
  type NumberTag,
  nameTerm,
  niceClassTerm,
  numberTerm,
  parseViennaCode,
  viennaTerm,
} from './terms.ts';

/** One row as it is staged; the publish adds the stamps. */
export interface RecordRow extends Record<FilterDate, DateText | null> {
  jurisdiction_code: string;
  uid: string;
  /** Hexadecimal. */
  content_digest: string;
  source_version: string | null;
  terms: number[];
  /** Exact numbers, each as `separator tag-letter : number separator`, for the recheck of hashed terms. */
  number_keys: string | null;
  mark_names: string | null;
  owner_names: string | null;
  representative_names: string | null;
  /** The rendered content: a JSON object without its closing brace, to which the publish appends the stamps. */
  detail: string;
  /** The full document as JSON text; null where the register gave none. */
  payload: string | null;
}

/**
 * Throws `RecordRejection` when the payload is beyond `PAYLOAD_BYTES_MAX`. `contentDigest` is `digestContent(record)`
 * where the caller has computed it already.
 */
export function buildRow(record: NormalizedRecord, contentDigest: string = digestContent(record)): RecordRow {
  const names = buildNames(record);
  const numbers = listNumbers(record);
  return {
    jurisdiction_code: record.jurisdiction_code,
    uid: record.uid,
    content_digest: contentDigest,
    source_version: record.source_version,
    terms: buildTerms(record, names, numbers),
    number_keys: joinNames(numbers.map(([tag, number]) => numberKey(tag, number))),
    mark_names: joinNames(names.mark_name),
    owner_names: joinNames(names.owner_name),
    representative_names: joinNames(names.representative_name),
    ...(Object.fromEntries(FILTER_DATES.map((field) => [field, record[field]])) as Record<FilterDate, DateText | null>),
    detail: renderContent(record),
    payload: renderPayload(record),
  };
}

const NUMBER_LETTERS: Record<NumberTag, string> = {
  application_number: 'A',
  registration_number: 'R',
  international_registration_number: 'I',
  priority_number: 'P',
};

/** How a number stands among the `number_keys` of a record, without the separators. */
export function numberKey(tag: NumberTag, number: string): string {
  return `${NUMBER_LETTERS[tag]}:${number}`;
}

/** The pattern, separators included, by which a whole name or number key is found in its joined column. */
export function wholeKey(key: string): string {
  return NAME_SEPARATOR + key + NAME_SEPARATOR;
}

function renderContent(record: RecordContent): string {
  const content: Record<string, unknown> = {};
  for (const field of Object.keys(CONTENT_FIELDS) as (keyof RecordContent)[]) content[field] = record[field];
  return JSON.stringify(content).slice(0, -1);
}

function renderPayload(record: NormalizedRecord): string | null {
  if (record.payload === null) return null;
  const text = JSON.stringify(record.payload);
  if (Buffer.byteLength(text) > PAYLOAD_BYTES_MAX) {
    throw new RecordRejection(`payload is larger than ${PAYLOAD_BYTES_MAX} bytes`);
  }
  return text;
}

function buildNames(record: NormalizedRecord): Record<NameTag, string[]> {
  const markNames = [record.mark_name, ...(record.mark_name_variants ?? [])]
    .filter((name) => name !== null)
    .map(foldName)
    .filter((name) => name !== '');
  return {
    mark_name: [...new Set(markNames)],
    owner_name: [...new Set((record.owner_names ?? []).map(foldName))],
    representative_name: [...new Set((record.representative_names ?? []).map(foldName))],
  };
}

function listNumbers(record: NormalizedRecord): [NumberTag, string][] {
  const numbers: [NumberTag, string | null][] = [
    ['application_number', record.application_number],
    ['registration_number', record.registration_number],
    ...(record.international_registration_numbers ?? []).map((number): [NumberTag, string] => [
      'international_registration_number',
      number,
    ]),
    ...(record.priority_numbers ?? []).map((number): [NumberTag, string] => ['priority_number', number]),
  ];
  return numbers
    .filter((entry): entry is [NumberTag, string] => entry[1] !== null)
    .map(([tag, number]) => [tag, normalizeNumber(number)]);
}

function buildTerms(
  record: NormalizedRecord,
  names: Record<NameTag, string[]>,
  numbers: readonly [NumberTag, string][],
): number[] {
  const terms = new Set<number>();
  const addCodes = (tag: CodeTag, codes: readonly (string | null)[] | null): void => {
    for (const code of codes ?? []) {
      const term = code === null ? null : codeTerm(tag, code);
      if (term !== null) terms.add(term);
    }
  };
  addCodes('jurisdiction', [record.jurisdiction_code]);
  addCodes('office', [record.office]);
  addCodes('owner_country', record.owner_countries);
  addCodes('designated_country', record.designated_countries);
  terms.add(enumTerm('status', record.status));
  if (record.kind_of_mark !== null) terms.add(enumTerm('kind_of_mark', record.kind_of_mark));
  if (record.mark_feature !== null) terms.add(enumTerm('mark_feature', record.mark_feature));
  for (const niceClass of record.nice_classes ?? []) terms.add(niceClassTerm(niceClass));
  for (const code of record.vienna_codes ?? []) addViennaTerms(terms, code);
  for (const [tag, number] of numbers) terms.add(numberTerm(tag, number));
  for (const tag of Object.keys(names) as NameTag[]) for (const name of names[tag]) terms.add(nameTerm(tag, name));
  for (const field of FILTER_DATES) {
    const date = record[field];
    if (date !== null) for (const grain of DATE_GRAINS) terms.add(dateTerm(field, grain, date));
  }
  return [...terms].sort((a, b) => a - b);
}

/** A code is found by itself and by each of its prefixes (specification 4.3, vienna_code). */
function addViennaTerms(terms: Set<number>, code: string): void {
  const segments = parseViennaCode(code) ?? [];
  for (let length = 1; length <= segments.length; length++) {
    const term = viennaTerm(segments.slice(0, length));
    if (term !== null) terms.add(term);
  }
}
