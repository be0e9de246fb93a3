/**
 * A docket as it is stored, and the findings of its comparison with what was done about them: the rows of a kind, page
 * by page, one row, and the records that were found.
 */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { CsvRow } from '@tmds/contract/csv';
import { type DescribedFinding, RESULTS, type Result } from '@tmds/contract/docket/output';
import type { Reading } from '@tmds/contract/docket/rows';
import type { Survey } from '@tmds/contract/docket/survey';
import type { Queryable } from '../../database/driver/db.ts';
import {
  countMarks,
  type DocketMark,
  findPart,
  listMarks,
  listPartCounts,
  type MarkCount,
  type PartCounts,
  type StoredDocket,
} from '../../store/accounts/dockets.ts';
import type { WatchedRecord } from '../../store/watches/watches.ts';
import { spellRecords } from '../frame/party-names.ts';
import type { SheetRead } from '../spreadsheet/read-excel.ts';

export interface KeptSurvey
  extends Pick<Survey, 'head' | 'sample' | 'dates' | 'encoding' | 'delimiter' | 'headLine' | 'above'> {
  /** The sheet that was read, and the names of those that were not; null for a file of text. */
  readonly sheet: SheetRead | null;
}

export interface Docket extends Omit<StoredDocket, 'survey' | 'reading' | 'known_through'> {
  readonly survey: KeptSurvey;
  readonly reading: Reading | null;
  readonly known_through: Readonly<Record<string, string | null>> | null;
}

/** What surveys of earlier versions lack: their first row was the head. */
const BEFORE = { headLine: 1, above: [], sheet: null };

/** The database keeps both as JSON that only this program wrote. */
export function openDocket(stored: StoredDocket): Docket {
  return {
    ...stored,
    survey: { ...BEFORE, ...(JSON.parse(stored.survey) as KeptSurvey) },
    reading: JSON.parse(stored.reading ?? 'null') as Reading | null,
    known_through: JSON.parse(stored.known_through ?? 'null') as Docket['known_through'],
  };
}

/** The rows of a part below another head than the one that was found: more if it is higher. Only part 0 differs. */
export function listBelow(rows: readonly CsvRow[], { above }: KeptSurvey, headLine: number): readonly CsvRow[] {
  return [...above, ...rows].filter(({ line }) => line > headLine);
}

const compress = promisify(gzip);
const expand = promisify(gunzip);

async function pack(value: unknown): Promise<Buffer> {
  return compress(JSON.stringify(value), { level: 1 });
}

async function unpack<Value>(bytes: Buffer): Promise<Value> {
  return JSON.parse((await expand(bytes)).toString()) as Value;
}

export const packRows = (rows: readonly CsvRow[]): Promise<Buffer> => pack(rows);
export const unpackRows = (bytes: Buffer): Promise<CsvRow[]> => unpack(bytes);
/** How a row differs from the last time. `updated`: only its record has a new version. */
export interface Since {
  readonly kind: 'new' | 'changed' | 'updated';
  readonly was: Result | null;
  /** When it was last compared; null for a new row. */
  readonly at: string | null;
}

/** A finding with its row in what is remembered; `since`: null if nothing has changed. */
export interface KeptFinding extends DescribedFinding {
  readonly memory?: { readonly row: string; readonly since: Since | null };
}

export const packFindings = (findings: readonly KeptFinding[]): Promise<Buffer> => pack(findings);
export const unpackFindings = (bytes: Buffer): Promise<KeptFinding[]> => unpack(bytes);

export const PAGE_ROWS = 50;

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
  readonly mark: DocketMark | null;
}

export interface ResultPage {
  readonly counts: Counts;
  readonly rows: readonly ResultRow[];
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

/** Between the owners of a record in a finding. */
const SEPARATOR = '; ';

/** The same rows, in their order. */
export async function spellOwners(db: Queryable, rows: readonly ResultRow[]): Promise<readonly ResultRow[]> {
  const named = rows.flatMap(({ finding: { jurisdiction_code, uid, differences } }, at) => {
    const owner = differences.find(({ field }) => field === 'owner')?.register ?? null;
    if (jurisdiction_code === null || uid === null || owner === null) return [];
    return [{ at, jurisdiction_code, uid, owner_names: owner.split(SEPARATOR), representative_names: null }];
  });
  const spelled = new Map(
    (await spellRecords(db, named)).map(({ at, owner_names: owners }) => [at, owners?.join(SEPARATOR) ?? null]),
  );
  return rows.map((row, at) => {
    const register = spelled.get(at);
    if (register === undefined) return row;
    const differences = row.finding.differences.map((difference) =>
      difference.field === 'owner' ? { ...difference, register } : difference,
    );
    return { ...row, finding: { ...row.finding, differences } };
  });
}

/** Each once, in the order of the database. No further part is read once there are `max`. */
export async function listFound(
  database: Queryable,
  { docket_id: docketId, parts }: Pick<Docket, 'docket_id' | 'parts'>,
  max: number = Number.POSITIVE_INFINITY,
): Promise<WatchedRecord[]> {
  const found = new Map<string, WatchedRecord>();
  for (let number = 0; number < parts && found.size < max; number += 1) {
    const part = await findPart(database, docketId, number);
    for (const finding of part?.findings == null ? [] : await unpackFindings(part.findings)) {
      const { jurisdiction_code, uid } = finding;
      if (jurisdiction_code === null || uid === null) continue;
      found.set(`${jurisdiction_code}\n${uid}`, { jurisdiction_code, uid });
    }
  }
  const keyed = [...found].map(([key, record]) => ({ key: Buffer.from(key), record }));
  return keyed.sort((one, other) => Buffer.compare(one.key, other.key)).map(({ record }) => record);
}
