/**
 * Brings a source record to its stored form (rules I-31 and I-32). It decides what a value looks like, never what it
 * means: a format has already mapped statuses, kinds and features. What cannot be stored or delivered rejects the
 * record with a reason that names the field; nothing is dropped in silence.
 */
import { KINDS_OF_MARK, MARK_FEATURES, STATUSES } from '@tmds/contract/enums';
import { NICE_CLASS_MAX, NICE_CLASS_MIN } from '@tmds/contract/limits';
import { CONTENT_FIELDS, type ContentField, type FieldType } from '@tmds/contract/record';
import { isRegisterDate } from './dates.ts';
import type { NormalizedRecord, SourceRecord } from './document.ts';
import { normalizeName } from './names.ts';

/** Longest uid, in bytes of UTF-8; a B-tree key must fit an index page. */
export const UID_BYTES_MAX = 1_000;
/** Longest text of a single-valued field, in UTF-16 units. */
export const TEXT_LENGTH_MAX = 100_000;
/** Most entries of one list field. */
export const LIST_LENGTH_MAX = 100_000;

/** Why a record cannot be kept as it is. The message names the field and says what it takes. */
export class RecordRejection extends Error {}

const ENUM_VALUES: Partial<Record<ContentField, readonly string[]>> = {
  status: STATUSES,
  kind_of_mark: KINDS_OF_MARK,
  mark_feature: MARK_FEATURES,
};

type FieldNormalizer = (value: unknown, field: ContentField) => unknown;

const FIELD_NORMALIZERS: Record<FieldType, FieldNormalizer> = {
  text: (value, field) => (field === 'uid' ? checkUid(value) : normalizeText(value, field)),
  code: normalizeCode,
  enum: checkEnum,
  date: checkDate,
  integers: normalizeNiceClasses,
  texts: (value, field) => normalizeList(value, field, trimText),
  codes: (value, field) => normalizeList(value, field, normalizeListCode),
  names: (value, field) => normalizeList(value, field, normalizeName),
};

const NORMALIZERS = (Object.keys(CONTENT_FIELDS) as ContentField[]).map((field) => ({
  field,
  nullable: CONTENT_FIELDS[field].nullable,
  normalize: FIELD_NORMALIZERS[CONTENT_FIELDS[field].type],
}));

/** Copied for each record: an object that already has its fields is filled several times faster than an empty one. */
const BLANK: Readonly<Record<string, unknown>> = Object.fromEntries(
  [...Object.keys(CONTENT_FIELDS), 'mark_name_variants', 'payload', 'source_version'].map((field) => [field, null]),
);

/** Throws `RecordRejection`. Lists come out unique and never empty, text never blank, codes upper case. */
export function normalizeRecord(source: SourceRecord): NormalizedRecord {
  const record: Record<string, unknown> = { ...BLANK, normalized: true };
  for (const { field, nullable, normalize } of NORMALIZERS) {
    const stated = source[field];
    const value = stated === null || stated === undefined ? null : normalize(stated, field);
    if (value !== null) record[field] = value;
    else if (!nullable) throw new RecordRejection(`${field} is missing`);
  }
  checkRegisterCode(record.jurisdiction_code as string);
  record.mark_name_variants = normalizeList(source.mark_name_variants, 'mark_name_variants', trimText);
  record.payload = source.payload;
  record.source_version = source.source_version;
  return record as unknown as NormalizedRecord;
}

function trimText(text: string): string {
  return text.trim();
}

function normalizeListCode(text: string): string {
  return text.normalize('NFC').trim().toUpperCase();
}

/** What PostgreSQL or UTF-8 cannot hold: NUL, and halves of a surrogate pair. */
function checkText(value: unknown, field: string): string {
  if (typeof value !== 'string') throw new RecordRejection(`${field} must be text`);
  if (value.includes('\0')) throw new RecordRejection(`${field} contains a NUL character`);
  if (!value.isWellFormed()) throw new RecordRejection(`${field} contains half of a surrogate pair`);
  if (value.length > TEXT_LENGTH_MAX)
    throw new RecordRejection(`${field} is longer than ${TEXT_LENGTH_MAX} characters`);
  return value;
}

function normalizeText(value: unknown, field: string): string | null {
  if (value === null || value === undefined) return null;
  const text = checkText(value, field);
  return text.trim() === '' ? null : text;
}

function checkUid(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  const uid = checkText(value, 'uid');
  if (uid === '') throw new RecordRejection('uid is empty');
  if (Buffer.byteLength(uid) > UID_BYTES_MAX) throw new RecordRejection(`uid is longer than ${UID_BYTES_MAX} bytes`);
  return uid;
}

function normalizeCode(value: unknown, field: string): string | null {
  return normalizeText(value, field)?.trim().toUpperCase() ?? null;
}

function checkRegisterCode(code: string): void {
  if (!/^[A-Z0-9]{2,5}$/.test(code)) {
    throw new RecordRejection(`jurisdiction_code must be 2 to 5 letters or digits, not ${JSON.stringify(code)}`);
  }
}

function checkEnum(value: unknown, field: ContentField): string | null {
  if (value === null || value === undefined) return null;
  const allowed = ENUM_VALUES[field] ?? [];
  if (!allowed.includes(value as string)) {
    throw new RecordRejection(`${field} must be one of ${allowed.join(', ')}, not ${JSON.stringify(value)}`);
  }
  return value as string;
}

function checkDate(value: unknown, field: string): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value !== 'string' || !isRegisterDate(value)) {
    throw new RecordRejection(`${field} must be a calendar date YYYY-MM-DD, not ${JSON.stringify(value)}`);
  }
  return value;
}

function normalizeNiceClasses(value: unknown, field: string): number[] | null {
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

function normalizeList(value: unknown, field: string, normalize: (text: string) => string): string[] | null {
  if (value === null || value === undefined) return null;
  if (!Array.isArray(value)) throw new RecordRejection(`${field} must be a list of texts`);
  if (value.length > LIST_LENGTH_MAX) throw new RecordRejection(`${field} has more than ${LIST_LENGTH_MAX} entries`);
  if (value.length === 1) {
    const text = normalize(checkText(value[0], field));
    return text === '' ? null : [text];
  }
  const kept = new Set<string>();
  for (const entry of value) {
    const text = normalize(checkText(entry, field));
    if (text !== '') kept.add(text);
  }
  return kept.size === 0 ? null : [...kept];
}
