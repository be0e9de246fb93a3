/** What the statements of a search bring, and the order it is in. Texts stay bytes, as which they are compared. */
import type { Order } from '@tmds/contract/enums';
import type { CursorKey } from '../plan/search.ts';
import type { Statement } from './sql.ts';

/** One row of a statement, column by column. */
export type Row = readonly (Buffer | null)[];

/** The sort value (null without one), register and uid of a record: its place in the order of a search. */
export type Position = readonly [value: Buffer | null, jurisdictionCode: Buffer, uid: Buffer, ...rest: Row];

/** Runs one statement of a search, within the time limit of the whole. */
export type Query = (statement: Statement) => Promise<Row[]>;

/** What a conclusive path has found: at most one record more than a page holds. */
export interface Finding {
  readonly rows: readonly Position[];
  /** Of the whole query; null where the path has not seen them all. */
  readonly matches: number | null;
}

export function encodeKey({ value, jurisdiction_code, uid }: CursorKey): Position {
  return [value === null ? null : Buffer.from(value), Buffer.from(jurisdiction_code), Buffer.from(uid)];
}

export function readKey([value, jurisdictionCode, uid]: Position): CursorKey {
  return {
    value: value?.toString() ?? null,
    jurisdiction_code: jurisdictionCode.toString(),
    uid: uid.toString(),
  };
}

/** Negative where `one` comes before `other`; without a sort value a record comes last (rule I-16). */
export function comparePositions(one: Position, other: Position, order: Order): number {
  const [value, code, uid] = one;
  const [otherValue, otherCode, otherUid] = other;
  if (value === null && otherValue !== null) return 1;
  if (value !== null && otherValue === null) return -1;
  const byValue = value === null || otherValue === null ? 0 : Buffer.compare(value, otherValue);
  const difference = byValue || Buffer.compare(code, otherCode) || Buffer.compare(uid, otherUid);
  return order === 'asc' ? difference : -difference;
}

/** Greater than every register code. */
const BEYOND_CODES = Buffer.from('~');
const NOTHING = Buffer.alloc(0);

/** Before the first record that has the value, in the order of the search. */
export function positionBefore(value: Buffer, order: Order): Position {
  return [value, order === 'asc' ? NOTHING : BEYOND_CODES, NOTHING];
}

export function isTrue(value: Buffer | null | undefined): boolean {
  return value?.toString() === 't';
}
