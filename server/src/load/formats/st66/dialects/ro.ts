/** The values of the Romanian office, which numbers applications by year (`M 2012 00091`). */

import { WIPO_FEATURES, WIPO_STATUSES } from '../../wipo.ts';
import type { St66Dialect } from '../dialect.ts';
import { STANDARD_COUNTRY_PATHS, STANDARD_KINDS } from './standard.ts';

export const OSIM_DIALECT: St66Dialect = {
  format: 'st66',
  office: 'RO',
  statuses: WIPO_STATUSES,
  kinds: STANDARD_KINDS,
  features: WIPO_FEATURES,
  applicationSection: null,
  registersUnderApplicationNumber: false,
  numberForm: /^M\s*(?<year>\d{4})\s*(?<serial>\d+)$/,
  wrapsMarks: true,
  countryPaths: STANDARD_COUNTRY_PATHS,
};
