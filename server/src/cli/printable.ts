/** Texts of source files on a terminal: without control characters, which it could interpret as commands. */
import type { IssueExample } from '../store/publish/findings.ts';

export function printable(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, '\ufffd');
}

export function oneLine(text: string): string {
  return printable(text).replace(/[\n\t]/g, ' ');
}

/** `XA 1 (odd.ndjson, line 1)`: a record, and where its source states it. */
export function describePlace({ jurisdiction_code, uid, position }: IssueExample): string {
  if (uid === null) return position ?? '';
  return position === null ? `${jurisdiction_code} ${uid}` : `${jurisdiction_code} ${uid} (${position})`;
}
