/** The values of the EU Intellectual Property Office, which calls marks that combine words and images Figurative. */

import { WIPO_FEATURES, WIPO_STATUSES } from '../../wipo.ts';
import type { St66Dialect } from '../dialect.ts';
import { STANDARD_COUNTRY_PATHS, STANDARD_KINDS } from './standard.ts';

export const EUIPO_DIALECT: St66Dialect = {
  format: 'euipo',
  office: 'EM',
  statuses: {
    ...WIPO_STATUSES,
    'revocation/invalidity proceeding pending': 'Registered',
    'action before a court of law pending': 'Pending',
  },
  kinds: { ...STANDARD_KINDS, 'eu collective': 'Collective', 'eu certificate': 'Certificate' },
  features: WIPO_FEATURES,
  // A designation of the European Union is filed under the number of its international registration, such as W01234567.
  internationalNumbers: /^W\d/,
  applicationSection: 'A.1',
  registersUnderApplicationNumber: true,
  wrapsMarks: true,
  countryPaths: STANDARD_COUNTRY_PATHS,
};
