/**
 * What the page of a record shows of names and numbers, with the filter that has to find the record by it, and the
 * spellings that people use for a number.
 */
import type { FilterName } from '@tmds/contract/parameters';
import type { TrademarkDetail } from '@tmds/contract/record';

export type NameFilter = 'mark_name' | 'owner_name' | 'representative_name';
export type NumberFilter = Extract<FilterName, `${string}_number`>;

const MADRID = 'international_registration_number';

export interface Shown<Filter extends FilterName> {
  /** Where it stands, such as `payload.parties.owner`. */
  readonly field: string;
  readonly value: string;
  readonly filter: Filter;
}

interface Texts {
  readonly text: string;
}

interface ShownPayload {
  readonly parties?: readonly { role: string; current?: boolean; names?: readonly Texts[] }[] | null;
  readonly mark?: Partial<Record<'texts' | 'translations' | 'transliterations', readonly Texts[]>> | null;
  readonly priorities?: readonly { number?: string }[] | null;
  readonly international?: {
    readonly registration?: { number?: string };
    readonly filings?: readonly { number?: string }[];
  } | null;
}

const SEARCHED_AS = new Map<string, NameFilter>([
  ['owner', 'owner_name'],
  ['applicant', 'owner_name'],
  ['representative', 'representative_name'],
  ['attorney', 'representative_name'],
  ['domestic_representative', 'representative_name'],
  ['correspondent', 'representative_name'],
]);

export function listShownNames(record: TrademarkDetail): Shown<NameFilter>[] {
  const payload = (record.payload ?? {}) as ShownPayload;
  const marks = (['texts', 'translations', 'transliterations'] as const).flatMap((part) =>
    (payload.mark?.[part] ?? []).map(({ text }) => shown(`payload.mark.${part}`, text, 'mark_name')),
  );
  const parties = (payload.parties ?? []).flatMap(({ role, current, names = [] }) => {
    const filter = SEARCHED_AS.get(role);
    // A former party is history: no filter finds the record by it.
    if (filter === undefined || current === false) return [];
    return names.map(({ text }) => shown(`payload.parties.${role}`, text, filter));
  });
  return [
    ...(record.mark_name === null ? [] : [shown('mark_name', record.mark_name, 'mark_name')]),
    ...(record.owner_names ?? []).map((name) => shown('owner_names', name, 'owner_name')),
    ...(record.representative_names ?? []).map((name) => shown('representative_names', name, 'representative_name')),
    ...marks,
    ...parties,
  ];
}

export function listShownNumbers(record: TrademarkDetail): Shown<NumberFilter>[] {
  const payload = (record.payload ?? {}) as ShownPayload;
  const { registration, filings = [] } = payload.international ?? {};
  const stated = [
    ['application_number', record.application_number, 'application_number'],
    ['registration_number', record.registration_number, 'registration_number'],
    ...(record.international_registration_numbers ?? []).map(
      (number) => ['international_registration_numbers', number, 'international_registration_number'] as const,
    ),
    ...(record.priority_numbers ?? []).map((number) => ['priority_numbers', number, 'priority_number'] as const),
    ['payload.international.registration', registration?.number, 'international_registration_number'],
    ...filings.map(
      ({ number }) => ['payload.international.filings', number, 'international_registration_number'] as const,
    ),
    ...(payload.priorities ?? []).map(({ number }) => ['payload.priorities', number, 'priority_number'] as const),
  ] as const;
  return stated.flatMap(([field, value, filter]) =>
    value === null || value === undefined ? [] : [shown(field, value, filter)],
  );
}

function shown<Filter extends FilterName>(field: string, value: string, filter: Filter): Shown<Filter> {
  return { field, value, filter };
}

/** The longest word of at least three characters; null if there is none. */
export function longestWord(name: string): string | null {
  // A bracket around an alias is no part of it.
  const words = name
    .normalize()
    .split(/\s+/u)
    .map((word) => word.replace(/^\(|\)$/g, ''))
    .filter((word) => [...word].length >= 3);
  return words.reduce<string | null>((longest, word) => (word.length > (longest ?? '').length ? word : longest), null);
}

/** Spellings that the filter of a number takes: outer blanks, letter case, and the one spelling of I-50 and I-33. */
export function listFilterSpellings(register: string, { value, filter }: Shown<NumberFilter>): string[] {
  const spellings = [value, ` ${value} `, value.toLowerCase()];
  if (filter === MADRID) {
    const digits = value.replace(/^\D+/, '');
    spellings.push(`W0${digits}`, `0${digits}`, `IR ${digits}`, `WO${digits.toLowerCase()}`);
  }
  if (filter === 'application_number' || filter === 'registration_number')
    spellings.push(...listSame(register, value, filter));
  return [...new Set(spellings)];
}

/** Spellings of one number that I-50 declares to be the same. */
function listSame(register: string, value: string, filter: NumberFilter): string[] {
  if (register === 'KR' && /^\d{13}$/.test(value)) {
    return filter === 'application_number'
      ? [value.replace(/^(\d{2})(\d{4})(\d{7})$/, '$1-$2-$3')]
      : [
          value.replace(/^(\d{2})(\d{7})(\d{2})(\d{2})$/, '$1-$2-$3-$4'),
          value.replace(/^(\d{2})(\d{7})0000$/, '$1-$2'),
        ];
  }
  if (register === 'CA' && /^(?:TMA)?\d+$/.test(value)) return [`${value}-00`];
  if (register === 'US' && filter === 'registration_number') return [value.padStart(7, '0'), `0${value}`];
  return [];
}

/** Numbers of these forms are also written together: of the United States, of France, of a year, of Romania. */
const JOINED = /^(?:\d{2}\/\d{3},?\d{3}|\d{2} \d{7}|\d{4}[-/]\d{5,6}|M \d{4} \d{5})$/;

/** Spellings that people use for a number, which `GET /v1/{register}/numbers` and the search bar take. */
export function listUsualSpellings(register: string, shownNumber: Shown<NumberFilter>): string[] {
  const { value, filter } = shownNumber;
  const spellings = [value, value.toLowerCase(), ...listOfOffice(register, shownNumber)];
  if (JOINED.test(value)) spellings.push(value.replace(/[^\p{L}\d]/gu, ''));
  if (/^\d+$/.test(value)) {
    spellings.push(value.replace(/^0+(?=\d)/, ''));
    if (value.length > 4) spellings.push(value.replace(/\B(?=(?:\d{3})+$)/g, ' '));
  } else if (filter !== 'priority_number') spellings.push(value.replace(/[\s/.-]+/g, ' '));
  if (filter === MADRID) spellings.push(`IR${value}`, `IR ${value}`, `WO${value}`, `0${value}`);
  return [...new Set(spellings.map((spelling) => spelling.trim()))];
}

/** As the office itself writes it, and as people shorten that. */
function listOfOffice(register: string, { value, filter }: Shown<NumberFilter>): string[] {
  const digits = value.replace(/^\D+/, '');
  const bare = digits.replace(/^0+(?=\d)/, '');
  switch (register) {
    case 'US':
      if (filter === 'registration_number') return [value.padStart(7, '0'), `RN ${value}`];
      return /^\d{8}$/.test(value) ? [value.replace(/^(\d\d)/, '$1/'), value.replace(/^(\d\d)(\d{3})/, '$1/$2 ')] : [];
    case 'EM':
      return /^\d{9}$/.test(value) ? [`EU${value}`, `EUTM ${value}`, bare] : [];
    case 'GB':
      return /^UK\d{11}$/.test(value) ? [digits, bare, `UK${bare}`] : [];
    case 'CH':
      return /^\d{5}\/\d{4}$/.test(value) ? [bare] : [];
    case 'JP':
      if (filter === 'registration_number') return [bare];
      return filter === 'application_number' && /^\d{10}$/.test(value)
        ? [value.replace(/^(\d{4})/, '$1-'), value.replace(/^(\d{4})0*(?=\d)/, '$1-'), value.replace(/^(\d{4})/, '$1/')]
        : [];
    case 'KR':
    case 'CA':
      return listSame(register, value, filter);
    case 'TW':
      return /^\d+$/.test(value) ? [bare] : [];
    case 'RO':
      return [value.replace(/^M\s*/, '')];
    default:
      return [];
  }
}
