/** The values of the UK Intellectual Property Office, whose numbers begin with UK (`UK00003289573`). */
import type { St66Dialect } from '../dialect.ts';
import { STANDARD_COUNTRY_PATHS, STANDARD_FEATURES, STANDARD_KINDS, STANDARD_STATUSES } from './standard.ts';

export const UKIPO_DIALECT: St66Dialect = {
  format: 'st66',
  office: 'GB',
  statuses: STANDARD_STATUSES,
  kinds: STANDARD_KINDS,
  features: STANDARD_FEATURES,
  applicationSection: null,
  registersUnderApplicationNumber: false,
  // Divisions have a letter after the number.
  numberForm: /^UK(?<serial>\d+[A-Z]*)$/,
  // A designation is filed under the number of its international registration, such as WO0000001234567.
  internationalNumbers: /^WO\d/,
  wrapsMarks: true,
  countryPaths: STANDARD_COUNTRY_PATHS,
};
