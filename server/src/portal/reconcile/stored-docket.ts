/** A docket as it is stored: the result of its first reading, its rows in parts, and how they are read. */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { CsvRow } from '@tmds/contract/csv';
import type { DescribedFinding, Result } from '@tmds/contract/docket/output';
import type { Reading } from '@tmds/contract/docket/rows';
import type { Survey } from '@tmds/contract/docket/survey';
import type { StoredDocket } from '../../store/accounts/dockets.ts';
import type { SheetRead } from '../spreadsheet/read-excel.ts';

/** The stored part of the first reading. */
export interface KeptSurvey
  extends Pick<Survey, 'head' | 'sample' | 'dates' | 'encoding' | 'delimiter' | 'headLine' | 'above'> {
  /** The sheet that was read, and the names of those that were not; null for a file of text. */
  readonly sheet: SheetRead | null;
}

export interface Docket extends Omit<StoredDocket, 'survey' | 'reading' | 'known_through'> {
  readonly survey: KeptSurvey;
  readonly reading: Reading | null;
  /** By register. */
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
