/** The values of the Canadian Intellectual Property Office. */
import { findLastDay } from '../name-day.ts';
import { WIPO_FEATURES, WIPO_STATUSES } from '../wipo.ts';
import { COMMON_KINDS, type St96Dialect, type StatedOrder } from './dialect.ts';

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

/** `WEEKLY_2026-11-17.zip`, `CA-TMK-UPDATE_2026-11-10-2026-11-16_…`: the last day in the name of a delivery. */
const DELIVERY = /(?:^|\/)(?:WEEKLY|CA-TMK-[A-Z]+)(?=[_-])[^/]*/gi;

function findDay(fileName: string): string | null {
  const days = (fileName.match(DELIVERY) ?? []).map((name) => findLastDay(name));
  return days.findLast((day) => day !== null) ?? null;
}

/** On the same day a delivery that is named by it wins, because it closes the day. */
const BY_EVENT = 1;
const BY_DELIVERY = 2;

/**
 * The files state no time, but the name of a delivery states the day up to which it is complete. A file without such a
 * name cannot be older than the latest day that its mark states.
 */
function orderVersion({ happened, fileName }: StatedOrder): string | null {
  const day = findDay(fileName);
  if (day !== null) return `${day}.${BY_DELIVERY}`;
  const latest = happened.reduce((a, b) => (a < b ? b : a), '');
  return latest === '' ? null : `${latest}.${BY_EVENT}`;
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
  features: {
    ...WIPO_FEATURES,
    design: 'Combined',
    'standard characters': 'Word',
    scent: 'Olfactory',
    texture: 'Touch',
  },
  notesInName: null,
  unknownFeature: 'Other',
  translatesInSentences: false,
  usesNiceSince: null,
  activeClass: null,
  applicationPublication: 'advertised',
  legalEntityName: 'name',
  // A number of the agent.
  commentsOnRole: false,
  nationalRepresentative: 'representative',
  findStage: null,
  interestedParties: {
    'current owner': { role: 'owner', side: 'owner' },
    registrant: { role: 'owner', side: 'owner' },
    'old owner': { role: 'owner', side: null, current: false },
    trustee: { role: 'owner', side: 'owner' },
    applicant: { role: 'applicant', side: 'owner' },
    agent: { role: 'representative', side: 'representative' },
    'representative for service': { role: 'representative', side: 'representative' },
    'national correspondent': { role: 'correspondent', side: 'representative' },
    opponent: { role: 'other', side: null },
  },
  updatePath: null,
  orderVersion,
};
