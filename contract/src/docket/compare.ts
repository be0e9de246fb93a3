/**
 * Compares what a row of a docket says with the record: every difference with both values, and every cell that cannot
 * be compared, with the reason. An empty cell states nothing, so it is neither.
 */
import { NICE_CLASS_MAX, NICE_CLASS_MIN } from '../limits.ts';
import { normalizeMadridNumber, normalizeNumber, spellNumber } from '../numbers.ts';
import { readDate } from './dates.ts';
import type { DocketField } from './fields.ts';
import type { DocketRecord } from './match.ts';
import { cellOf, type DocketRow, type Reading } from './rows.ts';
import { findSpreadsheetFault } from './spreadsheet.ts';
import { readStatus } from './statuses.ts';
import { foldWords } from './words.ts';

/** The fields that are compared. */
export type ComparedField = Exclude<DocketField, 'register' | 'number' | 'reference'>;

export interface Difference {
  readonly field: ComparedField;
  /** The head of the column. */
  readonly column: string;
  readonly yours: string;
  /** The register's value; null where it states none. */
  readonly registers: string | null;
}

export interface NotCompared {
  readonly field: ComparedField;
  readonly column: string;
  readonly yours: string;
  readonly reason: string;
}

/** The result of comparing one cell. */
type Verdict = 'equal' | 'different' | { readonly reason: string };

interface Comparison {
  readonly registers: (record: DocketRecord) => string | null;
  readonly judge: (yours: string, record: DocketRecord, readAs: (text: string) => string | null) => Verdict;
}

const SILENT: Verdict = { reason: 'the register does not state it' };

const dateOf = (field: 'application_date' | 'registration_date' | 'renewal_date' | 'expiry_date'): Comparison => ({
  registers: (record) => record[field],
  judge: (yours, record, readAs) => {
    const date = readAs(yours);
    if (date === null) return { reason: 'the date cannot be read; is the order of day and month known?' };
    if (record[field] === null) return SILENT;
    return date === record[field] ? 'equal' : 'different';
  },
});

const numberOf = (field: 'application_number' | 'registration_number'): Comparison => ({
  registers: (record) => record[field],
  judge: (yours) => {
    const spoilt = findSpreadsheetFault(yours);
    return spoilt === null ? 'different' : { reason: spoilt };
  },
});

export const COMPARISONS: Readonly<Record<ComparedField, Comparison>> = {
  application_number: numberOf('application_number'),
  registration_number: numberOf('registration_number'),
  mark_name: {
    registers: ({ mark_name: name }) => name,
    judge: (yours, { mark_name: name }) => (name === null ? SILENT : judgeWords(foldWords(yours), foldWords(name))),
  },
  status: { registers: describeStatus, judge: judgeStatus },
  owner: { registers: ({ owner_names: names }) => names?.join('; ') ?? null, judge: judgeOwner },
  classes: { registers: ({ nice_classes: classes }) => classes?.join(', ') ?? null, judge: judgeClasses },
  application_date: dateOf('application_date'),
  registration_date: dateOf('registration_date'),
  // The next renewal is due when protection ends; the record's `renewal_date` is the date of the latest renewal.
  next_renewal: dateOf('expiry_date'),
  renewal_date: dateOf('renewal_date'),
  expiry_date: dateOf('expiry_date'),
};

const FIELDS = Object.keys(COMPARISONS) as ComparedField[];

export interface Compared {
  readonly differences: readonly Difference[];
  readonly notCompared: readonly NotCompared[];
}

export function compareRow(row: DocketRow, record: DocketRecord, { mapping, head, dayOrders }: Reading): Compared {
  const differences: Difference[] = [];
  const notCompared: NotCompared[] = [];
  for (const field of FIELDS) {
    const position = mapping[field];
    const yours = cellOf(row.row, position);
    if (position === undefined || yours === '' || isMatched(row, field, record)) continue;
    const { registers, judge } = COMPARISONS[field];
    const verdict = judge(yours, record, (text) => readDate(text, dayOrders[position] ?? null));
    const column = head[position] ?? '';
    if (verdict === 'different') differences.push({ field, column, yours, registers: registers(record) });
    else if (verdict !== 'equal') notCompared.push({ field, column, yours, reason: verdict.reason });
  }
  return { differences, notCompared };
}

/**
 * Whether the number of a column is one of the record's, in any form. An international number may stand in either
 * column.
 */
function isMatched({ numbers }: DocketRow, field: ComparedField, record: DocketRecord): boolean {
  if (field !== 'application_number' && field !== 'registration_number') return false;
  const number = numbers.find(({ column }) => column === field);
  const forms = number?.forms ?? [];
  // A number may say itself that it is of the other kind.
  const kind = number === undefined || number.kind === 'number' ? field : number.kind;
  const own = record[kind];
  const held = record.international_registration_numbers?.map(normalizeMadridNumber) ?? [];
  if (own !== null) held.push(spellNumber(record.jurisdiction_code, kind, normalizeNumber(own)));
  return held.some((each) => forms.includes(each));
}

function judgeWords(one: string, other: string): Verdict {
  return one === other ? 'equal' : 'different';
}

function describeStatus({ status, tm5_status: text }: DocketRecord): string {
  return text === null ? status : `${status} (${text})`;
}

function judgeStatus(yours: string, { status, tm5_status: text }: DocketRecord): Verdict {
  if (text !== null && foldWords(text) === foldWords(yours)) return 'equal';
  const means = readStatus(yours);
  if (means === null) return { reason: 'the word for the status is not known' };
  if (status === 'Unknown') return SILENT;
  return means.includes(status) ? 'equal' : 'different';
}

/** Words that stand for the same in names of companies. */
const COMPANY_WORDS: readonly (readonly [long: RegExp, short: string])[] = [
  [/\bincorporated\b/g, 'inc'],
  [/\bcorporation\b/g, 'corp'],
  [/\blimited\b/g, 'ltd'],
  [/\bcompany\b/g, 'co'],
  [/\baktiengesellschaft\b/g, 'ag'],
  [/\bgesellschaft mit beschrankter haftung\b/g, 'gmbh'],
  [/\bsociete anonyme\b|\bsociedad anonima\b/g, 'sa'],
  [/\b(?:and|und|et|y|e)\b/g, ''],
];

function foldOwner(name: string): string {
  const words = COMPANY_WORDS.reduce((text, [long, short]) => text.replace(long, short), foldWords(name));
  return ` ${words.replace(/ +/g, ' ').trim()} `;
}

/** Each owner of the row has to be one of the record's; a name may be part of the other, as whole words. */
function judgeOwner(yours: string, { owner_names: names }: DocketRecord): Verdict {
  if (names === null) return SILENT;
  const held = names.map(foldOwner);
  const own = yours
    .split(/[;|\n]/)
    .map(foldOwner)
    .filter((name) => name.trim() !== '');
  if (own.length === 0) return { reason: 'the name has no letter' };
  return own.every((name) => held.some((other) => other.includes(name) || name.includes(other)))
    ? 'equal'
    : 'different';
}

function judgeClasses(yours: string, { nice_classes: classes }: DocketRecord): Verdict {
  const read = (yours.match(/\d+/g) ?? []).map(Number);
  if (read.length === 0 || read.some((each) => each < NICE_CLASS_MIN || each > NICE_CLASS_MAX)) {
    return { reason: 'these are no Nice classes from 1 to 45' };
  }
  if (/\d\s*[-–]\s*\d/.test(yours)) return { reason: 'a range of classes; list each class' };
  if (classes === null) return SILENT;
  const own = new Set(read);
  return own.size === classes.length && classes.every((each) => own.has(each)) ? 'equal' : 'different';
}
