/**
 * What the processes of one torture run share: where everything is, what is asked of them now, and the oracle, a table
 * that a trigger fills inside each publish's own transaction, so that it holds exactly what was committed.
 */
import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildLog } from '../../src/base/log.ts';
import { connectDatabase, type Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';

/** Given to every process as its one argument, as JSON. */
export interface Assignment {
  folder: string;
  databaseUrl: string;
  seed: number;
  /** Which writer or poller this is, from 0. */
  index: number;
  /** How often it was started before. */
  generation: number;
  records: number;
  batchMax: number;
  horizonSeconds: number;
  port: number;
  key: string;
}

export interface Control {
  phase: 'write' | 'drain';
  /** While draining: a poller that is complete up to here is done. */
  until: string | null;
}

export const REGISTERS = ['XA', 'XB', 'XC', 'XD'] as const;

/** The register of a record by its number. Register XD is sparse. */
export function registerOf(number: number): string {
  return number % 97 === 0 ? 'XD' : REGISTERS[number % 3]!;
}

export const silentLog = buildLog({ level: 'silent' });

export async function connectTortured(url: string, poolMax: number): Promise<Database> {
  return await connectDatabase({
    url,
    poolMax,
    statementTimeoutMs: 120_000,
    applicationName: 'tmds torture',
    acquireTimeoutMs: 10_000,
    log: silentLog,
  });
}

export function readAssignment(): Assignment {
  return JSON.parse(process.argv[2] ?? '');
}

export function readControl(folder: string): Control {
  return JSON.parse(readFileSync(join(folder, 'control.json'), 'utf8'));
}

export function writeControl(folder: string, control: Control): void {
  const unfinished = join(folder, 'control.new');
  writeFileSync(unfinished, JSON.stringify(control));
  renameSync(unfinished, join(folder, 'control.json'));
}

export function deliveryLog(folder: string, index: number): string {
  return join(folder, `poller-${index}.log`);
}

/** What must never happen to a poller, whatever else does. */
export function faultLog(folder: string): string {
  return join(folder, 'faults.log');
}

/** Poller 0 and 1 read every register, the others one each. */
export function scopeOf(index: number): string | null {
  return index < 2 ? null : REGISTERS[(index - 2) % REGISTERS.length]!;
}

/** One line of a poller's log: rows and cursor saved together. */
export interface Delivery {
  cursor: string;
  /** Milliseconds since the epoch when the whole answer had arrived. */
  received: number;
  /** Register, uid, stamp, digest of everything delivered. */
  items: [string, string, string, string][];
}

/** Every fifth record has one. Numbered marks share them, so that a payload may stay, and the first has none. */
export function payloadTextOf(uid: string, mark: string): string | null {
  if (Number(uid.slice(1)) % 5 !== 0) return null;
  const value = Number(mark.split(' ').at(-1));
  if (Number.isNaN(value)) return mark.repeat(20);
  return value === 1 ? null : `value ${value % 4} `.repeat(20);
}

/** How the mark of a record begins that its source says to be removed. */
export const REMOVED_MARK = 'removed';

const IS_REMOVED = `(position('"mark_name":"${REMOVED_MARK}' in new.detail) > 0)`;

/** Deferred to the commit, when the payload is what it will be. */
const ORACLE = `
  create schema torture;
  create table torture.change (
    jurisdiction_code text collate "C" not null, uid text collate "C" not null, updated_at timestamptz not null,
    written_at timestamptz not null, cause text not null, detail_digest text not null, document_digest text,
    is_removed boolean not null
  );
  create function torture.note_change() returns trigger language plpgsql as $$
  begin
    if tg_op = 'UPDATE' and old.updated_at = new.updated_at then return null; end if;
    insert into torture.change values (new.jurisdiction_code, new.uid, new.updated_at, pg_catalog.clock_timestamp(),
      case when tg_op = 'INSERT' then 'first'
        when ${IS_REMOVED} then 'removal'
        when old.source_digest = new.source_digest then 'renormalization'
        when old.source_version = new.source_version then 'correction'
        else 'office' end,
      md5(new.detail), (select md5(document) from payload
        where payload.jurisdiction_code = new.jurisdiction_code and payload.uid = new.uid), ${IS_REMOVED});
    return null;
  end $$;
  create constraint trigger note_change after insert or update on record deferrable initially deferred
    for each row execute function torture.note_change();`;

export async function installOracle(db: Database): Promise<void> {
  await db.session((session) => session.runScript(ORACLE));
}

export async function countChanges(db: Database): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`select count(*)::float8 as count from torture.change`);
  return row!.count;
}

/** The content of a record as delivered, without its payload. */
export function digestDetail(detail: string): string {
  return createHash('sha256').update(detail).digest('base64url').slice(0, 12);
}
