/** The files of each load, as they were delivered: the origin of the versions that its publishes wrote. */
import type { Queryable } from '../../database/driver/db.ts';
import { sql } from '../../database/driver/sql.ts';

export interface LoadFile {
  readonly name: string;
  readonly bytes: number;
  /** Hexadecimal SHA-256. */
  readonly digest: string;
  /** Label of what it covers; null if nobody says so. */
  readonly period: string | null;
}

/** `firstNumber`: the number of the first one, from 1 along the load. */
export async function insertLoadFiles(
  db: Queryable,
  { loadId, firstNumber, files }: { loadId: string; firstNumber: number; files: readonly LoadFile[] },
): Promise<void> {
  await db.query(sql`
    insert into load_file (load_id, number, name, bytes, digest, period)
    select ${loadId}::uuid, ${firstNumber}::int4 + file.place::int4 - 1, file.name, file.bytes, decode(file.digest, 'hex'),
      file.period
    from unnest(${files.map(({ name }) => name)}::text[], ${files.map(({ bytes }) => bytes)}::int8[],
      ${files.map(({ digest }) => digest)}::text[], ${files.map(({ period }) => period)}::text[])
      with ordinality as file (name, bytes, digest, period, place)`);
}
