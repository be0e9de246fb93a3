/** Reports on sources for operators: the state of each, and its files, page by page. It knows no declarations. */
import type { Queryable } from '../../database/driver/db.ts';
import { instantText, sql } from '../../database/driver/sql.ts';
import { judgeSource, type SourceCondition } from './source-checks.ts';
import type { SourceFileState } from './source-files.ts';

export interface SourceReport {
  readonly source: string;
  readonly condition: SourceCondition;
  /** Why it is stopped, or why its last check failed; null if neither. */
  readonly problem: string | null;
  /** The loaded file of the last period; null if there is none. */
  readonly last_file: string | null;
  readonly last_period: string | null;
  readonly last_load_id: string | null;
  readonly last_loaded_at: string | null;
  readonly next_period: string | null;
  /** When the next period is overdue; null without a rhythm. */
  readonly overdue_at: string | null;
  readonly gaps: readonly string[];
  /** Files that are seen or fetched and not loaded yet. */
  readonly waiting: number;
  /** Files that came late and were not loaded. */
  readonly late: number;
  readonly checked_at: string | null;
  readonly succeeded_at: string | null;
}

interface SourceRow extends Omit<SourceReport, 'condition'> {
  readonly is_stopped: boolean;
  readonly due_ms: number | null;
}

/**
 * Sources as the last check found them. Also one that has files and no check, because its first check is running or it
 * is no longer declared. `source` null = all, by name.
 */
export async function listSourceReports(
  db: Queryable,
  { source, nowMs }: { source: string | null; nowMs: number },
): Promise<SourceReport[]> {
  const rows = await db.query<SourceRow>(sql`
    with newest as (
      select distinct on (source, name) source, name, period, state, load_id, ended_at from source_file
      where ${source}::text is null or source = ${source}
      order by source, name, revision desc
    ), counted as (
      select source, count(*) filter (where state in ('seen', 'fetched'))::int4 as waiting,
        count(*) filter (where state = 'late')::int4 as late
      from newest group by source
    ), last as (
      select distinct on (source) source, name, period, load_id, ended_at from newest
      where state in ('loaded', 'double') order by source, period desc, name desc
    ), known as (
      select source from source_check where ${source}::text is null or source = ${source}
      union select source from counted
    )
    select known.source, source_check.failure as problem, last.name as last_file, last.period as last_period,
      last.load_id::text as last_load_id, ${instantText(sql`last.ended_at`)} as last_loaded_at,
      source_check.next_period, ${instantText(sql`source_check.due_at`)} as overdue_at,
      (extract(epoch from source_check.due_at) * 1000)::float8 as due_ms, coalesce(source_check.gaps, '{}') as gaps,
      coalesce(counted.waiting, 0) as waiting, coalesce(counted.late, 0) as late,
      coalesce(source_check.stopped, false) as is_stopped, ${instantText(sql`source_check.checked_at`)} as checked_at,
      ${instantText(sql`source_check.succeeded_at`)} as succeeded_at
    from known left join source_check using (source) left join counted using (source) left join last using (source)
    order by known.source`);
  return rows.map(({ is_stopped, due_ms, ...row }) => ({
    ...row,
    condition: judgeSource({
      isStopped: is_stopped,
      isFailing: row.problem !== null,
      isOverdue: due_ms !== null && due_ms < nowMs,
      hasGaps: row.gaps.length > 0,
      isChecked: row.checked_at !== null,
    }),
  }));
}

/** A file of a source, or a revision of it. */
export interface FilePosition {
  readonly period: string;
  readonly name: string;
  readonly revision: number;
}

export interface FileReport extends FilePosition {
  readonly state: SourceFileState;
  readonly reason: string | null;
  readonly bytes: number | null;
  /** SHA-256, hexadecimal. */
  readonly digest: string | null;
  readonly load_id: string | null;
  readonly seen_at: string;
  readonly ended_at: string | null;
}

/** The last period first, with a row for every revision. */
export async function listFileReports(
  db: Queryable,
  options: {
    readonly source: string;
    readonly state: SourceFileState | null;
    readonly before: FilePosition | null;
    readonly limitMax: number;
  },
): Promise<FileReport[]> {
  const { source, state, before, limitMax } = options;
  const older =
    before === null
      ? sql``
      : sql`and (period, name, revision) < (${before.period}, ${before.name}, ${before.revision}::int)`;
  return await db.query<FileReport>(sql`
    select period, name, revision, state, reason, bytes::float8 as bytes, encode(digest, 'hex') as digest,
      load_id::text as load_id, ${instantText(sql`seen_at`)} as seen_at, ${instantText(sql`ended_at`)} as ended_at
    from source_file
    where source = ${source} and (${state}::text is null or state = ${state}) ${older}
    order by period desc, name desc, revision desc limit ${limitMax}::int`);
}
