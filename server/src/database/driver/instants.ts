/** Instants in the wire's form (rule I-31), rendered by PostgreSQL so that no digit is lost. */
import { type Statement, sql } from './sql.ts';

/** `2026-11-21T09:00:00.123456Z` of a timestamptz expression, under any session time zone. */
export function instantText(expression: Statement): Statement {
  return sql`to_char(${expression} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}
