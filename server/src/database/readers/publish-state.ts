/** How far the publishes of a database are, and which history they belong to. */
import type { Instant } from '@tmds/contract/record';
import type { Queryable } from '../driver/db.ts';
import { instantText, type Statement, sql } from '../driver/sql.ts';

/** Earlier than every stamp. */
export const BEFORE_ALL: Instant = '0001-01-01T00:00:00.000000Z';

/**
 * The stamp in `publish_clock` up to which publishes are visible on every node. Read it before the rows that it bounds.
 */
export const VISIBLE_STAMP: Statement = sql`coalesce(announced_stamp, last_stamp)`;

/** As text, for a statement that reads something else. */
export const LAST_STAMP: Statement = sql`(select ${instantText(VISIBLE_STAMP)} from publish_clock)`;

export interface PublishState {
  /** Names this database; it survives a dump and a restore. */
  readonly databaseId: string;
  /** Identifies the history that is shown: it changes when the database has gone back (rule I-47). */
  readonly lineage: string;
  /** The last stamp of a publish that is visible, on every node. */
  readonly lastStamp: Instant;
  /** When the last pseudo marks of earlier loads had been read from documents; null: not yet. */
  readonly pseudoMarksHeldAt: Instant | null;
}

export async function findPublishState(db: Queryable): Promise<PublishState> {
  const [row] = await db.query<PublishState>(sql`
    select database_id as "databaseId", lineage, ${instantText(VISIBLE_STAMP)} as "lastStamp",
      ${instantText(sql`pseudo_marks_held_at`)} as "pseudoMarksHeldAt"
    from publish_clock`);
  if (row === undefined) throw new Error('the publish clock is missing');
  return row;
}
