/**
 * Look-ups of many records by key, in a form that one database and several nodes both answer by key
 * (docs/design/standbys-and-nodes.md). A look-up is a lateral subquery, grouped by the primary key. The grouping does
 * not change the result, but keeps the planner from joining the whole table, whatever its statistics say. A limit would
 * do so too, but not on several nodes.
 */
import type { Queryable } from '../driver/db.ts';
import { type Statement, sql } from '../driver/sql.ts';
import { isDistributed } from './distribution.ts';

export interface RecordKey {
  readonly jurisdiction_code: string;
  readonly uid: string;
}

/** Two lists for `unnest`: the registers of the records, and their uids. */
export function keyLists(records: readonly RecordKey[]): Statement {
  return sql`${records.map(({ jurisdiction_code }) => jurisdiction_code)}::text[],
        ${records.map(({ uid }) => uid)}::text[]`;
}

/**
 * A condition on `uid`, with which the list goes only to the nodes that can hold any of its records. One database needs
 * none, and would sort the list again for every record in it. Default: unknown which of the two it is.
 */
export function onNodesOf(listed: readonly { readonly uid: string }[], isDistributed = true): Statement {
  if (!isDistributed) return sql`true`;
  return sql`record.uid = any(${[...new Set(listed.map(({ uid }) => uid))]}::text[])`;
}

/** `columns` of the record with the key of a row of the caller's `listed`: one row, or none. */
export function recordOf(columns: Statement, more: Statement): Statement {
  return sql`(
        select record.jurisdiction_code, record.uid, ${columns} from record
        where record.jurisdiction_code = listed.jurisdiction_code and record.uid = listed.uid and ${more}
        group by record.jurisdiction_code, record.uid)`;
}

/**
 * Items with uids, in groups that each lie on one node. A transaction that writes one group is committed by that node
 * at once, and its statements are sent to no other node. On one database all items are one group.
 */
export async function groupByNode<Item>(
  db: Pick<Queryable, 'query'>,
  items: readonly Item[],
  uidOf: (item: Item) => string,
): Promise<Item[][]> {
  if (!(await isDistributed(db))) return [[...items]];
  const placed = await db.query<{ shard: string }>(sql`
    select get_shard_id_for_distribution_column('record', listed.uid)::text as shard
    from unnest(${items.map(uidOf)}::text[]) with ordinality as listed (uid, at) order by listed.at`);
  const groups = new Map<string, Item[]>();
  for (const [at, { shard }] of placed.entries()) {
    const group = groups.get(shard);
    if (group === undefined) groups.set(shard, [items[at]!]);
    else group.push(items[at]!);
  }
  return [...groups.values()];
}
