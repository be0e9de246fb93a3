/** The closed set of issues that a load can raise, which `docs/loading.md` explains to the operator, and their counts. */
import type { Issue } from '../../record/document.ts';
import type { CountedIssue, IssueExample } from '../../store/publish/findings.ts';

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
