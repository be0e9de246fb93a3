/**
 * Counts issues by kind, path and value, and remembers where the first ones of each came. Memory is bounded whatever a
 * delivery holds: distinct values up to a bound, a few examples of each.
 */
import type { Issue } from '../../record/document.ts';
import type { CountedIssue, IssueExample } from '../../store/publish/findings.ts';

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
