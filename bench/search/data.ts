/**
 * The data of the search benchmark: generated records without payloads, in one database, in the tables of this service
 * and of the peer. Rows are inserted with COPY, as a first load does it; the peer's indexes are built afterwards.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { FILTER_DATES } from '@tmds/contract/enums';
import { systemClock } from '../../server/src/base/clock.ts';
import { buildLog } from '../../server/src/base/log.ts';
import { connectDatabase, type Database } from '../../server/src/database/driver/db.ts';
import { identifier, instantText, joinSql, type Statement, sql } from '../../server/src/database/driver/sql.ts';
import { type AttachedDatabase, attachDatabase } from '../../server/src/database/embedded/attach.ts';
import type { ServerSettings } from '../../server/src/database/embedded/settings.ts';
import { migrate } from '../../server/src/database/schema/migrate.ts';
import { generateRecords } from '../../server/src/generator/generate.ts';
import { BATCH_ROWS_MAX } from '../../server/src/load/staging/stage.ts';
import { normalizeRecord } from '../../server/src/record/normalize.ts';
import { buildRow } from '../../server/src/record/row.ts';
import { digestOf } from '../../server/src/store/publish/verification.ts';

export const log = buildLog({ level: 'warn' });
export const SEED = 'bench';
/** Records of one publish, which share a stamp. */
const BATCH_RECORDS = BATCH_ROWS_MAX;
const FIRST_STAMP_MS = Date.UTC(2026, 9, 1);
const BATCH_MS = 133;

const COLUMNS = [
  'jurisdiction_code',
  'uid',
  'updated_at',
  'first_seen_at',
  'content_digest',
  'mark_variants',
  'detail',
] as const;

/** The peer has a column for every field. */
export const PEER_COLUMNS = [
  'jurisdiction_code',
  'uid',
  'office',
  'application_number',
  'registration_number',
  'mark_name',
  'mark_name_folded',
  'mark_name_variants',
  'status',
  'tm5_status',
  'kind_of_mark',
  'mark_feature',
  ...FILTER_DATES,
  'renewal_date',
  'external_update_date',
  'nice_classes',
  'vienna_codes',
  'owner_names',
  'owner_text',
  'owner_countries',
  'representative_names',
  'representative_text',
  'international_registration_numbers',
  'priority_numbers',
  'designated_countries',
  'first_seen_at',
  'updated_at',
] as const;

const columnList = (names: readonly string[]): Statement => joinSql(names.map(identifier), ', ');

/**
 * Runs `work` with the database of a folder, and stops the database afterwards. `settings` of PostgreSQL replace those
 * that are computed for the machine.
 */
export async function useDatabase<Result>(
  dataDir: string,
  work: (url: string) => Promise<Result>,
  settings: ServerSettings = {},
): Promise<Result> {
  const attached = await attachBench(dataDir, settings);
  try {
    return await work(attached.url);
  } finally {
    await attached.release();
  }
}

/** An earlier version may have filled the folder. */
async function attachBench(dataDir: string, serverSettings: ServerSettings): Promise<AttachedDatabase> {
  const attached = await attachDatabase({
    dataDir,
    serverSettings,
    databaseUrl: null,
    applicationName: 'tmds bench',
    clock: systemClock,
    log,
    onProgress: (step) => console.error(step),
  });
  const db = await connectBench(attached.url, 1);
  await migrate(db, undefined, `the data folder ${dataDir}`);
  await db.close();
  return attached;
}

export async function connectBench(
  url: string,
  poolMax: number,
  settings: Readonly<Record<string, string>> = {},
  statementTimeoutMs = 0,
): Promise<Database> {
  return await connectDatabase({
    url,
    poolMax,
    statementTimeoutMs,
    applicationName: 'tmds bench',
    acquireTimeoutMs: 60_000,
    log,
    settings,
  });
}

const instantOf = (index: number): string =>
  new Date(FIRST_STAMP_MS + Math.floor(index / BATCH_RECORDS) * BATCH_MS).toISOString().replace('Z', '000Z');

/** For every record from `first` on, its COPY line for each table. */
export function* encodeRecords(
  first: number,
  records: number,
): Generator<{ identity: Buffer; ours: string; peer: string }> {
  let index = first;
  for (const source of generateRecords({ records, seed: SEED, payload: 'none', first })) {
    const record = normalizeRecord({ source_version: null, ...source } as never);
    const stamp = instantOf(index++);
    const row = buildRow(record);
    const stamps = `"record_update_date":"${stamp.slice(0, 10)}","first_seen_at":"${stamp}","updated_at":"${stamp}"}`;
    const ours: Record<string, unknown> = {
      ...row,
      updated_at: stamp,
      first_seen_at: stamp,
      content_digest: `\\x${row.content_digest}`,
      detail: `${row.detail},${stamps}`,
    };
    const peer: Record<string, unknown> = {
      ...record,
      mark_name_folded: record.mark_name?.toLowerCase() ?? null,
      owner_text: record.owner_names?.join('\n') ?? null,
      representative_text: record.representative_names?.join('\n') ?? null,
      first_seen_at: stamp,
      updated_at: stamp,
    };
    const identity = Buffer.from(`${record.jurisdiction_code}\0${record.uid}`);
    yield { identity, ours: encodeLine(COLUMNS, ours), peer: encodeLine(PEER_COLUMNS, peer) };
  }
}

const escapeCopy = (text: string): string =>
  text.replaceAll(/[\\\n\r\t]/g, (character) => ({ '\\': '\\\\', '\n': '\\n', '\r': '\\r' })[character] ?? '\\t');

function encodeLine(columns: readonly string[], row: Record<string, unknown>): string {
  const fields = columns.map((column) => {
    const value = row[column];
    if (value === null || value === undefined) return '\\N';
    if (!Array.isArray(value)) return escapeCopy(String(value));
    const elements = value.map((element) =>
      typeof element === 'number' ? String(element) : `"${String(element).replaceAll(/["\\]/g, '\\$&')}"`,
    );
    return escapeCopy(`{${elements.join(',')}}`);
  });
  return `${fields.join('\t')}\n`;
}

const CHUNK_LINES = 500;

/** Copies the records into both tables, or only into ours. Generates the next batch while one is copied. */
export async function copyRecords(
  db: Database,
  first: number,
  records: number,
  withPeer: boolean,
  onPortion: (copied: number) => void = () => {},
): Promise<void> {
  const portion = BATCH_RECORDS * 4;
  let copying: Promise<unknown> = Promise.resolve();
  for (let at = first; at < first + records; at += portion) {
    const lines = [...encodeRecords(at, Math.min(portion, first + records - at))];
    const ordered = orderBatches(lines);
    await copying;
    if ((at - first) % 500_000 === 0) onPortion(at - first);
    const ours = db.copyIn(
      sql`copy record (${columnList(COLUMNS)}) from stdin`,
      chunksOf(ordered.map((line) => line.ours)),
    );
    const peerCopy = sql`copy peer.record (${columnList(PEER_COLUMNS)}) from stdin`;
    const peers = withPeer ? db.copyIn(peerCopy, chunksOf(lines.map((line) => line.peer))) : null;
    copying = Promise.all([ours, peers]);
  }
  await copying;
}

/** Orders each batch as a publish does: by register and uid, byte by byte, as in the change feed. */
function orderBatches<Line extends { identity: Buffer }>(lines: readonly Line[]): Line[] {
  const ordered: Line[] = [];
  for (let at = 0; at < lines.length; at += BATCH_RECORDS) {
    ordered.push(
      ...lines.slice(at, at + BATCH_RECORDS).sort((one, other) => Buffer.compare(one.identity, other.identity)),
    );
  }
  return ordered;
}

async function* chunksOf(lines: readonly string[]): AsyncGenerator<Buffer> {
  for (let at = 0; at < lines.length; at += CHUNK_LINES) yield Buffer.from(lines.slice(at, at + CHUNK_LINES).join(''));
}

/**
 * Inserts the first `records` records again, with a new uid and one hour earlier for each round, so that identities and
 * stamps stay distinct and none is ahead of the clock. The delivered text of our table agrees.
 */
export async function repeatRecords(db: Database, round: number, records: number, withPeer: boolean): Promise<void> {
  const repeat = (table: Statement, columns: readonly string[]): Promise<unknown> => {
    const changed = columns.map((name) => {
      if (name === 'uid') return sql`uid || ${`~${round}`}`;
      if (name === 'updated_at' || name === 'first_seen_at')
        return sql`${identifier(name)} - ${round} * interval '1 hour'`;
      if (name === 'detail') return repeatedDetail(round);
      return identifier(name);
    });
    return db.query(
      sql`insert into ${table} (${columnList(columns)}) select ${joinSql(changed, ', ')} from ${table}
        where uid !~ '~[0-9]+$' limit ${records}`,
      { prepare: false },
    );
  };
  await Promise.all([repeat(sql`record`, COLUMNS), withPeer ? repeat(sql`peer.record`, PEER_COLUMNS) : null]);
}

function repeatedDetail(round: number): Statement {
  const earlier = instantText(sql`(updated_at - ${round} * interval '1 hour')`);
  const renamed = sql`replace(detail, '"uid":' || to_json(uid)::text, '"uid":' || to_json(uid || ${`~${round}`})::text)`;
  return sql`replace(${renamed}, ${instantText(sql`updated_at`)}, ${earlier})`;
}

/** Fills in what publishing the records would have left. */
export async function settlePublishes(db: Database): Promise<void> {
  await db.transaction(async (tx) => {
    // All publishes fit there. Otherwise the texts of all records would be sorted on the disk.
    await tx.query(sql`set local work_mem = '1GB'`);
    await tx.query(sql`set local enable_sort = off`);
    await tx.query(
      sql`insert into publish_digest (jurisdiction_code, updated_at, record_count, digest)
        select jurisdiction_code, updated_at, count(*), bit_xor(${digestOf(sql`detail`)}) from record group by 1, 2`,
      { prepare: false },
    );
    await tx.query(sql`update publish_clock set last_stamp = (select max(updated_at) from record)`);
  });
}

/** Creates both tables: ours with its indexes, the peer's without. */
export async function prepareTables(db: Database): Promise<void> {
  const peerTable = await readFile(fileURLToPath(new URL('peer.sql', import.meta.url)), 'utf8');
  await db.session(async (session) => {
    await session.runScript(peerTable);
  });
}
