/**
 * The normalized document: the shape of `payload` for every register format. A section is null when the register states
 * nothing of it; inside a section, values that are not stated are left out. Texts stand as the office writes them,
 * trimmed. Dates are `YYYY-MM-DD` where the source states a calendar date, otherwise the text as it stands (an office
 * writes `18930000` for a year alone); a date of zeros says nothing and is left out.
 */

/** A calendar date, or the text the source states in place of one. */
type StatedDate = string;

export interface NormalizedDocument {
  parties: Party[] | null;
  mark: MarkSection | null;
  goods_and_services: GoodsAndServices[] | null;
  publications: Publication[] | null;
  priorities: Priority[] | null;
  events: RecordEvent[] | null;
  images: MarkImage[] | null;
  classification: ClassificationSection | null;
  international: InternationalSection | null;
  related_marks: RelatedMark[] | null;
  statements: Statement[] | null;
  source: SourceSection;
}

export type PartyRole =
  | 'applicant'
  | 'owner'
  | 'representative'
  | 'attorney'
  | 'domestic_representative'
  | 'correspondent';

export interface Party {
  role: PartyRole;
  /** The role as the office's code, and the meaning of that code. */
  office_role?: string;
  office_role_text?: string;
  /** For owners, where the office keeps former ones: whether this is a current owner. */
  current?: boolean;
  sequence?: string;
  /** The office's key for the party, or the address of the party's own record. */
  identifier?: string;
  uri?: string;
  names?: PartyName[];
  entity?: { code?: string; text?: string; statement?: string };
  nationality?: { country?: string; state?: string; other?: string };
  incorporation?: { country?: string; state?: string };
  address?: Address;
  /** Further addresses, where the office states more than one. */
  other_addresses?: Address[];
  /** What the office says about the party in words: its members, changes of name. */
  notes?: string[];
  details?: unknown;
}

export interface PartyName {
  text: string;
  kind?: 'organization' | 'person' | 'trading_as';
  language?: string;
}

export interface Address {
  lines?: string[];
  city?: string;
  region?: string;
  postcode?: string;
  country?: string;
  other?: string;
}

export interface MarkSection {
  texts?: LanguageText[];
  translations?: LanguageText[];
  transliterations?: LanguageText[];
  descriptions?: LanguageText[];
  disclaimers?: LanguageText[];
  details?: unknown;
}

export interface LanguageText {
  text: string;
  language?: string;
}

export interface GoodsAndServices {
  /** The classification to which the class belongs, where the office states it. */
  classification?: string;
  /** The class as the office writes it; may be a national class. */
  class?: string;
  /** The office's code for the statement. */
  code?: string;
  texts?: LanguageText[];
  details?: unknown;
}

export interface Publication {
  kind?: string;
  identifier?: string;
  section?: string;
  date?: StatedDate;
  page?: string;
  details?: unknown;
}

export interface Priority {
  number?: string;
  registration_number?: string;
  country?: string;
  date?: StatedDate;
  claimed?: boolean;
  status?: string;
  details?: unknown;
}

export interface RecordEvent {
  kind: 'history' | 'record' | 'opposition' | 'cancellation' | 'appeal' | 'proceeding' | 'removal';
  /** The format that told of the event, if it is not the one that told of the record. */
  source?: string;
  code?: string;
  type?: string;
  text?: string;
  status?: string;
  status_date?: StatedDate;
  date?: StatedDate;
  number?: string;
  /** The office has taken the event back, out of its files or off this mark. What was stated of it stays. */
  removed?: boolean;
  /** The mark of this record as the event names it; more than one if it names the mark in different words. */
  marks?: NamedMark[];
  parties?: EventParty[];
  /** What happened in the course of the event, newest first. */
  history?: RecordEvent[];
  details?: unknown;
}

/** What a mark is in a proceeding: what it is about, an earlier mark on which the plaintiff relies, or unknown. */
export type MarkRole = 'subject' | 'relied_upon' | 'named';

export interface NamedMark {
  role?: MarkRole;
  identifier?: string;
  number?: string;
  registration_number?: string;
  international_registration_number?: string;
  text?: string;
  description?: string;
  details?: unknown;
}

export type EventPartyRole = 'assignor' | 'assignee' | 'plaintiff' | 'defendant' | 'correspondent' | 'other';

export interface EventParty extends Omit<Party, 'role' | 'details'> {
  role: EventPartyRole;
  /** When the party signed, and when that was acknowledged before a notary. */
  execution_date?: StatedDate;
  acknowledgment_date?: StatedDate;
  /** Statements that belong to the name: `formerly`, `trading_as`, `composed_of`. */
  statements?: Statement[];
  /** Whom the party consists of. */
  members?: PartyMember[];
  /** Marks that the party brings into the event. */
  marks?: NamedMark[];
  /** Who acts for the party. */
  contacts?: EventParty[];
}

export interface PartyMember {
  name?: string;
  entity?: { code?: string; text?: string };
  /** The state or country of its seat. */
  region?: { code?: string; text?: string };
  members?: PartyMember[];
}

export interface MarkImage {
  identifier?: string;
  format?: string;
  uri?: string;
  vienna_codes?: string[];
  details?: unknown;
}

export interface ClassificationSection {
  nice_version?: string;
  /** The class that the office puts first. */
  leading_class?: string;
  classes?: ClassEntry[];
  /** Codes of the office's own design classification, which are not Vienna codes. */
  design_codes?: string[];
}

export interface ClassEntry {
  international_codes?: string[];
  national_codes?: string[];
  primary_code?: string;
  status_code?: string;
  status_text?: string;
  status_date?: StatedDate;
  first_use_date?: StatedDate;
  first_use_in_commerce_date?: StatedDate;
  details?: unknown;
}

export interface InternationalSection {
  /** The international registration of which this record is the national part. */
  registration?: InternationalRegistration;
  /** International applications based on this record. */
  filings?: InternationalFiling[];
  designations?: string[];
}

export interface InternationalRegistration {
  number?: string;
  registration_date?: StatedDate;
  publication_date?: StatedDate;
  renewal_date?: StatedDate;
  auto_protection_date?: StatedDate;
  end_date?: StatedDate;
  status_code?: string;
  status_date?: StatedDate;
  priority_claimed?: boolean;
  priority_date?: StatedDate;
  first_refusal?: boolean;
}

export interface InternationalFiling {
  sequence?: string;
  reference_number?: string;
  filing_date?: StatedDate;
  number?: string;
  registration_date?: StatedDate;
  renewal_date?: StatedDate;
  status_code?: string;
  status_date?: StatedDate;
  reply_by_date?: StatedDate;
  events?: RecordEvent[];
}

export interface RelatedMark {
  relationship: string;
  number?: string;
  registration_number?: string;
  country?: string;
  date?: StatedDate;
  details?: unknown;
}

export interface Statement {
  code?: string;
  text: string;
  language?: string;
}

/** What the office says about the record itself, in its own words and codes. */
export interface SourceSection {
  format: string;
  status_code?: string;
  status_text?: string;
  [key: string]: unknown;
}

const SECTIONS: Record<keyof Omit<NormalizedDocument, 'source'>, true> = {
  parties: true,
  mark: true,
  goods_and_services: true,
  publications: true,
  priorities: true,
  events: true,
  images: true,
  classification: true,
  international: true,
  related_marks: true,
  statements: true,
};

/** The document with every section present; an empty or missing section is null, because lists are never empty. */
export function buildDocument(
  source: SourceSection,
  sections: Partial<Omit<NormalizedDocument, 'source'>>,
): NormalizedDocument & { [key: string]: unknown } {
  const document: Record<string, unknown> = {};
  for (const name of Object.keys(SECTIONS) as (keyof typeof SECTIONS)[]) document[name] = presentOrNull(sections[name]);
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
