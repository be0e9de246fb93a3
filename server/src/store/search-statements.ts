/**
 * The statements of a search, rendered from a plan (specification 4.3, docs/decisions/0009). Each has one way to be
 * executed, whatever the planner believes about the data: a walk bounds the rows that it reads before anything is
 * compared, a gathering offers no index but that of the terms, and its session has sequential scans switched off.
 * Texts compare byte by byte and no letter case is folded here, so the locale of the database changes no answer.
 */
import { MATCHED_COUNT_MAX } from '@tmds/contract/limits';
import type { SearchPath } from '../plan/paths.ts';
import type { Conditions, CursorKey, Interval, IntervalColumn, SearchPlan, TextCondition } from '../plan/search.ts';
import { sliceTerm } from '../record/terms.ts';
import { instantText } from './instants.ts';
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

/** Of a sort by date, first the records that have the date, then those that do not (rule I-16). */
export type Segment = 'valued' | 'valueless';

/** Where a walk goes on, in one of its lanes: a register's own order, or with null the order of all. */
export interface WalkStart {
  readonly segment: Segment;
  readonly register: string | null;
  /** Null for the beginning of the segment. */
  readonly after: CursorKey | null;
}

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
  const [bounds, order] = start.segment === 'valued' ? boundValued(plan, start) : boundValueless(plan, start);
  const within = joinSql(bounds, ' and ');
  const value = keyValue(plan, start.segment);
  const laneColumn = lane === null ? sql`` : sql`, ${lane}::int`;
  if (rowsMax === null) {
    return sql`
    select ${value}, jurisdiction_code, uid, ${itemColumns(plan)}, true${laneColumn}
    from record where ${within} order by ${order} limit ${itemsMax}::int`;
  }
  const sort = identifier(plan.sort);
  const direction = directionOf(plan);
  const last = plan.order === 'asc' ? sql`max(${sort})` : sql`min(${sort})`;
  const next = sql`from record
          where ${within} order by ${order} limit ${rowsMax}::int`;
  const kept = sql`
        where ${joinSql(listPassed(plan), ' and ')} limit ${itemsMax}::int`;
  const isApart = rowsMax >= FETCHED_APART_ROWS_MIN[plan.sort];
  const matching = isApart
    ? sql`(
          select place, ${sort}, jurisdiction_code, uid
          from (select ctid as place, ${WALKED_COLUMNS} ${next}) as record ${kept}
        ) as found join record on record.ctid = found.place
        order by found.${sort} ${direction}, found.jurisdiction_code ${direction}, found.uid ${direction}`
    : sql`(select ${WALKED_COLUMNS} ${next}) as record ${kept}`;
  return sql`
    (
      select ${value}, record.jurisdiction_code, record.uid, ${itemColumns(plan)}, true${laneColumn}
      from ${matching}
    ) union all (
      select ${value}, null, null, null, null, null, false${laneColumn}
      from (
        select count(*) as rows, ${last} as ${sort}
        from (select ${sort}, jurisdiction_code, uid ${next}) as bounded
      ) as record
      where rows = ${rowsMax}::int
    ) limit ${itemsMax}::int`;
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
  const [bounds, order] = boundValued(plan, start);
  const sort = identifier(plan.sort);
  const isLast = sql`filter (where place = ${plan.limit}::int)`;
  return sql`
    select string_agg(detail, ',') filter (where place <= ${plan.limit}::int), count(*),
      max(${keyValue(plan, 'valued')}) ${isLast}, max(jurisdiction_code) ${isLast}, max(uid) ${isLast}
    from (
      select ${sort}, jurisdiction_code, uid, detail, row_number() over () as place
      from (
        select ${sort}, jurisdiction_code, uid, detail from record
        where ${joinSql(bounds, ' and ')} order by ${order} limit ${plan.limit + 1}::int
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
  const direction = directionOf(plan);
  const { rowsMax } = path;
  const [sought, compared] = path.kind === 'recent' ? listRecent(plan) : listGathered(plan, path);
  const matches = compared.length === 0 ? sql`true` : joinSql(compared, ' and ');
  const position = plan.after === null ? sql`true` : gatherPosition(plan, plan.after);
  // Asked for in its own order, a range of change times is read along its index and no further than the bound.
  const order = path.kind === 'recent' ? sql`order by updated_at, jurisdiction_code, uid` : sql``;
  // With a bound, rows that do not match are kept to be counted; without one, they may be too many to keep. Either way
  // the limit keeps what is compared from choosing an index.
  const [bound, kept, where] =
    rowsMax === null
      ? [sql`limit ${ROWS_ALL}::int`, sql`true`, sql`where ${matches}`]
      : [sql`limit ${rowsMax + 1}::int`, matches, sql``];
  const unfinished = rowsMax === null ? sql`false` : sql`count(*) > ${rowsMax}::int`;
  return sql`
    with fetched as materialized (
      select ctid as place, ${identifier(plan.sort)} as value, jurisdiction_code, uid, ${kept} as matches
      from (
        select ctid, ${WALKED_COLUMNS} from record where ${joinSql(sought, ' and ')} ${order} ${bound}
      ) as record ${where}
    ), page as (
      select place, value, jurisdiction_code, uid from fetched
      where matches and ${position}
      order by value ${direction} nulls last, jurisdiction_code ${direction}, uid ${direction}
      limit ${plan.limit + 1}::int
    )
    select ${keyValue(plan, 'valued')}, record.jurisdiction_code, record.uid, ${itemColumns(plan)}, matches, unfinished
    from (
      select count(*) filter (where matches) as matches, ${unfinished} as unfinished from fetched
    ) as told left join (page join record on record.ctid = page.place) on true
    order by page.value ${direction} nulls last, page.jurisdiction_code ${direction}, page.uid ${direction}`;
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
  const parts = conditions.texts.filter(({ indexed }) => indexed);
  const others = conditions.texts.filter(({ indexed }) => !indexed);
  const indexed = partConditions(parts);
  if (path.asksOnly === 'parts') {
    return [indexed, [...comparedTerms(conditions), ...others.map(textCondition), ...intervals]];
  }
  return [
    [...termConditions(plan.sought), ...coverConditions(covers), ...indexed],
    [...others.map(textCondition), ...intervals],
  ];
}

function listRecent(plan: SearchPlan): [sought: Statement[], compared: Statement[]] {
  const changes = plan.conditions.intervals.find(({ column }) => column === 'updated_at')!;
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
    ...intervals,
  ];
  return sql`
    select count(*) from (
      select from record where ${joinSql(all, ' and ')} limit ${MATCHED_COUNT_MAX + 1}::int
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

function directionOf({ order }: SearchPlan): Statement {
  return order === 'asc' ? sql`asc` : sql`desc`;
}

type Bounds = readonly [bounds: Statement[], order: Statement];

/**
 * The records that have the sort value. Within one register, comparisons of rows that begin with the register, and an
 * order that does, leave only the index that begins with it: said as an equality, the planner could prefer to walk the
 * order of all registers and throw the others away.
 */
function boundValued(plan: SearchPlan, { register, after }: WalkStart): Bounds {
  const { sort, walkedInterval } = plan;
  const column = identifier(sort);
  const direction = directionOf(plan);
  const beyond = plan.order === 'asc' ? sql`>` : sql`<`;
  const value = after === null ? null : typedValue(sort, after.value!);
  if (register === null) {
    const bounds = [sql`${column} is not null`, ...(walkedInterval === null ? [] : intervalBounds(walkedInterval))];
    if (after !== null) {
      bounds.push(
        sql`(${column}, jurisdiction_code, uid) ${beyond} (${value}, ${after.jurisdiction_code}, ${after.uid})`,
      );
    }
    return [bounds, sql`${column} ${direction}, jurisdiction_code ${direction}, uid ${direction}`];
  }
  const first = typedValue(sort, walkedInterval?.from ?? '-infinity');
  const last = typedValue(sort, walkedInterval?.to ?? 'infinity');
  const bounds = [
    sql`(jurisdiction_code, ${column}) >= (${register}, ${first})`,
    sql`(jurisdiction_code, ${column}) ${sort === 'updated_at' ? sql`<` : sql`<=`} (${register}, ${last})`,
  ];
  if (after !== null) {
    const isIts = after.jurisdiction_code === register;
    if (isIts) bounds.push(sql`(jurisdiction_code, ${column}, uid) ${beyond} (${register}, ${value}, ${after.uid})`);
    else {
      // Of the records that share the value, those of a register that comes later are still to come.
      const equal = comesLater(plan, register, after) ? sql`=` : sql``;
      bounds.push(sql`(jurisdiction_code, ${column}) ${beyond}${equal} (${register}, ${value})`);
    }
  }
  return [bounds, sql`jurisdiction_code ${direction}, ${column} ${direction}, uid ${direction}`];
}

/** Whether a register's records come after a position among those that share its sort value. */
export function comesLater({ order }: SearchPlan, register: string, position: CursorKey): boolean {
  return order === 'asc' ? register > position.jurisdiction_code : register < position.jurisdiction_code;
}

/** The records without the sort value. Either index that holds the sort column brings them in order and no others. */
function boundValueless(plan: SearchPlan, { register, after }: WalkStart): Bounds {
  const direction = directionOf(plan);
  const bounds = [sql`${identifier(plan.sort)} is null`];
  if (register !== null) bounds.push(sql`jurisdiction_code = ${register}`);
  if (after !== null) {
    const beyond = plan.order === 'asc' ? sql`>` : sql`<`;
    bounds.push(sql`(jurisdiction_code, uid) ${beyond} (${after.jurisdiction_code}, ${after.uid})`);
  }
  const order = sql`${identifier(plan.sort)} ${direction}, jurisdiction_code ${direction}, uid ${direction}`;
  return [bounds, order];
}

/** Nulls come last, so whatever has no value lies after any record that has one. */
function gatherPosition(plan: SearchPlan, after: CursorKey): Statement {
  const comparison = plan.order === 'asc' ? sql`>` : sql`<`;
  const identity = sql`(jurisdiction_code, uid) ${comparison} (${after.jurisdiction_code}, ${after.uid})`;
  if (after.value === null) return sql`value is null and ${identity}`;
  return sql`((value, jurisdiction_code, uid) ${comparison}
    (${typedValue(plan.sort, after.value)}, ${after.jurisdiction_code}, ${after.uid})
    or value is null)`;
}

function typedValue(column: IntervalColumn, value: string): Statement {
  return column === 'updated_at' ? sql`${value}::timestamptz` : sql`${value}::date`;
}

/** Inclusive, except that an interval of change times ends before its upper bound (specification 4.3). */
function intervalBounds({ column, from, to }: Interval): Statement[] {
  const bounds: Statement[] = [];
  if (from !== null) bounds.push(sql`${identifier(column)} >= ${typedValue(column, from)}`);
  if (to !== null) {
    bounds.push(sql`${identifier(column)} ${column === 'updated_at' ? sql`<` : sql`<=`} ${typedValue(column, to)}`);
  }
  return bounds;
}

/** What a walk keeps of the records that it passes. */
function listPassed({ scope, lanes, walked, walkedInterval }: SearchPlan): Statement[] {
  const compared = listCompared(walked, walked.intervals, walkedInterval);
  if (lanes.length === scope.length) return compared;
  // Cheaper to compare than the terms of the registers.
  return [sql`jurisdiction_code = any(${scope}::text[])`, ...compared];
}

/** Everything that is compared row by row, where the rows were found by `seen` already. */
function listCompared(
  { allOf, anyOf, texts }: Pick<Conditions, 'allOf' | 'anyOf' | 'texts'>,
  intervals: readonly Interval[],
  seen: Interval | null,
): Statement[] {
  const compared = [
    ...comparedTerms({ allOf, anyOf }),
    ...texts.map(textCondition),
    ...intervals.filter((interval) => interval !== seen).flatMap(intervalBounds),
  ];
  return compared.length === 0 ? [sql`true`] : compared;
}

/** The operators of the catalog by name: an extension such as intarray brings its own, which use other indexes. */
function termConditions({ allOf, anyOf }: Pick<Conditions, 'allOf' | 'anyOf'>): Statement[] {
  const conditions = anyOf.map((terms) => sql`terms operator(pg_catalog.&&) ${terms}::int[]`);
  return allOf.length === 0 ? conditions : [sql`terms operator(pg_catalog.@>) ${allOf}::int[]`, ...conditions];
}

/** Of more terms, each number of them would be a statement of its own for little. */
const SINGLE_TERMS_MAX = 4;

/**
 * The same for rows at hand: a term among those of one row is found faster so than by the operator of sets, which looks
 * for all before it tells that the first is not there.
 */
function comparedTerms({ allOf, anyOf }: Pick<Conditions, 'allOf' | 'anyOf'>): Statement[] {
  if (allOf.length > SINGLE_TERMS_MAX) return termConditions({ allOf, anyOf });
  return [...allOf.map((term) => sql`${term}::int = any(terms)`), ...termConditions({ allOf: [], anyOf })];
}

function coverConditions(covers: SearchPlan['covers']): Statement[] {
  return covers.map((terms) => sql`terms operator(pg_catalog.&&) ${terms}::int[]`);
}

/** For the index: what trigrams and seams tell of parts of names together. */
function partConditions(texts: readonly TextCondition[]): Statement[] {
  return [...termConditions({ allOf: texts.flatMap(({ seams }) => seams), anyOf: [] }), ...texts.map(textCondition)];
}

/** `like` is known to the trigram index; what the terms have found already is only compared. */
function textCondition({ column, text, indexed }: TextCondition): Statement {
  if (!indexed) return sql`strpos(${identifier(column)}, ${text}) > 0`;
  return sql`${identifier(column)} like ${`%${text.replaceAll(/[\\%_]/g, '\\$&')}%`}`;
}
