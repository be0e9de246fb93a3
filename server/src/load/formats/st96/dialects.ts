/**
 * Where the offices that publish ST.96 differ: values and habits, never the reader. A new office needs a new table of
 * this shape. Texts are compared folded (`foldValue`).
 */
import type { KindOfMark, MarkFeature } from '@tmds/contract/enums';
import { findLastDay, orderInstant } from '../dates.ts';
import type { PartyRole } from '../document.ts';
import { type StatusMeaning, WIPO_FEATURES, WIPO_STATUSES } from '../meanings.ts';
import { ACTIVE_CLASS, DRAWING_FEATURES, findPartyStage, orderTsdrVersion } from '../uspto-apc/cases.ts';
import { CASE_STATUSES, POST_REGISTRATION_CODE } from '../uspto-apc/statuses.ts';

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

interface StatedOrder {
  updatedAt: string | null;
  happened: readonly string[];
  fileName: string;
}

export interface St96Dialect {
  /** The office's ST.3 code, as its files state it; also the register. */
  office: string;
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

/** The values of the standard itself, and what most offices do. */
const STANDARD = {
  internationalNumbers: null,
  padsRegistrationNumbers: false,
  statuses: WIPO_STATUSES,
  statusTextPaths: [],
  kinds: COMMON_KINDS,
  featureCodes: {},
  features: WIPO_FEATURES,
  notesInName: null,
  unknownFeature: 'Other',
  translatesInSentences: false,
  usesNiceSince: null,
  activeClass: null,
  applicationPublication: null,
  legalEntityName: 'name',
  commentsOnRole: false,
  nationalRepresentative: 'representative',
  findStage: null,
  interestedParties: {},
  updatePath: null,
} as const satisfies Partial<St96Dialect>;

/** The office's words for its drawing codes, as far as they have been seen; the code is stated with them. */
const DRAWING_TEXTS: Readonly<Record<string, MarkFeature>> = {
  'typeset word(s) /letter(s) /number(s)': 'Word',
  'standard character mark': 'Word',
  'an illustration drawing without any words(s)/ letter(s)/number(s)': 'Figurative',
};

const US_STATUSES = Object.entries(CASE_STATUSES).map(([code, [status]]): [string, StatusMeaning] => [
  code,
  code === POST_REGISTRATION_CODE ? 'after_registration' : status,
]);

/** The United States Patent and Trademark Office in its TSDR answers. */
export const US_DIALECT: St96Dialect = {
  ...STANDARD,
  office: 'US',
  format: 'uspto-tsdr',
  parseNumber: ({ text }) => (text !== null && /^\d{1,13}$/.test(text) && !/^0+$/.test(text) ? text : null),
  internationalNumbers: /^79\d{6}$/,
  padsRegistrationNumbers: true,
  statuses: Object.fromEntries(US_STATUSES),
  statusTextPaths: ['NationalTrademarkInformation/MarkCurrentStatusExternalDescriptionText'],
  featureCodes: DRAWING_FEATURES,
  features: { ...WIPO_FEATURES, ...DRAWING_TEXTS },
  unknownFeature: null,
  translatesInSentences: true,
  usesNiceSince: '1973-09-01',
  activeClass: ACTIVE_CLASS,
  legalEntityName: 'kind',
  commentsOnRole: true,
  nationalRepresentative: 'domestic_representative',
  findStage: (code) => findPartyStage(/^\d{1,3}$/.test(code) ? Number(code) : 0),
  orderVersion: ({ happened }) => orderTsdrVersion(happened),
};

/**
 * Two digits, eleven for the number, two for the extension counter. An extension of a registration is a separate
 * record, identified by number and counter as in the office's file names (`147635-02.xml`).
 */
function parseSt13(st13: string): string | null {
  const match = /^(?:CA)?\d{2}(\d{11})(\d{2})$/.exec(st13);
  const number = match?.[1]?.replace(/^0+/, '');
  if (number === undefined || number === '') return null;
  return match?.[2] === '00' ? number : `${number}-${match?.[2]}`;
}

/** `WEEKLY_2026-11-17.zip`, `CA-TMK-UPDATE_2026-11-10-2026-11-16_…`: the last day in the name of a delivery. */
const DELIVERY = /(?:^|\/)(?:WEEKLY|CA-TMK-[A-Z]+)(?=[_-])[^/]*/gi;

function findDay(fileName: string): string | null {
  const days = (fileName.match(DELIVERY) ?? []).map((name) => findLastDay(name));
  return days.findLast((day) => day !== null) ?? null;
}

/** On the same day a delivery that is named by it wins, because it closes the day. */
const BY_EVENT = 1;
const BY_DELIVERY = 2;

/**
 * The files state no time, but the name of a delivery states the day up to which it is complete. A file without such a
 * name cannot be older than the latest day that its mark states.
 */
function orderVersion({ happened, fileName }: StatedOrder): string | null {
  const day = findDay(fileName);
  if (day !== null) return `${day}.${BY_DELIVERY}`;
  const latest = happened.reduce((a, b) => (a < b ? b : a), '');
  return latest === '' ? null : `${latest}.${BY_EVENT}`;
}

/** The Canadian Intellectual Property Office. Its comments on a party are numbers of the agent. */
export const CA_DIALECT: St96Dialect = {
  ...STANDARD,
  office: 'CA',
  format: 'st96-ca',
  parseNumber: ({ text, st13 }) => (st13 === null ? text : parseSt13(st13)),
  statusTextPaths: ['NationalTrademarkInformation/MarkCurrentStatusInternalDescriptionText'],
  kinds: [
    ['prohibited mark*', 'Other'],
    ['geographical indication*', 'Geographical'],
    ['denomination', 'Denomination'],
    ['union label', 'Collective'],
    ...COMMON_KINDS,
    ['distinguishing guise', 'Individual'],
    ['general mark', 'Individual'],
    ['general', 'Individual'],
    ['specific mark', 'Individual'],
  ],
  // Most designs contain words, and the office has no value for a design without any.
  features: {
    ...WIPO_FEATURES,
    design: 'Combined',
    'standard characters': 'Word',
    scent: 'Olfactory',
    texture: 'Touch',
  },
  applicationPublication: 'advertised',
  interestedParties: {
    'current owner': { role: 'owner', side: 'owner' },
    registrant: { role: 'owner', side: 'owner' },
    'old owner': { role: 'owner', side: null, current: false },
    trustee: { role: 'owner', side: 'owner' },
    applicant: { role: 'applicant', side: 'owner' },
    agent: { role: 'representative', side: 'representative' },
    'representative for service': { role: 'representative', side: 'representative' },
    'national correspondent': { role: 'correspondent', side: 'representative' },
    opponent: { role: 'other', side: null },
  },
  orderVersion,
};

/** The Swiss Federal Institute of Intellectual Property, in the answers of its data delivery. */
export const CH_DIALECT: St96Dialect = {
  ...STANDARD,
  office: 'CH',
  format: 'st96-ch',
  parseNumber: ({ text, st13 }) => text ?? st13,
  statuses: { ...WIPO_STATUSES, 'application cancelled': 'Abandoned' },
  kinds: [['geographical mark', 'Geographical'], ...COMMON_KINDS],
  // Written `_3_D`.
  features: { ...WIPO_FEATURES, '3 d': 'Three-dimensional' },
  notesInName: /\(\(\s*(?:fig\.?|3-?d)\s*\)\s*\)/giu,
  updatePath: 'Version/VersionDateTime',
  orderVersion: ({ updatedAt }) => orderInstant(updatedAt),
};
