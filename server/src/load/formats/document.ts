/** Builds what a format states of a record, its fields and its document; knows nothing about any office. */
import { DOCUMENT_SECTIONS, type DocumentPart, type NormalizedDocument } from '@tmds/contract/document';
import { CONTENT_FIELDS, type RecordContent } from '@tmds/contract/record';

export type { NormalizedDocument };
export type Party = DocumentPart<'Party'>;
export type PartyRole = Party['role'];
export type PartyName = DocumentPart<'PartyName'>;
export type Address = DocumentPart<'Address'>;
export type MarkSection = DocumentPart<'Mark'>;
export type LanguageText = DocumentPart<'LanguageText'>;
export type GoodsAndServices = DocumentPart<'GoodsAndServices'>;
/** The scheme to which the number of a class belongs. */
export type ClassScheme = NonNullable<GoodsAndServices['scheme']>;
export type Publication = DocumentPart<'Publication'>;
export type Priority = DocumentPart<'Priority'>;
export type RecordEvent = DocumentPart<'RecordEvent'>;
export type NamedMark = DocumentPart<'NamedMark'>;
/** The role of a mark in a proceeding. */
export type MarkRole = NonNullable<NamedMark['role']>;
export type EventParty = DocumentPart<'EventParty'>;
export type PartyMember = DocumentPart<'PartyMember'>;
export type EventPartyRole = EventParty['role'];
export type MarkImage = DocumentPart<'MarkImage'>;
export type ClassificationSection = DocumentPart<'Classification'>;
export type ClassEntry = DocumentPart<'ClassEntry'>;
export type InternationalSection = DocumentPart<'International'>;
export type InternationalRegistration = DocumentPart<'InternationalRegistration'>;
export type InternationalFiling = DocumentPart<'InternationalFiling'>;
export type RelatedMark = DocumentPart<'RelatedMark'>;
export type Statement = DocumentPart<'Statement'>;

/**
 * What the office calls the status, kind and feature of the mark, as codes and in words; null where it has no code or
 * no words. Every format says all six, so that none forgets to keep the wording next to the mapped value.
 */
export interface OfficeWords {
  status_code: string | null;
  status_text: string | null;
  kind_code: string | null;
  kind_text: string | null;
  feature_code: string | null;
  feature_text: string | null;
}

/** Adds further values of the source that have no place elsewhere. */
export interface StatedSource extends OfficeWords {
  format: string;
  [name: string]: unknown;
}

/** Several codes or words of one kind as one text; null for none. */
export function joinWords(words: readonly string[]): string | null {
  return words.length === 0 ? null : words.join(', ');
}

/** The words of a declared list, which spaces and line ends separate. */
export function splitWords(list: string): string[] {
  return list.trim().split(/\s+/);
}

/** The document with every section present; an empty or missing section is null. */
export function buildDocument(
  source: StatedSource,
  sections: Partial<Omit<NormalizedDocument, 'source'>>,
): NormalizedDocument & { [key: string]: unknown } {
  const document: Record<string, unknown> = {};
  for (const name of Object.keys(DOCUMENT_SECTIONS)) {
    if (name !== 'source') document[name] = presentOrNull(sections[name as keyof typeof sections]);
  }
  document.source = stated(source);
  return document as NormalizedDocument & { [key: string]: unknown };
}

function presentOrNull(value: unknown): unknown {
  return isSilent(value) ? null : value;
}

/** Whether a value says nothing: null, missing, an empty list or an object without a member. */
export function isSilent(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** The object without members that say nothing: a value the register did not state is left out, never defaulted. */
export function stated<T>(members: { [K in keyof T]: T[K] | null | undefined }): T {
  const kept: Record<string, unknown> = {};
  for (const key in members) {
    const value = members[key];
    if (!isSilent(value)) kept[key] = value;
  }
  return kept as T;
}

/**
 * Offices deliver the same events in another order each time, and the order of events is content (rule I-34), so one
 * order is imposed: newest first, on one day the highest number first.
 */
export function newestFirst(events: readonly RecordEvent[]): RecordEvent[] {
  return [...events].sort(compareEvents);
}

/** No two different events compare equal, so the order of the source never shows. */
function compareEvents(a: RecordEvent, b: RecordEvent): number {
  if (a.date !== b.date) return (a.date ?? '') < (b.date ?? '') ? 1 : -1;
  const difference = toNumber(b) - toNumber(a);
  if (difference !== 0) return difference;
  const [one, other] = [JSON.stringify(a), JSON.stringify(b)];
  return one < other ? -1 : Number(one > other);
}

function toNumber({ number }: RecordEvent): number {
  return number !== undefined && /^\d{1,15}$/.test(number) ? Number(number) : 0;
}

type NullableField = {
  [Field in keyof RecordContent]: null extends RecordContent[Field] ? Field : never;
}[keyof RecordContent];

const nullable = Object.entries(CONTENT_FIELDS).filter(([, field]) => field.nullable);

/**
 * The content of a record of which nothing is stated. A format begins with it and adds what its source states, so a new
 * field concerns only the formats whose source has it: in the others the element, if there is one, stays unread and is
 * reported.
 */
export const NOT_STATED = Object.freeze(Object.fromEntries(nullable.map(([field]) => [field, null]))) as Readonly<
  Record<NullableField, null>
>;

/** The names of a party as its document has them. */
export function listTexts({ names = [] }: Party): string[] {
  return names.map(({ text }) => text);
}

interface NamedParty {
  /** Every other party represents. */
  readonly isOwner: boolean;
  /** As stated. */
  readonly names: readonly string[];
  /** Two letters each. */
  readonly countries?: readonly string[];
}

export function nameFields(
  parties: readonly NamedParty[],
): Pick<RecordContent, 'owner_names' | 'owner_countries' | 'representative_names'> {
  const owners = parties.filter(({ isOwner }) => isOwner);
  const others = parties.filter(({ isOwner }) => !isOwner);
  return {
    owner_names: listOrNull(owners.flatMap(({ names }) => names)),
    owner_countries: listOrNull(owners.flatMap(({ countries = [] }) => countries)),
    representative_names: listOrNull(others.flatMap(({ names }) => names)),
  };
}

/** Removes duplicates. Null for an empty list, because lists of a record are never empty. */
export function listOrNull<Value>(values: readonly Value[]): Value[] | null {
  return values.length === 0 ? null : [...new Set(values)];
}
