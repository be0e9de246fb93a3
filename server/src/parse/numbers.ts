/**
 * Turns declared texts into a request for many records by their numbers. It decides which forms a number may have, not
 * how records are found.
 */
import { NUMBERS_MAX } from '@tmds/contract/limits';
import { CURSORS, type CursorBinding, type CursorKey, decodeCursor } from './cursor.ts';
import type { DeclaredValues } from './query.ts';
import { parseNumbers, parseRegister } from './values.ts';

export interface NumbersRequest {
  /** Upper case; it may not exist. */
  readonly register: string;
  /** Compared forms, sorted, without repeats. */
  readonly numbers: readonly string[];
  /** The page begins after this record; null for the first page. */
  readonly after: CursorKey | null;
  /** 1 to 500. */
  readonly limit: number;
  readonly binding: CursorBinding;
}

/** @throws ApiError `invalid_parameter`, `cursor_invalid`, `cursor_query_mismatch` */
export function parseRegisterNumbers(values: DeclaredValues<'register_numbers'>, pathRegister: string): NumbersRequest {
  const register = parseRegister(pathRegister);
  const numbers = parseNumbers('numbers', values.numbers ?? '', register, NUMBERS_MAX);
  const binding = CURSORS.numbers({ register, numbers });
  const after = values.cursor === undefined ? null : decodeCursor(binding, values.cursor);
  const limit = values.limit === undefined ? NUMBERS_MAX : Number(values.limit);
  return { register, numbers, after, limit, binding };
}
