/** Fills the benchmark's database, unless it is full already: rows first, then every index of both tables. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Database } from '../../server/src/store/db.ts';
import { ensureIndexes } from '../../server/src/store/indexes.ts';
import { sql } from '../../server/src/store/sql.ts';
import { attachBench, connectBench, copyRecords, prepareTables, repeatRecords } from './data.ts';

/** Beyond so many, records come again under other identities and stamps: generating them would take longer. */
export const GENERATED_MAX = 3_000_000;

/** Does its work with the database of a folder that holds so many records, and stops that however the work ends. */
export async function useBench(
  folder: string,
  { records, withPeer }: { records: number; withPeer: boolean },
  work: (url: string) => Promise<void>,
): Promise<void> {
  const attached = await attachBench(resolve(folder));
  try {
    await fillBench(attached.url, records, withPeer);
    await work(attached.url);
  } finally {
    await attached.release();
  }
}

async function fillBench(url: string, records: number, withPeer: boolean): Promise<void> {
  const db = await connectBench(url, 2);
  const [present] = await db.query<{ there: boolean }>(sql`select to_regclass('register') is not null as there`);
  const filled = present?.there && (await db.query(sql`select from register limit 1`)).length > 0;
  if (!filled) await fillTables(db, records, withPeer);
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

/** From tables that hold `generated` records and no index to tables that hold `records` and every index. */
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
  await ensureIndexes(db);
  report('indexes of the service');
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
  report('ready');
}
