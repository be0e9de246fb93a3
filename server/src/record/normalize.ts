/**
 * Brings a source record into its stored form (rules I-31 and I-32). It decides the form of a value, never its meaning:
 * formats have already mapped statuses, kinds and features. A value that cannot be stored or delivered rejects the
 * record, with a reason that names the field; nothing is dropped silently.
 */
import { KINDS_OF_MARK, MARK_FEATURES, STATUSES } from '@tmds/contract/enums';
import { NICE_CLASS_MAX, NICE_CLASS_MIN } from '@tmds/contract/limits';
import { normalizeMadridNumber, type OwnNumber, spellNumber } from '@tmds/contract/numbers';
import type { CONTENT_FIELDS, ContentField, FieldType } from '@tmds/contract/record';
import { MARKS_FAULT, normalForm, normalizeName } from '@tmds/contract/text';
import { mayHoldAlias, splitAliases } from './aliases.ts';
import { isRegisterDate } from './dates.ts';
import type { NormalizedRecord, SourceRecord } from './document.ts';
import { holdsTooManyMarks } from './marks.ts';
import { parseViennaCode, writeViennaCode } from './terms.ts';

/** Longest uid in bytes of UTF-8: PostgreSQL limits a B-tree entry to a third of an 8 KB page. */
export const UID_BYTES_MAX = 1_000;
/** Longest text of a single-valued field, in UTF-16 units. */
const TEXT_LENGTH_MAX = 100_000;
/** Upper limit on the entries of one list field. */
const LIST_LENGTH_MAX = 100_000;

/** Why a record is rejected. The message names the field and says what it accepts. */
export class RecordRejection extends Error {}

/** The fields of one type. Normalizing a field as the wrong type does not compile. */
type FieldOf<Type extends FieldType> = {
  [Field in ContentField]: (typeof CONTENT_FIELDS)[Field]['type'] extends Type ? Field : never;
}[ContentField];

const ENUM_VALUES = { status: STATUSES, kind_of_mark: KINDS_OF_MARK, mark_feature: MARK_FEATURES } as const;

/**
 * Throws `RecordRejection`. In the result lists are unique and never empty, text is never blank and codes are upper
 * case. The fields are written out because a loop over the table would take several times as long, and loads spend much
 * of their time here.
 */
export function normalizeRecord(source: SourceRecord): NormalizedRecord {
  for (const field in source) {
    if (field !== 'payload_text' && holdsTooManyMarks(source[field as keyof SourceRecord])) {
      throw new RecordRejection(`${field} ${MARKS_FAULT}`);
    }
  }
  const register = checkRegisterCode(
    need(normalizeCode(source.jurisdiction_code, 'jurisdiction_code'), 'jurisdiction_code'),
  );
  // Spread into the record, they would make every field after them cost more.
  const { owner_names, owner_countries, representative_names } = normalizePartyFields(source);
  return {
    jurisdiction_code: register,
    uid: need(checkUid(source.uid), 'uid'),
    office: normalizeCode(source.office, 'office'),
    application_number: normalizeNumber(source.application_number, 'application_number', register),
    registration_number: normalizeNumber(source.registration_number, 'registration_number', register),
    mark_name: normalizeText(source.mark_name, 'mark_name'),
    status: need(checkEnum(source.status, 'status'), 'status'),
    tm5_status: normalizeText(source.tm5_status, 'tm5_status'),
    kind_of_mark: checkEnum(source.kind_of_mark, 'kind_of_mark'),
    mark_feature: checkEnum(source.mark_feature, 'mark_feature'),
    application_date: checkDate(source.application_date, 'application_date'),
    registration_date: checkDate(source.registration_date, 'registration_date'),
    publication_date: checkDate(source.publication_date, 'publication_date'),
    expiry_date: checkDate(source.expiry_date, 'expiry_date'),
    renewal_date: checkDate(source.renewal_date, 'renewal_date'),
    termination_date: checkDate(source.termination_date, 'termination_date'),
    opposition_period_end: checkDate(source.opposition_period_end, 'opposition_period_end'),
    status_date: checkDate(source.status_date, 'status_date'),
    external_update_date: checkDate(source.external_update_date, 'external_update_date'),
    nice_classes: normalizeNiceClasses(source.nice_classes, 'nice_classes'),
    vienna_codes: normalizeList(source.vienna_codes, 'vienna_codes', normalizeViennaCode),
    owner_names,
    owner_countries,
    representative_names,
    international_registration_numbers: normalizeList(
      source.international_registration_numbers,
      'international_registration_numbers',
      normalizeMadridNumber,
    ),
    priority_numbers: normalizeList(source.priority_numbers, 'priority_numbers', normalizeListCode),
    designated_countries: normalizeList(source.designated_countries, 'designated_countries', normalizeListCode),
    mark_name_variants: normalizeList(source.mark_name_variants, 'mark_name_variants', trimText),
    payload: source.payload,
    payload_text: source.payload_text,
    source_version: source.source_version,
    is_partial: source.is_partial === true,
    is_removal: source.is_removal === true,
    named_parts: source.named_parts === undefined || source.named_parts?.length === 0 ? null : source.named_parts,
    normalized: true,
  };
}

type PartyField = 'owner_names' | 'owner_countries' | 'representative_names';

/** The stored form of what a record states about its parties. Throws `RecordRejection`. */
export function normalizePartyFields(source: Pick<SourceRecord, PartyField>): Pick<NormalizedRecord, PartyField> {
  return {
    owner_names: normalizeNames(source.owner_names, 'owner_names'),
    owner_countries: normalizeList(source.owner_countries, 'owner_countries', normalizeListCode),
    representative_names: normalizeNames(source.representative_names, 'representative_names'),
  };
}

function need<Value>(value: Value | null, field: ContentField): Value {
  if (value === null) throw new RecordRejection(`${field} is missing`);
  return value;
}

/** Most codes and numbers look like this: already in their stored form, with nothing left to check. */
const PLAIN_CODE = /^[A-Z0-9]{1,40}$/;

function trimText(text: string): string {
  return text.trim();
}

/** As `writeViennaCode` writes it, as most are. */
const PLAIN_VIENNA_CODE = /^\d\d(?:\.\d\d){0,2}$/;

/** Text that is not a Vienna code stays unchanged, and is an issue of the load. */
function normalizeViennaCode(text: string): string {
  if (PLAIN_VIENNA_CODE.test(text)) return text;
  const code = text.trim();
  const numbers = parseViennaCode(code);
  return numbers === null ? code : writeViennaCode(numbers);
}

function normalizeListCode(text: string): string {
  if (PLAIN_CODE.test(text)) return text;
  return normalForm(text).trim().toUpperCase();
}

/** Rejects what PostgreSQL or UTF-8 cannot hold: NUL, and half of a surrogate pair. */
function checkText(value: unknown, field: string): string {
  if (typeof value !== 'string') throw new RecordRejection(`${field} must be text`);
  if (value.includes('\0')) throw new RecordRejection(`${field} contains a NUL character`);
  if (!value.isWellFormed()) throw new RecordRejection(`${field} contains half of a surrogate pair`);
  if (value.length > TEXT_LENGTH_MAX)
    throw new RecordRejection(`${field} is longer than ${TEXT_LENGTH_MAX} characters`);
  return value;
}

function normalizeText(value: unknown, field: FieldOf<'text' | 'code'>): string | null {
  if (value === null || value === undefined) return null;
  const text = checkText(value, field);
  return text.trim() === '' ? null : text;
}

/** The number as the office writes it, trimmed (rule I-33) and in the register's one spelling (rule I-50). */
function normalizeNumber(value: unknown, field: FieldOf<'text'> & OwnNumber, register: string): string | null {
  const text = normalizeText(value, field);
  return text === null ? null : spellNumber(register, field, text.trim());
}

function checkUid(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  const uid = checkText(value, 'uid');
  if (uid === '') throw new RecordRejection('uid is empty');
  if (Buffer.byteLength(uid) > UID_BYTES_MAX) throw new RecordRejection(`uid is longer than ${UID_BYTES_MAX} bytes`);
  return uid;
}

function normalizeCode(value: unknown, field: FieldOf<'code'>): string | null {
  if (typeof value === 'string' && PLAIN_CODE.test(value)) return value;
  return normalizeText(value, field)?.trim().toUpperCase() ?? null;
}

function checkRegisterCode(code: string): string {
  if (!/^[A-Z0-9]{2,5}$/.test(code)) {
    throw new RecordRejection(`jurisdiction_code must be 2 to 5 letters or digits, not ${JSON.stringify(code)}`);
  }
  return code;
}

function checkEnum<Field extends FieldOf<'enum'>>(value: unknown, field: Field): SourceRecord[Field] | null {
  if (value === null || value === undefined) return null;
  const allowed: readonly unknown[] = ENUM_VALUES[field];
  if (!allowed.includes(value)) {
    throw new RecordRejection(`${field} must be one of ${allowed.join(', ')}, not ${JSON.stringify(value)}`);
  }
  return value as SourceRecord[Field];
}

function checkDate(value: unknown, field: FieldOf<'date'>): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value !== 'string' || !isRegisterDate(value)) {
    throw new RecordRejection(`${field} must be a calendar date YYYY-MM-DD, not ${JSON.stringify(value)}`);
  }
  return value;
}

function normalizeNiceClasses(value: unknown, field: FieldOf<'integers'>): number[] | null {
  if (value === null || value === undefined) return null;
  if (!Array.isArray(value)) throw new RecordRejection(`${field} must be a list of integers`);
  for (const niceClass of value) {
    if (!Number.isInteger(niceClass) || niceClass < NICE_CLASS_MIN || niceClass > NICE_CLASS_MAX) {
      throw new RecordRejection(`${field} must hold integers from 1 to 45, not ${JSON.stringify(niceClass)}`);
    }
  }
  if (value.length < 2) return value.length === 0 ? null : value;
  return [...new Set<number>(value)].sort((a, b) => a - b);
}

/** A name with an alias becomes two names (rule I-49). */
function normalizeNames(value: unknown, field: FieldOf<'names'>): string[] | null {
  if (!Array.isArray(value) || !value.some(mayHoldAlias)) return normalizeList(value, field, normalizeName);
  const parts: unknown[] = value.flatMap((name) => (typeof name === 'string' ? splitAliases(name) : [name]));
  return normalizeList(parts, field, normalizeName);
}

/** Lists up to this length are checked for repeats entry by entry; for longer ones a Set is faster. */
const SHORT_LIST_MAX = 8;

function normalizeList(
  value: unknown,
  field: FieldOf<'texts' | 'codes' | 'names'> | 'mark_name_variants',
  normalize: (text: string) => string,
): string[] | null {
  if (value === null || value === undefined) return null;
  if (!Array.isArray(value)) throw new RecordRejection(`${field} must be a list of texts`);
  if (value.length > LIST_LENGTH_MAX) throw new RecordRejection(`${field} has more than ${LIST_LENGTH_MAX} entries`);
  const kept: string[] = [];
  for (const entry of value) {
    const text = normalize(checkText(entry, field));
    if (text !== '' && (value.length > SHORT_LIST_MAX || !kept.includes(text))) kept.push(text);
  }
  if (kept.length === 0) return null;
  return value.length > SHORT_LIST_MAX ? [...new Set(kept)] : kept;
}
