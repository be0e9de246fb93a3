/**
 * Facts about an office: the number by which people quote it, and the address of its own page of a record. An address
 * is listed only if the office keeps it stable and a number of the record gives it.
 */
import type { TrademarkDetail } from '@tmds/contract/record';

interface Office {
  /** Labels of the numbers, the one that people quote first. */
  readonly numbers: readonly (readonly [field: NumberField, label: string])[];
  /** Null if the record has no number of the form that the address takes. */
  readonly page?: (record: TrademarkDetail) => string | null;
  readonly pageName?: string;
}

type NumberField = 'application_number' | 'registration_number';

const DEFAULT: Office = {
  numbers: [
    ['registration_number', 'Registration'],
    ['application_number', 'Application'],
  ],
};

const OFFICES: Readonly<Record<string, Office>> = {
  CA: {
    numbers: [
      ['application_number', 'Application'],
      ['registration_number', 'Registration'],
    ],
    pageName: 'Canadian Trademarks Database',
    page: addressWith('application_number', /^\d{5,8}$/, 'https://ised-isde.canada.ca/cipo/trademark-search/'),
  },
  DE: {
    numbers: [
      ['registration_number', 'Register number'],
      ['application_number', 'File number (Aktenzeichen)'],
    ],
    pageName: 'DPMAregister',
    // With its check digit, which older numbers of the file lack.
    page: addressWith('application_number', /^\d{13}$/, 'https://register.dpma.de/DPMAregister/marke/register/', '/DE'),
  },
  EM: {
    numbers: [
      ['application_number', 'EU trade mark'],
      ['registration_number', 'Registration'],
    ],
    pageName: 'eSearch plus',
    page: addressWith('application_number', /^W?\d{8,9}$/, 'https://euipo.europa.eu/eSearch/#details/trademarks/'),
  },
  FR: {
    numbers: [
      ['application_number', 'National number'],
      ['registration_number', 'Registration'],
    ],
    pageName: 'Data INPI',
    page: addressWith('application_number', /^\d{6,8}$/, 'https://data.inpi.fr/marques/FR'),
  },
  GB: {
    numbers: [
      ['application_number', 'UK trade mark'],
      ['registration_number', 'Registration'],
    ],
    pageName: 'UK IPO case page',
    page: addressWith('application_number', /^UK\d{11}$/, 'https://trademarks.ipo.gov.uk/ipo-tmcase/page/Results/1/'),
  },
  US: {
    numbers: [
      ['application_number', 'Serial number'],
      ['registration_number', 'Registration number'],
    ],
    pageName: 'TSDR',
    page: addressWith('application_number', /^\d{8}$/, 'https://tsdr.uspto.gov/statusview/sn'),
  },
  WO: {
    numbers: [
      ['registration_number', 'International registration'],
      ['application_number', 'Application'],
    ],
    pageName: 'Madrid Monitor',
    page: addressWith(
      'registration_number',
      /^\d{3,7}[A-Z]?$/,
      'https://www3.wipo.int/madrid/monitor/en/showData.jsp?ID=ROM.',
    ),
  },
};

function addressWith(
  field: NumberField,
  form: RegExp,
  before: string,
  after = '',
): (record: TrademarkDetail) => string | null {
  return (record) => {
    const number = record[field]?.replace(/[\s/]/g, '') ?? '';
    return form.test(number) ? `${before}${number}${after}` : null;
  };
}

/** The numbers of the record as its office writes them, the quoted one first. */
export function listNumbers(record: TrademarkDetail): (readonly [label: string, number: string])[] {
  const { numbers } = OFFICES[record.jurisdiction_code] ?? DEFAULT;
  const stated = numbers.flatMap(([field, label]): [string, string][] => {
    const number = record[field];
    return number === null ? [] : [[label, number]];
  });
  // Some offices register a mark under the number of its application.
  return stated.filter(([, number], at) => stated.findIndex(([, other]) => other === number) === at);
}

/** The office's own page of the record; null if its address is not known. */
export function findOfficePage(record: TrademarkDetail): { readonly name: string; readonly address: string } | null {
  const { page, pageName } = OFFICES[record.jurisdiction_code] ?? DEFAULT;
  const address = page?.(record) ?? null;
  return address === null || pageName === undefined ? null : { name: pageName, address };
}
