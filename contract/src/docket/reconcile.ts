/**
 * Compares a docket with the registers, window by window: the numbers of a window are looked up in as few calls as
 * possible, and its rows come out in the order of the file. It knows neither HTTP nor files; its caller looks up
 * records.
 */

import { NUMBERS_MAX } from '../limits.ts';
import type { Instant } from '../record.ts';
import { type Compared, compareRow } from './compare.ts';
import { CALLS_AT_ONCE, NUMBERS_BYTES_MAX } from './limits.ts';
import { type DocketRecord, keepRecord, RecordsByNumber } from './match.ts';
import type { DocketRow, Reading } from './rows.ts';

export type Outcome = 'found' | 'not_found' | 'ambiguous' | 'invalid';

/** The finding about a row. */
export interface Finding extends Compared {
  readonly row: DocketRow;
  readonly outcome: Outcome;
  /** What was searched for, or why nothing could be; null for a row that was found. */
  readonly reason: string | null;
  /** Null unless exactly one was found. */
  readonly record: DocketRecord | null;
  /** The records that an ambiguous row may mean; otherwise empty. */
  readonly candidates: readonly DocketRecord[];
}

/** Numbers of one register that are looked up in one call. */
export interface NumbersBatch {
  readonly register: string;
  readonly numbers: readonly string[];
}

/** Finds every record of a register that has one of the numbers. */
export type FindNumbers = (batch: NumbersBatch) => Promise<readonly DocketRecord[]>;

/** Up to when each served register is known to be complete; null where that is unknown. */
export type KnownThrough = ReadonlyMap<string, Instant | null>;

/** The calls that a window takes: each costs a unit, and one more for every 500 records beyond the first 500. */
export function planBatches(rows: readonly DocketRow[]): NumbersBatch[] {
  const byRegister = new Map<string, Set<string>>();
  for (const { register, numbers } of rows) {
    if (register === null) continue;
    const wanted = byRegister.get(register) ?? new Set();
    for (const { text } of numbers) wanted.add(text);
    if (wanted.size > 0) byRegister.set(register, wanted);
  }
  return [...byRegister].flatMap(([register, wanted]) => splitBatch(register, [...wanted]));
}

function splitBatch(register: string, wanted: readonly string[]): NumbersBatch[] {
  const batches: NumbersBatch[] = [];
  let numbers: string[] = [];
  let bytes = 0;
  for (const number of wanted) {
    // The comma after it is encoded, too.
    const size = encodeURIComponent(number).length + 3;
    if (numbers.length === NUMBERS_MAX || bytes + size > NUMBERS_BYTES_MAX) {
      batches.push({ register, numbers });
      numbers = [];
      bytes = 0;
    }
    numbers.push(number);
    bytes += size;
  }
  return numbers.length === 0 ? batches : [...batches, { register, numbers }];
}

/** Characters processed before other work has a turn: a few milliseconds of work. */
const CHARACTERS_AT_ONCE = 50_000;
/** The memory of a row in addition to its characters, counted in characters. */
const ROW_COST = 50;

/** Maps rows without blocking the other work of the process. `cellsOf`: the cells that a row was read from. */
export async function mapGently<Row, Result>(
  rows: readonly Row[],
  cellsOf: (row: Row) => readonly string[],
  map: (row: Row) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  let cost = 0;
  for (const row of rows) {
    results.push(map(row));
    cost += cellsOf(row).reduce((sum, cell) => sum + cell.length, ROW_COST);
    if (cost < CHARACTERS_AT_ONCE) continue;
    cost = 0;
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  return results;
}

/** The findings of a window of rows, in their order. Rejects with the first failure of `find`. */
export async function reconcileRows(
  rows: readonly DocketRow[],
  reading: Reading,
  find: FindNumbers,
): Promise<Finding[]> {
  const records = new RecordsByNumber();
  const seen = new Set<string>();
  const batches = planBatches(rows).values();
  const work = async (): Promise<void> => {
    for (const batch of batches) {
      for (const record of await find(batch)) {
        const key = `${record.jurisdiction_code}\n${record.uid}`;
        if (seen.has(key)) continue;
        seen.add(key);
        records.add(keepRecord(record));
      }
    }
  };
  await Promise.all(Array.from({ length: CALLS_AT_ONCE }, work));
  return mapGently(
    rows,
    ({ row }) => row.cells,
    (row) => judgeRow(row, reading, records),
  );
}

const NOTHING: Compared = { differences: [], notCompared: [] };

function judgeRow(row: DocketRow, reading: Reading, records: RecordsByNumber): Finding {
  const base = { row, record: null, candidates: [], ...NOTHING };
  if (row.fault !== null) return { ...base, outcome: 'invalid', reason: row.fault };
  const found = records.find(row);
  const [record] = found;
  if (record === undefined) {
    const wanted = row.numbers.map(({ forms }) => forms.join(', ')).join('; ');
    return { ...base, outcome: 'not_found', reason: `Looked in ${row.register} for ${wanted}.` };
  }
  if (found.length === 1)
    return { ...base, outcome: 'found', reason: null, record, ...compareRow(row, record, reading) };
  const reason = `${found.length} records have the number. Say whether it is of the application or of the registration.`;
  return { ...base, outcome: 'ambiguous', reason, candidates: found };
}
