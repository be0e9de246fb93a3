/** Builds the document of `@tmds/contract/document` from what a format has read; knows nothing about any office. */
import { DOCUMENT_SECTIONS, type DocumentPart, type NormalizedDocument } from '@tmds/contract/document';

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
