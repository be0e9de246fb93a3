/**
 * Where the offices of the ST.66 family differ: values and habits, never the reader. A new office needs a new table of
 * this shape and a line in `ST66_OFFICES`.
 */

import type { KindOfMark, MarkFeature } from '@tmds/contract/enums';
import type { XmlNode } from '../../xml/xml-record.ts';
import { dashedDate } from '../dates.ts';
import { type Element, openElement } from '../element.ts';
import {
  foldValue,
  lookUpFolded,
  readMeanings,
  STANDARD_KINDS,
  type StatusMeaning,
  WIPO_FEATURES,
  WIPO_STATUSES,
} from '../meanings.ts';

export interface St66Dialect {
  /** `source.format` of the payload, the same whichever command loaded the file. */
  format: string;
  /** The office's ST.3 code, as its files state it; also the register unless the operator names another. */
  office: string;
  /** Statuses by folded text (`foldValue`). */
  statuses: Readonly<Record<string, StatusMeaning>>;
  /** Statuses by the last words of the folded text, for texts of which only those are fixed. */
  statusEndings?: Readonly<Record<string, StatusMeaning>>;
  kinds: Readonly<Record<string, KindOfMark>>;
  features: Readonly<Record<string, MarkFeature>>;
  /** The section of the gazette that publishes applications; null when the office has no sections. */
  applicationSection: string | null;
  /** Whether a registered mark without its own registration number is registered under its application number. */
  registersUnderApplicationNumber: boolean;
  /** The application numbers that are numbers of international registrations; omitted if there are none. */
  internationalNumbers?: RegExp;
  /** Matches the parts of an application number that identify the mark: groups `serial` and, optionally, `year`. */
  numberForm?: RegExp;
  /**
   * Whether the office puts every mark into a transaction. If so, a bare mark is a copy passed on by another office,
   * and states less than the office's own file.
   */
  wrapsMarks: boolean;
  /** Where a party's country may stand below `Address`; the first stated one counts. */
  countryPaths: readonly string[];
  /** Whether the office escapes texts once more inside the XML (`J&amp;apos;ai`). */
  escapesTwice?: boolean;
}

export function findStatus({ statuses, statusEndings = {} }: St66Dialect, text: string): StatusMeaning | undefined {
  const folded = foldValue(text);
  const ending = Object.keys(statusEndings).find((words) => folded.endsWith(` ${words}`));
  return lookUpFolded(statuses, text) ?? (ending === undefined ? undefined : statusEndings[ending]);
}

/** Characters of an ST.13 identifier after the code of the office and the two digits for trademarks. */
const UID_NUMBER_LENGTH = 13;

/** The ST.13 identifier of a mark: office, 50, the year if there is one, and the number, padded to 17 characters. */
export function buildUid({ office, numberForm }: St66Dialect, number: string): string {
  const parts = numberForm?.exec(number)?.groups ?? {};
  const year = parts.year ?? '';
  const serial = parts.serial ?? number.replace(/\s+/g, '');
  return `${office}50${year}${serial.padStart(UID_NUMBER_LENGTH - year.length, '0')}`;
}

/** The values of the standard itself, shared by the offices that write English. */
const STANDARD = {
  format: 'st66',
  statuses: WIPO_STATUSES,
  kinds: STANDARD_KINDS,
  features: WIPO_FEATURES,
  applicationSection: null,
  registersUnderApplicationNumber: false,
  wrapsMarks: true,
  countryPaths: [
    'AddressCountryCode',
    'FormattedAddress/FormattedAddressCountryCode',
    'FormattedAddress/AddressCountryCode',
  ],
} as const satisfies Omit<St66Dialect, 'office'>;

/** The EU Intellectual Property Office calls marks that combine words and images Figurative. */
export const EUIPO_DIALECT: St66Dialect = {
  ...STANDARD,
  format: 'euipo',
  office: 'EM',
  statuses: {
    ...WIPO_STATUSES,
    'revocation/invalidity proceeding pending': 'Registered',
    'action before a court of law pending': 'Pending',
  },
  kinds: { ...STANDARD_KINDS, 'eu collective': 'Collective', 'eu certificate': 'Certificate' },
  // A designation of the European Union is filed under the number of its international registration, such as W01234567.
  internationalNumbers: /^W\d/,
  applicationSection: 'A.1',
  registersUnderApplicationNumber: true,
};

/** Numbers of the UK Intellectual Property Office begin with UK (`UK00003289573`). */
const UKIPO_DIALECT: St66Dialect = {
  ...STANDARD,
  office: 'GB',
  // Divisions have a letter after the number.
  numberForm: /^UK(?<serial>\d+[A-Z]*)$/,
  // A designation is filed under the number of its international registration, such as WO0000001234567.
  internationalNumbers: /^WO\d/,
};

/** The Swedish office numbers applications by year (`1900-62281`). */
const PRV_DIALECT: St66Dialect = { ...STANDARD, office: 'SE', numberForm: /^(?<year>\d{4})-(?<serial>\d+)$/ };

/** The seven statuses of the schema of the German office (DE-TM-Register 1.1), in either spelling of ä. */
const DE_STATUSES = readMeanings<StatusMeaning>({
  Pending: 'anmeldung eingegangen',
  Registered: `
    marke eingetragen | marke eingetragen, widerspruchsfrist laeuft | marke eingetragen, widerspruchsfrist lauft |
    marke eingetragen, widerspruchsverfahren laeuft | marke eingetragen, widerspruchsverfahren lauft`,
  Abandoned: 'eintragung nicht moeglich | eintragung nicht moglich',
  ended: 'marke geloescht | marke geloscht | akte vernichtet',
});

export const DPMA_DIALECT: St66Dialect = {
  ...STANDARD,
  office: 'DE',
  statuses: DE_STATUSES,
  // The office writes the country into the county element of the schema.
  countryPaths: [...STANDARD.countryPaths, 'FormattedAddress/AddressCounty'],
};

/** The French office writes statuses as text (`Marque enregistrée`) or as a constant (`MARQUE_ENREGISTRÉE`). */
const FR_STATUSES = readMeanings<StatusMeaning>({
  Pending: 'demande deposee | demande publiee | demande non publiee',
  Abandoned: 'demande irrecevable apres publication | demande totalement rejetee',
  Registered: 'marque enregistree | renouvellement demande | marque renouvelee',
  Cancelled: 'marque annulee | marque dechue | marque expiree',
});

const INPI_FR_DIALECT: St66Dialect = {
  ...STANDARD,
  office: 'FR',
  statuses: FR_STATUSES,
  statusEndings: { 'retrait total': 'Abandoned', 'renonciation totale': 'Cancelled' },
  wrapsMarks: false,
  escapesTwice: true,
};

/** The Romanian office numbers applications by year (`M 2012 00091`). */
const OSIM_DIALECT: St66Dialect = {
  ...STANDARD,
  office: 'RO',
  numberForm: /^M\s*(?<year>\d{4})\s*(?<serial>\d+)$/,
};

/** International registrations as an office of the family passes them on, identified by the registration number. */
const WIPO_DIALECT: St66Dialect = { ...STANDARD, office: 'WO', internationalNumbers: /./, wrapsMarks: false };

/** The offices whose ST.66 files are read. */
export const ST66_OFFICES: readonly St66Dialect[] = [
  EUIPO_DIALECT,
  UKIPO_DIALECT,
  PRV_DIALECT,
  DPMA_DIALECT,
  INPI_FR_DIALECT,
  OSIM_DIALECT,
  WIPO_DIALECT,
];

/** Escapes that the French office writes once more before it writes texts as XML. */
const CHARACTERS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Begins to read an element of an office. One level of escapes is left after parsing. */
export function openStated({ escapesTwice }: St66Dialect, node: XmlNode): Element {
  return openElement(escapesTwice === true ? unescapeNode(node) : node, dashedDate);
}

function unescapeNode(node: XmlNode): XmlNode {
  const attributes = Object.entries(node.attributes).map(([name, value]) => [name, unescapeText(value)]);
  return {
    name: node.name,
    attributes: Object.fromEntries(attributes),
    children: node.children.map(unescapeNode),
    text: unescapeText(node.text),
  };
}

/** Unescapes once only: an escape that results from it is text. */
export function unescapeText(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-f]{1,6}));/gi, (written, name, decimal, hex) => {
    if (name !== undefined) return CHARACTERS[name.toLowerCase()] ?? written;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : written;
  });
}
