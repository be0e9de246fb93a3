/** The last check of each declared source, one row a source, and what it means: for commands, pages and monitoring. */

import type { SourceCondition } from '@tmds/contract/coverage';
import type { Queryable } from '../../database/driver/db.ts';
import { sql } from '../../database/driver/sql.ts';

export interface SourceCheck {
  source: string;
  /** Milliseconds since 1970, as are the others. */
  checked_ms: number;
  succeeded_ms: number | null;
  /** Why it is stopped, or why the last check failed; null if neither. */
  failure: string | null;
  stopped: boolean;
  next_period: string | null;
  due_ms: number | null;
  gaps: string[];
}

/** `succeeded_ms` null keeps the last success. */
export async function storeSourceCheck(db: Queryable, check: SourceCheck): Promise<void> {
  const instant = (ms: number | null) => sql`to_timestamp(${ms}::float8 / 1000)`;
  await db.query(sql`
    insert into source_check (source, checked_at, succeeded_at, failure, stopped, next_period, due_at, gaps)
    values (${check.source}, ${instant(check.checked_ms)}, ${instant(check.succeeded_ms)}, ${check.failure},
      ${check.stopped}, ${check.next_period}, ${instant(check.due_ms)}, ${check.gaps}::text[])
    on conflict (source) do update set checked_at = excluded.checked_at,
      succeeded_at = coalesce(excluded.succeeded_at, source_check.succeeded_at), failure = excluded.failure,
      stopped = excluded.stopped, next_period = excluded.next_period, due_at = excluded.due_at, gaps = excluded.gaps`);
}

export async function listSourceChecks(db: Queryable): Promise<SourceCheck[]> {
  return await db.query<SourceCheck>(sql`
    select source, (extract(epoch from checked_at) * 1000)::float8 as checked_ms,
      (extract(epoch from succeeded_at) * 1000)::float8 as succeeded_ms, failure, stopped, next_period,
      (extract(epoch from due_at) * 1000)::float8 as due_ms, gaps
    from source_check order by source`);
}

/** Forgets the checks of sources that are no longer declared; their files stay known. */
export async function dropOtherChecks(db: Queryable, declared: readonly string[]): Promise<void> {
  await db.query(sql`delete from source_check where source <> all(${declared}::text[])`);
}

/** The monitored facts about a source. */
export interface SourceFigures {
  readonly source: string;
  readonly succeeded_seconds: number | null;
  readonly due_seconds: number | null;
  readonly overdue: boolean;
  readonly stopped: boolean;
  readonly gaps: number;
}

export async function listSourceFigures(db: Queryable): Promise<SourceFigures[]> {
  return await db.query<SourceFigures>(sql`
    select source, extract(epoch from succeeded_at)::float8 as succeeded_seconds,
      extract(epoch from due_at)::float8 as due_seconds,
      coalesce(due_at < clock_timestamp(), false) as overdue, stopped, cardinality(gaps) as gaps
    from source_check order by source`);
}

export type { SourceCondition };

export interface SourceFacts {
  /** A file of its register failed. */
  readonly isStopped: boolean;
  /** Its last check failed. */
  readonly isFailing: boolean;
  readonly isOverdue: boolean;
  readonly hasGaps: boolean;
  readonly isChecked: boolean;
}

/** The most serious first. */
export function judgeSource({ isStopped, isFailing, isOverdue, hasGaps, isChecked }: SourceFacts): SourceCondition {
  if (isStopped) return 'stopped';
  if (isFailing) return 'failing';
  if (isOverdue) return 'overdue';
  if (hasGaps) return 'gaps';
  return isChecked ? 'current' : 'never checked';
}
