/**
 * Turns declared texts into a request for many records by their numbers or identities. It decides which forms a number
 * may have, not how records are found.
 */
import { IDENTITIES_MAX, NUMBERS_MAX } from '@tmds/contract/limits';
import { CURSORS, type CursorBinding, type CursorKey, cursorInvalid, decodeCursor } from './cursor.ts';
import type { DeclaredValues } from './query.ts';
import { parseForms, parseListedUid, parseNumbers, parseRegister, parseRegisterTexts } from './values.ts';

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

/** A number as it was asked for, in a register that may not exist. */
export interface AskedNumber {
  readonly register: string;
  readonly number: string;
  /** Compared forms, as written first. */
  readonly forms: readonly string[];
}

export interface NumbersOfRegistersRequest {
  /** In the order in which they were asked for, with repeats. */
  readonly asked: readonly AskedNumber[];
  /** By register, in the order of the codes: compared forms, sorted, without repeats. */
  readonly registers: readonly (readonly [register: string, numbers: readonly string[]])[];
  readonly after: CursorKey | null;
  /** 1 to 500. */
  readonly limit: number;
  readonly binding: CursorBinding;
}

/** @throws ApiError `invalid_parameter`, `cursor_invalid`, `cursor_query_mismatch` */
export function parseNumbersOfRegisters(values: DeclaredValues<'numbers'>): NumbersOfRegistersRequest {
  const asked = parseRegisterTexts('numbers', values.numbers ?? '', NUMBERS_MAX).map(({ register, text }) => ({
    register,
    number: text,
    forms: parseForms('numbers', register, text),
  }));
  const codes = [...new Set(asked.map(({ register }) => register))].sort();
  const registers = codes.map((code) => {
    const forms = asked.flatMap(({ register, forms: listed }) => (register === code ? listed : []));
    return [code, [...new Set(forms)].sort()] as const;
  });
  const binding = CURSORS.numbersOfRegisters(registers);
  const after = values.cursor === undefined ? null : decodeCursor(binding, values.cursor);
  if (after !== null && !codes.includes(after.jurisdiction_code)) throw cursorInvalid();
  const limit = values.limit === undefined ? NUMBERS_MAX : Number(values.limit);
  return { asked, registers, after, limit, binding };
}

/** An identity as it was asked for; neither the register nor the record may exist. */
export interface AskedIdentity {
  readonly register: string;
  readonly uid: string;
}

/** In the order in which they were asked for, with repeats. @throws ApiError `invalid_parameter` */
export function parseIdentities(values: DeclaredValues<'identities'>): AskedIdentity[] {
  const listed = parseRegisterTexts('identities', values.identities ?? '', IDENTITIES_MAX);
  return listed.map(({ register, text }) => ({ register, uid: parseListedUid('identities', text) }));
}
