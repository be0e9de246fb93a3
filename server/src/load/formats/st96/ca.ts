/** The values of the Canadian Intellectual Property Office. */
import { WIPO_FEATURES, WIPO_STATUSES } from '../wipo.ts';
import { COMMON_KINDS, type St96Dialect } from './dialect.ts';

/**
 * Two digits, eleven for the number, two for the extension counter. An extension of a registration is a separate
 * record, identified by number and counter as in the office's file names (`147635-02.xml`).
 */
function parseSt13(st13: string): string | null {
  const match = /^(?:CA)?\d{2}(\d{11})(\d{2})$/.exec(st13);
  const number = match?.[1]?.replace(/^0+/, '');
  if (number === undefined || number === '') return null;
  return match?.[2] === '00' ? number : `${number}-${match?.[2]}`;
}

export const CA_DIALECT: St96Dialect = {
  office: 'CA',
  title: 'CIPO Canada ST.96 XML',
  format: 'st96-ca',
  parseNumber: ({ text, st13 }) => (st13 === null ? text : parseSt13(st13)),
  internationalNumbers: null,
  padsRegistrationNumbers: false,
  statuses: WIPO_STATUSES,
  statusTextPaths: ['NationalTrademarkInformation/MarkCurrentStatusInternalDescriptionText'],
  kinds: [
    ['prohibited mark*', 'Other'],
    ['geographical indication*', 'Geographical'],
    ['denomination', 'Denomination'],
    ['union label', 'Collective'],
    ...COMMON_KINDS,
    ['distinguishing guise', 'Individual'],
    ['general mark', 'Individual'],
    ['general', 'Individual'],
    ['specific mark', 'Individual'],
  ],
  featureCodes: {},
  // Most designs contain words, and the office has no value for a design without any.
  features: { ...WIPO_FEATURES, design: 'Combined', scent: 'Olfactory', texture: 'Touch' },
  unknownFeature: 'Other',
  translatesInSentences: false,
  activeClass: null,
  applicationPublication: 'advertised',
  legalEntityName: 'name',
  nationalRepresentative: 'representative',
  findStage: null,
  interestedParties: {
    'current owner': { role: 'owner', isOwner: true },
    registrant: { role: 'owner', isOwner: true },
    'old owner': { role: 'owner', isOwner: true },
    trustee: { role: 'owner', isOwner: true },
    applicant: { role: 'applicant', isOwner: true },
    agent: { role: 'representative', isOwner: false },
    'representative for service': { role: 'representative', isOwner: false },
    'national correspondent': { role: 'correspondent', isOwner: false },
  },
  updatePath: null,
  // The weekly files state no time; load them in the order in which the office publishes them.
  orderVersion: () => null,
};
