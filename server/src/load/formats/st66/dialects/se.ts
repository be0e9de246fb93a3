/** The values of the Swedish office, which numbers applications by year (`1900-62281`). */

import { WIPO_FEATURES, WIPO_STATUSES } from '../../wipo.ts';
import type { St66Dialect } from '../dialect.ts';
import { STANDARD_COUNTRY_PATHS, STANDARD_KINDS } from './standard.ts';

export const PRV_DIALECT: St66Dialect = {
  format: 'st66',
  office: 'SE',
  statuses: WIPO_STATUSES,
  kinds: STANDARD_KINDS,
  features: WIPO_FEATURES,
  applicationSection: null,
  registersUnderApplicationNumber: false,
  numberForm: /^(?<year>\d{4})-(?<serial>\d+)$/,
  wrapsMarks: true,
  countryPaths: STANDARD_COUNTRY_PATHS,
};
