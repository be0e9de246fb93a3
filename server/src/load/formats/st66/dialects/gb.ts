/** The values of the UK Intellectual Property Office, whose numbers begin with UK (`UK00003289573`). */

import { WIPO_FEATURES, WIPO_STATUSES } from '../../wipo.ts';
import type { St66Dialect } from '../dialect.ts';
import { STANDARD_COUNTRY_PATHS, STANDARD_KINDS } from './standard.ts';

export const UKIPO_DIALECT: St66Dialect = {
  format: 'st66',
  office: 'GB',
  statuses: WIPO_STATUSES,
  kinds: STANDARD_KINDS,
  features: WIPO_FEATURES,
  applicationSection: null,
  registersUnderApplicationNumber: false,
  // Divisions have a letter after the number.
  numberForm: /^UK(?<serial>\d+[A-Z]*)$/,
  // A designation is filed under the number of its international registration, such as WO0000001234567.
  internationalNumbers: /^WO\d/,
  wrapsMarks: true,
  countryPaths: STANDARD_COUNTRY_PATHS,
};
