/** The values of the German office: the seven statuses of its schema (DE-TM-Register 1.1), in either spelling of ä. */

import { WIPO_FEATURES } from '../../wipo.ts';
import type { St66Dialect, StatusMeaning } from '../dialect.ts';
import { STANDARD_COUNTRY_PATHS, STANDARD_KINDS } from './standard.ts';

const STATUSES: Readonly<Record<string, StatusMeaning>> = {
  'anmeldung eingegangen': 'Pending',
  'marke eingetragen': 'Registered',
  'marke eingetragen, widerspruchsfrist laeuft': 'Registered',
  'marke eingetragen, widerspruchsfrist lauft': 'Registered',
  'marke eingetragen, widerspruchsverfahren laeuft': 'Registered',
  'marke eingetragen, widerspruchsverfahren lauft': 'Registered',
  'eintragung nicht moeglich': 'Abandoned',
  'eintragung nicht moglich': 'Abandoned',
  'marke geloescht': 'ended',
  'marke geloscht': 'ended',
  'akte vernichtet': 'ended',
};

export const DPMA_DIALECT: St66Dialect = {
  format: 'st66',
  office: 'DE',
  statuses: STATUSES,
  kinds: STANDARD_KINDS,
  features: WIPO_FEATURES,
  applicationSection: null,
  registersUnderApplicationNumber: false,
  wrapsMarks: true,
  // The office writes the country into the county element of the schema.
  countryPaths: [...STANDARD_COUNTRY_PATHS, 'FormattedAddress/AddressCounty'],
};
