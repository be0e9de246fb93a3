/** The values of the United States Patent and Trademark Office in its TSDR answers. */
import type { MarkFeature } from '@tmds/contract/enums';
import { ACTIVE_CLASS, DRAWING_FEATURES, findPartyStage } from '../uspto-apc/lookups.ts';
import { CASE_STATUSES, POST_REGISTRATION_CODE } from '../uspto-apc/statuses.ts';
import { orderTsdrVersion } from '../uspto-apc/version.ts';
import { WIPO_FEATURES } from '../wipo.ts';
import { COMMON_KINDS, type St96Dialect, type StatusMeaning } from './dialect.ts';

/** The office's words for its drawing codes, as far as they have been seen; the code is stated with them. */
const DRAWING_TEXTS: Readonly<Record<string, MarkFeature>> = {
  'typeset word(s) /letter(s) /number(s)': 'Word',
  'standard character mark': 'Word',
  'an illustration drawing without any words(s)/ letter(s)/number(s)': 'Figurative',
};

const STATUSES = Object.entries(CASE_STATUSES).map(([code, [status]]): [string, StatusMeaning] => [
  code,
  code === POST_REGISTRATION_CODE ? 'after_registration' : status,
]);

export const US_DIALECT: St96Dialect = {
  office: 'US',
  title: 'USPTO TSDR ST.96 XML',
  format: 'uspto-tsdr',
  parseNumber: ({ text }) => (text !== null && /^\d{1,13}$/.test(text) && !/^0+$/.test(text) ? text : null),
  internationalNumbers: /^79\d{6}$/,
  padsRegistrationNumbers: true,
  statuses: Object.fromEntries(STATUSES),
  statusTextPaths: ['NationalTrademarkInformation/MarkCurrentStatusExternalDescriptionText'],
  kinds: COMMON_KINDS,
  featureCodes: DRAWING_FEATURES,
  features: { ...WIPO_FEATURES, ...DRAWING_TEXTS },
  notesInName: null,
  unknownFeature: null,
  translatesInSentences: true,
  usesNiceSince: '1973-09-01',
  activeClass: ACTIVE_CLASS,
  applicationPublication: null,
  legalEntityName: 'kind',
  commentsOnRole: true,
  nationalRepresentative: 'domestic_representative',
  findStage: (code) => findPartyStage(/^\d{1,3}$/.test(code) ? Number(code) : 0),
  interestedParties: {},
  updatePath: null,
  orderVersion: ({ happened }) => orderTsdrVersion(happened),
};
