/** The values of the Swiss Federal Institute of Intellectual Property, as in the answers of its data delivery. */
import { orderInstant } from '../instants.ts';
import { WIPO_FEATURES, WIPO_STATUSES } from '../wipo.ts';
import { COMMON_KINDS, type St96Dialect } from './dialect.ts';

export const CH_DIALECT: St96Dialect = {
  office: 'CH',
  title: 'IPI Switzerland ST.96 XML',
  format: 'st96-ch',
  parseNumber: ({ text, st13 }) => text ?? st13,
  internationalNumbers: null,
  padsRegistrationNumbers: false,
  statuses: { ...WIPO_STATUSES, 'application cancelled': 'Abandoned' },
  statusTextPaths: [],
  kinds: [['geographical mark', 'Geographical'], ...COMMON_KINDS],
  featureCodes: {},
  // Written `_3_D`.
  features: { ...WIPO_FEATURES, '3 d': 'Three-dimensional' },
  notesInName: /\(\(\s*(?:fig\.?|3-?d)\s*\)\s*\)/giu,
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
  updatePath: 'Version/VersionDateTime',
  orderVersion: ({ updatedAt }) => orderInstant(updatedAt),
};
