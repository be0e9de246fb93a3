/**
 * The statements of a search, rendered from a plan (specification 4.3, docs/decisions/0009). Each has one way to be
 * executed, whatever the planner believes about the data: a walk bounds the rows that it reads before anything is
 * compared, a gathering offers no index but that of the terms, and its session has sequential scans switched off.
 */
import { MATCHED_COUNT_MAX } from '@tmds/contract/limits';
import { findChangeBounds } from '../plan/filters.ts';
import type { SearchPath } from '../plan/paths.ts';
import type { CursorKey, SearchPlan } from '../plan/search.ts';
import { sliceTerm } from '../record/terms.ts';
import { instantText } from './instants.ts';
import {
  comparedTerms,
  coverConditions,
  listCompared,
  listPassed,
  listUntold,
  partConditions,
  scopeCondition,
  signatureConditions,
  termConditions,
  textCondition,
} from './search-conditions.ts';
import {
  directionOf,
  intervalBounds,
  keyColumns,
  keyOrder,
  listWay,
  type Segment,
  typedValue,
  type WalkStart,
  type Way,
  wayOf,
} from './search-ways.ts';
import { identifier, joinSql, type Statement, sql } from './sql.ts';

/**
 * Settings of the sessions that run searches: what keeps the planner to the one way that each statement leaves. With
 * one way only, a plan can be kept for all values (planning anew cost 0.4 ms of an exact search of 0.5 ms).
 */
export const SEARCH_SESSION_SETTINGS = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_sort: 'off',
  enable_incremental_sort: 'off',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  // With the default, a gathering from more than some 40,000 pages of the table compares every record of its pages.
  work_mem: '32MB',
} as const;

/** More than any table holds. */
const ROWS_ALL = 2_147_483_647;

/** What is compared, ordered by or delivered, after the rows have been bounded. */
const WALKED_COLUMNS = sql`updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
          termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
          representative_names, detail`;

/**
 * From so many rows on, what is delivered of a match is fetched once more by its place: a row that is passed is then
 * unpacked no further than to what is compared, which saves a quarter of a long walk and costs a short one a tenth. In
 * an order by date hardly two rows share a page, so every part of a row that is left alone saves more.
 */
const FETCHED_APART_ROWS_MIN = { updated_at: 5_000, application_date: 1_000, registration_date: 1_000 } as const;

/**
 * Rows in order: key value, register, uid, item columns, whether the record matches. Unless `itemsMax` were found or the
 * order ended before `rowsMax` records, the last row is no record: it has the sort value of the last one read, which may
 * share it with others. A walk that finds enough never asks for that row.
 */
export function walkStatement(
  plan: SearchPlan,
  start: WalkStart,
  rowsMax: number | null,
  itemsMax = plan.limit + 1,
  lane: number | null = null,
): Statement {
  const way = wayOf(plan, start);
  const value = keyValue(plan, start.segment);
  const laneColumn = lane === null ? sql`` : sql`, ${lane}::int`;
  if (rowsMax === null) {
    return sql`
    select ${value}, jurisdiction_code, uid, ${itemColumns(plan)}, true${laneColumn}
    from record ${listWay(way, plan)} limit ${itemsMax}::int`;
  }
  const sort = identifier(plan.sort);
  const last = plan.order === 'asc' ? sql`max(${sort})` : sql`min(${sort})`;
  return sql`
    (
      select ${value}, record.jurisdiction_code, record.uid, ${itemColumns(plan)}, true${laneColumn}
      from ${findAlong(way, plan, rowsMax, itemsMax)}
    ) union all (
      select ${value}, null, null, null, null, null, false${laneColumn}
      from (
        select count(*) as rows, ${last} as ${sort}
        from (
          select ${keyColumns(way)} from record
          ${listWay(way, plan)} limit ${rowsMax}::int
        ) as bounded
      ) as record
      where rows = ${rowsMax}::int
    ) limit ${itemsMax}::int`;
}

/** What matches of the next `rowsMax` records on the way, as `record`, up to `itemsMax` of it. */
function findAlong(way: Way, plan: SearchPlan, rowsMax: number, itemsMax: number): Statement {
  const bound = sql`${listWay(way, plan)} limit ${rowsMax}::int`;
  const limit = sql`limit ${itemsMax}::int`;
  if (plan.signed !== null) {
    return sql`(
        select ${keyColumns(way)}
        from (
          select ${keyColumns(way)}, first_signature, second_signature from record
          ${bound}
        ) as record
        where ${joinSql([...scopeCondition(plan), ...signatureConditions(plan.signed)], ' and ')}
      ) as signed cross join lateral (
        select ${WALKED_COLUMNS} from record
        where record.jurisdiction_code = signed.jurisdiction_code and record.uid = signed.uid limit 1
      ) as record
      where ${joinSql(listPassed(plan), ' and ')}
      order by ${keyOrder(way, plan, sql`signed.`)} ${limit}`;
  }
  const matches = joinSql([...scopeCondition(plan), ...listPassed(plan)], ' and ');
  if (rowsMax < FETCHED_APART_ROWS_MIN[plan.sort]) {
    return sql`(
        select ${WALKED_COLUMNS} from record
        ${bound}
      ) as record
      where ${matches} ${limit}`;
  }
  return sql`(
        select place, ${keyColumns(way)}
        from (
          select ctid as place, ${WALKED_COLUMNS} from record
          ${bound}
        ) as record
        where ${matches} ${limit}
      ) as found join record on record.ctid = found.place
      order by ${keyOrder(way, plan, sql`found.`)}`;
}

/** The same of all lanes, one after the other; of several, each row ends with the number of its lane, from 0. */
export function lanesStatement(
  plan: SearchPlan,
  starts: readonly WalkStart[],
  rowsMax: number | null,
  itemsMax: number,
): Statement {
  const [first] = starts;
  if (first !== undefined && starts.length === 1) return walkStatement(plan, first, rowsMax, itemsMax);
  const walks = starts.map((start, lane) => sql`(${walkStatement(plan, start, rowsMax, itemsMax, lane)})`);
  return joinSql(walks, ' union all ');
}

/**
 * One row: the items of a full page whose every record matches, joined by commas; how many records there are, at most
 * one more than a page holds; and the key of the page's last record: value, register, uid. Joined where they are read,
 * the records need not be taken apart and put together again on their way.
 */
export function joinedWalkStatement(plan: SearchPlan, start: WalkStart): Statement {
  const way = wayOf(plan, start);
  const sort = identifier(plan.sort);
  const isLast = sql`filter (where place = ${plan.limit}::int)`;
  return sql`
    select string_agg(detail, ',') filter (where place <= ${plan.limit}::int), count(*),
      max(${keyValue(plan, 'valued')}) ${isLast}, max(jurisdiction_code) ${isLast}, max(uid) ${isLast}
    from (
      select ${sort}, jurisdiction_code, uid, detail, row_number() over () as place
      from (
        select ${sort}, jurisdiction_code, uid, detail from record
        ${listWay(way, plan)} limit ${plan.limit + 1}::int
      ) as bounded
    ) as record`;
}

/**
 * Rows in order: key value, register, uid, item columns, and on every row the number of matches of the whole query and
 * whether more rows than `rowsMax` would have had to be read, in which case nothing of the answer counts. An empty page
 * is one row without a uid. The records of the page are found again by their place in the table, which within one
 * statement is theirs.
 */
export function gatherStatement(plan: SearchPlan, path: SearchPath): Statement {
  const { rowsMax } = path;
  const { sought, matches, follows } = tellGathered(plan, path);
  // Asked for in its own order, a range of change times is read along its index and no further than the bound.
  const order = path.kind === 'recent' ? sql`order by updated_at, jurisdiction_code, uid` : sql``;
  // With a bound, rows that do not match are kept to be counted; without one, they may be too many to keep. Either way
  // the limit keeps what is compared from choosing an index.
  const [bound, kept, where] =
    rowsMax === null
      ? [sql`limit ${ROWS_ALL}::int`, sql`true`, sql`where ${matches}`]
      : [sql`limit ${rowsMax + 1}::int`, matches, sql``];
  const unfinished = rowsMax === null ? sql`false` : sql`count(*) > ${rowsMax}::int`;
  const isByStamp = plan.sort === 'updated_at' && (rowsMax ?? ROWS_ALL) >= SORTED_BY_STAMP_ROWS_MIN;
  const identity = isByStamp ? sql`` : sql`, jurisdiction_code, uid`;
  return sql`
    with fetched as materialized (
      select ctid as place, ${identifier(plan.sort)} as value${identity}, ${kept} as matches, ${follows} as follows
      from (
        select ctid, ${WALKED_COLUMNS} from record where ${sought} ${order} ${bound}
      ) as record ${where}
    ), page as (
      ${isByStamp ? sortFetchedByStamp(plan) : sortFetched(plan)}
    )
    select ${keyValue(plan, 'valued')}, record.jurisdiction_code, record.uid, ${itemColumns(plan)}, matches, unfinished
    from (
      select count(*) filter (where matches) as matches, ${unfinished} as unfinished from fetched
    ) as told left join (page join record on record.ctid = page.place) on true
    order by ${positionOrder(plan, sql`page.`)}`;
}

/**
 * Every record that is fetched, in no order: key value, register, uid, item columns, whether it matches, and whether it
 * comes after the plan's position. One row more than `rowsMax` tells that these are not all.
 */
export function gatherFewStatement(plan: SearchPlan, path: SearchPath): Statement {
  const { sought, matches, follows } = tellGathered(plan, path);
  return sql`
    select ${keyValue(plan, 'valued')}, record.jurisdiction_code, record.uid, ${itemColumns(plan)}, ${matches}, ${follows}
    from (
      select ${WALKED_COLUMNS} from record where ${sought} limit ${path.rowsMax! + 1}::int
    ) as record`;
}

/** One more of the fetched than a page holds. */
function sortFetched(plan: SearchPlan): Statement {
  return sql`select place, value, jurisdiction_code, uid from fetched
      where matches and follows
      order by ${positionOrder(plan)}
      limit ${plan.limit + 1}::int`;
}

/** Of a gathering that expects fewer, fetching some of them once more costs more than it saves. */
const SORTED_BY_STAMP_ROWS_MIN = 5_000;

/**
 * The same in the order of changes (docs/decisions/0023). Records lie in the table about as they changed, so that for a
 * page of the newest each one that is fetched comes before all that were sorted so far. To sort them by their stamps
 * alone takes a fifth to a third off the whole; those that share the last stamp, a publish of them at most, are told
 * apart afterwards. Their order is that of the stamps at hand: told by the column, it would be that of an index, and
 * the planner would walk it to meet them.
 */
function sortFetchedByStamp(plan: SearchPlan): Statement {
  return sql`select place, value, jurisdiction_code, uid
      from (
        select place, tied.value, record.jurisdiction_code, record.uid
        from (
          select place, value from fetched
          where matches and follows
          order by value ${directionOf(plan)} fetch first (${plan.limit + 1}::int) rows with ties
        ) as tied join record on record.ctid = tied.place
      ) as told_apart
      order by ${positionOrder(plan)}
      limit ${plan.limit + 1}::int`;
}

/** By what records are fetched, whether one matches, and whether it comes after the plan's position. */
function tellGathered(plan: SearchPlan, path: SearchPath): Record<'sought' | 'matches' | 'follows', Statement> {
  const [sought, compared] = path.kind === 'recent' ? listRecent(plan) : listGathered(plan, path);
  return {
    sought: joinSql(sought, ' and '),
    matches: compared.length === 0 ? sql`true` : joinSql(compared, ' and '),
    follows: plan.after === null ? sql`true` : followsPosition(plan, plan.after),
  };
}

/** What the term index is asked for, and what is compared afterwards. Neither leaves the planner a choice. */
function listGathered(plan: SearchPlan, path: SearchPath): [sought: Statement[], compared: Statement[]] {
  const { conditions } = plan;
  const intervals = conditions.intervals.flatMap(intervalBounds);
  // Beside so few records, the long list of a status or a class costs more than comparing.
  if (path.asksOnly === 'pinned') {
    const rest = { ...conditions, allOf: conditions.allOf.filter((term) => !conditions.pinned.includes(term)) };
    return [
      termConditions({ allOf: conditions.pinned, anyOf: [] }),
      [...comparedTerms(rest), ...conditions.texts.map(textCondition), ...intervals],
    ];
  }
  const covers = path.withBroadCovers ? [...plan.covers, ...plan.broadCovers] : plan.covers;
  const parts = partConditions(conditions.texts);
  const untold = listUntold(conditions.texts).map(textCondition);
  if (path.asksOnly === 'parts') return [parts, [...comparedTerms(conditions), ...untold, ...intervals]];
  return [
    [...termConditions(plan.sought), ...coverConditions(covers), ...parts],
    [...untold, ...intervals],
  ];
}

function listRecent(plan: SearchPlan): [sought: Statement[], compared: Statement[]] {
  const changes = findChangeBounds(plan)!;
  return [intervalBounds(changes), listCompared(plan.conditions, plan.conditions.intervals, changes)];
}

/** One number: the matches of the whole query or of some slices, counted no further than one beyond the cap. */
export function countStatement(plan: SearchPlan, slices: readonly number[] | null): Statement {
  const { conditions } = plan;
  const intervals = conditions.intervals.flatMap(intervalBounds);
  const all = [
    ...termConditions(plan.sought),
    ...(slices === null ? [] : [sql`terms operator(pg_catalog.&&) ${slices.map(sliceTerm)}::int[]`]),
    ...coverConditions([...plan.covers, ...plan.broadCovers]),
    ...partConditions(conditions.texts),
    ...listUntold(conditions.texts).map(textCondition),
    ...intervals,
  ];
  return sql`
    select count(*) from (
      select from record where ${joinSql(all, ' and ')} limit ${MATCHED_COUNT_MAX + 1}::int
    ) as matched`;
}

/** The same number of the first so many records on the way. */
export function countAlongStatement(plan: SearchPlan, rowsMax: number): Statement {
  const way = wayOf(plan, { segment: 'valued', register: plan.lanes[0] ?? null, after: null });
  return sql`
    select count(*) from (
      select from (
        select ${WALKED_COLUMNS} from record
        ${listWay(way, plan)} limit ${rowsMax}::int
      ) as record where ${joinSql([...scopeCondition(plan), ...listPassed(plan)], ' and ')}
      limit ${MATCHED_COUNT_MAX + 1}::int
    ) as matched`;
}

/** What a page's items are made of: their text, or for payloads the stamp and size by which they are read later. */
function itemColumns({ expandPayload }: SearchPlan): Statement {
  if (!expandPayload) return sql`record.detail, null, null`;
  return sql`null, record.updated_at::text, (
      select octet_length(document) from payload
      where payload.jurisdiction_code = record.jurisdiction_code and payload.uid = record.uid
    )`;
}

function keyValue({ sort }: SearchPlan, segment: Segment): Statement {
  if (segment === 'valueless') return sql`null`;
  const column = sql`record.${identifier(sort)}`;
  return sort === 'updated_at' ? instantText(column) : sql`to_char(${column}, 'YYYY-MM-DD')`;
}

/** Nulls come last (rule I-16). */
function positionOrder(plan: SearchPlan, of: Statement = sql``): Statement {
  const direction = directionOf(plan);
  return sql`${of}value ${direction} nulls last, ${of}jurisdiction_code ${direction}, ${of}uid ${direction}`;
}

/** Nulls come last, so whatever has no value lies after any record that has one. */
function followsPosition(plan: SearchPlan, after: CursorKey): Statement {
  const value = identifier(plan.sort);
  const comparison = plan.order === 'asc' ? sql`>` : sql`<`;
  const identity = sql`(jurisdiction_code, uid) ${comparison} (${after.jurisdiction_code}, ${after.uid})`;
  if (after.value === null) return sql`${value} is null and ${identity}`;
  return sql`((${value}, jurisdiction_code, uid) ${comparison}
    (${typedValue(plan.sort, after.value)}, ${after.jurisdiction_code}, ${after.uid})
    or ${value} is null)`;
}
