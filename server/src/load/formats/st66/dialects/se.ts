/** The values of the Swedish office, which numbers applications by year (`1900-62281`). */
import type { St66Dialect } from '../dialect.ts';
import { STANDARD_COUNTRY_PATHS, STANDARD_FEATURES, STANDARD_KINDS, STANDARD_STATUSES } from './standard.ts';

export const PRV_DIALECT: St66Dialect = {
  format: 'st66',
  office: 'SE',
  statuses: STANDARD_STATUSES,
  kinds: STANDARD_KINDS,
  features: STANDARD_FEATURES,
  applicationSection: null,
  registersUnderApplicationNumber: false,
  numberForm: /^(?<year>\d{4})-(?<serial>\d+)$/,
  wrapsMarks: true,
  countryPaths: STANDARD_COUNTRY_PATHS,
};
