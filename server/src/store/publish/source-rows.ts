/**
 * Rows of registers that are published as joined tables. The rows of a delivery wait in tables of its load until
 * everything has been read; then they are merged into the kept rows, and the groups that they touch are read back. It
 * knows no office: a row belongs to a part and may link to another, and a group is a root part with the parts joined to
 * it.
 */
import type { Database, Queryable } from '../../database/driver/db.ts';
import { identifier, joinSql, type Statement, sql } from '../../database/driver/sql.ts';

/** A row as a delivery states it. A removal states its key, and its part only if the key determines it. */
export interface SourceRow {
  table: string;
  key: string;
  part: string | null;
  link: string | null;
  removed: boolean;
  /**
   * For a supplement: orders the statements of one key. For a row of a format that orders by versions likewise, null if
   * its delivery states no day; of another format: the first statement of a key keeps its version, although the last
   * one counts. Null if neither is needed.
   */
  version: string | null;
  /** A JSON object of texts. */
  body: string;
}

/** By first characters: parts that are roots, and parts that may lead to others of the same kind, as parties do. */
export interface PartKinds {
  format: string;
  root: string;
  chained: string;
  /** Whether the statement of the highest version counts, rather than the last one loaded. */
  ordered: boolean;
}

/** The part of a removed row of which nothing but its key is known; it belongs to no mark. */
const UNKNOWN_PART = 'gone';

interface KeptRow {
  root: string;
  source_table: string;
  part: string;
  removed: boolean;
  version: string | null;
  body: string;
}

/** The number of rows of a table; the example is a part or a key of one of them. */
export interface CountedRows {
  source_table: string;
  rows: number;
  example: string;
}

export interface MergedRows {
  /** Rows that have no known root yet. */
  readonly waiting: readonly CountedRows[];
  /** Rows that a later row of the same key replaced. */
  readonly superseded: readonly CountedRows[];
}

const UNPREPARED = { prepare: false } as const;

/** A table of one load: the rows of its delivery, the parts that they touch, or the records to join again. */
export function rowTable(loadId: string, suffix: 'rows' | 'parts' | 'records'): Statement {
  return identifier(`stage_${loadId.replaceAll('-', '')}_${suffix}`);
}

export async function createRowStage(db: Queryable, loadId: string): Promise<void> {
  await db.query(
    sql`create unlogged table ${rowTable(loadId, 'rows')} (
      seq bigint generated always as identity, source_table text collate "C" not null, row_key text collate "C" not null,
      part text collate "C", link text collate "C", removed boolean not null, version text collate "C",
      body text not null)`,
    UNPREPARED,
  );
}

export async function dropRowStage(db: Queryable, loadId: string): Promise<void> {
  const tables = joinSql([rowTable(loadId, 'rows'), rowTable(loadId, 'parts'), rowTable(loadId, 'records')], ', ');
  await db.query(sql`drop table if exists ${tables}`, UNPREPARED);
}

export async function stageSourceRows(
  db: Pick<Database, 'copyIn'>,
  loadId: string,
  rows: readonly SourceRow[],
): Promise<void> {
  const text = rows
    .map(({ table, key, part, link, removed, version, body }) =>
      [table, key, part, link, removed ? 't' : 'f', version, body].map(copyText).join('\t'),
    )
    .join('\n');
  await db.copyIn(
    sql`copy ${rowTable(loadId, 'rows')} (source_table, row_key, part, link, removed, version, body) from stdin`,
    (async function* () {
      yield Buffer.from(`${text}\n`);
    })(),
  );
}

const COPY_ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function copyText(value: string | null): string {
  return value === null ? '\\N' : value.replace(/[\\\t\n\r]/g, (character) => COPY_ESCAPES[character] ?? character);
}

/**
 * Merges the delivery into the kept rows, in one transaction. Of several rows with the same key the last one counts, or
 * where versions order them the highest: an older delivery then neither replaces a row nor brings back one that a newer
 * delivery removed. Repeating it changes nothing.
 */
export async function mergeSourceRows(db: Database, loadId: string, kinds: PartKinds): Promise<MergedRows> {
  const { format, ordered } = kinds;
  // A delivery that states no day counts as the newest.
  const isNewer = (stated: Statement, held: Statement): Statement =>
    sql`(not ${ordered} or (${stated}.version >= ${held}.version) is not false)`;
  const rows = rowTable(loadId, 'rows');
  const parts = rowTable(loadId, 'parts');
  const newer = isNewer(sql`excluded`, sql`source_row`);
  return await db.transaction(async (tx) => {
    await tx.query(sql`select set_config('work_mem', '64MB', true)`, UNPREPARED);
    // One delivery at a time: two that touch the same rows in different orders could deadlock.
    await tx.query(sql`lock table source_row in share row exclusive mode`, UNPREPARED);
    const superseded = await dropSuperseded(tx, rows, ordered);
    await tx.query(
      sql`create unlogged table ${parts} (part text collate "C" not null, root text collate "C")`,
      UNPREPARED,
    );
    await tx.query(
      sql`insert into ${parts} (part)
        with stored as (select kept.part, kept.link from source_row kept join ${rows} using (source_table, row_key)
          where kept.format = ${format}),
        touched as (select part from ${rows} union select link from ${rows}
          union select part from stored union select link from stored)
        select part from touched where part is not null
        union all select ''`,
      UNPREPARED,
    );
    await tx.query(
      sql`insert into source_row (format, source_table, row_key, part, link, removed, version, body)
        select ${format}, source_table, row_key, part, link, false, version, body from ${rows}
        where not removed and part is not null
        on conflict (format, source_table, row_key) do update
          set part = excluded.part, link = excluded.link, body = excluded.body,
            removed = source_row.removed and not ${newer},
            version = case when ${ordered} and ${newer} then coalesce(excluded.version, source_row.version)
              else source_row.version end
          where (${newer} or source_row.part = ${UNKNOWN_PART})
            and (source_row.part, source_row.link, source_row.removed, source_row.body,
                case when ${ordered} then source_row.version end)
              is distinct from (excluded.part, excluded.link, false, excluded.body,
                case when ${ordered} then excluded.version end)`,
      UNPREPARED,
    );
    // After the first delivery of a format the planner knows none of its rows, and would search all for each.
    await tx.query(sql`analyze source_row (format, source_table, row_key, removed, part, link)`, UNPREPARED);
    await tx.query(
      sql`update source_row kept set removed = true,
          version = case when ${ordered} then coalesce(latest.version, kept.version) else kept.version end
        from ${rows} latest
        where latest.removed and kept.format = ${format}
          and (kept.source_table, kept.row_key) = (latest.source_table, latest.row_key)
          and ${isNewer(sql`latest`, sql`kept`)}
          and (not kept.removed
            or (${ordered} and kept.version is distinct from coalesce(latest.version, kept.version)))`,
      UNPREPARED,
    );
    // A removal that arrives before the row it removes is kept, or an older delivery would bring the row back.
    await tx.query(
      sql`insert into source_row (format, source_table, row_key, part, link, removed, version, body)
        select ${format}, source_table, row_key, ${UNKNOWN_PART}, null, true, version, body from ${rows}
        where removed and ${ordered} and version is not null
        on conflict do nothing`,
      UNPREPARED,
    );
    await findRoots(tx, parts, kinds);
    const waiting = await tx.query<CountedRows>(
      sql`select source_table, count(*)::int4 as rows, min(latest.part) as example from ${rows} latest
        where not removed and not starts_with(part, ${kinds.chained})
          and not exists (select 1 from ${parts} parts where parts.part = latest.part and root is not null)
        group by source_table order by source_table`,
      UNPREPARED,
    );
    return { waiting, superseded };
  });
}

/** Keeps only the last of several rows with the same key; where versions order them, of the highest version. */
async function dropSuperseded(tx: Queryable, rows: Statement, ordered: boolean): Promise<CountedRows[]> {
  // As text, the place is compared within one version. No version counts as the newest.
  const last = ordered
    ? sql`right(max(coalesce(version, '~') || lpad(seq::text, 19, '0')), 19)::bigint`
    : sql`max(seq)`;
  const superseded = await tx.query<CountedRows>(
    sql`with repeated as (
        select source_table, row_key, ${last} as last from ${rows} group by source_table, row_key having count(*) > 1
      ), dropped as (
        delete from ${rows} earlier using repeated
          where (earlier.source_table, earlier.row_key) = (repeated.source_table, repeated.row_key)
            and earlier.seq <> repeated.last
          returning earlier.source_table, earlier.row_key
      )
      select source_table, count(*)::int4 as rows, min(row_key) as example from dropped
        group by source_table order by source_table`,
    UNPREPARED,
  );
  await tx.query(sql`analyze ${rows}`, UNPREPARED);
  return superseded;
}

/** Adds the roots of the groups that each touched part belongs to. */
async function findRoots(tx: Queryable, parts: Statement, { format, root, chained }: PartKinds): Promise<void> {
  await tx.query(sql`analyze ${parts}`, UNPREPARED);
  await tx.query(
    sql`insert into ${parts} (part, root)
      select part, part from ${parts} where starts_with(part, ${root})
      union
      select parts.part, kept.link from ${parts} parts
        join source_row kept on kept.format = ${format} and kept.part = parts.part
        where starts_with(kept.link, ${root}) and not starts_with(parts.part, ${root})
      union
      select parts.part, kept.part from ${parts} parts
        join source_row kept on kept.format = ${format} and kept.link = parts.part
        where starts_with(kept.part, ${root})
      union
      select parts.part, kept.part from ${parts} parts
        join source_row chain on chain.format = ${format} and chain.link = parts.part
        join source_row kept on kept.format = ${format} and kept.link = chain.part
        where starts_with(chain.part, ${chained}) and starts_with(kept.part, ${root})`,
    UNPREPARED,
  );
  await tx.query(sql`create index on ${parts} (root, part)`, UNPREPARED);
  await tx.query(sql`analyze ${parts}`, UNPREPARED);
}

/** False if the database has crashed since the merge, because a crash silently empties unlogged tables. */
export async function isRowStageWhole(db: Queryable, loadId: string): Promise<boolean> {
  const rows = await db.query(sql`select 1 from ${rowTable(loadId, 'parts')} limit 1`, UNPREPARED);
  return rows.length === 1;
}

/** The next roots that a delivery touches, in order. */
export async function listTouchedRoots(db: Queryable, loadId: string, after: string, limit: number): Promise<string[]> {
  const rows = await db.query<{ root: string }>(
    sql`select distinct root from ${rowTable(loadId, 'parts')} where root > ${after} order by root limit ${limit}`,
    UNPREPARED,
  );
  return rows.map(({ root }) => root);
}

/** Every row of the groups of these roots, one group after the other. */
export async function listGroupRows(
  db: Queryable,
  roots: readonly string[],
  { format, root, chained }: PartKinds,
): Promise<KeptRow[]> {
  return await db.query<KeptRow>(
    sql`with base as (
        select part as root, source_row.* from source_row where format = ${format} and part = any(${roots})
      ), joined as (
        select root, link as part from base where link is not null and not starts_with(link, ${root})
        union select link, part from source_row
          where format = ${format} and link = any(${roots}) and not starts_with(part, ${root})
      ), chain as (
        select root, part from joined
        union select joined.root, kept.link from joined
          join source_row kept on kept.format = ${format} and kept.part = joined.part
          where starts_with(joined.part, ${chained}) and starts_with(kept.link, ${chained})
      )
      select root, source_table, part, removed, version, body, row_key from base
      union all
      select chain.root, kept.source_table, kept.part, kept.removed, kept.version, kept.body, kept.row_key
        from chain join source_row kept on kept.format = ${format} and kept.part = chain.part
      order by root, source_table, row_key`,
    UNPREPARED,
  );
}
