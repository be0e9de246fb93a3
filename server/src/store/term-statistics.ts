/**
 * How common the terms of the stored records are, as the statistics of the database have it: the thousand commonest.
 * Read beside the searches, never waited for; what is old or missing costs time and changes no answer.
 */
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { NOTHING_KNOWN, type TermStatistics } from '../plan/estimate.ts';
import type { Database } from './db.ts';
import { sql } from './sql.ts';

/** Statistics are taken anew after large loads and by the database itself, hardly oftener than this. */
const READ_EVERY_MS = 300_000;

export interface TermStatisticsReader {
  /** What is known by now; empty until it was read once, or where nothing was ever analyzed. */
  current(): TermStatistics;
}

export function openTermStatistics({
  database,
  clock,
  log,
}: {
  database: Database;
  clock: Clock;
  log: Log;
}): TermStatisticsReader {
  let known: TermStatistics = NOTHING_KNOWN;
  let readAtMs: number | null = null;
  const readAgain = async (): Promise<void> => {
    try {
      known = await readTermStatistics(database);
    } catch (error) {
      log.debug({ err: error }, 'the statistics of terms could not be read');
    }
  };
  return {
    current() {
      const nowMs = clock.monotonicMs();
      if (readAtMs === null || nowMs - readAtMs >= READ_EVERY_MS) {
        readAtMs = nowMs;
        void readAgain();
      }
      return known;
    },
  };
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
