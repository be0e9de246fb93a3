/**
 * Compares fields of a record with what a plain search of its source says, without the reader: which element states the
 * field, and how the text becomes the value. The comparison knows nothing of the reader's tables.
 */
import type { NormalizedRecord } from '../../src/record/document.ts';

type Field = Exclude<keyof NormalizedRecord, 'payload' | 'payload_text' | 'named_parts'>;

interface Stated {
  /** The record in the words of the source. */
  readonly source: string;
  /** The texts of an element, in order, blank ones left out; whatever its prefix. */
  readonly texts: (element: string) => string[];
}

type Expectation = (stated: Stated) => unknown;
export type Comparison = Partial<Record<Field, Expectation>>;

export interface Compared {
  /** Fields that the record or its source states. */
  readonly values: number;
  /** Fields in which they differ. */
  readonly differences: readonly Field[];
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

function unescapeText(text: string): string {
  return text
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replace(/&#x([\da-f]+);/gi, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/&(lt|gt|quot|apos|amp);/g, (_, name) => ENTITIES[name] ?? '');
}

function listTexts(source: string, element: string): string[] {
  const form = new RegExp(`<(?:\\w+:)?(?:${element})(?:\\s[^>]*)?>(?:<!\\[CDATA\\[)?([^<]*?)(?:\\]\\]>)?</`, 'g');
  return [...source.matchAll(form)].map(([, text = '']) => unescapeText(text.trim())).filter((text) => text !== '');
}

/** The source without elements that tell of other marks and of proceedings. */
function cut(source: string, elements: readonly string[]): string {
  return elements.reduce((rest, element) => {
    const form = `<((?:\\w+:)?${element})(?:\\s[^>]*)?>[\\s\\S]*?</\\1>`;
    return rest.replace(new RegExp(form, 'g'), '');
  }, source);
}

const first =
  (element: string): Expectation =>
  ({ texts }) =>
    texts(element)[0] ?? null;

/** `2018-02-12-05:00`. */
const day =
  (element: string): Expectation =>
  ({ texts }) =>
    texts(element)[0]?.slice(0, 10) ?? null;

/** `20180212`; zeros are no date. */
const compactDay =
  (element: string): Expectation =>
  ({ texts }) => {
    const [text = '0'] = texts(element);
    return /^0+$/.test(text) ? null : text.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');
  };

const dashed = (text: string | undefined): string | null => text?.replaceAll('/', '-') ?? null;

const classes = (numbers: readonly string[]): number[] | null =>
  numbers.length === 0 ? null : [...new Set(numbers.map(Number))].sort((a, b) => a - b);

const classesOf =
  (element: string): Expectation =>
  ({ texts }) =>
    classes(texts(element));

/** `27.5.1` as `27.05.01`. */
const figures = (codes: readonly string[]): string[] | null => {
  const written = codes.map((code) =>
    code
      .split('.')
      .map((part) => part.padStart(2, '0'))
      .join('.'),
  );
  return written.length === 0 ? null : [...new Set(written)];
};

const attribute = (source: string, form: RegExp): string[] => [...source.matchAll(form)].map(([, text = '']) => text);

/** `12/04/2010`. */
const brazilianDay =
  (name: string): Expectation =>
  ({ source }) =>
    attribute(source, new RegExp(`<processo [^>]*?${name}="(\\d\\d/\\d\\d/\\d{4})"`, 'g'))[0]
      ?.split('/')
      .reverse()
      .join('-') ?? null;

const ST66: Comparison = {
  application_number: first('ApplicationNumber'),
  mark_name: first('MarkVerbalElementText'),
  application_date: day('ApplicationDate'),
  registration_date: day('RegistrationDate'),
  expiry_date: day('ExpiryDate'),
  status_date: day('MarkCurrentStatusDate'),
  tm5_status: first('MarkCurrentStatusCode'),
  nice_classes: classesOf('ClassNumber'),
};

const ST96: Comparison = {
  application_number: first('ApplicationNumberText|ApplicationNumber'),
  registration_number: first('RegistrationNumber'),
  mark_name: first('MarkVerbalElementText'),
  tm5_status: first('MarkCurrentStatusExternalDescriptionText'),
  application_date: day('ApplicationDate'),
  registration_date: day('RegistrationDate'),
  publication_date: day('PublicationDate'),
  renewal_date: day('RenewalDate'),
  status_date: day('MarkCurrentStatusDate'),
  nice_classes: classesOf('ClassNumber'),
};

/** Other marks, and what happened to them. */
const OTHERS = [
  'MarkRecordDetails',
  'OppositionDetails',
  'SeniorityDetails',
  'AppealDetails',
  'PriorityDetails',
  'ExhibitionPriorityDetails',
  'LegalProceedingsBag',
  'AssignmentBag',
  'AssignmentBagExt',
  'PriorityBag',
];

interface FormatComparison {
  readonly fields: Comparison;
  readonly others?: readonly string[];
}

/** By format, and for formats of several offices by register where an office differs. */
export const COMPARISONS: Readonly<Record<string, FormatComparison>> = {
  'uspto-apc': {
    fields: {
      application_number: first('serial-number'),
      registration_number: ({ texts }) => texts('registration-number')[0]?.replace(/^0+/, '') || null,
      mark_name: first('mark-identification'),
      application_date: compactDay('filing-date'),
      registration_date: compactDay('registration-date'),
      status_date: compactDay('status-date'),
      external_update_date: compactDay('transaction-date'),
      international_registration_numbers: ({ texts }) => {
        const numbers = texts('international-registration-number').map((number) => number.replace(/^0+/, ''));
        return numbers.length === 0 ? null : numbers;
      },
    },
    others: ['madrid-international-filing-requests'],
  },
  'uspto-tsdr': { fields: ST96, others: OTHERS },
  'st96 US': { fields: ST96, others: OTHERS },
  'st96 CA': {
    fields: {
      // Two digits of the office, the number without its zeros, two of the extension.
      application_number: ({ texts }) => texts('ST13ApplicationNumber')[0]?.replace(/^\d\d0*(\d+)\d\d$/, '$1') ?? null,
      registration_number: first('RegistrationNumber'),
      application_date: day('ApplicationDate'),
      registration_date: day('RegistrationDate'),
      expiry_date: day('ExpiryDate'),
      opposition_period_end: day('OppositionPeriodEndDate'),
      renewal_date: day('RenewalDate'),
      tm5_status: first('MarkCurrentStatusInternalDescriptionText'),
      nice_classes: classesOf('ClassNumber'),
      priority_numbers: ({ source }) => listTexts(source, 'ApplicationNumberText'),
    },
  },
  euipo: {
    fields: {
      ...ST66,
      vienna_codes: ({ texts }) => figures(texts('CategoryCode')),
    },
    others: OTHERS,
  },
  st66: { fields: ST66, others: OTHERS },
  kipris: {
    fields: {
      application_number: first('ApplicationNumber|applicationNumber'),
      registration_number: first('RegistrationNumber|registrationNumber'),
      mark_name: first('Title|title'),
      tm5_status: first('ApplicationStatus|applicationStatus'),
      application_date: compactDay('ApplicationDate|applicationDate'),
      registration_date: compactDay('RegistrationDate|registrationDate'),
      publication_date: (stated) =>
        compactDay('PublicDate|publicationDate')(stated) ??
        compactDay('RegistrationPublicDate|registrationPublicDate')(stated),
      nice_classes: ({ texts }) =>
        classes(
          texts('GoodClassificationCode|classificationCode').flatMap((text) =>
            // Three digits are a class of the old Korean scheme.
            text.split(/[|\s,]+/).filter((code) => /^\d{2}$/.test(code)),
          ),
        ),
      vienna_codes: ({ texts }) =>
        figures(
          texts('ViennaCode|viennaCode').flatMap((text) =>
            text.split(/[|\s,]+/).map((code) => code.replace(/^(\d\d)(\d\d)(\d\d)$/, '$1.$2.$3')),
          ),
        ),
    },
  },
  'tipo gazette': {
    fields: {
      application_number: first('CaseNo'),
      registration_number: first('RegisterNo'),
      mark_name: first('Trademark_Name'),
      application_date: ({ texts }) => ofRepublic(texts('Filing_Date')[0]),
      registration_date: ({ texts }) => ofRepublic(texts('SDate')[0]),
      expiry_date: ({ texts }) => ofRepublic(texts('EDate')[0]),
      nice_classes: classesOf('Class'),
      owner_names: ({ texts }) => {
        const [chinese, latin] = [texts('AChinese'), texts('AEnglish')];
        // What stands after these words is a second name (rule I-49).
        const names = [...chinese, ...latin].flatMap((name) =>
          name.replace(/ \(ALSO TRADING AS ([^)]*?) ?\)$/, ' DBA $1').split(' DBA '),
        );
        return new Set(names.map((name) => name.normalize().toLowerCase().replace(/\s+/g, ' ')));
      },
    },
  },
  'tipo applications': {
    fields: {
      application_number: first('appl-no'),
      application_date: ({ texts }) => dashed(texts('appl-date')[0]),
    },
  },
  'inpi-br': {
    fields: {
      application_number: ({ source }) => attribute(source, /<processo [^>]*?numero="(\d+)"/g)[0] ?? null,
      mark_name: first('nome'),
      application_date: brazilianDay('data-deposito'),
      registration_date: brazilianDay('data-concessao'),
      expiry_date: brazilianDay('data-vigencia'),
      nice_classes: ({ source }) => classes(attribute(source, /<classe-nice [^>]*?codigo="(\d+)"/g)),
      vienna_codes: ({ source }) => figures(attribute(source, /<classe-vienna [^>]*?codigo="([\d.]+)"/g)),
      owner_names: ({ source }) =>
        new Set(
          attribute(source, /<titular [^>]*?nome-razao-social="([^"]*)"/g).map((name) =>
            unescapeText(name).toLowerCase(),
          ),
        ),
    },
  },
};

/** `109.01.16` of the Republic of China is 2020-01-16. */
function ofRepublic(text: string | undefined): string | null {
  return text?.replace(/^\d+/, (year) => String(Number(year) + 1911)).replaceAll('.', '-') ?? null;
}

/** The comparison of a format's record; null if it has none. */
export function findComparison(format: string, record: NormalizedRecord, source: string): FormatComparison | null {
  if (format === 'tipo')
    return COMPARISONS[source.includes('<RegContent') ? 'tipo gazette' : 'tipo applications'] ?? null;
  return COMPARISONS[format] ?? COMPARISONS[`${format} ${record.jurisdiction_code}`] ?? null;
}

export function compareRecord(record: NormalizedRecord, source: string, comparison: FormatComparison): Compared {
  const own = cut(source, comparison.others ?? []);
  const stated: Stated = { source: own, texts: (element) => listTexts(own, element) };
  const differences: Field[] = [];
  let values = 0;
  for (const [name, expect] of Object.entries(comparison.fields)) {
    const field = name as Field;
    const [found, expected] = [canonical(record[field]), canonical(expect(stated))];
    if (found === null && expected === null) continue;
    values += 1;
    if (JSON.stringify(found) !== JSON.stringify(expected)) differences.push(field);
  }
  return { values, differences };
}

/** A set has no order; an empty one says nothing, as in the record. */
function canonical(value: unknown): unknown {
  if (!(value instanceof Set) && !Array.isArray(value)) return value ?? null;
  const entries = [...new Set(value as Iterable<unknown>)].sort();
  return entries.length === 0 ? null : entries;
}
