/** What people did with the rows of a docket: done, ignored, a note. Marks go with their docket. */
import type { Queryable, Transaction } from '../../database/driver/db.ts';
import { instantText } from '../../database/driver/instants.ts';
import { sql } from '../../database/driver/sql.ts';

export const MARK_STATES = ['done', 'ignored'] as const;
export type MarkState = (typeof MARK_STATES)[number];

export interface NewMark {
  readonly line: number;
  readonly part: number;
  /** The result of the row. */
  readonly result: string;
  /** Null: open. */
  readonly state: MarkState | null;
  readonly note: string | null;
}

export interface DocketMark extends Omit<NewMark, 'part' | 'result'> {
  /** The address of the person. */
  readonly marked_by: string;
  readonly marked_at: string;
}

/** Replaces the marks of these rows. `keepsNotes`: their notes stay as they are. */
export async function putMarks(
  tx: Transaction,
  docketId: string,
  marks: readonly NewMark[],
  by: string,
  keepsNotes: boolean,
): Promise<void> {
  const column = <Name extends keyof NewMark>(name: Name): NewMark[Name][] => marks.map((mark) => mark[name]);
  await tx.query(sql`
    insert into docket_mark as held (docket_id, line, part, result, state, note, marked_by, marked_at)
    select ${docketId}::uuid, line, part, result, state, note, ${by}, now()
    from unnest(${column('line')}::int[], ${column('part')}::int[], ${column('result')}::text[],
      ${column('state')}::text[], ${column('note')}::text[]) as given (line, part, result, state, note)
    on conflict (docket_id, line) do update set state = excluded.state,
      note = case when ${keepsNotes}::boolean then held.note else excluded.note end,
      marked_by = excluded.marked_by, marked_at = excluded.marked_at`);
}

/** The marks of a part of a docket, by line. */
export async function listMarks(
  db: Queryable,
  docketId: string,
  lines: { readonly first: number; readonly last: number },
): Promise<ReadonlyMap<number, DocketMark>> {
  const marks = await db.query<DocketMark>(sql`
    select line, state, note, marked_by, ${instantText(sql`marked_at`)} as marked_at from docket_mark
    where docket_id = ${docketId}::uuid and line between ${lines.first}::int and ${lines.last}::int`);
  return new Map(marks.map((mark) => [mark.line, mark]));
}

export interface MarkCount {
  part: number;
  result: string;
  count: number;
}

/** How many rows of each part and result are done or ignored. */
export async function countMarks(db: Queryable, docketId: string): Promise<MarkCount[]> {
  return db.query<MarkCount>(sql`
    select part, result, count(*)::int as count from docket_mark
    where docket_id = ${docketId}::uuid and state is not null group by part, result`);
}
