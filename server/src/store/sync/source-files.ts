/**
 * The files that declared sources offer, the state of each, and how their periods are stored, so that byte order is the
 * order of time. A name may return with new content: that is a further
 * revision, and only the newest revision of a name counts. It judges nothing; `sync/plan.ts` does.
 * Invariant: a state changes only from the state that the caller knows, so that two processes never undo each other.
 */
import type { Database, Queryable, Transaction } from '../../database/driver/db.ts';
import { sql } from '../../database/driver/sql.ts';

const NUMBER_DIGITS = 9;

/** For a number of a series: at most nine digits. */
export function labelNumber(number: number): string {
  return String(number).padStart(NUMBER_DIGITS, '0');
}

/** As people write it: `2240`, `2025-12-31 part 3`. */
export function showPeriod(label: string): string {
  const [base = '', part] = label.split('/');
  const shown = /^\d{9}$/.test(base) ? String(Number(base)) : base;
  return part === undefined ? shown : `${shown} part ${Number(part)}`;
}

/**
 * `seen` → `fetched` → `loaded`, `failed`, `late` or `double`. `skipped` by the operator; `superseded` before it was
 * loaded, by a further revision or because its source no longer lists it.
 */
export const SOURCE_FILE_STATES = [
  'seen',
  'fetched',
  'loaded',
  'failed',
  'late',
  'skipped',
  'double',
  'superseded',
] as const;
export type SourceFileState = (typeof SOURCE_FILE_STATES)[number];

export interface SourceFile {
  source: string;
  name: string;
  /** From 1. */
  revision: number;
  period: string;
  fingerprint: string;
  state: SourceFileState;
  bytes: number | null;
  /** SHA-256, hexadecimal. */
  digest: string | null;
  load_id: string | null;
  reason: string | null;
  /** Milliseconds since 1970, as are the others. */
  seen_ms: number;
  fetched_ms: number | null;
  ended_ms: number | null;
}

const COLUMNS = sql`source, name, revision, period, fingerprint, state, bytes::float8 as bytes, encode(digest, 'hex') as digest,
  load_id::text as load_id, reason, (extract(epoch from seen_at) * 1000)::float8 as seen_ms,
  (extract(epoch from fetched_at) * 1000)::float8 as fetched_ms,
  (extract(epoch from ended_at) * 1000)::float8 as ended_ms`;

/** The newest revision of each name, in the order of periods. */
export async function listSourceFiles(db: Queryable, source: string): Promise<SourceFile[]> {
  return await db.query<SourceFile>(sql`
    select ${COLUMNS} from source_file
    where source = ${source} and revision = (
      select max(other.revision) from source_file as other
      where other.source = source_file.source and other.name = source_file.name)
    order by period, name`);
}

/** The revisions, over all sources, that failed and were neither mended nor skipped since. */
export async function listFailedFiles(db: Queryable): Promise<SourceFile[]> {
  return await db.query<SourceFile>(sql`
    select ${COLUMNS} from source_file
    where state = 'failed' and revision = (
      select max(other.revision) from source_file as other
      where other.source = source_file.source and other.name = source_file.name)
    order by source, period, name`);
}

/** Why nothing of `stopped` is loaded: one of its files failed, or a file of another source of the same register. */
export function describeStop(file: Pick<SourceFile, 'source' | 'name' | 'reason'>, stopped: string): string {
  const name = file.source === stopped ? file.name : `a file of ${file.source}, ${file.name},`;
  return `${name} failed: ${file.reason}`;
}

export interface SeenFile {
  name: string;
  period: string;
  fingerprint: string;
}

/**
 * Records what a source lists now: new names, and names with a changed fingerprint, as a further revision. Resolves to
 * those. Revisions that were never loaded are superseded.
 */
export async function noteSeenFiles(
  db: Database,
  source: string,
  seen: readonly SeenFile[],
  nowMs: number,
): Promise<{ name: string; revision: number }[]> {
  const [names, periods, fingerprints] = [
    seen.map(({ name }) => name),
    seen.map(({ period }) => period),
    seen.map(({ fingerprint }) => fingerprint),
  ];
  return await db.transaction(async (tx) => {
    // Listed again unchanged after it had vanished from the list.
    await tx.query(sql`
      update source_file set state = 'seen', ended_at = null, reason = null
      from unnest(${names}::text[], ${fingerprints}::text[]) as listed (name, fingerprint)
      where source = ${source} and source_file.name = listed.name and source_file.fingerprint = listed.fingerprint
        and state = 'superseded' and not exists (select from source_file as newer
          where newer.source = ${source} and newer.name = listed.name and newer.revision > source_file.revision)`);
    const noted = await tx.query<{ name: string; revision: number }>(sql`
      insert into source_file (source, name, revision, period, fingerprint, state, seen_at)
      select ${source}, listed.name, coalesce(known.revision, 0) + 1, listed.period, listed.fingerprint, 'seen',
        to_timestamp(${nowMs}::float8 / 1000)
      from unnest(${names}::text[], ${periods}::text[], ${fingerprints}::text[]) as listed (name, period, fingerprint)
      left join lateral (
        select revision, fingerprint from source_file
        where source = ${source} and name = listed.name order by revision desc limit 1) as known on true
      where known.fingerprint is distinct from listed.fingerprint
      returning name, revision`);
    await tx.query(sql`
      update source_file set state = 'superseded', ended_at = to_timestamp(${nowMs}::float8 / 1000)
      where source = ${source} and state in ('seen', 'fetched', 'failed', 'late')
        and exists (select from source_file as newer where newer.source = source_file.source
          and newer.name = source_file.name and newer.revision > source_file.revision)`);
    // The declaration may read the names differently than before.
    const moved = await tx.query<{ loaded: boolean }>(sql`
      update source_file set period = listed.period
      from unnest(${names}::text[], ${periods}::text[]) as listed (name, period)
      where source = ${source} and source_file.name = listed.name and source_file.period <> listed.period
      returning state = 'loaded' as loaded`);
    if (moved.some(({ loaded }) => loaded)) await noteFileOrder(tx, source, null);
    return noted;
  });
}

/** Files that vanished from the list of their source before they were fetched. Resolves to their names. */
export async function withdrawFiles(
  db: Queryable,
  { source, states, listed }: { source: string; states: readonly SourceFileState[]; listed: readonly string[] },
  nowMs: number,
): Promise<string[]> {
  const withdrawn = await db.query<{ name: string }>(sql`
    update source_file set state = 'superseded', reason = 'no longer listed',
      ended_at = to_timestamp(${nowMs}::float8 / 1000)
    where source = ${source} and state = any(${states}::text[]) and name <> all(${listed}::text[])
    returning name`);
  return withdrawn.map(({ name }) => name).sort();
}

type FileKey = Pick<SourceFile, 'source' | 'name' | 'revision' | 'state'>;

export interface FileChange {
  state: SourceFileState;
  bytes?: number;
  digest?: string;
  loadId?: string | null;
  reason?: string | null;
}

/** False if the file is no longer in the state that the caller knows. */
export async function changeSourceFile(
  db: Database,
  file: FileKey,
  change: FileChange,
  nowMs: number,
): Promise<boolean> {
  const { state, bytes = null, digest = null, loadId = null, reason = null } = change;
  const now = sql`to_timestamp(${nowMs}::float8 / 1000)`;
  const isEnd = state !== 'seen' && state !== 'fetched';
  const update = sql`
    update source_file set state = ${state}, reason = ${reason},
      bytes = coalesce(${bytes}::int8, bytes), digest = coalesce(decode(${digest}, 'hex'), digest),
      load_id = coalesce(${loadId}::uuid, load_id),
      fetched_at = case when ${state} = 'fetched' then ${now} else fetched_at end,
      ended_at = case when ${isEnd} then ${now} end
    where source = ${file.source} and name = ${file.name} and revision = ${file.revision} and state = ${file.state}
    returning 1 as one`;
  return await db.transaction(async (tx) => {
    const changed = await tx.query(update);
    if (changed.length > 0 && state === 'loaded') await noteFileOrder(tx, file.source, file);
    return changed.length > 0;
  });
}

/** A loaded file of the source with the same content, or an earlier revision of the same name; else null. */
export async function findDouble(db: Queryable, file: SourceFile, digest: string): Promise<SourceFile | null> {
  const [found] = await db.query<SourceFile>(sql`
    select ${COLUMNS} from source_file
    where source = ${file.source} and digest = decode(${digest}, 'hex') and state = 'loaded'
      and (name, revision) <> (${file.name}, ${file.revision})
      and not exists (select from source_file as newer where newer.source = source_file.source
        and newer.name = source_file.name and newer.revision > source_file.revision and newer.state = 'loaded')
    order by ended_at limit 1`);
  return found ?? null;
}

/**
 * Notes which files of a source came after a later period, because finding it later would mean to read every file of
 * the source. Most files are of a later period than all before, and then one look-up is enough. The order is judged by
 * when each period was last loaded: a period that is loaded again after an older one came late states what is newer
 * once more. Call it after a file was loaded, or with `null` after periods of loaded files were changed.
 */
async function noteFileOrder(
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
