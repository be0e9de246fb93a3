/** The findings of a comparison with what was done about them: the rows of a kind, page by page, and one row. */
import { RESULTS, type Result } from '@tmds/contract/docket/output';
import type { Queryable } from '../../database/driver/db.ts';
import { countMarks, type DocketMark, listMarks, type MarkCount } from '../../store/accounts/docket-marks.ts';
import { findPart, listPartCounts, type PartCounts } from '../../store/accounts/dockets.ts';
import { type KeptFinding, unpackFindings } from './stored-docket.ts';

/** Rows of a page. */
const PAGE_ROWS = 50;

/** Which rows are shown: with a result, not dealt with by anybody, or different from the last time. */
export const SHOWS = ['open', 'changed', ...RESULTS] as const;
export type Show = (typeof SHOWS)[number];

/** How many rows there are of each kind; `known`: rows that an earlier docket had. */
export type Counts = Readonly<Record<Show | 'known', number>>;

/** A place among the rows: a part, and how many of its rows of that kind come before. */
export interface Place {
  readonly part: number;
  readonly skipped: number;
}

export interface ResultRow {
  readonly part: number;
  readonly finding: KeptFinding;
  /** Null if nobody has done anything about it. */
  readonly mark: DocketMark | null;
}

export interface ResultPage {
  readonly counts: Counts;
  readonly rows: readonly ResultRow[];
  /** Null after the last row. */
  readonly next: Place | null;
}

/** `12.40`; the beginning for any other text. */
export function parsePlace(text: string | null): Place {
  const [part = 0, skipped = 0] = parsePair(text) ?? [];
  return { part, skipped };
}

function parsePair(text: string | null): readonly [number, number] | null {
  const [, one, other] = /^(\d{1,4})\.(\d{1,9})$/.exec(text ?? '') ?? [];
  return one === undefined || other === undefined ? null : [Number(one), Number(other)];
}

/** The name of a row in addresses and forms. */
export function nameRow(part: number, line: number): string {
  return `${part}.${line}`;
}

/** `show`: null for every row. */
export async function findResults(
  database: Queryable,
  docketId: string,
  show: Show | null,
  from: Place,
): Promise<ResultPage> {
  const parts = await listPartCounts(database, docketId);
  const marked = await countMarks(database, docketId);
  const rows: ResultRow[] = [];
  let next: Place | null = null;
  for (const part of parts.slice(from.part)) {
    const skipped = part.number === from.part ? from.skipped : 0;
    if (next !== null || countOf(part, show, marked) <= skipped) continue;
    if (rows.length === PAGE_ROWS) next = { part: part.number, skipped };
    else {
      const listed = await readRows(database, docketId, part.number, show);
      const wanted = PAGE_ROWS - rows.length;
      rows.push(...listed.slice(skipped, skipped + wanted));
      if (listed.length > skipped + wanted) next = { part: part.number, skipped: skipped + wanted };
    }
  }
  return { counts: sumCounts(parts, marked), rows, next };
}

/** The rows of these names that the docket has. */
export async function findRows(
  database: Queryable,
  docketId: string,
  names: readonly string[],
): Promise<readonly ResultRow[]> {
  const wanted = new Map<number, Set<number>>();
  for (const name of names) {
    const [part, line] = parsePair(name) ?? [];
    if (part === undefined || line === undefined) continue;
    wanted.set(part, (wanted.get(part) ?? new Set()).add(line));
  }
  const found: ResultRow[] = [];
  for (const [part, lines] of wanted) {
    const rows = await readRows(database, docketId, part, null);
    found.push(...rows.filter(({ finding }) => lines.has(finding.line)));
  }
  return found;
}

function countOf({ number, counts }: PartCounts, show: Show | 'known' | null, marked: readonly MarkCount[]): number {
  if (counts === null) return 0;
  const sum = (results: readonly Result[]): number => results.reduce((all, each) => all + (counts[each] ?? 0), 0);
  if (show === null) return sum(RESULTS);
  if (show !== 'open') return counts[show] ?? 0;
  const closed = marked.filter(({ part, result }) => part === number && result !== 'found');
  return sum(RESULTS.filter((result) => result !== 'found')) - closed.reduce((all, { count }) => all + count, 0);
}

function sumCounts(parts: readonly PartCounts[], marked: readonly MarkCount[]): Counts {
  const kinds = [...SHOWS, 'known'] as const;
  const sum = (kind: Show | 'known'): number => parts.reduce((total, part) => total + countOf(part, kind, marked), 0);
  return Object.fromEntries(kinds.map((kind) => [kind, sum(kind)])) as Counts;
}

/** The rows of a part that was compared; none of one that was not. */
async function readRows(
  database: Queryable,
  docketId: string,
  number: number,
  show: Show | null,
): Promise<readonly ResultRow[]> {
  const part = await findPart(database, docketId, number);
  return part?.findings == null ? [] : joinMarks(database, docketId, number, await unpackFindings(part.findings), show);
}

export async function joinMarks(
  database: Queryable,
  docketId: string,
  part: number,
  findings: readonly KeptFinding[],
  show: Show | null,
): Promise<readonly ResultRow[]> {
  const lines = { first: findings[0]?.line ?? 0, last: findings.at(-1)?.line ?? 0 };
  const marks = await listMarks(database, docketId, lines);
  const rows = findings.map((finding) => ({ part, finding, mark: marks.get(finding.line) ?? null }));
  return show === null ? rows : rows.filter((row) => isShown(row, show));
}

export function isShown({ finding, mark }: ResultRow, show: Show | null): boolean {
  if (show === null) return true;
  if (show === 'changed') return (finding.memory?.since ?? null) !== null;
  if (show === 'open') return finding.result !== 'found' && (mark?.state ?? null) === null;
  return finding.result === show;
}
