/**
 * The reference for searches: the meaning of section 4.3 read off the parameters' texts, record by record in memory. It
 * shares no code with the plan: it never sees a term, an index or a statement.
 */
import { FILTER_DATES } from '@tmds/contract/enums';
import type { RecordContent } from '@tmds/contract/record';
import type { StoredRecord } from '../support/stored.ts';

export type SearchTexts = Readonly<Record<string, string>>;

type Content = RecordContent & { mark_name_variants: string[] | null };
type Judge = (content: Content, text: string, updatedAt: string) => boolean;

const lower = (text: string): string =>
  text.normalize('NFC').toLowerCase().normalize('NFC').replaceAll('ς', 'σ').replaceAll(/\s+/g, ' ');
const listOf = (text: string): string[] => text.split(',').map((element) => element.trim());
const microseconds = (text: string): string => {
  const [, head = '', fraction = ''] =
    /^(.{19})(?:\.(\d+))?/.exec(text.length === 10 ? `${text}T00:00:00` : text) ?? [];
  return `${head}.${fraction.padEnd(6, '0')}Z`;
};

const anyOf =
  (values: (content: Content) => readonly (string | number | null)[] | null): Judge =>
  (content, text) => {
    const wanted = listOf(text).map((element) => element.toLowerCase());
    return (values(content) ?? []).some((value) => value !== null && wanted.includes(String(value).toLowerCase()));
  };
const sameNumber =
  (values: (content: Content) => readonly (string | null)[] | null): Judge =>
  (content, text) =>
    (values(content) ?? []).some((value) => value?.toUpperCase() === text.trim().toUpperCase());
const madridForm = (number: string): string =>
  number
    .trim()
    .toUpperCase()
    .replace(/^W?0*(?=[1-9]\d*[A-Z]?$)/, '');
const marksOf = (content: Content): string[] =>
  [content.mark_name, ...(content.mark_name_variants ?? [])].filter((name) => name !== null).map((name) => name.trim());

const NAMES: Record<string, (content: Content) => string[]> = {
  mark_name: marksOf,
  owner_name: (content) => content.owner_names ?? [],
  representative_name: (content) => content.representative_names ?? [],
};

const isVienna = (code: string, wanted: string): boolean => {
  const segments = code.split('.').map(Number);
  return wanted.split('.').every((segment, position) => segments[position] === Number(segment));
};

const JUDGES: Record<string, Judge> = {
  jurisdiction: anyOf((content) => [content.jurisdiction_code]),
  office: anyOf((content) => [content.office]),
  application_number: sameNumber((content) => [content.application_number]),
  registration_number: (content, text, updatedAt) => {
    const spelled = content.jurisdiction_code === 'US' ? text.trim().replace(/^0+(?=[1-9]\d*$)/, '') : text;
    const isSame = sameNumber(({ registration_number: number }) => [number]);
    // A record that was stored before numbers had one spelling is found as it is.
    return isSame(content, text, updatedAt) || isSame(content, spelled, updatedAt);
  },
  international_registration_number: (content, text) =>
    (content.international_registration_numbers ?? []).some((number) => madridForm(number) === madridForm(text)),
  priority_number: sameNumber((content) => content.priority_numbers),
  status: anyOf((content) => [content.status]),
  kind_of_mark: anyOf((content) => [content.kind_of_mark]),
  mark_feature: anyOf((content) => [content.mark_feature]),
  nice_class: anyOf((content) => content.nice_classes),
  nice_class_all: (content, text) => listOf(text).every((element) => content.nice_classes?.includes(Number(element))),
  vienna_code: (content, text) =>
    (content.vienna_codes ?? []).some((code) => listOf(text).some((wanted) => isVienna(code, wanted))),
  owner_country: anyOf((content) => content.owner_countries),
  designated_country: anyOf((content) => content.designated_countries),
  updated_since: (_content, text, updatedAt) => updatedAt >= microseconds(text),
  updated_before: (_content, text, updatedAt) => updatedAt < microseconds(text),
};
for (const [name, namesOf] of Object.entries(NAMES)) {
  JUDGES[name] = (content, text) => namesOf(content).some((held) => lower(held) === lower(text).trim());
  JUDGES[`${name}_contains`] = (content, text) =>
    namesOf(content).some((held) => lower(held).includes(lower(text).trim()));
  JUDGES[`${name}_startswith`] = (content, text) =>
    namesOf(content).some((held) => lower(held).startsWith(lower(text).trim()));
}
for (const field of FILTER_DATES) {
  JUDGES[field] = (content, text) => content[field] === text;
  JUDGES[`${field}_from`] = (content, text) => content[field] !== null && content[field] >= text;
  JUDGES[`${field}_to`] = (content, text) => content[field] !== null && content[field] <= text;
}

const CONTROLS = ['sort', 'order', 'limit', 'count', 'expand', 'cursor'];

/** The records that a query selects, in the order in which its pages bring them. */
export function selectRecords(
  stored: readonly StoredRecord[],
  texts: SearchTexts,
  register: string | null,
): StoredRecord[] {
  const filters = Object.entries(texts).filter(([name]) => !CONTROLS.includes(name));
  const selected = stored.filter(({ record, updated_at }) => {
    if (register !== null && record.jurisdiction_code !== register) return false;
    return filters.every(([name, text]) => JUDGES[name]!(record, text.trim(), updated_at));
  });
  return selected.sort(compareRecords(texts.sort ?? 'updated_at', texts.order ?? 'desc'));
}

const compareText = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

function compareRecords(sort: string, order: string): (a: StoredRecord, b: StoredRecord) => number {
  const sortValueOf = (stored: StoredRecord): string | null =>
    sort === 'updated_at' ? stored.updated_at : stored.record[sort as 'application_date'];
  const sign = order === 'asc' ? 1 : -1;
  return (a, b) => {
    const [valueA, valueB] = [sortValueOf(a), sortValueOf(b)];
    if (valueA === null || valueB === null) {
      if (valueA !== valueB) return valueA === null ? 1 : -1;
    } else if (valueA !== valueB) return sign * compareText(valueA, valueB);
    const register = compareText(a.record.jurisdiction_code, b.record.jurisdiction_code);
    return sign * (register === 0 ? compareText(a.record.uid, b.record.uid) : register);
  };
}
