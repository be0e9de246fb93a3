/** The values of the French office, written as text (`Marque enregistrée`) or as a constant (`MARQUE_ENREGISTRÉE`). */

import { WIPO_FEATURES } from '../../wipo.ts';
import type { St66Dialect, StatusMeaning } from '../dialect.ts';
import { STANDARD_COUNTRY_PATHS, STANDARD_KINDS } from './standard.ts';

const STATUSES: Readonly<Record<string, StatusMeaning>> = {
  'demande deposee': 'Pending',
  'demande publiee': 'Pending',
  'demande non publiee': 'Pending',
  'demande irrecevable apres publication': 'Abandoned',
  'demande totalement rejetee': 'Abandoned',
  'marque enregistree': 'Registered',
  'renouvellement demande': 'Registered',
  'marque renouvelee': 'Registered',
  'marque annulee': 'Cancelled',
  'marque dechue': 'Cancelled',
  'marque expiree': 'Cancelled',
};

export const INPI_FR_DIALECT: St66Dialect = {
  format: 'st66',
  office: 'FR',
  statuses: STATUSES,
  statusEndings: { 'retrait total': 'Abandoned', 'renonciation totale': 'Cancelled' },
  kinds: STANDARD_KINDS,
  features: WIPO_FEATURES,
  applicationSection: null,
  registersUnderApplicationNumber: false,
  wrapsMarks: false,
  countryPaths: STANDARD_COUNTRY_PATHS,
  escapesTwice: true,
};
