/**
 * The id of a record as pages show it: the uid, after the code or the name of its register or alone. The database says
 * whether the record exists, which costs no unit.
 */
import type { Queryable } from '../../database/driver/db.ts';
import { listMissingRecords } from '../../store/watches/counts.ts';
import { nameAndCode, registerName } from '../frame/registers.ts';

export interface RecordId {
  readonly jurisdiction_code: string;
  readonly uid: string;
}

interface NamedRecords {
  /** The record whose register and uid the text states. */
  readonly stated: RecordId | null;
  /** The only record whose uid is the whole text; null if several registers have one. */
  readonly alone: RecordId | null;
}

/** `registers`: the codes of those that have records. */
export async function findNamedRecords(
  db: Queryable,
  text: string,
  registers: readonly string[],
): Promise<NamedRecords> {
  const stated = registers.flatMap((code) => listUids(code, text).map((uid) => ({ jurisdiction_code: code, uid })));
  const alone = registers.flatMap((code) => listCases(text).map((uid) => ({ jurisdiction_code: code, uid })));
  const missing = new Set(await listMissingRecords(db, [...stated, ...alone]));
  const found = (listed: readonly RecordId[]): RecordId[] => listed.filter((record) => !missing.has(record));
  const others = found(alone);
  return { stated: found(stated)[0] ?? null, alone: others.length === 1 ? others[0]! : null };
}

/** What follows the code or the name of the register; between them blanks, a comma, a semicolon, a colon or a slash. */
function listUids(register: string, text: string): string[] {
  const names = [register, nameAndCode(register), registerName(register)];
  return names.flatMap((name) => {
    if (text.slice(0, name.length).toUpperCase() !== name.toUpperCase()) return [];
    const rest = text.slice(name.length);
    const uid = rest.replace(/^[\s,;:/]+/u, '');
    return uid === '' || uid === rest ? [] : listCases(uid);
  });
}

/** As typed, or with capitals as most registers write them. */
function listCases(uid: string): string[] {
  return [...new Set([uid, uid.toUpperCase()])];
}
