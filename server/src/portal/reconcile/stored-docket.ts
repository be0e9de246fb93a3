/** A docket as it is stored: the result of its first reading, its rows in parts, and how they are read. */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { CsvRow } from '@tmds/contract/csv';
import type { DescribedFinding, Result } from '@tmds/contract/docket/output';
import type { Reading } from '@tmds/contract/docket/rows';
import type { Survey } from '@tmds/contract/docket/survey';
import type { StoredDocket } from '../../store/accounts/dockets.ts';

/** The stored part of the first reading. */
export type KeptSurvey = Pick<Survey, 'head' | 'sample' | 'dates' | 'encoding' | 'delimiter'>;

export interface Docket extends Omit<StoredDocket, 'survey' | 'reading' | 'known_through'> {
  readonly survey: KeptSurvey;
  readonly reading: Reading | null;
  /** By register. */
  readonly known_through: Readonly<Record<string, string | null>> | null;
}

/** The database keeps both as JSON that only this program wrote. */
export function openDocket(stored: StoredDocket): Docket {
  return {
    ...stored,
    survey: JSON.parse(stored.survey) as KeptSurvey,
    reading: JSON.parse(stored.reading ?? 'null') as Reading | null,
    known_through: JSON.parse(stored.known_through ?? 'null') as Docket['known_through'],
  };
}

export type Counts = Readonly<Record<Result, number>>;

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
export const packFindings = (findings: readonly DescribedFinding[]): Promise<Buffer> => pack(findings);
export const unpackFindings = (bytes: Buffer): Promise<DescribedFinding[]> => unpack(bytes);
