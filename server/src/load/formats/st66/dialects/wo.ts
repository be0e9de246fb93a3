/** International registrations as an office of the family passes them on, identified by the registration number. */

import { WIPO_FEATURES, WIPO_STATUSES } from '../../wipo.ts';
import type { St66Dialect } from '../dialect.ts';
import { STANDARD_COUNTRY_PATHS, STANDARD_KINDS } from './standard.ts';

export const WIPO_DIALECT: St66Dialect = {
  format: 'st66',
  office: 'WO',
  statuses: WIPO_STATUSES,
  kinds: STANDARD_KINDS,
  features: WIPO_FEATURES,
  applicationSection: null,
  registersUnderApplicationNumber: false,
  internationalNumbers: /./,
  wrapsMarks: false,
  countryPaths: STANDARD_COUNTRY_PATHS,
};
