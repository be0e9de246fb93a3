/**
 * Where the offices that publish ST.96 differ: values and habits, never the reader. A new office needs a new table of
 * this shape. Texts are compared folded (`foldValue`).
 */
import type { KindOfMark, MarkFeature, Status } from '@tmds/contract/enums';
import type { PartyRole } from '../payload.ts';

/**
 * `ended`: cancelled if the mark was registered, otherwise abandoned. `after_registration`: registered once there is a
 * registration date, pending before.
 */
export type StatusMeaning = Status | 'ended' | 'after_registration';

/** A stage of ownership, where the office numbers them: the highest number stated is the current owner's. */
interface OwnerStage {
  role: PartyRole;
  text: string;
}

/** The list of names of the record to which a party adds its own; null for neither. */
export type PartySide = 'owner' | 'representative' | null;

export interface PartyMeaning {
  role: PartyRole;
  side: PartySide;
  /** False for one whom the office calls a former owner. */
  current?: false;
}

export interface StatedOrder {
  updatedAt: string | null;
  happened: readonly string[];
  fileName: string;
}

export interface St96Dialect {
  /** The office's ST.3 code, as its files state it; also the register. */
  office: string;
  title: string;
  /** `source.format` of the documents. */
  format: string;
  /** The application number from its two forms, of which a file states one; null when it is in neither form. */
  parseNumber(stated: { text: string | null; st13: string | null }): string | null;
  /** Numbers that the office gives to parts of an international registration; null when it gives none. */
  internationalNumbers: RegExp | null;
  /** Whether zeros before a registration number are padding, and zeros alone mean no number. */
  padsRegistrationNumbers: boolean;
  statuses: Readonly<Record<string, StatusMeaning>>;
  /** Paths below the mark to the office's own wording of the status; the first stated one counts. */
  statusTextPaths: readonly string[];
  /** The first kind in the table that the mark states counts. A name ending in `*` matches by its beginning. */
  kinds: readonly (readonly [category: string, kind: KindOfMark])[];
  /** Features by code, which decides where it is stated, and by text. */
  featureCodes: Readonly<Record<string, MarkFeature>>;
  features: Readonly<Record<string, MarkFeature>>;
  /** Notes that the office writes into the words of a mark; they are no part of its name. */
  notesInName: RegExp | null;
  /** The feature recorded for a value outside the tables, which raises an issue either way. */
  unknownFeature: MarkFeature | null;
  /** Whether translations are sentences about words of the mark, rather than names by which it can be found. */
  translatesInSentences: boolean;
  /** From which application date a class of unnamed scheme is a Nice class; null: the office has no other scheme. */
  usesNiceSince: string | null;
  /** Status code of a class that is in force; null when the office states none. */
  activeClass: string | null;
  /** `PublicationStatusCategory` of the publication of an application; null if that is always the earliest one. */
  applicationPublication: string | null;
  /** Whether `LegalEntityName` holds the name of a party or its kind of entity. */
  legalEntityName: 'name' | 'kind';
  /** Whether the comment on a party is its role in words. Otherwise it is kept with the rest. */
  commentsOnRole: boolean;
  nationalRepresentative: PartyRole;
  /** The meaning of an applicant's sequence number; null when it only counts. */
  findStage: ((code: string) => OwnerStage | null) | null;
  /** Interested parties by their category. */
  interestedParties: Readonly<Record<string, PartyMeaning>>;
  /** Path of the record's own time stamp; null when the office states none. */
  updatePath: string | null;
  /**
   * Orders versions of one record (`SourceRecord.source_version`) by what the file states; null for no order.
   * `updatedAt`: the raw time stamp. `fileName`: of the entry, with its archive.
   */
  orderVersion(stated: StatedOrder): string | null;
}

export const COMMON_KINDS: readonly (readonly [category: string, kind: KindOfMark])[] = [
  ['collective trademark', 'Collective'],
  ['collective service mark', 'Collective'],
  ['collective membership mark', 'Collective'],
  ['collective mark', 'Collective'],
  ['collective', 'Collective'],
  ['certification mark', 'Certificate'],
  ['certificate', 'Certificate'],
  ['guarantee mark', 'Guarantee'],
  ['guarantee', 'Guarantee'],
  ['defensive mark', 'Defensive'],
  ['defensive', 'Defensive'],
  ['trademark', 'Trademark'],
  ['service mark', 'Service'],
  ['individual mark', 'Individual'],
  ['individual', 'Individual'],
  ['other', 'Other'],
];
