/** Fills the benchmark's database if it is empty: rows first, then the peer's indexes. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Database } from '../../server/src/database/driver/db.ts';
import { sql } from '../../server/src/database/driver/sql.ts';
import { type DataOptions, folderOf } from '../options.ts';
import { connectBench, copyRecords, prepareTables, repeatRecords, settlePublishes, useDatabase } from './data.ts';

/** More records than this repeat earlier ones with new identities and stamps, which is faster than generating them. */
export const GENERATED_MAX = 1_000_000;

/** Runs `work` with a database that has the records, and those of the peer if `withPeer`. */
export async function useBench(
  options: DataOptions,
  withPeer: boolean,
  work: (url: string) => Promise<void>,
): Promise<void> {
  await useDatabase(folderOf(options), async (url) => {
    await fillBench(url, options.records, withPeer);
    await work(url);
  });
}

async function fillBench(url: string, records: number, withPeer: boolean): Promise<void> {
  const db = await connectBench(url, 2);
  const [present] = await db.query<{ there: boolean }>(sql`select to_regclass('register') is not null as there`);
  const filled = present?.there && (await db.query(sql`select from register limit 1`)).length > 0;
  if (!filled) await fillTables(db, records, withPeer);
  else if (withPeer && (await db.query(sql`select from peer.record limit 1`)).length === 0) {
    throw new Error(
      'the data folder was filled without the records of the peer: remove it, and it is filled with them',
    );
  }
  await db.close();
}

async function fillTables(db: Database, records: number, withPeer: boolean): Promise<void> {
  const started = performance.now();
  const report = (what: string): void =>
    console.error(`${what} after ${((performance.now() - started) / 1000).toFixed(0)} s`);
  await prepareTables(db);
  const generated = Math.min(records, GENERATED_MAX);
  await copyRecords(db, 0, generated, withPeer, (copied) => report(`${copied} records copied`));
  await finishTables(db, generated, records, withPeer, report);
}

/** Completes tables of `generated` records to `records`, and builds every index. */
export async function finishTables(
  db: Database,
  generated: number,
  records: number,
  withPeer: boolean,
  report: (what: string) => void,
): Promise<void> {
  for (let copied = generated; copied < records; copied += generated) {
    await repeatRecords(db, Math.round(copied / generated), Math.min(generated, records - copied), withPeer);
    report(`${Math.min(copied + generated, records)} records`);
  }
  if (withPeer) {
    const text = await readFile(fileURLToPath(new URL('peer-indexes.sql', import.meta.url)), 'utf8');
    for (const statement of text.split(';')) {
      if (statement.trim() !== '') await db.session((session) => session.runScript(statement));
    }
    report('indexes of the peer');
  }
  await db.session((session) => session.runScript('vacuum analyze'));
  await db.query(sql`insert into register (jurisdiction_code, record_count)
    select jurisdiction_code, count(*) from record group by jurisdiction_code`);
  await settlePublishes(db);
  report('ready');
}
