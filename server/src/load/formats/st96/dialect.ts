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

export interface PartyMeaning {
  role: PartyRole;
  isOwner: boolean;
}

export interface St96Dialect {
  /** The office's ST.3 code, as its files state it; also the register. */
  office: string;
  title: string;
  /** `source.format` of the documents. */
  format: string;
  /** The application number from its two forms, of which a file states one; null when it is in neither form. */
  parseNumber(stated: { text: string | null; st13: string | null }): string | null;
  /** Numbers that the office gives to parts of an international registration; null when it has none of its own. */
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
  /** The feature recorded for a value outside the tables, which raises an issue either way. */
  unknownFeature: MarkFeature | null;
  /** Whether translations are sentences about the mark rather than names by which it could be found. */
  translatesInSentences: boolean;
  /** Status code of a class that is in force; null when the office states none. */
  activeClass: string | null;
  /** `PublicationStatusCategory` of the publication of an application; null if that is always the earliest one. */
  applicationPublication: string | null;
  /** Whether `LegalEntityName` holds the name of a party or its kind of entity. */
  legalEntityName: 'name' | 'kind';
  nationalRepresentative: PartyRole;
  /** The meaning of an applicant's sequence number; null when it only counts. */
  findStage: ((code: string) => OwnerStage | null) | null;
  /** Interested parties by their category. */
  interestedParties: Readonly<Record<string, PartyMeaning>>;
  /** Path of the record's own time stamp; null when the office states none. */
  updatePath: string | null;
  /**
   * Orders versions of one record (`SourceRecord.source_version`) by what the file states; null for no order.
   * `updatedAt`: the time stamp as it stands.
   */
  orderVersion(stated: { updatedAt: string | null; happened: readonly string[] }): string | null;
}

/** Features of WIPO's own list, which the offices use and extend. */
export const COMMON_FEATURES: Readonly<Record<string, MarkFeature>> = {
  word: 'Word',
  'stylized characters': 'Stylized characters',
  figurative: 'Figurative',
  combined: 'Combined',
  'three dimensional': 'Three-dimensional',
  'three-dimensional': 'Three-dimensional',
  '3-d': 'Three-dimensional',
  colour: 'Colour',
  'combination of colours': 'Combination of colours',
  sound: 'Sound',
  hologram: 'Hologram',
  olfactory: 'Olfactory',
  motion: 'Motion',
  multimedia: 'Multimedia',
  position: 'Position',
  pattern: 'Pattern',
  touch: 'Touch',
  taste: 'Taste',
  tracer: 'Other',
  other: 'Other',
  undefined: 'Undefined',
};

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

/** WIPO's own list of statuses, in the wordings of its editions. */
export const COMMON_STATUSES: Readonly<Record<string, StatusMeaning>> = {
  'application filed': 'Pending',
  'filing date accorded': 'Pending',
  'classification checked': 'Pending',
  'application accepted': 'Pending',
  'application published': 'Pending',
  'application opposed': 'Pending',
  'opposition pending': 'Pending',
  'appeal pending': 'Pending',
  'action before court pending': 'Pending',
  'action before court of justice pending': 'Pending',
  registered: 'Registered',
  'registration published': 'Registered',
  // A registration under attack stays a registration until it falls.
  'registration opposed': 'Registered',
  'registration cancellation pending': 'Registered',
  'revocation proceeding pending': 'Registered',
  'invalidity proceeding pending': 'Registered',
  'application refused': 'Abandoned',
  'application withdrawn': 'Abandoned',
  'application deemed withdrawn': 'Abandoned',
  'interruption of proceeding': 'Abandoned',
  'interruption of proceedings': 'Abandoned',
  'conversion requested': 'Abandoned',
  'registration cancelled': 'Cancelled',
  'registration surrendered': 'Cancelled',
  expired: 'Cancelled',
  ended: 'ended',
};
