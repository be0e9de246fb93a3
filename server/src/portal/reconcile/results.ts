/** The findings of a comparison: the rows with a result, page by page and as a file. */
import {
  type DescribedFinding,
  encodeFinding,
  encodeHead,
  type OutputFormat,
  RESULTS,
  type Result,
} from '@tmds/contract/docket/output';
import { findPart, listPartCounts, type PartCounts } from '../../store/accounts/dockets.ts';
import type { Queryable } from '../../store/driver/db.ts';
import { type Counts, type Docket, unpackFindings, unpackRows } from './stored-docket.ts';

/** Rows of a page. */
const PAGE_ROWS = 50;

/** A place among the rows: a part, and how many of its rows with the result come before. */
export interface Place {
  readonly part: number;
  readonly skipped: number;
}

export interface ResultPage {
  readonly counts: Counts;
  readonly findings: readonly DescribedFinding[];
  /** Null after the last row. */
  readonly next: Place | null;
}

/** `12.40`; the beginning for any other text. */
export function parsePlace(text: string | null): Place {
  const [, part = '0', skipped = '0'] = /^(\d{1,4})\.(\d{1,6})$/.exec(text ?? '') ?? [];
  return { part: Number(part), skipped: Number(skipped) };
}

/** `result`: null for every row. */
export async function findResults(
  database: Queryable,
  docketId: string,
  result: Result | null,
  from: Place,
): Promise<ResultPage> {
  const parts = await listPartCounts(database, docketId);
  const findings: DescribedFinding[] = [];
  let next: Place | null = null;
  for (const part of parts.slice(from.part)) {
    const skipped = part.number === from.part ? from.skipped : 0;
    if (next !== null || countOf(part, result) <= skipped) continue;
    if (findings.length === PAGE_ROWS) next = { part: part.number, skipped };
    else {
      const listed = await readFindings(database, docketId, part.number, result);
      const wanted = PAGE_ROWS - findings.length;
      findings.push(...listed.slice(skipped, skipped + wanted));
      if (listed.length > skipped + wanted) next = { part: part.number, skipped: skipped + wanted };
    }
  }
  return { counts: sumCounts(parts), findings, next };
}

function countOf({ counts }: PartCounts, result: Result | null): number {
  if (counts === null) return 0;
  return result === null ? RESULTS.reduce((sum, each) => sum + (counts[each] ?? 0), 0) : (counts[result] ?? 0);
}

function sumCounts(parts: readonly PartCounts[]): Counts {
  const sum = (result: Result): number => parts.reduce((total, part) => total + countOf(part, result), 0);
  return Object.fromEntries(RESULTS.map((result) => [result, sum(result)])) as Counts;
}

async function readFindings(
  database: Queryable,
  docketId: string,
  number: number,
  result: Result | null,
): Promise<DescribedFinding[]> {
  const part = await findPart(database, docketId, number);
  if (part?.findings == null) return [];
  const findings = await unpackFindings(part.findings);
  return result === null ? findings : findings.filter((each) => each.result === result);
}

/** The rows with a result as a file, one part in memory at a time. */
export async function* writeResults(
  database: Queryable,
  { docket_id: docketId, reading, parts }: Docket,
  {
    result,
    format,
    linkRecord,
  }: {
    readonly result: Result | null;
    readonly format: OutputFormat;
    readonly linkRecord: (register: string, uid: string) => string;
  },
): AsyncGenerator<string> {
  if (reading === null) return;
  const context = { head: reading.head, mapping: reading.mapping, linkRecord };
  const head = encodeHead(context, format);
  if (head !== '') yield head;
  for (let number = 0; number < parts; number += 1) {
    const part = await findPart(database, docketId, number);
    // A part that was not compared ends the file: its rows would look as if they had no result.
    if (part?.findings == null) return;
    const rows = await unpackRows(part.cells);
    const findings = await unpackFindings(part.findings);
    const texts = findings.map((finding, at) =>
      result === null || finding.result === result
        ? encodeFinding(finding, rows[at]?.cells ?? [], context, format)
        : '',
    );
    yield texts.join('');
  }
}
