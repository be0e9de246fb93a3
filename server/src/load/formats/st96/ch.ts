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
  // No value from the office has been seen yet; any that is not in WIPO's list raises an issue.
  statuses: WIPO_STATUSES,
  statusTextPaths: [],
  kinds: COMMON_KINDS,
  featureCodes: {},
  features: WIPO_FEATURES,
  unknownFeature: 'Other',
  translatesInSentences: false,
  activeClass: null,
  applicationPublication: null,
  legalEntityName: 'name',
  nationalRepresentative: 'representative',
  findStage: null,
  interestedParties: {},
  updatePath: 'Version/VersionDateTime',
  orderVersion: ({ updatedAt }) => orderInstant(updatedAt),
};
