/** The values of the Romanian office, which numbers applications by year (`M 2012 00091`). */
import type { St66Dialect } from '../dialect.ts';
import { STANDARD_COUNTRY_PATHS, STANDARD_FEATURES, STANDARD_KINDS, STANDARD_STATUSES } from './standard.ts';

export const OSIM_DIALECT: St66Dialect = {
  format: 'st66',
  office: 'RO',
  statuses: STANDARD_STATUSES,
  kinds: STANDARD_KINDS,
  features: STANDARD_FEATURES,
  applicationSection: null,
  registersUnderApplicationNumber: false,
  numberForm: /^M\s*(?<year>\d{4})\s*(?<serial>\d+)$/,
  wrapsMarks: true,
  countryPaths: STANDARD_COUNTRY_PATHS,
};
