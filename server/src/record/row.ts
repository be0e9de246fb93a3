/**
 * The stored row of a record: what is searched (terms, names, numbers, dates) and what is delivered (the rendered
 * JSON, the payload), all derived from the normalized record in one place and nowhere else.
 */
import { FILTER_DATES, type FilterDate } from '@tmds/contract/enums';
import { PAYLOAD_BYTES_MAX } from '@tmds/contract/limits';
import type { DateText } from '@tmds/contract/record';
import { renderContent } from './content.ts';
import { measureContent } from './digest.ts';
import type { NormalizedRecord } from './document.ts';
import { foldName, foldNormalName, joinNames, NAME_SEPARATOR, normalizeNumber } from './names.ts';
import { RecordRejection } from './normalize.ts';
import { listSeams } from './seams.ts';
import { signTerms } from './signature.ts';
import {
  type CodeTag,
  codeTerm,
  DATE_GRAINS,
  dateTerm,
  enumTerm,
  NAME_TAGS,
  type NameTag,
  type NumberTag,
  nameTerms,
  niceClassTerm,
  numberTerms,
  PAIRED_DATE,
  PAIRED_GRAINS,
  parseViennaCode,
  seamTerm,
  sliceOf,
  sliceTerm,
  statusPairTerm,
  viennaTerm,
} from './terms.ts';

/** One row as it is staged; the publish adds the stamps. */
export interface RecordRow extends Record<FilterDate, DateText | null> {
  jurisdiction_code: string;
  uid: string;
  /** Hexadecimal. */
  content_digest: string;
  source_version: string | null;
  /** Hexadecimal; of the source line alone that holds this content, empty where there is none. */
  line_digest: string;
  terms: number[];
  first_signature: bigint;
  second_signature: bigint;
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
 * Throws `RecordRejection` when the payload is beyond `PAYLOAD_BYTES_MAX`. The others are `renderContent(record)` and
 * its digest, where the caller has computed them already, and the digest of the line that the record was read from.
 */
export function buildRow(
  record: NormalizedRecord,
  detail: string = renderContent(record),
  contentDigest: string = measureContent(record, detail).digest,
  lineDigest = '',
): RecordRow {
  const names = buildNames(record);
  const joinedNames = {
    mark_name: joinNames(names.mark_name),
    owner_name: joinNames(names.owner_name),
    representative_name: joinNames(names.representative_name),
  };
  const numbers = listNumbers(record);
  const terms = buildTerms(record, names, joinedNames, numbers, contentDigest);
  const [first_signature, second_signature] = signTerms(terms);
  return {
    jurisdiction_code: record.jurisdiction_code,
    uid: record.uid,
    application_date: record.application_date,
    registration_date: record.registration_date,
    publication_date: record.publication_date,
    status_date: record.status_date,
    expiry_date: record.expiry_date,
    termination_date: record.termination_date,
    opposition_period_end: record.opposition_period_end,
    content_digest: contentDigest,
    source_version: record.source_version,
    line_digest: lineDigest,
    terms,
    first_signature,
    second_signature,
    number_keys: joinNames(numbers.map(([tag, number]) => numberKey(tag, number))),
    mark_names: joinedNames.mark_name,
    owner_names: joinedNames.owner_name,
    representative_names: joinedNames.representative_name,
    detail,
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

function renderPayload(record: NormalizedRecord): string | null {
  if (record.payload === null) return null;
  const text = JSON.stringify(record.payload);
  if (Buffer.byteLength(text) > PAYLOAD_BYTES_MAX) {
    throw new RecordRejection(`payload is larger than ${PAYLOAD_BYTES_MAX} bytes`);
  }
  return text;
}

function buildNames(record: NormalizedRecord): Record<NameTag, readonly string[]> {
  const { mark_name, mark_name_variants } = record;
  const markNames = mark_name === null ? [] : [foldName(mark_name)];
  for (const variant of mark_name_variants ?? []) markNames.push(foldName(variant));
  return {
    mark_name: listUnique(markNames),
    owner_name: listUnique((record.owner_names ?? []).map(foldNormalName)),
    representative_name: listUnique((record.representative_names ?? []).map(foldNormalName)),
  };
}

/** First spellings in order, without blanks. */
function listUnique(names: readonly string[]): readonly string[] {
  if (names.length === 0 || (names.length === 1 && names[0] !== '')) return names;
  const unique = new Set(names);
  unique.delete('');
  return [...unique];
}

function listNumbers(record: NormalizedRecord): [NumberTag, string][] {
  const numbers: [NumberTag, string][] = [];
  const add = (tag: NumberTag, number: string): unknown => numbers.push([tag, normalizeNumber(number)]);
  if (record.application_number !== null) add('application_number', record.application_number);
  if (record.registration_number !== null) add('registration_number', record.registration_number);
  for (const number of record.international_registration_numbers ?? [])
    add('international_registration_number', number);
  for (const number of record.priority_numbers ?? []) add('priority_number', number);
  return numbers;
}

function buildTerms(
  record: NormalizedRecord,
  names: Record<NameTag, readonly string[]>,
  joinedNames: Record<NameTag, string | null>,
  numbers: readonly [NumberTag, string][],
  contentDigest: string,
): number[] {
  const terms: number[] = [];
  // In the order of the terms as far as possible: what nearly ascends is sorted in one pass.
  for (const field of FILTER_DATES) {
    const date = record[field];
    if (date !== null) for (const grain of DATE_GRAINS) terms.push(dateTerm(field, grain, date));
  }
  terms.push(sliceTerm(sliceOf(contentDigest)));
  const facets = listFacets(record);
  const status = enumTerm('status', record.status);
  const addPair = (term: number): void => {
    const pair = statusPairTerm(status, term);
    if (pair !== null) terms.push(pair);
  };
  for (const facet of facets) addPair(facet);
  const paired = record[PAIRED_DATE];
  if (paired !== null) for (const grain of PAIRED_GRAINS) addPair(dateTerm(PAIRED_DATE, grain, paired));
  for (const facet of facets) terms.push(facet);
  terms.push(status);
  const addBoth = ([lower, upper]: readonly [number, number]): unknown => terms.push(lower, upper);
  for (const [tag, number] of numbers) addBoth(numberTerms(tag, number));
  for (const tag of NAME_TAGS) {
    for (const name of names[tag]) addBoth(nameTerms(tag, name));
    for (const seam of listSeams(joinedNames[tag] ?? '')) terms.push(seamTerm(tag, seam));
  }
  return listAscending(terms);
}

/** The terms of what a record is filed under, but for its status. */
function listFacets(record: NormalizedRecord): number[] {
  const facets: number[] = [];
  const addCode = (tag: CodeTag, code: string): void => {
    const term = codeTerm(tag, code);
    if (term !== null) facets.push(term);
  };
  addCode('jurisdiction', record.jurisdiction_code);
  if (record.office !== null) addCode('office', record.office);
  if (record.kind_of_mark !== null) facets.push(enumTerm('kind_of_mark', record.kind_of_mark));
  if (record.mark_feature !== null) facets.push(enumTerm('mark_feature', record.mark_feature));
  for (const niceClass of record.nice_classes ?? []) facets.push(niceClassTerm(niceClass));
  for (const code of record.vienna_codes ?? []) addViennaTerms(facets, code);
  for (const code of record.owner_countries ?? []) addCode('owner_country', code);
  for (const code of record.designated_countries ?? []) addCode('designated_country', code);
  return facets;
}

/** Up to so many terms are put in order one by one: most are in their place already. */
const INSERTED_MAX = 150;

/** Each once. */
function listAscending(terms: number[]): number[] {
  if (terms.length > INSERTED_MAX) terms.sort((one, other) => one - other);
  else sortByInsertion(terms);
  let kept = 0;
  for (let at = 0; at < terms.length; at += 1) {
    const term = terms[at] as number;
    if (kept > 0 && terms[kept - 1] === term) continue;
    terms[kept] = term;
    kept += 1;
  }
  terms.length = kept;
  return terms;
}

function sortByInsertion(terms: number[]): void {
  for (let at = 1; at < terms.length; at += 1) {
    const term = terms[at] as number;
    let place = at;
    for (; place > 0 && (terms[place - 1] as number) > term; place -= 1) terms[place] = terms[place - 1] as number;
    terms[place] = term;
  }
}

/** A code is found by itself and by each of its prefixes (specification 4.3, vienna_code). */
function addViennaTerms(terms: number[], code: string): void {
  const segments = parseViennaCode(code) ?? [];
  for (let length = 1; length <= segments.length; length++) {
    const term = viennaTerm(segments.slice(0, length));
    if (term !== null) terms.push(term);
  }
}
