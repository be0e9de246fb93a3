/** Fills the benchmark's database, unless it is full already: rows first, then every index of both tables. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { sql } from '../../server/src/store/sql.ts';
import { connectBench, copyRecords, prepareTables } from './data.ts';

export async function fillBench(url: string, records: number, withPeer: boolean): Promise<void> {
  const db = await connectBench(url, 2);
  const [present] = await db.query<{ there: boolean }>(sql`select to_regclass('register') is not null as there`);
  const filled = present?.there && (await db.query(sql`select from register limit 1`)).length > 0;
  if (!filled) await fillTables(db, records, withPeer);
  await db.close();
}

async function fillTables(
  db: Awaited<ReturnType<typeof connectBench>>,
  records: number,
  withPeer: boolean,
): Promise<void> {
  const started = performance.now();
  const report = (what: string): void =>
    console.error(`${what} after ${((performance.now() - started) / 1000).toFixed(0)} s`);
  const indexes = await prepareTables(db);
  await copyRecords(db, 0, records, withPeer, (copied) => report(`${copied} records copied`));
  for (const { name, definition } of indexes) {
    await db.session((session) => session.runScript(definition));
    report(name);
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
  report('ready');
}
