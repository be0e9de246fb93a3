/**
 * The ways along which a search reads the records in its order: the index of that order, what confines it and where it
 * goes on. Each leaves the planner one index (docs/decisions/0009). It knows nothing of what is looked for on the way.
 */
import type { CursorKey, Interval, IntervalColumn, SearchPlan } from '../plan/search.ts';
import { identifier, joinSql, type Statement, sql } from './sql.ts';

/** Of a sort by date, first the records that have the date, then those that do not (rule I-16). */
export type Segment = 'valued' | 'valueless';

/** Where a walk goes on, in one of its lanes: a register's own order, or with null the order of all. */
export interface WalkStart {
  readonly segment: Segment;
  readonly register: string | null;
  /** Null for the beginning of the segment. */
  readonly after: CursorKey | null;
}

/** One index in its order: what confines it, and its columns. */
export interface Way {
  readonly bounds: readonly Statement[];
  readonly key: readonly [string, string, string];
}

export function wayOf(plan: SearchPlan, start: WalkStart): Way {
  return start.segment === 'valued' ? boundValued(plan, start) : boundValueless(plan, start);
}

/** The conditions and the order of a statement that goes along it. */
export function listWay(way: Way, plan: SearchPlan): Statement {
  return sql`where ${joinSql(way.bounds, ' and ')} order by ${keyOrder(way, plan)}`;
}

export function keyColumns({ key }: Way): Statement {
  return joinSql(key.map(identifier), ', ');
}

export function keyOrder({ key }: Way, plan: SearchPlan, of: Statement = sql``): Statement {
  const direction = directionOf(plan);
  return joinSql(
    key.map((column) => sql`${of}${identifier(column)} ${direction}`),
    ', ',
  );
}

/**
 * The records that have the sort value. Within one register, comparisons of rows that begin with the register, and an
 * order that does, leave only the index that begins with it: said as an equality, the planner could prefer to walk the
 * order of all registers and throw the others away.
 */
function boundValued(plan: SearchPlan, { register, after }: WalkStart): Way {
  const { sort, walkedInterval } = plan;
  const column = identifier(sort);
  const beyond = plan.order === 'asc' ? sql`>` : sql`<`;
  const value = after === null ? null : typedValue(sort, after.value!);
  if (register === null) {
    const bounds = [sql`${column} is not null`, ...(walkedInterval === null ? [] : intervalBounds(walkedInterval))];
    if (after !== null) {
      bounds.push(
        sql`(${column}, jurisdiction_code, uid) ${beyond} (${value}, ${after.jurisdiction_code}, ${after.uid})`,
      );
    }
    return { bounds, key: [sort, 'jurisdiction_code', 'uid'] };
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
  return { bounds, key: ['jurisdiction_code', sort, 'uid'] };
}

/** Whether a register's records come after a position among those that share its sort value. */
export function comesLater({ order }: SearchPlan, register: string, position: CursorKey): boolean {
  return order === 'asc' ? register > position.jurisdiction_code : register < position.jurisdiction_code;
}

/** The records without the sort value. Either index that holds the sort column brings them in order and no others. */
function boundValueless(plan: SearchPlan, { register, after }: WalkStart): Way {
  const bounds = [sql`${identifier(plan.sort)} is null`];
  if (register !== null) bounds.push(sql`jurisdiction_code = ${register}`);
  if (after !== null) {
    const beyond = plan.order === 'asc' ? sql`>` : sql`<`;
    bounds.push(sql`(jurisdiction_code, uid) ${beyond} (${after.jurisdiction_code}, ${after.uid})`);
  }
  return { bounds, key: [plan.sort, 'jurisdiction_code', 'uid'] };
}

export function directionOf({ order }: SearchPlan): Statement {
  return order === 'asc' ? sql`asc` : sql`desc`;
}

export function typedValue(column: IntervalColumn, value: string): Statement {
  return column === 'updated_at' ? sql`${value}::timestamptz` : sql`${value}::date`;
}

/** Inclusive, except that an interval of change times ends before its upper bound (specification 4.3). */
export function intervalBounds({ column, from, to }: Interval): Statement[] {
  const bounds: Statement[] = [];
  if (from !== null) bounds.push(sql`${identifier(column)} >= ${typedValue(column, from)}`);
  if (to !== null) {
    bounds.push(sql`${identifier(column)} ${column === 'updated_at' ? sql`<` : sql`<=`} ${typedValue(column, to)}`);
  }
  return bounds;
}
