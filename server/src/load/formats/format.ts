/**
 * What every register format provides: a name and a reader of source entries. A reader streams; it holds one record at
 * a time, never a file. It yields records, rejects and supplements in source order. It throws `OperatorError` when the
 * file as a whole is not what it claims to be (truncated, another format, an entity declaration). `delivery.ts` decides
 * the consequence: a member of an archive is rejected, a file given alone ends the load. The message begins with the
 * name of the entry and need not say what the file is instead.
 */
import type { Instant } from '@tmds/contract/record';
import type { Issue, SourceRecord } from '../../record/document.ts';
import type { CountedIssue, IssueExample } from '../../store/publish/findings.ts';
import type { KeptRows, SourceRow, SupplementRow } from '../kept/kept.ts';
import type { SourceEntry } from '../sources/files.ts';
import type { Line } from './lines.ts';

export interface ReadContext {
  /** `--register CODE`, upper case; null when the operator leaves it to the format. */
  register: string | null;
  /** Distinguishes the rows of this load from those that other loads have kept. */
  loadId?: string;
  /** When this load began to read: loads of a format with kept rows run one after the other. */
  startedAt?: Instant;
  /** Which file of the delivery this is, from 1. */
  fileNumber?: number;
  /** Called with the instant up to which a file says it is complete, if it does; a load may take the latest. */
  noteFrontier?(instant: Instant): void;
  /** Called with the period that a file states: a day `2026-11-20`, or a number as `labelNumber` writes it. */
  notePeriod?(label: string): void;
  /** Called when a file states that it holds no records. */
  noteNoRecords?(): void;
  /** Called when a file holds something, even if no record comes of it. */
  noteContent?(): void;
  /** Called with an issue of the delivery as a whole, and how often it occurs. */
  noteIssue?(issue: Issue, times: number): void;
}

/** A record of the register, or the unreadable text in its place. */
export type RegisterItem =
  | {
      kind: 'record';
      record: SourceRecord;
      issues: Issue[];
      position: string;
      /** The raw text of the record, in case its stored form is refused; without it, its values as JSON. */
      raw?: (() => string | Buffer) | undefined;
      /** The digest of everything that the source states about it (`source-digest.ts`), if that is more than `raw`. */
      sourceDigest?: string | null;
    }
  | RejectItem;

export interface RejectItem {
  kind: 'reject';
  /** The raw text of the record, for the rejects file; bytes if it may not be UTF-8. */
  raw: string | Buffer;
  reason: string;
  position: string;
  /** The record that it states, as far as it says so; a later statement of that record answers the reject. */
  record?: RecordIdentity | null;
  /** The record is of another register or right: a file that holds nothing else is not of this format. */
  isForeign?: boolean;
}

/** What a source states about records of other files, such as a party's name; `record/supplements.ts` joins it. */
export interface SupplementItem {
  kind: 'supplement';
  /** Empty if nothing of it is to be kept. */
  rows: readonly SupplementRow[];
  issues: Issue[];
}

export type FormatItem = RegisterItem | SupplementItem;

export interface Format {
  readonly name: string;
  readonly title: string;
  /** The register of its files, unless the operator names another; null where each record names its own. */
  readonly register: string | null;
  /** Entries of an archive are skipped when this is false for their name. */
  accepts(entryName: string): boolean;
  read(entry: SourceEntry, context: ReadContext): AsyncIterable<FormatItem>;
}

export interface RecordIdentity {
  jurisdiction_code: string;
  uid: string;
}

/** A format of independent lines: whole lines can be read in any order, by several threads. */
export interface LineFormat extends Format {
  /**
   * Four hexadecimal digits that no other format has. Change them whenever a line may now give another record, a reject
   * or an issue: `line-digest.ts` recognizes stored records by their lines.
   */
  readonly reading: string;
  read(entry: SourceEntry, context: ReadContext): AsyncIterable<RegisterItem>;
  /** A guess at the record a line states, without parsing it; null when only parsing can tell. Callers verify it. */
  findIdentity(line: Buffer): RecordIdentity | null;
  /** The record or reject of a line; null for a blank one. It never throws because of what a line says. */
  readLine(line: Line, entryName: string, context: ReadContext): RegisterItem | null;
}

/**
 * A format whose records are joined from several tables. A delivery states only the rows that changed, so rows are kept
 * between deliveries, and a record is derived again when any of its rows changes.
 */
export interface SetFormat extends Format {
  /** Whether `read` finds records in a file alone, without the rows kept before. */
  readonly readsFiles: boolean;
  /** Parts by their first characters, as in `PartKinds`. */
  readonly rootPart: string;
  readonly chainedPart: string;
  /** Whether rows state the day of their delivery as a version, so that an older delivery replaces no newer row. */
  readonly ordersRows: boolean;
  /** The rows and rejects of one table, some at a time. */
  readRows(entry: SourceEntry, context: ReadContext): AsyncIterable<SetItem[]>;
  /** The records that the rows kept by this load touch. */
  deriveRecords(kept: KeptRows, context: ReadContext): AsyncIterable<RegisterItem>;
}

export type SetItem = { kind: 'row'; row: SourceRow } | RejectItem;

export function isLineFormat(format: Format): format is LineFormat {
  return 'readLine' in format;
}

export function isSetFormat(format: Format): format is SetFormat {
  return 'readRows' in format;
}

export const ISSUE_MEANINGS = {
  unmapped_status: 'a status that the format does not know, or none at all; the record is Unknown',
  unmapped_kind: 'a kind of mark that the format does not know; left out',
  unmapped_feature: 'a feature of the mark that the format does not know',
  unmapped_class: 'a class that is not a Nice class; left out',
  assumed_nice_class: 'a class number whose scheme is not stated or not known; read as a Nice class',
  unmapped_vienna_code: 'a text that is not a Vienna code; left out',
  unmapped_country: 'a country that is not of two letters; kept in the payload, left out of the owner countries',
  joined_names: 'a text that may hold several names, which the source does not separate; kept as one name',
  unmapped_party_type:
    'a party of a type that the format does not know; read as an owner where the office numbers stages of ownership, elsewhere as of no side',
  unmapped_proceeding: 'a proceeding of a type that the format does not know; kept as a proceeding',
  unmapped_indicator: 'a flag of a value that the format does not know; left out',
  unmapped_operation: 'an operation other than Insert, Update or Delete; the record is read as an update',
  unfindable_mark:
    'an assignment or proceeding names no mark, or a mark by neither serial nor registration number; kept unjoined',
  unfindable_value: 'a value that no filter can find, such as a Vienna code without dots; delivered as it is stated',
  unknown_vienna_category: 'a Vienna code of a category outside 1 to 29; delivered as it is stated',
  impossible_date: 'a date that is not in the calendar; left out',
  service_field: 'an ndjson line states a field that the service sets itself; left out',
  superseded: 'another version of the record in the same load counts; this one was skipped',
  more_unknown_elements: 'how many more unknown elements a record has than are reported one by one',
  forbidden_character: 'a character or a reference outside the records that XML forbids; nothing is read there',
  unread_file: 'files of a kind that the format does not read; skipped',
  recordless_file: 'a file in which the format found nothing; it may be of another kind',
  absent_record: 'a record that a delivery of the whole register no longer states; it stays, with an event',
  unread_statement:
    'a statement of translation or transliteration in words that the format does not know; kept in the payload, finds nothing',
  unknown_element: 'an element or attribute that the format does not know, with a value that is not kept',
  count_differs: 'a delivery counts more or fewer records than it holds',
  delivery_remark: 'something a delivery says about itself that casts doubt on it, such as that it is a sample',
  stranded_detail: 'a statement outside the marks about a mark that was not just read; left out',
  unknown_table: 'a table of a set that the format does not know; its rows are left out',
  missing_column: 'a column that a table should have and has not',
  waiting_party: 'a mark names a party that no file has stated yet; joined when one does',
  waiting_supplement: 'a statement about a record that is not held; joined when the record arrives',
  removed_party: 'a party that the office takes out of its files; its name stays as last stated',
  superseded_row: 'a later row of the same key in the same load counts; this one was skipped',
  waiting_row: 'a row about a mark that no row has described yet; kept until one does',
} as const;

/** What to do next about an issue, where that is one step. */
export const ISSUE_REMEDIES: Readonly<Partial<Record<IssueCode, string>>> = {
  waiting_party:
    'The names of these parties are in separate files of the office: download and load those next, for EUIPO EM_APPLICANT and EM_REPRESENTATIVE with tmds load euipo.',
};

export type IssueCode = keyof typeof ISSUE_MEANINGS;

const ISSUE_VALUE_MAX = 200;

export function buildIssue(code: IssueCode, path: string, value: string): Issue {
  return { code, path, value: value.slice(0, ISSUE_VALUE_MAX).toWellFormed() };
}

/** Distinct (code, path, value) kept for one load; later ones are counted by code and path alone. */
const DISTINCT_ISSUES_MAX = 20_000;
/** Examples of each. */
export const EXAMPLES_MAX = 3;
/** Represents all values that are not counted separately. */
const OTHER_VALUES = '…';

export interface IssueCounter {
  /** `example`: where the issue came; null if no place can be named. */
  note(issue: Issue, times: number, example: IssueExample | null): void;
  /** Adds what another counter has found. */
  add(counted: readonly CountedIssue[]): void;
  list(): CountedIssue[];
}

export function openIssueCounter(distinctMax: number = DISTINCT_ISSUES_MAX): IssueCounter {
  const counts = new Map<string, CountedIssue>();
  const find = ({ code, path, value }: Issue): CountedIssue => {
    const stated = { code, path: showable(path), value: showable(value) };
    const known = counts.get(issueKey(stated));
    if (known !== undefined) return known;
    const issue = counts.size < distinctMax ? stated : { ...stated, value: OTHER_VALUES };
    const counted = counts.get(issueKey(issue)) ?? { ...issue, count: 0, examples: [] };
    counts.set(issueKey(issue), counted);
    return counted;
  };
  const note = (issue: Issue, times: number, examples: readonly IssueExample[]): void => {
    const counted = find(issue);
    counted.count += times;
    for (const example of examples) {
      if (counted.examples.length >= EXAMPLES_MAX) break;
      counted.examples.push({ ...example, position: example.position && showable(example.position) });
    }
  };
  return {
    note: (issue, times, example) => note(issue, times, example === null ? [] : [example]),
    add(counted) {
      for (const issue of counted) note(issue, issue.count, issue.examples);
    },
    list: () => [...counts.values()],
  };
}

/** An example that belongs to no record. */
export function placeOf(position: string): IssueExample {
  return { jurisdiction_code: null, uid: null, position };
}

const issueKey = (issue: Issue): string => `${issue.code}\u0000${issue.path}\u0000${issue.value}`;

/** With replacement characters for what PostgreSQL cannot hold. The record itself is not touched. */
function showable(text: string): string {
  return text.includes('\u0000') || !text.isWellFormed() ? text.replaceAll('\u0000', '\ufffd').toWellFormed() : text;
}
