/**
 * Checks that the versions that publishes kept still follow one another: each is replaced by the next one of its
 * record, the last by the record itself, and every stamp of a known publish has its load. It reads in ranges of stamps,
 * each by one statement that runs where the versions lie, so that a publish between two ranges is no difference.
 */
import { setOnNodes } from '../../database/distributed/settings.ts';
import type { Database, Transaction } from '../../database/driver/db.ts';
import { instantText, type Statement, sql } from '../../database/driver/sql.ts';
import { BEFORE_ALL } from '../../database/readers/publish-state.ts';
import { readSettled } from '../../store/publish/announce.ts';
import { cutRanges, type StampRange } from '../../store/publish/publishes.ts';

export interface HistoryFound {
  versions: number;
  /** Versions of the history that something else deleted or changed, by an example; null for none. */
  broken: string | null;
  /** Stamps without a known publish or load. */
  unnamed: number;
}

/** Versions that one statement reads: a second or two of work. */
const RANGE_VERSIONS = 50_000;

export async function checkHistory(db: Database): Promise<HistoryFound> {
  const [publishes] = await db.query<{ unnamed: number }>(sql`
    select count(*)::float8 as unnamed from publish where not exists (
      select 1 from load where load.load_id = publish.load_id)`);
  const found: HistoryFound = { versions: 0, broken: null, unnamed: publishes!.unnamed };
  const ranges = await cutRanges(
    db,
    sql`select updated_at, count(*) as record_count from record_version group by updated_at`,
    RANGE_VERSIONS,
  );
  for (const range of [...ranges, { after: ranges.at(-1)?.through ?? BEFORE_ALL, through: 'infinity' }]) {
    const { versions, broken, unnamed } = await readSettled(db, (tx) => checkRange(tx, range));
    found.versions += versions;
    found.broken ??= broken;
    found.unnamed += unnamed;
  }
  return found;
}

/**
 * True for a version that a publish wrote over another one, which is not kept. `version` has the columns
 * `jurisdiction_code`, `uid` and `updated_at`. Versions from before publishes were recorded are not known.
 */
export function lacksPredecessor(version: Statement, firstSeenAt: Statement): Statement {
  return sql`(${version}.updated_at > ${firstSeenAt}
    and exists (select 1 from publish where publish.stamp = ${version}.updated_at)
    and not exists (select 1 from record_version before
      where before.jurisdiction_code = ${version}.jurisdiction_code and before.uid = ${version}.uid
        and before.replaced_at = ${version}.updated_at))`;
}

/** Everything about one record lies on one node, which judges it. */
async function checkRange(tx: Transaction, { after, through }: StampRange): Promise<HistoryFound> {
  // A look-up by key for each version of the range, whatever number of versions the planner expects.
  await setOnNodes(tx, { enable_hashjoin: 'off', enable_mergejoin: 'off' });
  const [found] = await tx.query<HistoryFound>(sql`
    select count(*)::float8 as versions,
      min(format('%s %s of %s', jurisdiction_code, uid, ${instantText(sql`updated_at`)})) filter (where not is_right)
        as broken,
      count(*) filter (where not is_named)::float8 as unnamed
    from (
      select version.jurisdiction_code, version.uid, version.updated_at,
        exists (select 1 from publish where publish.stamp = version.replaced_at) as is_named,
        (version.replaced_at = coalesce(
            (select min(later.updated_at) from record_version later
              where later.jurisdiction_code = version.jurisdiction_code and later.uid = version.uid
                and later.updated_at > version.updated_at),
            record.updated_at)
          and version.updated_at >= record.first_seen_at
          and not ${lacksPredecessor(sql`version`, sql`record.first_seen_at`)}) is true as is_right
      from record_version version left join record
        on record.jurisdiction_code = version.jurisdiction_code and record.uid = version.uid
      where version.updated_at > ${after}::timestamptz and version.updated_at <= ${through}::timestamptz
    ) as judged`);
  return found!;
}
