/**
 * What is known of the stored records when a search is planned: how common terms are, as the statistics of the database
 * have it, and a sample of the records. Read beside the searches, never waited for; what is old or missing costs time
 * and changes no answer (docs/decisions/0019, 0027).
 */
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { NOTHING_KNOWN, type TermStatistics } from '../plan/estimate.ts';
import { INTERVAL_COLUMNS, type IntervalColumn, NAME_COLUMNS, type NameColumn } from '../plan/filters.ts';
import { buildSample, type DrawnRecords, NO_SAMPLE, type RecordSample, SAMPLE_SIZE } from '../plan/record-sample.ts';
import { SAMPLED_TERMS } from '../record/terms.ts';
import type { Database } from './db.ts';
import { identifier, joinSql, sql } from './sql.ts';

export interface SearchStatistics {
  readonly terms: TermStatistics;
  readonly sample: RecordSample;
}

export const NO_STATISTICS: SearchStatistics = { terms: NOTHING_KNOWN, sample: NO_SAMPLE };

/** Statistics are taken anew after large loads and by the database itself, hardly oftener than this. */
const READ_EVERY_MS = 300_000;
/** So often it is asked how many records there are, and all is read again where that has changed by a tenth. */
const COUNT_EVERY_MS = 15_000;
const CHANGED_SHARE = 0.1;

/** A small one is there at once, and stays where the disk is too slow for the other. */
const SAMPLE_SIZES = [SAMPLE_SIZE / 8, SAMPLE_SIZE];

export interface SearchStatisticsReader {
  /** What is known by now; nothing until it was read once. */
  current(): SearchStatistics;
}

export function openSearchStatistics({
  database,
  clock,
  log,
}: {
  database: Database;
  clock: Clock;
  log: Log;
}): SearchStatisticsReader {
  let known = NO_STATISTICS;
  let knownStored = 0;
  let countedAtMs = Number.NEGATIVE_INFINITY;
  let readAtMs = Number.NEGATIVE_INFINITY;
  let isReading = false;
  const readAgain = async (nowMs: number): Promise<void> => {
    try {
      const stored = await countStored(database);
      const isChanged = Math.abs(stored - knownStored) > CHANGED_SHARE * knownStored;
      if (!isChanged && nowMs - readAtMs < READ_EVERY_MS) return;
      // Not tried again at once if it fails: where the disk is slow, it takes long.
      knownStored = stored;
      readAtMs = nowMs;
      known = { ...known, terms: await readTermStatistics(database) };
      for (const size of SAMPLE_SIZES) known = { ...known, sample: await readSample(database, stored, size) };
    } catch (error) {
      log.debug({ err: error }, 'the statistics of searches could not be read');
    }
  };
  return {
    current() {
      const nowMs = clock.monotonicMs();
      if (!isReading && nowMs - countedAtMs >= COUNT_EVERY_MS) {
        countedAtMs = nowMs;
        isReading = true;
        void readAgain(nowMs).finally(() => {
          isReading = false;
        });
      }
      return known;
    },
  };
}

async function countStored(database: Database): Promise<number> {
  const [row] = await database.query<{ stored: number }>(sql`
    select coalesce(sum(record_count), 0)::float8 as stored from register`);
  return row!.stored;
}

/** Nothing where the table was never analyzed. Rejects as any query does. */
export async function readTermStatistics(database: Database): Promise<TermStatistics> {
  // Behind the shares stand three figures about all of them. A table that was never analyzed has -1 records.
  const [row] = await database.query<{ records: number; terms: number[]; shares: string[] }>(sql`
    select greatest(reltuples, 0)::float8 as records, most_common_elems::text::int[] as terms,
      most_common_elem_freqs::text[] as shares
    from pg_catalog.pg_class join pg_catalog.pg_stats
      on tablename = relname and schemaname = relnamespace::regnamespace::text
    where pg_class.oid = to_regclass('record') and attname = 'terms' and most_common_elems is not null`);
  if (row === undefined) return NOTHING_KNOWN;
  const shares = new Map(row.terms.map((term, index) => [term, Number(row.shares[index])]));
  return { records: row.records, shares, rarest: Math.min(1, ...shares.values()) };
}

const IS_SAMPLED = joinSql(
  SAMPLED_TERMS.map(([first, last]) => sql`term between ${first}::int4 and ${last}::int4`),
  ' or ',
);

/**
 * The same pages every time, by every process and on every standby: a search takes the same way everywhere, and what is
 * read again is in memory already.
 */
const SAMPLE_SEED = 27;

/**
 * Rows of pages drawn at random, one of a page where there are enough pages: what was published together stands
 * together and is much alike. Rejects as any query does.
 */
export async function readSample(
  database: Database,
  stored?: number,
  size: number = SAMPLE_SIZE,
  seed: number = SAMPLE_SEED,
): Promise<RecordSample> {
  const records = stored ?? (await countStored(database));
  if (records === 0) return NO_SAMPLE;
  const [table] = await database.query<{ pages: number }>(sql`
    select (pg_relation_size('record') / current_setting('block_size')::int8)::float8 as pages`);
  const rowsOfPage = Math.round(records / Math.max(1, table!.pages));
  const stride = Math.max(1, Math.floor(Math.min(rowsOfPage, records / size)));
  const percent = Math.min(100, (100 * size * stride) / records);
  const [columns] = await database.queryBytes(
    sql`select ${PACKED_TERMS}, ${PACKED}, ${PACKED_NAMES}
      from record tablesample system (${percent}::float4) repeatable (${seed}::float8)
      where ((ctid::text::point)[0] + (ctid::text::point)[1])::int8 % ${stride}::int8 = 0`,
  );
  const unpacked = unpackRecords(columns!);
  // Each takes as long as a few searches do; those that wait go first.
  await setImmediate();
  return buildSample(unpacked, records);
}

/** One value of all records after the other, as bytes: rows of texts would take the service many times as long. */
const PACKED = joinSql(
  INTERVAL_COLUMNS.map((column) =>
    column === 'updated_at'
      ? sql`extract(epoch from updated_at)::float8 * 1000`
      : sql`coalesce(to_char(${identifier(column)}, 'YYYYMMDD')::float8, 'NaN')`,
  ).map((value) => sql`string_agg(float8send(${value}), '')`),
  ', ',
);
const PACKED_TERMS = sql`string_agg((
    select int4send(count(*)::int4) || coalesce(string_agg(int4send(term), ''), '')
    from unnest(terms) as term where ${IS_SAMPLED}
  ), '')`;

/** Line by line: normalized names have no line breaks. */
const PACKED_NAMES = joinSql(
  NAME_COLUMNS.map((column) => sql`string_agg(coalesce(${identifier(column)}, ''), ${'\n'})`),
  ', ',
);

const INT_BYTES = 4;
const DOUBLE_BYTES = 8;

/** From the text form of bytes. */
function unpackRecords(columns: readonly (Buffer | null)[]): DrawnRecords {
  const [packedTerms, ...packedValues] = columns
    .slice(0, 1 + INTERVAL_COLUMNS.length)
    .map((text) => Buffer.from(text?.toString('latin1', 2) ?? '', 'hex'));
  const values = {} as Record<IntervalColumn, Float64Array>;
  for (const [index, column] of INTERVAL_COLUMNS.entries()) values[column] = unpackDoubles(packedValues[index]!);
  const terms = new Int32Array(packedTerms!.length / INT_BYTES);
  for (let at = 0; at < terms.length; at += 1) terms[at] = packedTerms!.readInt32BE(at * INT_BYTES);
  const names = {} as Record<NameColumn, string>;
  for (const [index, column] of NAME_COLUMNS.entries()) {
    names[column] = columns[1 + INTERVAL_COLUMNS.length + index]?.toString() ?? '';
  }
  return { size: values.updated_at.length, values, terms, names };
}

function unpackDoubles(bytes: Buffer): Float64Array {
  const doubles = new Float64Array(bytes.length / DOUBLE_BYTES);
  for (let at = 0; at < doubles.length; at += 1) doubles[at] = bytes.readDoubleBE(at * DOUBLE_BYTES);
  return doubles;
}
