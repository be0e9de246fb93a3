/** International registrations as an office of the family passes them on, identified by the registration number. */
import type { St66Dialect } from '../dialect.ts';
import { STANDARD_COUNTRY_PATHS, STANDARD_FEATURES, STANDARD_KINDS, STANDARD_STATUSES } from './standard.ts';

export const WIPO_DIALECT: St66Dialect = {
  format: 'st66',
  office: 'WO',
  statuses: STANDARD_STATUSES,
  kinds: STANDARD_KINDS,
  features: STANDARD_FEATURES,
  applicationSection: null,
  registersUnderApplicationNumber: false,
  internationalNumbers: /./,
  wrapsMarks: false,
  countryPaths: STANDARD_COUNTRY_PATHS,
};
