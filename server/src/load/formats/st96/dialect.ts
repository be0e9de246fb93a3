/**
 * Where the offices that publish ST.96 differ: values and habits, never the reader. A new office is a new table of this
 * shape. Texts are compared folded (`foldValue`).
 */
import type { KindOfMark, MarkFeature, Status } from '@tmds/contract/enums';
import type { PartyRole } from '../payload.ts';

/**
 * `ended`: cancelled when the mark has been registered, abandoned when it has not.
 * `after_registration`: registered once there is a registration date, pending before.
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
  /** ST.3 code of the office, as its files state it; also the register. */
  office: string;
  title: string;
  /** What `source.format` of a document says. */
  format: string;
  /** The number of the application from its two forms, of which a file states one; null when it is neither. */
  parseNumber(stated: { text: string | null; st13: string | null }): string | null;
  /** Numbers by which the office tells parts of an international registration; null when it has none of its own. */
  internationalNumbers: RegExp | null;
  /** Zeros in front of a registration number are padding, and zeros alone are none. */
  padsRegistrationNumbers: boolean;
  statuses: Readonly<Record<string, StatusMeaning>>;
  /** Below the mark: the office's own wording of the status; the first that is stated. */
  statusTextPaths: readonly string[];
  /** The first kind of the table that the mark states; a name that ends in `*` stands for all that begin so. */
  kinds: readonly (readonly [category: string, kind: KindOfMark])[];
  /** By code, which decides where it is stated, and by text. */
  featureCodes: Readonly<Record<string, MarkFeature>>;
  features: Readonly<Record<string, MarkFeature>>;
  /** What a feature outside the tables is read as; it raises an issue either way. */
  unknownFeature: MarkFeature | null;
  /** Translations are sentences about the mark, not names it could be found by. */
  translatesInSentences: boolean;
  /** Status code of a class that is in force; null when the office states none. */
  activeClass: string | null;
  /** `PublicationStatusCategory` of the publication of an application; null when the earliest publication is that. */
  applicationPublication: string | null;
  /** Whether `LegalEntityName` is the name of a party or the kind of entity it is. */
  legalEntityName: 'name' | 'kind';
  nationalRepresentative: PartyRole;
  /** What the sequence number of an applicant means; null when it only counts. */
  findStage: ((code: string) => OwnerStage | null) | null;
  /** Interested parties by their category. */
  interestedParties: Readonly<Record<string, PartyMeaning>>;
  /** Where the record's own time stamp stands; null when the office states none. */
  updatePath: string | null;
  /** Orders versions of one record (`SourceRecord.source_version`), from what the file states; null for no order. */
  orderVersion(stated: { updated: string | null; happened: readonly string[] }): string | null;
}

/** Marks of WIPO's own list, which the offices use and add to. */
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

/** WIPO's own list of statuses, in the wordings of its several editions. */
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
  // A registration under attack is a registration until it falls.
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
