/**
 * Whether the versions that publishes kept still follow one another: each is replaced by the next one of its record,
 * the last by the record itself, and every stamp that is known to a publish has its load. Read in pages along the
 * primary key, each by one statement, so that a publish between two pages is no difference.
 */
import type { Queryable } from '../driver/db.ts';
import { instantText } from '../driver/instants.ts';
import { type Statement, sql } from '../driver/sql.ts';

export interface HistoryFound {
  versions: number;
  /** Versions of the history that something else deleted or changed, by an example; null for none. */
  broken: string | null;
  /** Stamps of which no publish or no load is known. */
  unnamed: number;
}

const PAGE_VERSIONS = 50_000;

interface Place {
  code: string;
  uid: string;
  stamp: string;
}

interface Page {
  versions: number;
  broken: string | null;
  unnamed: number;
  last: string | null;
}

export async function checkHistory(db: Queryable): Promise<HistoryFound> {
  const [publishes] = await db.query<{ unnamed: number }>(sql`
    select count(*)::float8 as unnamed from publish where not exists (
      select from load where load.load_id = publish.load_id)`);
  const found: HistoryFound = { versions: 0, broken: null, unnamed: publishes!.unnamed };
  for (let after: Place | null = { code: '', uid: '', stamp: '-infinity' }; after !== null; ) {
    const page = await checkPage(db, after);
    found.versions += page.versions;
    found.broken ??= page.broken;
    found.unnamed += page.unnamed;
    after = page.last === null ? null : (JSON.parse(page.last) as Place);
  }
  return found;
}

/**
 * True for a version that a publish wrote over another one, which is not kept. `version` has the columns
 * `jurisdiction_code`, `uid` and `updated_at`; what came before publishes were noted is not known.
 */
export function lacksPredecessor(version: Statement, firstSeenAt: Statement): Statement {
  return sql`(${version}.updated_at > ${firstSeenAt}
    and exists (select from publish where publish.stamp = ${version}.updated_at)
    and not exists (select from record_version before
      where before.jurisdiction_code = ${version}.jurisdiction_code and before.uid = ${version}.uid
        and before.replaced_at = ${version}.updated_at))`;
}

async function checkPage(db: Queryable, { code, uid, stamp }: Place): Promise<Page> {
  const [page] = await db.query<Page>(sql`
    with page as materialized (
      select jurisdiction_code, uid, updated_at, replaced_at from record_version
      where (jurisdiction_code, uid, updated_at) > (${code}, ${uid}, ${stamp}::timestamptz)
      order by jurisdiction_code, uid, updated_at limit ${PAGE_VERSIONS}
    ), judged as (
      select page.*, (page.replaced_at = coalesce(
          (select min(later.updated_at) from record_version later
            where later.jurisdiction_code = page.jurisdiction_code and later.uid = page.uid
              and later.updated_at > page.updated_at),
          record.updated_at)
        and page.updated_at >= record.first_seen_at
        and not ${lacksPredecessor(sql`page`, sql`record.first_seen_at`)}) is true as is_right
      from page left join record using (jurisdiction_code, uid)
    )
    select (select count(*) from page)::float8 as versions,
      (select format('%s %s of %s', jurisdiction_code, uid, ${instantText(sql`updated_at`)}) from judged
        where not is_right order by jurisdiction_code, uid, updated_at limit 1) as broken,
      (select count(*) from page where not exists (
        select from publish where publish.stamp = page.replaced_at))::float8 as unnamed,
      (select json_build_object('code', jurisdiction_code, 'uid', uid, 'stamp', updated_at)::text from page
        order by jurisdiction_code desc, uid desc, updated_at desc limit 1) as last`);
  return page!;
}
