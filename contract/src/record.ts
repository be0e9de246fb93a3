/**
 * The record model on the wire (specification section 2). The interface description, the `ndjson` format and the
 * client's types derive from these names and types.
 */
import type { KindOfMark, MarkFeature, Status } from './enums.ts';
import type { Count, FeedCursor, PageCursor, RegisterCode } from './values.ts';

/** A real calendar date `YYYY-MM-DD`, kept as text so that no time zone can shift the day. @format date */
export type DateText = string;
/**
 * UTC with microseconds (rule I-31), kept as text so that no digit is lost.
 * @format date-time
 * @example 2026-11-21T09:00:00.123456Z
 */
export type Instant = string;

/** The fields of a record that a source states, without those that the service sets. */
export interface RecordContent {
  jurisdiction_code: string;
  uid: string;
  office: string | null;
  application_number: string | null;
  registration_number: string | null;
  mark_name: string | null;
  status: Status;
  tm5_status: string | null;
  kind_of_mark: KindOfMark | null;
  mark_feature: MarkFeature | null;
  application_date: DateText | null;
  registration_date: DateText | null;
  publication_date: DateText | null;
  expiry_date: DateText | null;
  renewal_date: DateText | null;
  termination_date: DateText | null;
  opposition_period_end: DateText | null;
  status_date: DateText | null;
  external_update_date: DateText | null;
  nice_classes: number[] | null;
  vienna_codes: string[] | null;
  owner_names: string[] | null;
  owner_countries: string[] | null;
  representative_names: string[] | null;
  international_registration_numbers: string[] | null;
  priority_numbers: string[] | null;
  designated_countries: string[] | null;
}

/**
 * One trademark record. Every key is present; `payload` only with `expand=payload`.
 * @schema
 * @table
 */
export interface TrademarkDetail extends RecordContent {
  record_update_date: DateText | null;
  first_seen_at: Instant;
  updated_at: Instant;
  /** Empty where the source states no document (rule I-42). */
  payload?: Payload;
}

/**
 * A document of any shape. A register's own format gives a `NormalizedDocument` (`document.ts`); lines of `ndjson`
 * bring their own documents.
 */
export type Payload = { [key: string]: unknown };

export type FieldType = 'text' | 'code' | 'enum' | 'date' | 'integers' | 'texts' | 'codes' | 'names';

export interface FieldDefinition {
  readonly type: FieldType;
  /** False for the three fields that every record has. */
  readonly nullable: boolean;
  readonly description: string;
}

/** The types of field that a value of `RecordContent` may be described as. */
type TypesFor<Value> = Value extends readonly number[]
  ? 'integers'
  : Value extends readonly string[]
    ? 'texts' | 'codes' | 'names'
    : string extends Value
      ? 'text' | 'code' | 'date'
      : 'enum';

/** A definition that agrees with the TypeScript type of the field. */
interface DefinitionOf<Value> extends FieldDefinition {
  readonly type: TypesFor<NonNullable<Value>>;
  readonly nullable: null extends Value ? true : false;
}

/** All content fields, in the order in which they are rendered. */
export const CONTENT_FIELDS = {
  jurisdiction_code: { type: 'code', nullable: false, description: 'Register the record comes from.' },
  uid: { type: 'text', nullable: false, description: 'Opaque identity, unique within the register.' },
  office: { type: 'code', nullable: true, description: 'Registering office as the source states it.' },
  application_number: { type: 'text', nullable: true, description: 'Office number; null when not assigned.' },
  registration_number: { type: 'text', nullable: true, description: 'Office number; null when not assigned.' },
  mark_name: { type: 'text', nullable: true, description: 'Mark text as filed.' },
  status: { type: 'enum', nullable: false, description: 'Normalized status.' },
  tm5_status: { type: 'text', nullable: true, description: "The office's own status text." },
  kind_of_mark: { type: 'enum', nullable: true, description: 'Normalized kind of mark.' },
  mark_feature: { type: 'enum', nullable: true, description: 'Normalized feature of the mark.' },
  application_date: { type: 'date', nullable: true, description: 'Date of filing.' },
  registration_date: { type: 'date', nullable: true, description: 'Date of registration.' },
  publication_date: { type: 'date', nullable: true, description: 'Date of publication.' },
  expiry_date: { type: 'date', nullable: true, description: 'Date on which protection ends unless renewed.' },
  renewal_date: { type: 'date', nullable: true, description: 'Date of the latest renewal.' },
  termination_date: { type: 'date', nullable: true, description: 'Date on which the record ended.' },
  opposition_period_end: { type: 'date', nullable: true, description: 'Last day of the opposition period.' },
  status_date: { type: 'date', nullable: true, description: 'When the office last changed the status.' },
  external_update_date: { type: 'date', nullable: true, description: "The office's own timestamp of the record." },
  nice_classes: { type: 'integers', nullable: true, description: 'Nice classes, ascending.' },
  vienna_codes: { type: 'texts', nullable: true, description: 'Vienna figurative-element codes, such as 26.03.01.' },
  owner_names: { type: 'names', nullable: true, description: 'Applicant, owner and holder names, lower-cased.' },
  owner_countries: { type: 'codes', nullable: true, description: "Codes of the proprietors' countries." },
  representative_names: {
    type: 'names',
    nullable: true,
    description: 'Representative, agent and correspondent names, lower-cased.',
  },
  international_registration_numbers: { type: 'codes', nullable: true, description: 'Madrid registration numbers.' },
  priority_numbers: { type: 'codes', nullable: true, description: 'Priority claim numbers.' },
  designated_countries: { type: 'codes', nullable: true, description: 'Madrid designated country codes.' },
} as const satisfies { [Field in keyof RecordContent]: DefinitionOf<RecordContent[Field]> };

export type ContentField = keyof typeof CONTENT_FIELDS;

/** The fields that the service adds when it publishes a record (specification 2.2). */
export const SERVICE_FIELDS = {
  record_update_date: 'Batch date of the service; not for syncing.',
  first_seen_at: 'When the service first ingested the record.',
  updated_at: 'When the content last changed; the key of the change feed.',
} as const;

/** One page of a search. @schema */
export interface SearchPage {
  /** The records. */
  items: TrademarkDetail[];
  next_cursor: PageCursor;
  /** Number of matches of the query, up to a maximum; only with count=capped. @maximum MATCHED_COUNT_MAX */
  matched_count?: Count;
  /** True if there are more matches than that maximum; only with count=capped. */
  matched_count_capped?: boolean;
}

/** One page of the change feed, in change order. @schema */
export interface ChangesPage {
  /** The records. */
  items: TrademarkDetail[];
  next_cursor: FeedCursor;
}

/** A register. @schema */
export interface JurisdictionInfo {
  jurisdiction_code: RegisterCode;
  /** Records of the register. */
  record_count: Count;
  /** The instant up to which the register has been loaded. */
  data_current_through: Instant | null;
}

/** All registers. @schema */
export interface JurisdictionsPage {
  /** The registers, by code. */
  items: JurisdictionInfo[];
}
