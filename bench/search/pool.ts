/** The values from which the queries of the search benchmark are drawn. */
import { OperatorError } from '../../server/src/base/errors.ts';
import type { Database } from '../../server/src/database/driver/db.ts';
import { sql } from '../../server/src/database/driver/sql.ts';

/** The parameters of a search. */
export type Texts = Record<string, string>;

/** Values that occur in the data. */
export interface Pool {
  readonly applicationNumbers: readonly string[];
  readonly registrationNumbers: readonly string[];
  readonly internationalNumbers: readonly string[];
  readonly priorityNumbers: readonly string[];
  readonly markNames: readonly { register: string; name: string }[];
  readonly cjkNames: readonly { register: string; name: string }[];
  readonly ownerNames: readonly { register: string; name: string }[];
  readonly representatives: readonly { register: string; name: string }[];
  readonly registers: readonly string[];
}

export function pick<T>(values: readonly T[], next: () => number): T {
  if (values.length === 0) throw new OperatorError('too few records to draw every query from; ask for 100000 or more');
  return values[Math.floor(next() * values.length)]!;
}

/** Values from the whole table; equal data gives equal values. */
export async function readPool(db: Database): Promise<Pool> {
  const rows = await db.query<{ detail: string }>(
    sql`select detail from record where hashtext(uid) % 997 = 1 order by jurisdiction_code, uid limit 20000`,
  );
  const records = rows.map(({ detail }) => JSON.parse(detail));
  const named = (field: 'mark_name' | 'owner_names' | 'representative_names') =>
    records.flatMap((record) => {
      const value = record[field];
      const name: string | undefined = Array.isArray(value) ? value[0] : (value ?? undefined);
      return name !== undefined && name.length >= 3 ? [{ register: record.jurisdiction_code as string, name }] : [];
    });
  const registers = await db.query<{ code: string }>(
    sql`select jurisdiction_code as code from register order by record_count desc`,
  );
  const texts = (field: string): string[] => records.flatMap((record) => record[field] ?? []);
  const markNames = named('mark_name');
  return {
    applicationNumbers: texts('application_number'),
    registrationNumbers: texts('registration_number'),
    internationalNumbers: texts('international_registration_numbers'),
    priorityNumbers: texts('priority_numbers'),
    markNames,
    cjkNames: markNames.filter(({ name }) => /\p{Script=Han}{3}/u.test(name)),
    ownerNames: named('owner_names'),
    representatives: named('representative_names'),
    registers: registers.map(({ code }) => code),
  };
}

/** A small deterministic generator, so that the draws of one kind do not depend on those of another. */
export function buildDraws(seed: string): () => number {
  let state = [...seed].reduce(
    (hash, character) => Math.imul(hash ^ character.charCodeAt(0), 0x01000193) >>> 0,
    0x811c9dc5,
  );
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
