/**
 * Facts about the files of a series, which are the files of one declared source, or the files of one kind loaded by
 * hand; and whether the order of files matters.
 */
import type { MissingReason, SourceCondition } from '@tmds/contract/coverage';
import { type Statement, sql } from '../../database/driver/sql.ts';

/** Periods here are labels, in byte order (`source_file.period`, `load_file.period`). */
export interface SeriesFacts {
  /** Null: loaded by hand. */
  source: string | null;
  format: string;
  condition: SourceCondition | null;
  first: string | null;
  last: string | null;
  /** Whether it is known which periods there should be. */
  expected: boolean;
  /** The last period loaded before the first missing one; null if none is, or none is missing. */
  before_missing: string | null;
  /** Some of the periods that are not loaded, in order. */
  missing: { period: string; reason: MissingReason }[];
  missing_count: number;
  out_of_order: { period: string; after: string; loaded_at: string }[];
  out_of_order_count: number;
  order_matters: boolean;
  next: string | null;
  overdue_at: string | null;
  overdue_ms: number | null;
  last_loaded_at: string | null;
  checked_at: string | null;
}

export type SeriesOfRegister = SeriesFacts & { readonly jurisdiction_code: string };

export type Missing = Pick<SeriesFacts, 'missing' | 'missing_count' | 'before_missing'>;

/** Null in `register` means all. */
export function inScope(column: Statement, register: string | null): Statement {
  return sql`(${register}::text is null or ${column} = ${register})`;
}

/** The driver returns JSON as text. */
export function readJson<Value>(text: string | null): Value | null {
  return text === null ? null : (JSON.parse(text) as Value);
}

/**
 * Whether files of a format may be loaded in any order. They may if each statement says how old it is, so that an older
 * one never undoes a newer (`source_version`, versions of supplements, weeks of a journal). A format that is not in the
 * table is loaded in the order of its files.
 */
const ANY_ORDER: ReadonlySet<string> = new Set([
  'uspto-apc',
  'uspto-tsdr',
  'uspto-assignments',
  'uspto-ttab',
  'euipo',
  'inpi-br',
]);

export function mayComeInAnyOrder(format: string): boolean {
  return ANY_ORDER.has(format);
}
