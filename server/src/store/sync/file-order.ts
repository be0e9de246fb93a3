/**
 * Which files of a source came after a later period. This is recorded when a file is loaded, because finding it later
 * would mean to read every file of the source. Most files are of a later period than all before, and then one look-up
 * is enough. The order is judged by when each period was last loaded: a period that is loaded again after an older one
 * came late states what is newer once more.
 */
import type { Transaction } from '../../database/driver/db.ts';
import { sql } from '../../database/driver/sql.ts';

/** After a file was loaded, or `null`: after periods of loaded files were changed. */
export async function noteFileOrder(
  tx: Transaction,
  source: string,
  loaded: { readonly name: string; readonly revision: number } | null,
): Promise<void> {
  if (loaded !== null && (await isOfLatestPeriod(tx, source, loaded))) return;
  await tx.query(sql`
    with loaded as (
      select name, revision, period, ended_at, came_after,
        row_number() over (partition by period order by ended_at desc, name desc, revision desc) = 1 as is_last
      from source_file where source = ${source} and state = 'loaded'
    ), placed as (
      select name, revision, period, came_after, is_last, max(period) filter (where is_last)
        over (order by ended_at, period rows between unbounded preceding and 1 preceding) as newest
      from loaded
    ), judged as (
      select name, revision, came_after as former,
        case when is_last and newest > period then newest end as came_after from placed
    )
    update source_file set came_after = judged.came_after from judged
    where source_file.source = ${source} and source_file.name = judged.name
      and source_file.revision = judged.revision and judged.came_after is distinct from judged.former`);
}

/** Whether no other loaded file is of its period or of a later one. */
async function isOfLatestPeriod(
  tx: Transaction,
  source: string,
  { name, revision }: { readonly name: string; readonly revision: number },
): Promise<boolean> {
  const [found] = await tx.query<{ latest: boolean }>(sql`
    select not exists (select from source_file as other where other.source = file.source and other.state = 'loaded'
      and other.period >= file.period and (other.name, other.revision) <> (file.name, file.revision)) as latest
    from source_file as file
    where file.source = ${source} and file.name = ${name} and file.revision = ${revision}`);
  return found?.latest ?? true;
}
